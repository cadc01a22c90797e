"""Which parts of a Markdown text are code, where `[[x]]` is not a citation.

Fenced blocks (an open one runs to the end) and inline spans within a paragraph, by
CommonMark's rules for backticks. One pass; time grows with the length of the text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE = re.compile(r"[^\n]*\n?")
_QUOTE_MARKS = re.compile(r"(?: {0,3}> ?)*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_BACKTICKS = re.compile(r"(?<!\\)`+")


def code_ranges(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of code, in order and apart from each other."""
    ranges: list[tuple[int, int]] = []
    paragraph_start = 0
    fence: tuple[str, int] | None = None
    for start, end in _lines(text):
        content = _QUOTE_MARKS.match(text, start, end)
        content_start = content.end() if content else start
        match = _FENCE.match(text, content_start, end)
        if fence is not None:
            if match and _closes(match, fence[0]):
                ranges.append((fence[1], end))
                fence, paragraph_start = None, end
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            ranges.extend(_inline(text, paragraph_start, start))
            fence = (match[1], start)
        elif not text[content_start:end].strip():
            ranges.extend(_inline(text, paragraph_start, start))
            paragraph_start = end
    if fence is not None:
        ranges.append((fence[1], len(text)))
    else:
        ranges.extend(_inline(text, paragraph_start, len(text)))
    return ranges


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _LINE.finditer(text) if match.end() > match.start())


def _closes(match: re.Match[str], opening: str) -> bool:
    fence, rest = match[1], match[2]
    return fence[0] == opening[0] and len(fence) >= len(opening) and not rest.strip()


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
