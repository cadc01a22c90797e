from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parse.packages import hidden, pairs, parsed, shown
from tipstaff.domain.document import Document
from tipstaff.parse.parser import CannotRead
from tipstaff.parse.rtf import PARSER

HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}"
    rb"{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Gothic{\*\falt x};}}"
    rb"{\colortbl;\red255\green255\blue255;\red0\green0\blue0;}"
    rb"{\stylesheet{\s0 Normal;}{\s1\b\outlinelevel0 heading 1;}{\s2 Heading 2;}{\*\cs10 Char;}}"
    rb"{\info{\title My \u8211 ? report}{\author Jane}}{\*\generator Word 97;}"
)


def read(body: bytes) -> Document:
    return parsed(PARSER, HEAD + body + b"}")


def words(document: Document) -> list[str]:
    return [text for _, _, text in shown(document)]


def test_headings_paragraphs_and_lists_are_told_apart() -> None:
    document = read(
        rb"\pard\plain\s1\outlinelevel0 Scope\par\pard\plain First\line line.\par"
        rb"{\listtext\pard\plain 1.\tab}One\par{\listtext\f3\'b7\tab}Dot\par"
        rb"\pard\s2 Terms\par\pard {\field{\*\fldinst HYPERLINK http://x}{\fldrslt A link}} end\par"
    )
    assert shown(document) == [
        ("heading", "scope", "Scope"),
        ("paragraph", "scope:para-1", "First\nline."),
        ("list_item", "scope:para-2", "1. One"),
        ("list_item", "scope:para-3", "Dot"),
        ("heading", "terms", "Terms"),
        ("paragraph", "terms:para-1", "A link end"),
    ]
    assert document.metadata == {"title": "My – report", "author": "Jane"}


def test_characters_come_in_many_encodings() -> None:
    document = read(
        rb"Caf\'e9 caf" + b"\xe9"
        rb" \u8220?q\u8221\'94 \uc2\u960??\uc0\u960 \uc1\emdash\~x\_y\{\}\\"
        rb" {\f1 \'cf\'f0\'e8} {\f2 \'83e\'83X} \u-10179?\u-8704? \u55357? \u99999999?\par"
    )
    assert words(document) == ["Café café “q” ππ—\xa0x-y{}\\ При テス 😀  \ufffd"]


def test_a_table_has_rows_cells_and_headings() -> None:
    document = read(
        rb"before\par\trowd\trhdr\cellx1\cellx2\pard\intbl Item\cell Price\cell\row"
        rb"\trowd\cellx1\cellx2\pard\intbl A|B\par two\cell 5\cell\row\pard after\par"
    )
    assert shown(document) == [
        ("paragraph", "para-1", "before"),
        ("table_row", "table-1", "Item | Price"),
        ("table_row", "table-1", "A|B two | 5"),
        ("paragraph", "para-2", "after"),
    ]
    assert pairs(document)[2:] == [("A2", "Item", "A|B two"), ("B2", "Price", "5")]


def test_hidden_deleted_white_and_tiny_text_is_kept_and_marked() -> None:
    document = read(
        rb"see {\v secret}\v more\v0  {\deleted gone}{\cf1 white}{\cf1\highlight2 lit}"
        rb"{\fs1 tiny}{\v x\plain y}\par\pard next\par"
    )
    assert hidden(document) == [
        ("secretmore", "hidden text"),
        ("gone", "deleted text (tracked change)"),
        ("white", "white text on white"),
        ("tiny", "text too small to see"),
        ("x", "hidden text"),
    ]
    assert words(document) == ["see  lity", "next"]


def test_notes_comments_margins_and_boxes_are_not_lost() -> None:
    document = read(
        rb"{\header\pard Top\par}{\headerf\pard Top\par}{\footer Bottom}"
        rb"Sales{\super\chftn{\footnote\pard\plain\chftn  The note.}} rose"
        rb"{\*\atnid JD}{\*\atnauthor Jane}{\*\annotation Really?}.\par"
        rb"{\shp{\*\shpinst\shpleft1{\sp{\sn x}{\sv 1}}{\shptxt\pard Boxed\par}}"
        rb"{\shprslt Boxed}}anchor\par"
    )
    assert words(document) == [
        "Sales[1] rose.",
        "anchor",
        "Boxed",
        "Headers",
        "Top",
        "Footers",
        "Bottom",
        "Footnotes",
        "[1] The note.",
        "Comments",
        "Jane: Really?",
    ]
    assert document.blocks[-1].author == "Jane"


def test_pictures_and_objects_are_passed_over_and_objects_said() -> None:
    document = read(
        rb"a{\pict\pngblip 89504e470d0a}{\pict\bin6 {}}}{\}b{\object\objemb{\*\objdata 00ff}"
        rb"{\result shown}}\par{\*\unknownthing no}c"
    )
    assert words(document) == ["abshown", "c"]
    assert document.notes == ("2 pictures were not read.", "One embedded object was not read.")


def test_a_file_that_breaks_off_keeps_what_it_has() -> None:
    whole = HEAD + rb"\trowd\pard\intbl a\cell b\cell\row\pard words {\b bold {\i x"
    assert words(parsed(PARSER, whole)) == ["a | b", "words bold x"]
    for cut in range(6, len(whole), 7):
        parsed(PARSER, whole[:cut])


def test_what_follows_the_outermost_group_is_no_text() -> None:
    assert words(parsed(PARSER, rb"{\rtf1 in}out{more}")) == ["in"]


@pytest.mark.parametrize("content", [b"", b"plain text", b"PK\x03\x04", b"{\\html"])
def test_what_is_no_rtf_is_refused(content: bytes) -> None:
    with pytest.raises(CannotRead, match="not RTF"):
        parsed(PARSER, content)


def test_deep_nesting_and_absurd_numbers_cost_nothing() -> None:
    document = read(b"{" * 100_000 + b"deep" + b"}" * 100_000 + rb"\bin9999999999 x")
    assert words(document) == ["deep"]
    assert words(read(rb"\uc9999999999 a\u-9999999999 ?\fs9999999999 \cf-1 b")) == ["a\ufffdb"]


WORDS = st.sampled_from(
    [rb"\par ", rb"\cell ", rb"\row ", rb"\trowd ", rb"\intbl ", rb"\pard ", rb"\v ", rb"\plain ",
     rb"\s1 ", rb"{", rb"}", rb"{\footnote ", rb"{\shptxt ", rb"{\*\x ", rb"\u8220?", rb"\'e9",
     rb"{\listtext ", rb"{\header ", b"words ", b"a b", rb"\outlinelevel1 ", rb"\bin2 ", b"\\"]
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(WORDS, max_size=40).map(b"".join))
def test_any_rtf_keeps_the_promises(body: bytes) -> None:
    read(body)


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_any_bytes_behind_the_head_keep_the_promises(body: bytes) -> None:
    read(body)
