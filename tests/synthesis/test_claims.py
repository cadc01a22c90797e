"""A synthesis cut into claims: nothing is lost, and each has the citations that stand for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import MERIDIAN
from tipstaff.synthesis.claims import SynthesisClaim, claims_of

NAMES = {"plan": "plan", "mail": "mail"}


def _claims(text: str) -> list[SynthesisClaim]:
    return claims_of(text, NAMES)


def _cited(claim: SynthesisClaim) -> list[str]:
    return [one.reference for one in claim.citations]


def _lent(claim: SynthesisClaim) -> list[str]:
    return [one.reference for one in claim.lent]


def test_a_sentence_is_cut_behind_each_of_its_citations() -> None:
    one, two = _claims("It costs $40 [[plan:L3]], and Ada Byron pays half of it [[mail:L9]].\n")
    assert (one.text, _cited(one)) == ("It costs $40", ["plan:L3"])
    assert (two.text, _cited(two)) == ("and Ada Byron pays half of it.", ["mail:L9"])
    assert two.sentence == "It costs $40, and Ada Byron pays half of it."


def test_marks_that_follow_one_another_stand_for_one_claim() -> None:
    (only,) = _claims("It costs $40 [[plan:L3]] [[mail:L9]].\n")
    assert _cited(only) == ["plan:L3", "mail:L9"]


def test_a_sentence_without_a_citation_leans_on_the_next_one_of_its_paragraph() -> None:
    first, second = _claims("The timing is poor. It is June [[plan:L3]].\n")
    assert (_cited(first), _lent(first)) == ([], ["plan:L3"])
    assert _lent(second) == []


def test_another_paragraph_lends_nothing() -> None:
    first, _ = _claims("The timing is poor.\n\nIt is June [[plan:L3]].\n")
    assert _lent(first) == []


def test_what_introduces_a_list_is_cited_for_each_of_its_items() -> None:
    text = "The terms are [[plan:terms]]:\n\n- 40 days\n- 12 percent [[mail]]\n"
    _, days, share = _claims(text)
    assert (days.text, _lent(days)) == ("40 days", ["plan:terms"])
    assert (_cited(share), _lent(share)) == (["mail"], [])


def test_a_row_is_a_claim_with_its_headers_and_the_source_below_its_table() -> None:
    text = (
        "| Part | Amount |\n|---|---|\n| Roof | $40 |\n| Wall | $60 |\n\nSource: [[plan:costs]]\n"
    )
    roof, wall = _claims(text)
    assert (roof.text, roof.is_row) == ("Roof; Amount: $40", True)
    assert _lent(roof) == _lent(wall) == ["plan:costs"]


def test_a_row_with_a_citation_of_its_own_needs_no_other() -> None:
    text = "| Part | Amount | Source |\n|---|---|---|\n| Roof | $40 | [[plan:L3]] |\n"
    (roof,) = _claims(text)
    assert (roof.text, _cited(roof)) == ("Roof; Amount: $40", ["plan:L3"])


def test_a_comment_claims_nothing() -> None:
    (only,) = _claims("<!-- It costs $50. Or so. -->\n\nIt costs $40 [[plan]].\n")
    assert only.text == "It costs $40."


def test_headings_claim_nothing_and_say_where_a_claim_stands() -> None:
    (only,) = _claims("# Costs in 2025\n\nIt costs $40 [[plan]].\n")
    assert only.heading == "Costs in 2025"


def test_every_citation_of_the_reference_bundle_stands_for_some_claim() -> None:
    text = (MERIDIAN / "tez.md").read_text(encoding="utf-8")
    names = {path.stem: path.stem for path in (MERIDIAN / "context").iterdir()}
    found = claims_of(text, names)
    assert sum(text.count("[[", one.start, one.end + 1) for one in found) == text.count("[[")


@given(st.text(alphabet="ab .,:|-#*\n[]1$", max_size=200))
def test_claims_stand_in_order_within_the_text_whatever_it_is(text: str) -> None:
    position = 0
    for one in _claims(text):
        assert position <= one.start <= one.end <= len(text)
        position = one.start
