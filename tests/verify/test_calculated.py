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
OFFERS = [
    EvidenceText("Halden's offer for the roof is £12,400."),
    EvidenceText("Orsted's offer for the drains is £10,900, and Orsted refused the last account."),
    EvidenceText("The motor from Tolland costs $410."),
]
SYNTHESIS = [EvidenceText("The bids are £81,300 and £77,450.", synthesis=True)]


@pytest.mark.parametrize(
    ("true", "how", "evidence"),
    [
        ("The two prices of £81,300 and £77,450 differ by £3,850", "£81,300 − £77,450", BIDS),
        ("The prices of £81,300 and £77,450 come to £158,750 together", "£81,300 + £77,450", BIDS),
        (
            "The price of Ostrava Glass, £81,300, is £3,850 higher than that of Keeling, £77,450",
            "£81,300 − £77,450",
            BIDS,
        ),
        (
            "Halden's offer of £12,400 is £1,500 more than Orsted's offer of £10,900",
            "£12,400 − £10,900",
            OFFERS,
        ),
    ],
)
def test_a_sum_says_how_it_comes_out(true: str, how: str, evidence: list[EvidenceText]) -> None:
    claim = claim_of(true, evidence)
    assert claim is not None
    assert claim.support is Support.INFERRED
    assert claim.text == f"{true} (calculated from the cited figures: {how})."


@pytest.mark.parametrize(
    ("lie", "evidence"),
    [
        # Another figure, another way round, other operands, none named.
        ("The two prices of £81,300 and £77,450 differ by £3,580", BIDS),
        (
            "The price of Ostrava Glass, £81,300, is £3,850 lower than that of Keeling, £77,450",
            BIDS,
        ),
        (
            "The price of Keeling, £81,300, is £3,850 higher than that of Ostrava Glass, £77,450",
            BIDS,
        ),
        ("The two prices differ by £3,850", BIDS),
        # Another number of them, another unit, a rate, a denial, no exact figure.
        ("The three prices of £81,300 and £77,450 differ by £3,850", BIDS),
        ("The prices of £81,300 and £77,450 differ by $3,850", BIDS),
        ("The prices of £81,300 and £77,450 differ by £3,850 a month", BIDS),
        ("The prices of £81,300 and £77,450 do not differ by £3,850", BIDS),
        ("The prices of £81,300 and £77,450 differ by more than £3,850", BIDS),
        ("The offer of £12,400 and the motor of $410 come to £12,810 together", OFFERS),
        # What stands beside a right sum is not carried by it.
        (
            "Halden refused the last account, and £12,400 and £10,900 come to £23,300 together",
            OFFERS,
        ),
        ("The offers of £12,400 and £10,900 for the roof come to £23,300 together", OFFERS),
    ],
)
def test_a_wrong_sum_and_one_beside_a_lie_are_withheld(
    lie: str, evidence: list[EvidenceText]
) -> None:
    assert claim_of(lie, evidence) is None


def test_where_nothing_may_be_inferred_no_sum_is() -> None:
    assert (
        claim_of("The prices of £81,300 and £77,450 differ by £3,850", BIDS, may_infer=False)
        is None
    )


def test_figures_of_the_synthesis_alone_make_no_sum() -> None:
    assert claim_of("The bids of £81,300 and £77,450 differ by £3,850", SYNTHESIS) is None


def test_a_draft_that_says_itself_how_a_sum_comes_out_has_shown_nothing() -> None:
    note = "(calculated from the cited figures: {})"
    lie = "The prices of £81,300 and £77,450 differ by £9,000"
    assert claim_of(f"{lie} {note.format('£81,300 − £72,300')}", BIDS) is None
    told = "The prices of £81,300 and £77,450 differ by £3,850"
    claim = claim_of(f"{told} {note.format('(£5,000) − £1,150')}", BIDS)
    assert claim is not None
    assert "£5,000" not in claim.text
    assert "£1,150" not in claim.text


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
