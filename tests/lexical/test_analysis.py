"""What becomes a term, and what a query looks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.lexical.analysis import STOP_WORDS, query_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3,400,000", ["3400000"]),
        ("3400000", ["3400000"]),
        ("48.62", ["48.62"]),
        ("1,5", ["1,5"]),
        ("$48.62 million", ["48.62", "million"]),
    ],
)
def test_a_number_is_one_term(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_code_is_found_whole_and_in_parts() -> None:
    assert terms("INV-2025-117") == ["inv-2025-117", "inv", "2025", "117"]
    assert terms("max_retry_count") == ["max_retry_count", "max", "retri", "count"]


def test_an_identifier_is_found_by_its_humps() -> None:
    assert set(terms("parseHttpRequest")) >= {"parsehttprequest", "pars", "http", "request"}


def test_words_are_found_in_any_of_their_forms() -> None:
    assert terms("invoices") == terms("Invoice") == terms("invoiced")


@pytest.mark.parametrize("text", ["company's", "company’s", "Company'S"])
def test_a_possessive_is_its_word(text: str) -> None:
    assert terms(text) == terms("company")


def test_accents_are_not_needed() -> None:
    assert terms("Müller café") == terms("Muller cafe")


def test_stop_words_are_in_the_index_and_not_in_queries() -> None:
    assert "the" in terms("the rent")
    assert query_terms("what is the rent") == ["rent"]


def test_a_query_of_stop_words_alone_looks_for_them() -> None:
    assert query_terms("who is it") == sorted({"who", "is", "it"})


@pytest.mark.parametrize("name", ["US", "IT", "WHO"])
def test_a_stop_word_in_capitals_is_a_name(name: str) -> None:
    assert name.lower() in STOP_WORDS
    assert name.lower() in query_terms(f"What did the {name} say?")


def test_a_query_all_in_capitals_is_not_all_names() -> None:
    assert query_terms("WHAT IS THE RENT") == ["rent"]


def test_ideographs_are_terms_one_by_one() -> None:
    assert terms("東京都") == ["東", "京", "都"]
    assert set(query_terms("京都")) <= set(terms("東京都"))


@given(st.text(max_size=200))
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    assert set(query_terms(text.lower())) <= set(terms(text.lower()))
