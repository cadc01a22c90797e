"""Which parts of a Markdown text are code, where `[[x]]` is not a citation.

Fenced blocks (also inside quotes and list items; an open one runs to the end of what holds
it) and inline spans within a paragraph, by CommonMark's rules. One pass; time grows with the
length of the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(r"[^\n]*\n?")
_QUOTE_MARK = re.compile(r" {0,3}> ?")
_INDENT = re.compile(r"[ \t]*")
_LIST_MARK = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?=[ \t\n]|\Z)[ \t]*")
_FENCE = re.compile(r"(`{3,}|~{3,})([^\n]*)")
_BACKTICKS = re.compile(r"(?<!\\)`+")


@dataclass(slots=True)
class _Fence:
    mark: str
    start: int
    quotes: int
    offset: int


@dataclass(slots=True)
class _LineStart:
    """Where a line's own words begin, behind the marks of the quotes and lists that hold it."""

    position: int
    quotes: int
    indent: int
    offset: int
    is_blank: bool


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of code, in order and apart from each other."""
    if "`" not in text and "~~~" not in text:
        return []
    ranges: list[tuple[int, int]] = []
    paragraph = 0
    offset = 0
    fence: _Fence | None = None
    for start, end in _lines(text):
        line = _line_start(text, start, end, offset)
        if fence is not None:
            if _leaves(line, fence):
                ranges.append((fence.start, start))
                fence, paragraph = None, start
            elif _closes(text, line, end, fence):
                ranges.append((fence.start, end))
                fence, paragraph = None, end
                continue
            else:
                continue
        offset = line.offset
        match = _FENCE.match(text, line.position, end) if line.indent <= 3 else None
        if match and not (match[1][0] == "`" and "`" in match[2]):
            ranges.extend(_inline(text, paragraph, start))
            fence = _Fence(match[1], start, line.quotes, line.offset)
        elif line.is_blank:
            ranges.extend(_inline(text, paragraph, start))
            paragraph = end
    if fence is not None:
        ranges.append((fence.start, len(text)))
    else:
        ranges.extend(_inline(text, paragraph, len(text)))
    return ranges


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _LINE.finditer(text) if match.end() > match.start())


def _line_start(text: str, start: int, end: int, offset: int) -> _LineStart:
    """`offset` is the column at which the open list item's content begins (0: no list)."""
    position, quotes = start, 0
    while match := _QUOTE_MARK.match(text, position, end):
        position, quotes = match.end(), quotes + 1
    line = position
    match_indent = _INDENT.match(text, position, end)
    indent = _width(match_indent[0]) if match_indent else 0
    position += len(match_indent[0]) if match_indent else 0
    is_blank = not text[position:end].strip()
    if is_blank:
        return _LineStart(position, quotes, 0, offset, True)
    if indent < offset:
        offset = 0
    marks = 0
    while indent - offset <= 3 and (mark := _LIST_MARK.match(text, position, end)) and marks < 8:
        position = mark.end()
        indent = offset = _width(text[line:position])
        marks += 1
    return _LineStart(position, quotes, max(indent - offset, 0), offset, False)


def _width(space: str) -> int:
    return len(space.expandtabs(4))


def _leaves(line: _LineStart, fence: _Fence) -> bool:
    """A fence ends with the quote or the list item that holds it."""
    return line.quotes < fence.quotes or (
        not line.is_blank and fence.offset > 0 and line.offset < fence.offset
    )


def _closes(text: str, line: _LineStart, end: int, fence: _Fence) -> bool:
    match = _FENCE.match(text, line.position, end)
    return (
        match is not None
        and match[1][0] == fence.mark[0]
        and len(match[1]) >= len(fence.mark)
        and not match[2].strip()
    )


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans between two equal runs of backticks; a run with no partner is plain text."""
    runs = [match.span() for match in _BACKTICKS.finditer(text, start, end)]
    partner: dict[int, int] = {}
    latest_of_length: dict[int, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        if length in latest_of_length:
            partner[index] = latest_of_length[length]
        latest_of_length[length] = index
    index = 0
    while index < len(runs):
        if index in partner:
            yield runs[index][0], runs[partner[index]][1]
            index = partner[index]
        index += 1
