from __future__ import annotations

import pytest

from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import MarkKind
from tipstaff.parse.plain_text import parse_text
from tipstaff.parse.sanitising import sanitised


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("pay\u200bload", "payload"),
        ("user\u202egpj.exe", "usergpj.exe"),
        ("a\x00b\x07c", "abc"),
        ("tag\U000e0041\U000e0042s", "tags"),
        ("soft\u00adhyphen", "softhyphen"),
        ("cafe\u0301", "caf\u00e9"),
        ("line\none\ttab", "line\none\ttab"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("Latin\u200dtext", "Latintext"),
    ],
)
def test_readers_see_only_what_is_visible(text: str, seen: str) -> None:
    document = sanitised(parse_text(text))
    assert document.text == text
    assert clean(document).text == seen


def test_what_was_invisible_is_marked_where_it_stands() -> None:
    document = sanitised(parse_text("ab\u200b\u200bcd"))
    (mark,) = document.marks
    assert (mark.kind, mark.span.start, mark.span.end) == (MarkKind.INVISIBLE, 2, 4)


def test_a_quotation_in_clean_text_leads_back_to_the_source() -> None:
    document = sanitised(parse_text("The pay\u200bment is due."))
    read = clean(document)
    start = read.text.index("payment")
    span = read.source(start, start + len("payment"))
    assert document.words(span) == "pay\u200bment"
