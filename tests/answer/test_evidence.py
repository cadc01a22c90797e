"""From a document to evidence, from evidence to claims: rows, speakers, bullets, long sentences."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gate import Verdict, absent_name, judge
from tipstaff.answer.gathering import gather
from tipstaff.answer.item_summaries import answer_from_summaries
from tipstaff.answer.question import AnswerKind, Part, understand
from tipstaff.answer.scoring import has_kind, is_of_another_kind
from tipstaff.answer.table_lookup import looked_up
from tipstaff.asking import Interrogation
from tipstaff.domain.draft import ClaimKind
from tipstaff.domain.scope import IndexedItem
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.settings import load_settings
from tipstaff.verify.verifier import VerifiedClaim

LONG = "The survey found " + ", ".join(f"a cracked beam near window {n}" for n in range(40)) + "."
FILES = {
    "tez.md": "# The mill\n\nIt stands by the river.\n",
    "ledger.md": (
        "# Ledger of the mill\n\nAll figures are in pounds ($ thousands).\n\n"
        "| Item | Q1 2025 | Q2 2025 |\n|---|---|---|\n"
        "| Flour sales | 410 | 432 |\n| Grain cost | 212 | 240 |\n"
    ),
    "talk.txt": (
        "Ada Byron: The wheel must be replaced before winter.\n\n"
        "Tom Pell: I cannot pay for the wheel.\n\n"
        "Ada Byron: Then the mill stops.\n\nTom Pell: So be it.\n"
    ),
    "survey.txt": f"Survey\n\n• The roof leaks.\n\n{LONG}\n",
}


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interrogation]:
    folder = tmp_path_factory.mktemp("papers")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    chosen = load_settings({"reader": "none"})
    with open_bundle(folder, settings=chosen) as opened:
        yield Interrogation(indexed=index_bundle(opened, settings=chosen))


@pytest.fixture
def context(asking: Interrogation) -> AnswerContext:
    return asking.context()


def units(context: AnswerContext, name: str) -> list[EvidenceUnit]:
    (item,) = [item for item in context.items if item.id.startswith(name)]
    return context.units_of(item.id)


def part(query: str) -> Part:
    return understand(query).parts[0]


def test_a_header_row_states_nothing(context: AnswerContext) -> None:
    rows = [unit for unit in units(context, "ledger") if unit.is_row]
    assert [row.cells[0][1] for row in rows] == ["Flour sales", "Grain cost"]
    assert rows[0].reader_text == "Item: Flour sales; Q1 2025: 410; Q2 2025: 432"
    assert "$ thousands" in rows[0].near


def test_a_cell_is_looked_up_by_label_and_period(context: AnswerContext) -> None:
    flour, grain = [unit for unit in units(context, "ledger") if unit.is_row]
    asked = part("What were the flour sales in the second quarter of 2025?")
    assert looked_up(asked, flour) == 2
    assert looked_up(asked, grain) is None
    assert looked_up(part("What were the flour sales in the third quarter of 2025?"), flour) is None
    assert looked_up(part("Who bought flour?"), flour) is None


def test_a_cell_is_restated_under_its_header_with_its_unit(
    asking: Interrogation, context: AnswerContext
) -> None:
    flour = next(unit for unit in units(context, "ledger") if unit.is_row)
    claim = claim_from(flour, context, cell=2)
    assert claim.kind is ClaimKind.RESTATED
    assert claim.text == "Flour sales, Q2 2025: 432 ($ thousands)"
    assert isinstance(asking.boundary.verifier().check(claim), VerifiedClaim)


def test_who_speaks_is_known_from_labels_that_return(context: AnswerContext) -> None:
    said = {unit.text: unit.author for unit in units(context, "talk")}
    assert set(said.values()) == {"Ada Byron", "Tom Pell"}


def test_a_bullet_is_not_quoted(asking: Interrogation, context: AnswerContext) -> None:
    bullet = next(unit for unit in units(context, "survey") if "leaks" in unit.text)
    claim = claim_from(bullet, context)
    assert claim.text == "The roof leaks."
    assert isinstance(asking.boundary.verifier().check(claim), VerifiedClaim)


@pytest.mark.parametrize("answer", ["", "window 20", "window 39"])
def test_a_long_sentence_is_cut_around_its_answer_and_still_stands(
    asking: Interrogation, context: AnswerContext, answer: str
) -> None:
    long = next(unit for unit in units(context, "survey") if len(unit.text) > 500)
    claim = claim_from(long, context, answer=answer)
    assert len(claim.text) < 430
    assert answer in claim.text
    assert isinstance(asking.boundary.verifier().check(claim), VerifiedClaim)


def test_a_name_that_occurs_nowhere_proves_a_gap(context: AnswerContext) -> None:
    asked = part("What did the wheel cost Zebedee Quill?")
    assert absent_name(asked, context) == "Zebedee Quill"
    judgement = judge(asked, gather(asked, context), context)
    assert judgement.verdict is Verdict.GAP
    assert judgement.gap is not None
    assert "Zebedee Quill" in judgement.gap.description
    assert absent_name(part("What did Tom Pell say?"), context) is None


def test_evidence_comes_best_first_and_each_unit_once(context: AnswerContext) -> None:
    found = gather(part("What were the flour sales in Q2 2025?"), context).candidates
    chances = [one.probability for one in found]
    assert chances == sorted(chances, reverse=True)
    assert len({one.unit.key for one in found}) == len(found)
    assert found[0].is_exact
    assert found[0].answer == "432"


def test_kinds_are_told_by_figures(context: AnswerContext) -> None:
    assert is_of_another_kind(AnswerKind.MONEY, "12 percent")
    assert not is_of_another_kind(AnswerKind.MONEY, "$12")
    assert not is_of_another_kind(AnswerKind.MONEY, "no figure")
    leak = next(unit for unit in units(context, "survey") if "leaks" in unit.text)
    assert not has_kind(AnswerKind.COUNT, leak)
    assert has_kind(AnswerKind.ANY, leak)


def test_a_summary_speaks_only_to_what_it_shares_words_with() -> None:
    item = IndexedItem(
        id="survey", type="document", title="Survey", first=0, chunks=1, length=1, tokens=1,
        summary="The roof of the mill leaks. Bread is good. Sections: Roof; Wheel.",
    )  # fmt: skip
    answer = answer_from_summaries(understand("Why leaks the mill's roof?"), [item])
    (paragraph,) = answer.paragraphs
    assert [claim.text for claim in paragraph.claims] == ["The roof of the mill leaks."]
    assert not answer_from_summaries(understand("Who is the mayor?"), [item]).paragraphs
