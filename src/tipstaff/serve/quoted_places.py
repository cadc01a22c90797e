"""Where quoted words stand inside a passage: spans of the document, found as verification found
them (white space, dashes and quotation marks apart), so that the page lights the very words."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, Span
from tipstaff.verify.quotes import plain

# How an excerpt joins its quotes, and how it says that words are left out.
_JOINED = " | "
_LEFT_OUT = "…"
_LEAST_CHARS = 2
_MOST_QUOTES = 20
# In more than this nobody looks for words by eye, and it would take seconds.
MOST_CHARS = 500_000


def quoted_spans(document: Document, within: Sequence[Span], excerpt: str) -> list[Span]:
    """The spans of an excerpt's words; of words that are not there, none."""
    if not excerpt or sum(map(len, within)) > MOST_CHARS:
        return []
    texts = [_comparable(document, span) for span in within]
    found: list[Span] = []
    for quote in excerpt.split(_JOINED)[:_MOST_QUOTES]:
        for piece in quote.split(_LEFT_OUT):
            wanted = plain(piece)
            if len(wanted) >= _LEAST_CHARS or wanted.isalnum():
                found += _first(texts, wanted, found)
    return sorted(set(found))


@dataclass(frozen=True, slots=True)
class _Comparable:
    """Text as it is compared, each character knowing where it came from."""

    text: str
    starts: array[int]
    ends: array[int]


def _first(texts: Sequence[_Comparable], wanted: str, known: Sequence[Span]) -> list[Span]:
    """The first place that no other quote has; a quote from several cells stands in several."""
    for one in texts:
        position = one.text.find(wanted)
        while position >= 0:
            place = Span(one.starts[position], one.ends[position + len(wanted) - 1])
            if not any(place.overlaps(other) for other in known):
                return [place]
            position = one.text.find(wanted, position + 1)
    return []


def _comparable(document: Document, span: Span) -> _Comparable:
    """`quotes.plain`, character by character."""
    words = clean(document, span)
    text: list[str] = []
    starts, ends = array("l"), array("l")
    at_line_start = True
    for index, character in enumerate(words.text):
        # How mail marks the lines that it answers.
        if at_line_start and character in "> \t":
            replaced = " "
        else:
            at_line_start = character in "\r\n"
            replaced = _plain(character)
        for one in replaced:
            if one == " " and (not text or text[-1] == " "):
                continue
            text.append(one)
            starts.append(words.starts[index])
            ends.append(words.ends[index])
    joined = "".join(text)
    composed = unicodedata.normalize("NFKC", joined)
    # Characters that only compose together would shift every place behind them.
    return _Comparable(composed if len(composed) == len(joined) else joined, starts, ends)


@lru_cache(maxsize=4_096)
def _plain(character: str) -> str:
    """Between two letters, so that white space is not taken for an end."""
    return plain(f"x{character}x")[1:-1]
