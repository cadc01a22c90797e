"""Words that general English takes for one another, and those that it sets against one another."""

from __future__ import annotations

import pytest

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify import thesaurus
from tipstaff.verify.synonyms import is_form, is_known


def _term(word: str) -> str:
    (term,) = terms(word)
    return term


@pytest.mark.parametrize(
    ("said", "stated"), [("autumn", "fall"), ("attorney", "lawyer"), ("handling", "treatment")]
)
def test_another_word_for_a_thing_is_known(said: str, stated: str) -> None:
    assert _term(stated) in thesaurus.other_words(_term(said))
    assert is_known(_term(said), {_term(stated)})


@pytest.mark.parametrize(
    ("said", "stated"), [("chisel", "tool"), ("apple", "pear"), ("car", "lorry"), ("lead", "zinc")]
)
def test_what_is_only_of_the_same_kind_is_not(said: str, stated: str) -> None:
    assert not is_known(_term(said), {_term(stated)})


def test_a_citation_that_nobody_gave_rests_on_the_very_words() -> None:
    assert not is_form(_term("attorney"), {_term("lawyer")})


@pytest.mark.parametrize(
    ("one", "other"), [("ascend", "descend"), ("guilty", "innocent"), ("early", "late")]
)
def test_opposites_are_known_both_ways_and_never_say_the_same(one: str, other: str) -> None:
    assert _term(other) in thesaurus.opposites(_term(one))
    assert _term(one) in thesaurus.opposites(_term(other))
    assert _term(other) not in thesaurus.other_words(_term(one))


def test_no_word_of_the_table_is_one_that_any_sentence_has() -> None:
    for term in thesaurus._lines():
        assert term not in STOP_WORDS
        assert not STOP_WORDS & thesaurus.other_words(term)


def test_a_word_that_nobody_knows_has_neither() -> None:
    assert not thesaurus.other_words("zzyzx")
    assert not thesaurus.opposites("zzyzx")
