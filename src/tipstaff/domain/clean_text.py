"""Text as a reader should see it, with the way back: marks taken out or put into words,
composed (NFC).

Every character of the clean text knows the range of the source that it came from, so a
quotation found in clean text can be located in the document exactly.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_right
from dataclasses import dataclass

from tipstaff.domain.document import Document, Span


@dataclass(frozen=True, slots=True)
class CleanText:
    """`starts[i]` and `ends[i]` are the source range of character `i`."""

    text: str
    starts: array[int]
    ends: array[int]

    def source(self, start: int, end: int) -> Span:
        """The source range of a range of the clean text."""
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends or [0])[-1]
            return Span(at, at)
        return Span(self.starts[start], self.ends[end - 1])


def clean(document: Document, span: Span | None = None, *, hidden: bool = False) -> CleanText:
    """The clean text of a span (or of all). With `hidden`, hidden text is kept, too."""
    if span is None:
        span = Span(0, len(document.text))
    text, starts, ends = [], array("l"), array("l")
    for start, end, instead in _kept(document, span, hidden=hidden):
        if instead:
            text.append(instead)
            starts.extend([start] * len(instead))
            ends.extend([end] * len(instead))
            continue
        piece = document.text[start:end]
        if unicodedata.is_normalized("NFC", piece):
            text.append(piece)
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
            continue
        for first, last in _clusters(piece):
            composed = unicodedata.normalize("NFC", piece[first:last])
            text.append(composed)
            starts.extend([start + first] * len(composed))
            ends.extend([start + last] * len(composed))
    return CleanText("".join(text), starts, ends)


def _kept(document: Document, span: Span, *, hidden: bool) -> list[tuple[int, int, str]]:
    """The parts of a span outside its marks, and marks that are read as something else."""
    starts, ends, instead = document.unread(hidden=hidden)
    kept = []
    position = span.start
    for index in range(bisect_right(ends, span.start), len(starts)):
        if starts[index] >= span.end:
            break
        if starts[index] > position:
            kept.append((position, starts[index], ""))
        if starts[index] in instead and span.start <= starts[index] and ends[index] <= span.end:
            kept.append((starts[index], ends[index], instead[starts[index]]))
        position = max(position, min(ends[index], span.end))
    if position < span.end:
        kept.append((position, span.end, ""))
    return kept


def _clusters(text: str) -> list[tuple[int, int]]:
    """Ranges that compose independently: a starter and the combining characters behind it."""
    bounds = [
        index
        for index, character in enumerate(text)
        if index == 0 or (unicodedata.combining(character) == 0 and not _joins(character))
    ]
    return list(zip(bounds, [*bounds[1:], len(text)], strict=True))


def _joins(character: str) -> bool:
    """Hangul vowels and finals compose with what stands before them."""
    return "\u1160" <= character <= "\u11ff"
