"""What "it" and "the same year" stand for."""

from __future__ import annotations

import pytest

from tipstaff.domain.citation import Citation
from tipstaff.domain.location import read_location
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.leaning import (
    Lost,
    is_of_some_time,
    is_of_something_else,
    is_of_time_not_asked,
)
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence

YEARS = (("Kind", "Farm"), ("2023/24 (£)", "1,052,300"), ("2024/25 (£)", "1,014,600"))
ONE_YEAR = (("Kind", "Farm"), ("2024/25 (£)", "1,014,600"))


@pytest.mark.parametrize(
    ("said", "cells", "unknown"),
    [
        ("Farm work earned £1,052,300 in the same year.", YEARS, True),
        ("Farm work earned £1,014,600 in the same year.", ONE_YEAR, False),
        ("Farm work earned £1,052,300 in 2023/24, the same year.", YEARS, False),
        ("Farm work earned £1,052,300.", YEARS, False),
    ],
)
def test_which_of_several_years_the_same_is_stands_in_another_sentence(
    said: str, cells: tuple[tuple[str, str], ...], unknown: bool
) -> None:
    assert is_of_some_time(said, [EvidenceText("row", cells=cells)]) is unknown


@pytest.mark.parametrize(
    ("said", "asked", "other"),
    [
        ("The amount spent is $2.91 million.", "What was spent in the first quarter?", True),
        ("The amount spent is $2.91 million.", "What was spent in the third quarter?", False),
        ("In the third quarter $2.91 million was spent.", "And in the first quarter?", False),
        ("The amount spent is $2.91 million.", "What was spent in 2024?", False),
        ("The amount spent is $2.91 million.", "What was spent?", False),
        ("It is company-wide.", "What was spent in 2024?", False),
    ],
)
def test_a_figure_of_another_time_than_was_asked_about_is_said_with_its_time_or_not_at_all(
    said: str, asked: str, other: bool
) -> None:
    place = EvidenceText("Total spend for the third quarter of 2025 was $2.91 million.")
    assert is_of_time_not_asked(said, asked, [place, EvidenceText("It is company-wide.")]) is other


@pytest.mark.parametrize(
    ("before", "place", "other"),
    [
        ("Lamp Cottage", "Foghorn Cottage was closed for 40 nights by damp.", True),
        ("Foghorn Cottage", "Foghorn Cottage was closed for 40 nights by damp.", False),
        ("Lamp Cottage", "Lamp Cottage was closed for 40 nights by damp.", False),
        ("The larger cottage", "Foghorn Cottage was closed for 40 nights by damp.", False),
        ("Lamp Cottage", "The cottage was closed for 40 nights by damp.", False),
        ("The boathouse", "Foghorn Cottage was closed for 40 nights by damp.", True),
        ("Lamp Cottage", "", False),
    ],
)
def test_it_is_what_the_sentence_before_it_names(before: str, place: str, other: bool) -> None:
    said = "It was closed for 40 nights by damp."
    assert is_of_something_else(said, before, [EvidenceText(place)] if place else []) is other


@pytest.mark.parametrize("mark", [" [[memo:L1]]", ""])
def test_neither_with_its_citation_nor_with_one_that_is_found_for_it(mark: str) -> None:
    place = EvidenceText("Total marketing spend for the third quarter of 2025 was $2.91 million.")
    found = CitedEvidence(Citation("memo", read_location("L1")), (place,))
    draft = DraftedSentence(f"Total marketing spend was $2.91 million{mark}.", "")

    def answers(asked: str) -> bool:
        witness = Witness(
            look_up=lambda _: found,
            search=lambda _: [found],
            names={"memo": "memo"},
            known_terms=frozenset(["marketing"]),
            known_figures=(),
            asked=asked,
        )
        return check_sentence(draft, witness).claim is not None

    assert answers("How much was spent on marketing in the third quarter?")
    assert not answers("How much was spent on marketing in the first quarter?")


@pytest.mark.parametrize(
    "statement",
    [
        "She resigned in March.",
        "In March she resigned.",
        "The board dismissed her in March.",
        "By then, in the second year, his fee had doubled.",
        "It ends in May.",
        "Under clause 4 it ends in May.",
        "After two weeks they agreed to wait.",
        "The latter is payable in May.",
        "- Their fee is £40.",
    ],
)
def test_what_is_said_of_somebody_in_a_withheld_sentence_goes_with_it(statement: str) -> None:
    lost = Lost()
    assert not lost.leaves_open(statement)
    lost.take_out()
    assert lost.leaves_open(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Ada Byron said that she resigned.",
        "In March Ada Byron and her brother resigned.",
        "The tenants said that they would leave.",
        "The lease ends in May, and its term is a year.",
        "According to Ada Byron, it ends in May.",
        "The fee is £40.",
    ],
)
def test_what_names_whom_it_is_about_stands_by_itself(statement: str) -> None:
    lost = Lost()
    lost.take_out()
    assert not lost.leaves_open(statement)


def test_a_person_is_the_last_person_and_a_thing_the_last_thing_that_was_named() -> None:
    lost = Lost()
    lost.take_out()
    lost.let_stand("The fee is £40.")
    assert not lost.leaves_open("It is payable in May.")
    assert lost.leaves_open("She resigned in March.")
    lost.let_stand("Ada Byron took over.")
    assert not lost.leaves_open("She resigned in March.")
