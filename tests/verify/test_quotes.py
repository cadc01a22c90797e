"""Whether words stand at a place, and how many of them in a row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.verify.figures import figures_missing_from
from tipstaff.verify.quotes import consists_of, longest_shared_run, plain, stands_in

WORD = st.text(alphabet="abcde", min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("the rent is due", "On Monday the  rent\nis due."),
        ("it's 5-6 days", "it’s 5–6 days"),
        ("The tenant … the roof", "The tenant, not the landlord, repairs the roof."),
        ("1,500", "It cost $1,500 then."),
        ("fine", "ﬁne"),
    ],
)
def test_a_quotation_stands_whatever_its_spaces_and_dashes(quote: str, passage: str) -> None:
    assert stands_in(quote, passage)


@pytest.mark.parametrize(
    ("quote", "passage"),
    [
        ("the rent was due", "the rent is due"),
        ("rent", "renting"),
        ("500", "$1,500"),
        ("1", "1.5 percent"),
        ("48", "48.62"),
        ("the roof … the tenant", "The tenant repairs the roof."),
        ("", "anything"),
        ("…", "anything"),
    ],
)
def test_other_words_parts_of_words_and_parts_of_figures_do_not_stand(
    quote: str, passage: str
) -> None:
    assert not stands_in(quote, passage)


@given(st.lists(WORD, min_size=1, max_size=12), st.data())
def test_every_run_of_whole_words_stands(words: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    passage = " ".join(words)
    assert stands_in(" ".join(words[start:end]), passage)
    assert longest_shared_run(" ".join(words[start:end]), passage) == end - start


@given(st.text(max_size=40), st.text(max_size=80))
def test_what_stands_is_there_letter_by_letter(quote: str, passage: str) -> None:
    if stands_in(quote, passage) and "…" not in plain(quote):
        # Its first letter may be a small one in the middle of a sentence.
        words, text = plain(quote), plain(passage)
        assert words in text or words[0].upper() + words[1:] in text


def test_a_text_consists_of_its_quotes_and_of_nothing_else() -> None:
    assert consists_of("The roof leaks. The rent is due.", ["The roof leaks", "The rent is due."])
    assert not consists_of("The roof leaks badly.", ["The roof leaks"])
    assert not consists_of("Sadly, the roof leaks", ["the roof leaks"])
    assert not consists_of("b a", ["a", "b"])


def test_a_figure_is_compared_by_its_value() -> None:
    assert figures_missing_from("It cost $1.5 million", ["the price of $1,500,000"]) == []
    assert figures_missing_from("It cost $1.6 million", ["the price of $1,500,000"]) == [
        "$1.6 million"
    ]
    assert figures_missing_from("No figure", []) == []


def test_the_marks_before_answered_mail_lines_are_no_words() -> None:
    passage = "> I am\n> setting contingency at 15 percent.\n>> Please stop."
    assert stands_in("I am setting contingency at 15 percent.", passage)


def test_a_sign_within_a_line_is_still_compared() -> None:
    assert not stands_in("5.2 5", "5.2 > 5")
