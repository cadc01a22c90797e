"""Whether words stand at a place: compared without regard to white space, marks and dashes, and to
the `>` before the lines of an answered message."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

# How mail programs mark the lines of the message that is answered: no words of anybody.
_REPLIED_TO = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
_SHORT = 512
_INSIDE_FIGURE = re.compile(r"\d[.,]\d")
_LEFT_OUT = re.compile(r"\[…\]|…")
_HAS_WORD = re.compile(r"\w")
_QUOTATION = re.compile(r"[\"“«„]([^\"“”«»„]+)[\"”»“]")
# So many words of an item that may not be quoted may stand in a row; and from so many on, all of a
# sentence of it is a quotation.
MAX_UNQUOTED_RUN = 6
_QUOTED_RUN = MAX_UNQUOTED_RUN + 1
_SHORT_SENTENCE = range(3, _QUOTED_RUN)
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "’": "'", "‘": "'",
                         "“": '"', "”": '"', "\u00ad": None, "\u00a0": " ", "\u202f": " ",
})  # fmt: skip


def plain(text: str) -> str:
    """Text as it is compared: composed, one space between words, typographic marks made plain."""
    return _short(text) if len(text) <= _SHORT else _plain(text)


def _plain(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    return " ".join((_REPLIED_TO.sub("", text) if ">" in text else text).split())


# A sentence is looked for in many others.
_short = lru_cache(maxsize=8192)(_plain)


def stands_in(quote: str, passage: str) -> bool:
    """Whether a quotation, whole words, occurs in a passage. `…` stands for words left out."""
    text = plain(passage)
    position = 0
    # Split first: composed, `…` is three full stops like any others.
    pieces = [piece for piece in map(plain, _LEFT_OUT.split(quote)) if piece]
    for piece in pieces:
        found = _find_whole(piece, text, position)
        if found < 0 and piece is pieces[0]:
            # In the middle of a sentence a quotation begins with a small letter.
            piece = piece[0].upper() + piece[1:]
            found = _find_whole(piece, text, position)
        if found < 0:
            return False
        position = found + len(piece)
    return bool(pieces)


def _find_whole(piece: str, text: str, start: int) -> int:
    """The place of a piece that is not part of a longer word or figure."""
    while True:
        found = text.find(piece, start)
        if found < 0:
            return -1
        before = text[found - 1] if found else " "
        end = found + len(piece)
        after = text[end] if end < len(text) else " "
        joined_before = before.isalnum() and piece[0].isalnum()
        joined_after = after.isalnum() and piece[-1].isalnum()
        if not joined_before and not joined_after and not _cuts_figure(text, found, end):
            return found
        start = found + 1


def _cuts_figure(text: str, start: int, end: int) -> bool:
    """Whether a piece ends inside a figure: 500 does not stand in 1,500, nor 1 in 1.5."""
    return bool(_INSIDE_FIGURE.match(text, max(start - 2, 0), start + 1) and start >= 2) or bool(
        _INSIDE_FIGURE.match(text, end - 1, end + 2)
    )


def consists_of(text: str, quotes: Sequence[str]) -> bool:
    """Whether a text is nothing but its quotes, in order; marks may stand between them."""
    left = plain(text)
    position = 0
    for quote in map(plain, quotes):
        found = left.find(quote, position)
        if found < 0 or _HAS_WORD.search(left[position:found]):
            return False
        position = found + len(quote)
    return not _HAS_WORD.search(left[position:])


class Unquotable:
    """The words of an item that may not be quoted (TIP §13.4.2), by its sentences and rows."""

    def __init__(self, sentences: Sequence[str]) -> None:
        known = [run_words(one) for one in dict.fromkeys(sentences)]
        every = [word for words in known for word in words]
        self._everything = f" {' '.join(every)} "
        # Numbers take little room; that two runs have the same one only withholds.
        self._runs = _runs(every, _QUOTED_RUN)
        # A longer sentence is seen by its runs.
        self._short = {hash(tuple(one)) for one in known if len(one) in _SHORT_SENTENCE}

    def is_quoted_in(self, text: str) -> bool:
        """Whether a text has more than a few words of it in a row, a whole sentence of it however
        short, or words of it between quotation marks."""
        said = run_words(text)
        if not self._runs.isdisjoint(_runs(said, _QUOTED_RUN)):
            return True
        if any(not self._short.isdisjoint(_runs(said, length)) for length in _SHORT_SENTENCE):
            return True
        quoted = (" ".join(run_words(one)) for one in _QUOTATION.findall(text))
        return any(" " in one and f" {one} " in self._everything for one in quoted)


def _runs(words: Sequence[str], length: int) -> set[int]:
    return {hash(tuple(words[at : at + length])) for at in range(len(words) - length + 1)}


def longest_shared_run(text: str, source: str) -> int:
    """How many words in a row a text has in common with a source (TIP §13.4.2)."""
    words = run_words(text)
    known = run_words(source)
    places: dict[str, list[int]] = {}
    for index, word in enumerate(known):
        places.setdefault(word, []).append(index)
    longest = 0
    for start, word in enumerate(words):
        for place in places.get(word, ()):
            run = 1
            while (
                start + run < len(words)
                and place + run < len(known)
                and words[start + run] == known[place + run]
            ):
                run += 1
            longest = max(longest, run)
    return longest


def run_words(text: str) -> list[str]:
    """The words of a text, as runs of them are counted."""
    return re.findall(r"\w+", plain(text).casefold())
