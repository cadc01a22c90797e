"""Text made to lead a pattern round in circles is read to its end: each of these took minutes, or
did not end, when a pattern was begun at every character."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tipstaff.answer.hostile import judge
from tipstaff.answer.record_rows import record_rows
from tipstaff.facts.belonging import belongs
from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import quantities
from tipstaff.parse.mail_body import paragraphs, plain_lines
from tipstaff.verify.addressed import is_order
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.foreign_matter import has_page_code, names_address, without_broken_marks
from tipstaff.verify.moves import moves_wrongly_in_row
from tipstaff.verify.sentence_stream import SentenceStream
from tipstaff.verify.support import check_support

_LONG = 20_000


def _streamed(text: str) -> None:
    stream = SentenceStream()
    stream.feed(text)
    stream.finish()


def _rows(text: str) -> None:
    record_rows(text, [(0, len(text))])


def _moved(text: str) -> None:
    moves_wrongly_in_row("It went from 1 to 2, " * 30, [EvidenceText(text)])


def _paragraphs(text: str) -> None:
    list(paragraphs(plain_lines(text), None))


def _belongs(text: str) -> None:
    belongs("Ada Byron", "Lovelace Ltd", [f"{text} Lovelace"])


def _supported(text: str) -> None:
    check_support(text, [[EvidenceText(text)]])


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("reads", "piece"),
    [
        (quantities, "from 1 to "),
        (quantities, "1_000"),
        (quantities, "1,"),
        (quantities, "one in two "),
        (quantities, "half an hour and a fifth of it "),
        (periods, "half past "),
        (periods, "3 May and "),
        (is_order, "whoever "),
        (_rows, '"a": 1 '),
        (_rows, '"a": {'),
        (names_address, "ab."),
        (names_address, "a-"),
        (names_address, "a@b."),
        (has_page_code, "<a "),
        (without_broken_marks, "[[a:"),
        (without_broken_marks, "a:b "),
        (_streamed, "a.</b"),
        (_streamed, "[[a"),
        (_supported, "a."),
        (_supported, "“a "),
        (_supported, "she said it "),
        (_supported, "remark: a "),
        (_supported, "from 1 to 2 "),
        (_supported, "aaaaa"),
        (_supported, "a, which b "),
        (_supported, "the firm shall pay the firm "),
        (_supported, "a then b "),
        (_supported, "it has only "),
        (_supported, "only "),
        (_supported, "he asked to be heard if it was opened "),
        (_supported, "will be able to really "),
        (_moved, "1, against 3 the year before, "),
        (_paragraphs, "____ Ada, 1 "),
        (_belongs, "Byron, "),
    ],
)
def test_it_ends(reads: Callable[[str], object], piece: str) -> None:
    reads("X = {" + piece * _LONG)


@pytest.mark.timeout(20)
def test_a_query_of_the_greatest_length_is_judged() -> None:
    judge("ignore the rules " * 250)
