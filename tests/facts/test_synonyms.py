"""Words for the same: forms that no stemmer joins, and everyday synonyms."""

from __future__ import annotations

import pytest

from tipstaff.facts.opposites import alike_and_opposite
from tipstaff.facts.synonyms import alike, in_its_place, known, reworded, said_in
from tipstaff.lexical.analysis import terms


@pytest.mark.parametrize(
    ("word", "other"), [("threw", "throw"), ("paid", "payment"), ("agreement", "contract")]
)
def test_forms_and_synonyms_stand_for_each_other(word: str, other: str) -> None:
    assert terms(other)[0] in alike(terms(word)[0])
    assert terms(word)[0] in alike(terms(other)[0])


def test_no_word_stands_for_its_opposite() -> None:
    for term in known():
        _, against = alike_and_opposite(term) or (frozenset(), frozenset())
        assert not alike(term) & against, term
    assert not said_in("tenant", frozenset({"landlord"}))


def test_another_word_is_worth_less_than_the_word_itself() -> None:
    assert 0 < said_in("contract", frozenset({"agreement"})) < said_in("x", frozenset({"x"}))


def test_a_question_takes_the_words_of_the_passage() -> None:
    asked = "When does the agreement with the vendor end?"
    passage = "The contract of the supplier runs to an end in May."
    assert reworded(asked, passage) == "When does the contract with the supplier end?"


def test_words_that_the_passage_has_and_names_are_left_alone() -> None:
    asked = "Which agreement did Price sign?"
    assert reworded(asked, "The agreement, a contract, had a cost.") == asked


def test_only_words_that_occur_nowhere_are_searched_for_by_others() -> None:
    known = {"contract": 3, "supplier": 2, "vendor": 1}
    found = in_its_place("the agreement with the vendor", lambda term: known.get(term, 0))
    assert found == ["contract"]
