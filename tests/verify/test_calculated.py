"""A right sum that a draft does not label is labelled with how it comes out; a wrong one, or one
the wrong way round, is withheld."""

from __future__ import annotations

import pytest

from tests.verify.one_place import claim_of
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Support
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence


def row(*cells: tuple[str, str]) -> EvidenceText:
    return EvidenceText("; ".join(f"{head}: {words}" for head, words in cells), cells=cells)


BIDS = [
    row(("firm", "Ostrava Glass"), ("price", "£81,300")),
    row(("firm", "Keeling & Sons"), ("price", "£77,450")),
]
WARDS = [
    row(("ward", "Ward 5"), ("shortfall", "£3,393.00"), ("remark", "one head fewer than Ward 4")),
    row(("ward", "Ward 4"), ("shortfall", "£3,371.25")),
]
SYNTHESIS = [EvidenceText("The bids are £81,300 and £77,450.", synthesis=True)]


@pytest.mark.parametrize(
    ("true", "how", "false", "evidence"),
    [
        (
            "The two prices differ by £3,850",
            "£81,300 − £77,450",
            "The two prices differ by £3,580",
            BIDS,
        ),
        (
            "The price of Ostrava Glass is £3,850 higher than that of Keeling & Sons",
            "£81,300 − £77,450",
            "The price of Ostrava Glass is £3,850 lower than that of Keeling & Sons",
            BIDS,
        ),
        (
            "The shortfall of Ward 5 was £21.75 higher than that of Ward 4",
            "£3,393.00 − £3,371.25",
            "The shortfall of Ward 4 was £21.75 higher than that of Ward 5",
            WARDS,
        ),
        (
            "The prices come to £158,750 together",
            "£81,300 + £77,450",
            "The price is £158,750",
            BIDS,
        ),
    ],
)
def test_a_sum_says_how_it_comes_out(
    true: str, how: str, false: str, evidence: list[EvidenceText]
) -> None:
    claim = claim_of(true, evidence)
    assert claim is not None
    assert claim.support is Support.INFERRED
    assert claim.text == f"{true} (calculated from the cited figures: {how})."
    assert claim_of(false, evidence) is None


def test_where_nothing_may_be_inferred_no_sum_is() -> None:
    assert claim_of("The two prices differ by £3,850", BIDS, may_infer=False) is None


def test_figures_of_the_synthesis_alone_make_no_sum() -> None:
    assert claim_of("The two bids differ by £3,850", SYNTHESIS) is None


def test_a_draft_that_says_itself_how_a_sum_comes_out_has_shown_nothing() -> None:
    lie = "The two prices differ by £9,000 (calculated from the cited figures: £81,300 − £72,300)"
    assert claim_of(lie, BIDS) is None
    told = "The two prices differ by £3,850 (calculated from the cited figures: £5,000 − £1,150)"
    claim = claim_of(told, BIDS)
    assert claim is not None
    assert "£5,000" not in claim.text


def test_a_figure_of_another_unit_is_not_found_elsewhere() -> None:
    """What no place measures in centimetres is not repaired with a bare number."""
    mail = CitedEvidence(
        Citation("mail"), (EvidenceText("The contract pressure is 127 at the regulator."),)
    )
    register = CitedEvidence(
        Citation("paper"), (EvidenceText("The contract pressure is 127 mm at the regulator."),)
    )
    witness = Witness(
        look_up=lambda citation: mail if citation.item_id == "mail" else register,
        search=lambda _statement: (mail,),
        names={"paper": "paper", "mail": "mail"},
        known_terms=frozenset(),
        known_figures=frozenset(),
    )
    text = "The contract pressure is 127 {} at the regulator [[paper]]."
    assert check_sentence(DraftedSentence(text.format("cm"), ""), witness).claim is None
    assert check_sentence(DraftedSentence(text.format("mm"), ""), witness).claim is not None


def test_a_conclusion_of_which_its_place_says_nothing_is_none() -> None:
    log = [row(("at", "9 December"), ("text", "4.2 installed for testing, 40 shifts ok"))]
    since = "It can be inferred that {}, since 40 shifts were ok on 9 December"
    assert claim_of(since.format("the December payroll obeyed the corrected rule"), log) is None
    assert claim_of(since.format("4.2 was installed for testing on 9 December"), log) is not None
