"""Subtitles (SRT, WebVTT): the text is the file's own; each cue is what is said at its time.

Cue numbers, timing lines, headers and tags are marked. A speaker named by `<v Name>` or by
"NAME:" at the beginning of a line is the author.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Block, BlockKind, Document, Mark, MarkKind, Span
from tipstaff.domain.location import TimeRange
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.leftovers import with_leftovers
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.plain_text import parse_text

_CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"\s*{_CLOCK}\s*-->\s*{_CLOCK}(?:\s.*)?")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>|<[\d:.]+>|\{\\[^{}\n]*\}")
_SPEAKER = re.compile(
    r"\s*(?:[-–]\s*|>>\s*)?((?:[^\W\d_][\w.'’-]*)(?: [^\W\d_][\w.'’-]*){0,3}):(?=\s)"
)
_VTT_ASIDE = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
# Words that begin a sentence with a colon and are nobody's name.
_NOBODY = frozenset(
    {"note", "question", "answer", "example", "warning", "update", "remember", "important"}
)


def parse(source: Source) -> Document:
    text = decode_text(source.content)
    if not text.strip():
        raise CannotRead("The subtitle file is empty.", "Ask the sender for the file's content.")
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = TextLines.of(text)
        self.blocks: list[Block] = []
        self.marks: list[Mark] = []

    def read(self) -> Document:
        position = self._header()
        while position <= len(self.lines):
            timing = _TIMING.fullmatch(self._line(position))
            if timing is not None:
                position = self._cue(position, timing)
            elif _VTT_ASIDE.match(self._line(position)) and self._is_blank(position - 1):
                position = self._aside(position)
            else:
                position = self._id_or_stray(position)
        if not self.blocks:
            note = "No times were found in the subtitle file, so it was read as plain text."
            return replace(parse_text(self.text), notes=(note,))
        blocks, marks = with_leftovers(self.lines, self.blocks, self.marks)
        ends = (b.location.end_ms or 0 for b in blocks if isinstance(b.location, TimeRange))
        return Document(
            text=self.text,
            blocks=blocks,
            marks=marks,
            lines_are_the_files=True,
            duration_ms=max(ends),
        )

    def _header(self) -> int:
        return self._aside(1) if self._line(1).lstrip("\ufeff").startswith("WEBVTT") else 1

    def _aside(self, position: int) -> int:
        """A header, comment or style sheet: up to the next empty line or timing."""
        while (
            position <= len(self.lines)
            and not self._is_blank(position)
            and not _TIMING.fullmatch(self._line(position))
        ):
            self._mark(self.lines.span(position, position), "subtitle header or comment")
            position += 1
        return max(position, 1)

    def _id_or_stray(self, position: int) -> int:
        """A cue's number or name stands right above its timing; all else is stray text."""
        is_id = position < len(self.lines) and _TIMING.fullmatch(self._line(position + 1))
        is_number = self._line(position).strip().isdecimal()
        if is_id and (is_number or self._is_blank(position - 1)):
            self._mark(self.lines.span(position, position), "number of a subtitle")
        return position + 1

    def _cue(self, position: int, timing: re.Match[str]) -> int:
        self._mark(self.lines.span(position, position), "time of a subtitle")
        start, end = _milliseconds(timing.groups()[:4]), _milliseconds(timing.groups()[4:])
        when = TimeRange(start, max(start, end))
        first = position = position + 1
        while position <= len(self.lines) and not self._is_blank(position):
            if _TIMING.fullmatch(self._line(position)):
                # No empty line between two cues: the line above is the next one's number.
                position -= self._line(position - 1).strip().isdecimal() and position - 1 > first
                break
            position += 1
        if position > first:
            self._spoken(self.lines.span(first, position - 1), when)
        return position

    def _spoken(self, span: Span, when: TimeRange) -> None:
        for piece, author in self._voices(span):
            trimmed = self.lines.trimmed(piece)
            for tag in _TAG.finditer(self.text, piece.start, piece.end):
                self._mark(Span(*tag.span()), "subtitle tag")
            if _TAG.sub("", self.text[trimmed.start : trimmed.end]).strip():
                self.blocks.append(
                    Block(
                        kind=BlockKind.TRANSCRIPT_SEGMENT,
                        span=trimmed,
                        location=when,
                        author=author,
                    )
                )

    def _voices(self, span: Span) -> Iterator[tuple[Span, str | None]]:
        """The parts of a cue by who speaks."""
        voices = _VOICE.finditer(self.text, span.start, span.end)
        turns: list[tuple[int, str | None]] = [(tag.start(), _tidy(tag[1])) for tag in voices]
        if not turns:
            for number in range(self.lines.number(span.start), self.lines.number(span.end - 1) + 1):
                line = self.lines.span(number, number)
                speaker = _SPEAKER.match(_TAG.sub("", self.text[line.start : line.end]))
                if speaker and speaker[1].casefold() not in _NOBODY:
                    turns.append((line.start, _tidy(speaker[1])))
        if not turns or turns[0][0] > span.start:
            turns.insert(0, (span.start, None))
        for (start, author), (end, _) in zip(turns, [*turns[1:], (span.end, None)], strict=True):
            if end > start:
                yield Span(start, end), author

    def _mark(self, span: Span, reason: str) -> None:
        if len(span):
            self.marks.append(Mark(span, MarkKind.MARKUP, reason))

    def _line(self, number: int) -> str:
        span = self.lines.span(number, number)
        return self.text[span.start : span.end]

    def _is_blank(self, number: int) -> bool:
        return number < 1 or not self._line(number).strip()


def _tidy(name: str) -> str:
    return " ".join(name.split())


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    fraction = int((parts[3] or "0").ljust(3, "0"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction


PARSER = Parser(
    name="subtitles", version=1, media_types=("application/x-subrip", "text/vtt"), parse=parse
)
