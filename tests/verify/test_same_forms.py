"""The same figure, time, party or denial in another form."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Support
from tipstaff.domain.location import read_location
from tipstaff.facts.quantities import quantities
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.defined import in_defined_terms
from tipstaff.verify.durations import in_base, joined
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.foreign_matter import broken_references
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence
from tipstaff.verify.support import check_support
from tipstaff.verify.told_forms import in_told_forms

HEAD = (
    'between Weir Vets LLP ("the Practice") and Northfell Night Vets Limited ("the Provider")\n'
    "Present: Helen Marsden (chair), Tom Aldous, Tom Brand"
)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("an hour and three quarters", 105),
        ("an hour and a half of the day", 90),
        ("two thirds of an hour", 40),
        ("one hour and 25 minutes", 85),
        ("an hour and twenty minutes", 80),
        ("2 h 25 min", 145),
        ("two hours forty.", 160),
        ("a minute and a half", Decimal("1.5")),
    ],
)
def test_how_long_something_takes_is_one_figure(text: str, minutes: Decimal) -> None:
    (found,) = joined(quantities(text), text)
    assert in_base(found) / 60 == minutes


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Just over a fifth came by phone", 20, ""),
        ("three in five of the protocols", 60, ""),
        ("Four out of five were alive", 80, ""),
        ("three tenths of the price", 30, ""),
        ("it fell by almost a quarter", 25, ""),
        ("for three quarters of a year", 9, "month"),
        ("a fortnight's fees", 14, "day"),
        ("for half a year", 6, "month"),
    ],
)
def test_a_part_of_a_whole_is_one_figure(text: str, value: int, unit: str) -> None:
    (found,) = quantities(text)
    assert found.value == value
    assert found.unit == unit


@pytest.mark.parametrize(
    "text", ["more than a third party", "over a third year", "a fifth meter stands there"]
)
def test_what_comes_third_is_no_third_of_anything(text: str) -> None:
    assert quantities(text) == []


@pytest.mark.parametrize(
    ("statement", "holds"),
    [
        ("Two thirds of the readings were in range.", True),
        ("Just over two thirds of the readings were in range.", True),
        ("Three quarters of the readings were in range.", False),
    ],
)
def test_a_third_has_no_last_digit(statement: str, holds: bool) -> None:
    told = [[EvidenceText("67 per cent of the readings were in range.")]]
    assert (check_support(statement, told).support is not Support.UNVERIFIED) is holds


@pytest.mark.parametrize("text", ["20 minutes and one hour", "two hours, 40 guests", "an hour ago"])
def test_what_does_not_go_together_stays_apart(text: str) -> None:
    figures = quantities(text)
    assert joined(figures, text) == figures


@pytest.mark.parametrize(
    ("said", "told", "form"),
    [
        ("It is kept for two years.", "It is held for 24 months.", "It is kept for 24 months."),
        ("It closes at half past four in the afternoon.", "Open to 16:30", "It closes at 16:30."),
        ("It was shut for 80 minutes.", "1 hour 20 minutes", "It was shut for 1 hour 20 minutes."),
        ("It is 1,800 metres away.", "some 1.8 km from here", "It is 1.8 km away."),
        ("It costs £40.", "It costs £40.", "It costs £40."),
        ("It costs £40.", "It costs £41.", "It costs £40."),
    ],
)
def test_a_model_reads_a_statement_with_the_figures_of_its_place(
    said: str, told: str, form: str
) -> None:
    assert in_told_forms(said, [told]) == form


@pytest.mark.parametrize(
    ("said", "told", "stands"),
    [
        ("The retainer is £48k a year.", "The retainer is £48,000 a year.", True),
        ("The retainer is £84k a year.", "The retainer is £48,000 a year.", False),
        ("The room is kept at 13 degrees Celsius.", "The room is kept at 13 °C.", True),
        ("The room is kept at 31 degrees Celsius.", "The room is kept at 13 °C.", False),
        ("The surplus was just under £29,000.", "The surplus was £28,760.", True),
        ("The surplus was just over £29,000.", "The surplus was £28,760.", False),
        ("A bike of the store is free.", "A bike of the store is free of charge.", True),
        ("It is £900 without VAT.", "It is £900 excluding VAT.", True),
        ("It is £900 including VAT.", "It is £900 excluding VAT.", False),
        ("The plan was turned down.", "The plan was rejected.", True),
        ("The plan was accepted.", "The plan was turned down.", False),
        ("None of the vines died.", "None of the vines died.", True),
    ],
)
def test_one_thing_in_two_forms(said: str, told: str, stands: bool) -> None:
    verdict = check_support(said, [[EvidenceText(told)]])
    assert (verdict.support is not Support.UNVERIFIED) is stands


@pytest.mark.parametrize(
    ("said", "told", "read"),
    [
        ("Northfell answers within 90 s.", "The Provider answers.", "the Provider answers within"),
        ("Northfell answers within 90 s.", "Northfell answers.", "Northfell answers within"),
        ("Helen Marsden reported it.", "Helen reported it.", "Helen reported it."),
        ("Tom Aldous reported it.", "Tom reported it.", "Tom Aldous reported it."),
        ("Vets Limited answers.", "The Provider answers.", "the Provider answers."),
        ("Helen Marsden reported it.", "Gwen reported it.", "Helen Marsden reported it."),
    ],
)
def test_who_is_named_is_read_with_the_word_that_the_paper_has(
    said: str, told: str, read: str
) -> None:
    assert in_defined_terms(said, [[EvidenceText(told, paper=HEAD)]]).startswith(read)


def test_the_parties_of_a_contract_are_not_exchanged() -> None:
    place = EvidenceText("The Practice shall pay the Provider £3,850 a month.", paper=HEAD)
    true = check_support("Weir pays Northfell £3,850 a month.", [[place]])
    assert true.support is not Support.UNVERIFIED
    false = check_support("Northfell pays Weir £3,850 a month.", [[place]])
    assert false.support is Support.UNVERIFIED


def test_a_name_at_the_head_of_a_mail_says_nothing_of_who_writes_it() -> None:
    place = EvidenceText("Helen, the pump has stopped.", author="Gwen Parry", paper=HEAD)
    said = "Helen Marsden reported that the pump had stopped."
    assert in_defined_terms(said, [[place]]) == said


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("It is due [steel-contract:L35]].", ["steel-contract:L35"]),
        ("It is due [[winter-report:L32", ["winter-report:L32"]),
        ("It is due [[a:L35].", ["a:L35"]),
        ("It is due [[radio-thread:", []),
        ("See [the rule] there.", []),
        ("In code `[[a:L3`", []),
    ],
)
def test_a_mark_that_lacks_a_bracket_still_names_its_place(
    text: str, references: list[str]
) -> None:
    assert broken_references(text) == references


@pytest.mark.parametrize(
    ("told", "whole", "cut"),
    [
        (
            "The mail raises no questions about the budget, but one about the date.",
            "The mail raises no questions about the budget [[mail:L1]].",
            "The mail raises no questions about the budget, but [[mail:L1",
        ),
        # A point may end with a particle.
        (
            "At six the alarm was switched on and the vault was shut.",
            "The alarm was switched on [[mail:L1]]",
            "The alarm was switched on at [[mail:L1]]",
        ),
    ],
)
def test_a_sentence_that_is_cut_off_is_not_said_whatever_it_cites(
    told: str, whole: str, cut: str
) -> None:
    found = CitedEvidence(Citation("mail", read_location("L1")), (EvidenceText(told),))
    witness = Witness(
        look_up=lambda _: found,
        search=lambda _: [found],
        names={"mail": "mail"},
        known_terms=frozenset(),
        known_figures=(),
    )
    assert check_sentence(DraftedSentence(whole, ""), witness).claim is not None
    assert check_sentence(DraftedSentence(cut, ""), witness).claim is None
