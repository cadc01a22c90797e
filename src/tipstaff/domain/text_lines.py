"""The lines of a text, numbered as editors number them: where a line stands, and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from tipstaff.domain.document import Span
from tipstaff.domain.location import Lines

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


@dataclass(frozen=True, slots=True)
class TextLines:
    """The lines of a text by `\\n`, `\\r\\n` and `\\r` alone, as editors count them."""

    text: str
    starts: list[int]

    @classmethod
    def of(cls, text: str) -> TextLines:
        starts = [match.start() for match in _LINE.finditer(text) if match.start() < len(text)]
        return cls(text, starts or [0])

    def __len__(self) -> int:
        return len(self.starts)

    def span(self, first: int, last: int) -> Span:
        """Lines by number from 1, both included, without the last one's line end."""
        start = self.starts[first - 1]
        end = self.starts[last] if last < len(self.starts) else len(self.text)
        return Span(start, start + len(self.text[start:end].rstrip("\r\n")))

    def number(self, position: int) -> int:
        """The line on which a character stands."""
        return bisect_right(self.starts, position)

    def lines(self, span: Span) -> Lines:
        """The lines that a span touches."""
        return Lines(self.number(span.start), self.number(max(span.start, span.end - 1)))

    def trimmed(self, span: Span) -> Span:
        """A span without the white space around it."""
        words = self.text[span.start : span.end]
        start = span.start + len(words) - len(words.lstrip())
        return Span(start, max(start, span.start + len(words.rstrip())))
