from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.citation.places import CitableDocument
from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document
from tipstaff.domain.location import read_location
from tipstaff.parse import subtitles
from tipstaff.parse.parser import CannotRead, Source

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Hello</i> {\\an8}there,
all of you.

2
00:01:00,250 --> 00:01:04,000 X1:40 X2:600
JONAS: The contingency is 15.
- Tomas Verhaegen: Is it?

3
01:00:00,000 --> 01:00:01,000
Note: 42 people.
"""
VTT = """WEBVTT - A meeting
Kind: captions

STYLE
::cue { color: red }

NOTE never shown

intro
00:01.000 --> 00:02.500 align:start
<v Jonas Kjeldsen>Good <c.loud>morning</c></v> <v.first Ann>Hi, <00:02.000>all</v>

00:02:03.000 --> 00:02:01.000
no speaker
"""


def parse(text: str | bytes, media_type: str = "application/x-subrip") -> Document:
    content = text.encode() if isinstance(text, str) else text
    document = subtitles.parse(Source(content=content, name="x.srt", media_type=media_type))
    assert faults_of(document) == []
    return document


def shown(document: Document) -> list[tuple[str, str | None, str]]:
    return [
        (str(block.location), block.author, clean(document, block.span).text.strip())
        for block in document.blocks
    ]


def at(document: Document, place: str) -> str:
    found = CitableDocument("talk", document).resolve(read_location(place))
    return f"({found.reason})" if isinstance(found, Unresolved) else found.text


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_srt_cues_are_segments_with_times_and_speakers(line_end: str) -> None:
    document = parse(SRT.replace("\n", line_end))
    assert document.text == SRT.replace("\n", line_end)
    assert document.lines_are_the_files
    assert document.duration_ms == 3_601_000
    assert shown(document) == [
        ("t0:00:01-0:00:02.500", None, f"Hello there,{line_end}all of you."),
        ("t0:01:00.250-0:01:04", "JONAS", "JONAS: The contingency is 15."),
        ("t0:01:00.250-0:01:04", "Tomas Verhaegen", "- Tomas Verhaegen: Is it?"),
        ("t1:00:00-1:00:01", None, "Note: 42 people."),
    ]


def test_vtt_voices_are_authors_and_everything_else_is_marked() -> None:
    document = parse(VTT, "text/vtt")
    assert shown(document) == [
        ("t0:00:01-0:00:02.500", "Jonas Kjeldsen", "Good morning"),
        ("t0:00:01-0:00:02.500", "Ann", "Hi, all"),
        ("t0:02:03-0:02:03", None, "no speaker"),
    ]
    assert [words for words in clean(document).text.split("\n") if words.strip()] == [
        "Good morning Hi, all",
        "no speaker",
    ]


def test_a_time_leads_to_what_is_said_then() -> None:
    document = parse(SRT)
    assert at(document, "t0:01:02") == "JONAS: The contingency is 15.\n- Tomas Verhaegen: Is it?"
    assert at(document, "t0:30:00") == "(nothing is said at t0:30:00)"
    assert at(document, "t2:00:00") == "(t2:00:00 of t1:00:01)"


def test_cues_without_an_empty_line_between_them_are_told_apart() -> None:
    document = parse("1\n00:01,000 --> 00:02,000\none\n2\n00:03,000 --> 00:04,000\ntwo")
    assert [words for _, _, words in shown(document)] == ["one", "two"]


def test_words_outside_every_cue_are_kept() -> None:
    document = parse("stray words\n\n00:01.000 --> 00:02.000\nsaid\n\n00:05.000 --> 00:06.000\n")
    assert [words for _, _, words in shown(document)] == ["stray words", "said"]


@pytest.mark.parametrize("text", ["WEBVTT\n", "just words", "99:99 -> 00:01\nwords"])
def test_a_file_without_times_is_plain_text(text: str) -> None:
    document = parse(text, "text/vtt")
    assert "No times were found" in document.notes[0]


def test_an_empty_file_cannot_be_read() -> None:
    with pytest.raises(CannotRead, match="empty"):
        parse(b"\xef\xbb\xbf\n")


def test_utf16_with_a_mark_is_read() -> None:
    assert shown(parse("00:01,000 --> 00:02,000\nGrüße".encode("utf-16")))[0][2] == "Grüße"


pieces = st.sampled_from(
    ["WEBVTT", "NOTE x", "STYLE", "1", "00:01.000 --> 00:02.000", "999:59:59,999 --> 00:00:00,1",
     "\n", "\n\n", "\r\n", "<v A>", "</v>", "<i>", "ANN: ", "words", " ", "-->", "{\\an8}", "<"]
)  # fmt: skip


@given(st.lists(pieces | st.text(max_size=2), max_size=30).map("".join))
def test_any_text_keeps_the_promises(text: str) -> None:
    try:
        parse(text.encode("utf-8", "replace"), "text/vtt")
    except CannotRead:
        assert not text.strip()
