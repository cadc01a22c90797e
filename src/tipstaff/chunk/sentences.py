"""Where sentences begin and end, abbreviations and figures notwithstanding."""

from __future__ import annotations

import re

from tipstaff.domain.document import Span

# Beyond this many characters without a sentence end, text is a list or noise, not prose.
_MAX_SENTENCE_CHARS = 2_000
_PIECE = re.compile(
    rf".{{1,{_MAX_SENTENCE_CHARS}}}(?:\s|\Z)|.{{1,{_MAX_SENTENCE_CHARS}}}", re.DOTALL
)


def sentences(text: str) -> list[Span]:
    """Ranges of the sentences of a text, in order, without the white space between them."""
    import syntok.segmenter

    found: list[Span] = []
    for paragraph in syntok.segmenter.process(text):
        for tokens in paragraph:
            if not tokens:
                continue
            start = tokens[0].offset
            found.extend(_bounded(text, start, tokens[-1].offset + len(tokens[-1].value)))
    return found


def _bounded(text: str, start: int, end: int) -> list[Span]:
    if end - start <= _MAX_SENTENCE_CHARS:
        return [Span(start, end)]
    pieces = []
    for match in _PIECE.finditer(text, start, end):
        words = match[0].strip()
        if words:
            first = match.start() + match[0].index(words[0])
            pieces.append(Span(first, first + len(words)))
    return pieces
