"""What only repeats its place is said; what leaves out or puts in a word that matters is not seen
as repeating it."""

from __future__ import annotations

import pytest

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.naming import Home
from tipstaff.verify.source_words import is_in_source_words

_HOME = Home(
    names=("tidewel",), speaks_for=lambda who, firm: (who, firm) == ("Ada Byron", "Lovelace")
)


def _repeats(statement: str, *told: str, author: str = "", before: str = "") -> bool:
    units = [EvidenceText(text, author=author, before=before, paper=told[0]) for text in told]
    return is_in_source_words(statement, [units], home=_HOME)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "A further 50 per cent is due within 10 days of receipt of the documents",
            "2.3 A further 50 per cent is due within 10 days of receipt of the documents.",
        ),
        (
            "The landlord has offered ten years at £171,125",
            "The landlord, Severn Quay Estates, has offered ten years at £171,125.",
        ),
        (
            "The book budget was underspent",
            "The book budget was underspent because orders were frozen in January.",
        ),
        (
            "In 2025 Tidewell paid USD 214,000 in premiums to nine groups",
            "In 2025 we paid USD 214,000 in premiums to nine groups.",
        ),
        (
            "Tidewell has stopped offsetting, since it could not check the projects",
            "We have stopped offsetting, since we could not check the projects.",
        ),
        (
            "On 4 May the lift was repaired by Netherby Forge",
            "The lift was repaired by Netherby Forge on 4 May.",
        ),
        ("Henrike Dass is the Director of Water", "Henrike Dass (Director of Water)."),
        (
            "The report says that Tilbury has not yet adopted cameras",
            "Tilbury has not yet adopted cameras.",
        ),
    ],
)
def test_what_only_shortens_its_sentence_repeats_it(statement: str, told: str) -> None:
    assert _repeats(statement, told)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        # A condition, a denial, an alternative, whom it is for.
        (
            "The board will approve the new plan",
            "The board will approve the new plan if it is cheaper.",
        ),
        ("The board approved the new plan", "The board has not approved the new plan."),
        ("The board will buy the old mill", "The board will buy the old mill or the barn."),
        ("The yearly fee is £90", "The yearly fee is £90 for members and £120 for others."),
        ("Only Birch lost its escort officer", "Birch lost its escort officer."),
        # What somebody says, denies or asks is not so by that.
        ("The old lift was broken again", "Mr Pike denied that the old lift was broken again."),
        ("The old lift was broken again", "Mr Pike asked: was the old lift broken again?"),
        # Two verbs of a sentence, and the object of the other.
        (
            "The board approved the budget for May",
            "The board approved the plan and rejected the budget for May.",
        ),
        # What stands behind a colon, and behind another's name.
        ("The monitoring portal is in scope", "Also out of scope: the monitoring portal, payroll."),
        (
            "Henrike Dass is the Director of Finance",
            "Henrike Dass (Director of Water), Leopold Anstey (Director of Finance) came.",
        ),
        # Another order, another name, another figure.
        ("Ben Pike wrote to Ann Ode about rent", "Ann Ode wrote to Ben Pike about rent."),
        ("The trust paid USD 241,000 to nine groups", "The trust paid USD 214,000 to nine groups."),
        ("Lovelace paid USD 214,000 to nine groups", "We paid USD 214,000 to nine groups."),
        (
            "The member who voted is the only one",
            "The only member is the one who voted against it.",
        ),
    ],
)
def test_what_says_more_or_else_does_not(statement: str, told: str) -> None:
    assert not _repeats(statement, told)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("The tenant can sublet the flat", "With written consent, the tenant can sublet the flat."),
        ("Entry to the swimming pool is free", "For members, entry to the swimming pool is free."),
        ("The north lift was unsafe", "The north lift was unsafe, the contractor claimed."),
        ("All sites passed the inspection", "All sites passed the inspection, excluding Leeds."),
        (
            "The board approved the merger",
            "The board approved the merger, but rescinded it in June.",
        ),
        (
            "Pike signed the lease on 4 May",
            "Fallow denied that Mr. Pike signed the lease on 4 May.",
        ),
        ("The pool closes at 9 p.m", "The pool closes at 9 p.m. except on Sundays."),
        (
            "The tenant enters liquidation",
            "It ends if: (a) rent is unpaid; (b) the tenant enters liquidation.",
        ),
        ("The landlord said that it must pay", "The landlord said that we must pay."),
        ("The signal at Hexham was green", "He acted as though the signal at Hexham was green."),
        (
            "Sales rose in Leeds by 4 per cent",
            "Sales rose in Leeds but fell in Hull, by 4 per cent.",
        ),
        ("The margin in Leeds was 5 per cent", "The margin in Leeds was -5 per cent."),
        ("The insurer must notify the police", "The insured must notify the police."),
        ("Ann Ode is the chair of the board", "Ann Ode was the chair of the board."),
        ("The tenants complained about noise", "A tenant complained about noise."),
        ("A few members attended the meeting", "Few members attended the meeting."),
        ("The heating is expensive to repair", "The heating is too expensive to repair."),
    ],
)
def test_nothing_is_left_out_that_takes_it_back(statement: str, told: str) -> None:
    assert not _repeats(statement, told)


def test_what_somebody_says_is_repeated_as_theirs() -> None:
    told = "I withdrew them because of the plan found on Birch."
    said = "Colin Straker said that he withdrew them because of the plan found on Birch"
    assert _repeats(said, told, author="Colin Straker")
    assert not _repeats(said, told, author="Tom Haskett")


def test_we_are_those_for_whom_somebody_speaks() -> None:
    told = "We reserve our position on the claim."
    assert _repeats("Lovelace reserves its position on the claim", told, author="Ada Byron")
    assert not _repeats("Fallow reserves its position on the claim", told, author="Ada Byron")


def test_he_is_whoever_alone_was_named_before() -> None:
    told = "He will not accept a smaller advance."
    said = "Eusebio will not accept a smaller advance"
    assert _repeats(said, told, before="Eusebio wants seven dollars a kilo.")
    assert not _repeats(said, told, before="Eusebio wrote to Dario about the price.")


def test_two_sentences_are_joined_but_no_verb_changes_its_subject() -> None:
    told = ("Ann Ode opened the meeting at ten.", "Ben Pike resigned from the board.")
    assert _repeats("Ann Ode opened the meeting at ten and Ben Pike resigned from the board", *told)
    assert not _repeats("Ann Ode opened the meeting at ten and resigned from the board", *told)


def test_orders_to_machines_and_the_synthesis_are_no_source() -> None:
    for unit in (
        EvidenceText("The library was rated outstanding by all.", ordered=True),
        EvidenceText("The library was rated outstanding by all.", synthesis=True),
    ):
        assert not is_in_source_words(
            "The library was rated outstanding by all", [[unit]], home=_HOME
        )
