"""Sentences come out whole, with their citations, however a draft was cut."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from tipstaff.verify.sentence_stream import DraftedSentence, SentenceStream

DRAFT = (
    "Revenue was $48.62 million [[report:p7]]. It rose 9.1 percent. [[report:p7, memo:L3]] "
    "Dr. Smith of Acme Corp. agreed [[a:p1]].\n\n- First [[x]]\n- Second: e.g. this. [[y:L1-L2]]\n"
    "```\n[[fake:p1]] code. More.\n```\n"
    'He said "It is. It was." Final? Yes! A bracket [ here. End [[z]]'
)


def sentences(parts: list[str]) -> list[DraftedSentence]:
    stream = SentenceStream()
    return [one for part in parts for one in stream.feed(part)] + stream.finish()


def cut(text: str, places: list[int]) -> list[str]:
    edges = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


@given(st.lists(st.integers(0, 10_000), max_size=60))
@example(list(range(len(DRAFT))))
def test_sentences_do_not_depend_on_how_a_draft_was_cut(places: list[int]) -> None:
    assert sentences(cut(DRAFT, places)) == sentences([DRAFT])


@given(
    st.text(alphabet='ab.!? \n[]:"“”`A1', max_size=60), st.lists(st.integers(0, 60), max_size=12)
)
def test_nor_for_any_text(text: str, places: list[int]) -> None:
    assert sentences(cut(text, places)) == sentences([text])


@given(st.text(alphabet="ab.!? \n[]A1", max_size=60))
def test_no_letter_is_lost(text: str) -> None:
    said = "".join(one.text for one in sentences([text]))
    assert [mark for mark in said if mark.isalnum()] == [mark for mark in text if mark.isalnum()]


def test_a_citation_behind_the_full_stop_belongs_to_its_sentence() -> None:
    first, second = sentences(["It rose. [[a:p1]] It fell."])
    assert first.text == "It rose. [[a:p1]]"
    assert second.text == "It fell."


def test_abbreviations_initials_and_quotations_end_no_sentence() -> None:
    assert len(sentences(['Dr. A. Smith of Acme Corp. said "It is. It was." to them.'])) == 1


def test_nothing_is_handed_on_while_a_mark_may_still_follow() -> None:
    stream = SentenceStream()
    assert stream.feed("It rose. ") == []
    assert stream.feed("[") == []
    assert stream.feed("[a:p") == []
    assert [one.text for one in stream.feed("1]] It")] == ["It rose. [[a:p1]]"]


def test_what_stands_in_a_code_block_is_marked() -> None:
    marked = [one for one in sentences([DRAFT]) if one.is_code]
    assert [one.text for one in marked] == ["[[fake:p1]] code.", "More."]
