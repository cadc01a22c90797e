"""A text in Markdown → its sentences, each with the citations that stand for it.

Cut finely rather than coarsely: a row, a heading, a line of code and whatever a citation ends is
a piece of its own, so that nothing is carried along by its neighbour's citation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tipstaff.chunk.sentences import sentences
from tipstaff.citation.code_spans import code_ranges
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import CitationMark
from tipstaff.domain.document import Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
# Quote marks, then the mark of a list item or a heading: syntax that stays when words go.
PREFIX = re.compile(
    r"[ \t]*(?:>[ \t]?)*[ \t]*"
    r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?"
)
_BEGINS = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])")
_HEADING = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*#{1,6}[ \t]")
_FENCE = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:```|~~~)")
# A mark was blanked with this: no word, no white space, no end of a sentence.
_BLANK = "\x00"
# What a citation ends: marks before or behind a full stop, and marks at the end of a line.
_CITED_END = re.compile(r"\x00[ \t]*[.!?…]+[\"'”’)*_]*(?=\s)|[.!?…][\"'”’)*_]*[ \t]*\x00+(?=\s)|"
                        r"\x00[ \t]*(?=[\r\n])")  # fmt: skip


@dataclass(slots=True)
class CitedSentence:
    """`start` to `end` are its words, marks inside them included; `marks` are all that stand for
    it, also behind its full stop. Sentences of one paragraph share a `block`."""

    start: int
    end: int
    block: int
    is_row: bool = False
    marks: list[CitationMark] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CitedText:
    sentences: Sequence[CitedSentence]
    # Marks before any words.
    loose: Sequence[CitationMark]
    # The text with its marks blanked, character for character.
    blanked: str


def cited_sentences(text: str, names: Mapping[str, str]) -> CitedText:
    """Every word of the text is in one of them; `names` is `Bundle.citable_names`."""
    marks = parse_citations(text, names=names)
    blanked = _blanked(text, marks)
    found = [
        CitedSentence(span.start, span.end, number, is_row=is_row)
        for number, (block, is_row, is_prose) in enumerate(_blocks(blanked))
        for span in (_pieces(blanked, block) if is_prose else [block])
        if any(map(str.isalnum, blanked[span.start : span.end]))
    ]
    starts = [one.start for one in found]
    loose: list[CitationMark] = []
    for mark in marks:
        # Behind a sentence, a mark is that sentence's; only where nothing is before it in its
        # own paragraph does it stand for what follows.
        place = bisect_left(starts, mark.start + 1) - 1
        following = place + 1
        if following < len(found) and _leads(blanked, mark, found[following], found, place):
            place = following
        (found[place].marks if place >= 0 else loose).append(mark)
    return CitedText(found, loose, blanked)


def _leads(
    blanked: str,
    mark: CitationMark,
    following: CitedSentence,
    found: Sequence[CitedSentence],
    place: int,
) -> bool:
    """Whether a mark begins the paragraph of the sentence behind it."""
    gap = blanked[mark.end : following.start]
    if re.search(r"[^\s\x00]|\n\s*\n|\r\s*\r|\n[ \t]*[-*+#>]", gap):
        return False
    return place < 0 or found[place].block != following.block


def _blanked(text: str, marks: Sequence[CitationMark]) -> str:
    pieces, position = [], 0
    for mark in marks:
        inside = re.sub(r"[^\r\n]", _BLANK, text[mark.start : mark.end])
        pieces += [text[position : mark.start], inside]
        position = mark.end
    return "".join([*pieces, text[position:]])


def _blocks(blanked: str) -> Iterator[tuple[Span, bool, bool]]:
    """(range, whether it is a row, whether it is prose), in order."""
    code = [Span(*found) for found in code_ranges(blanked)]
    start = end = None
    for match in _LINE.finditer(blanked):
        line = match[0].rstrip("\r\n")
        while code and code[0].end <= match.start():
            code.pop(0)
        fenced = _FENCE.match(line) or (code and code[0].start < match.start())
        is_row = not fenced and "|" in line
        alone = bool(fenced) or is_row or not any(mark.isalnum() or mark == _BLANK for mark in line)
        if start is not None and end is not None and (alone or _BEGINS.match(line)):
            yield Span(start, end), False, True
            start = None
        if alone:
            if line.strip():
                yield Span(match.start(), match.start() + len(line)), is_row, False
        elif start is None:
            prefix = PREFIX.match(line)
            start = match.start() + (prefix.end() if prefix else 0)
        end = match.start() + len(line)
        if start is not None and _HEADING.match(line):
            yield Span(start, end), False, True
            start = None
    if start is not None and end is not None:
        yield Span(start, end), False, True


def _pieces(blanked: str, block: Span) -> Iterator[Span]:
    """Sentences, and what a citation ends. Each reaches to where the next begins, because the
    segmenter's own ends are those of normalised words."""
    position = block.start
    ends = [match.end() for match in _CITED_END.finditer(blanked, block.start, block.end)]
    for cut in [*ends, block.end]:
        words = blanked[position:cut].replace(_BLANK, " ")
        starts = [position + span.start for span in sentences(words)]
        edges = [position, *starts[1:], cut]
        for start, end in pairwise(edges):
            yield _trimmed(blanked, start, end)
        position = cut


def _trimmed(blanked: str, start: int, end: int) -> Span:
    words = blanked[start:end]
    left = len(words) - len(words.lstrip(" \t\r\n\x00"))
    return Span(start + left, max(start + left, start + len(words.rstrip(" \t\r\n\x00"))))
