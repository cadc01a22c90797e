"""Whether words stand at a place: compared without regard to white space, marks and dashes, and to
the `>` before the lines of an answered message."""

from __future__ import annotations

import re
import unicodedata

_SPACE = re.compile(r"\s+")
# How mail programs mark the lines of the message that is answered: no words of anybody.
_REPLIED_TO = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "’": "'", "‘": "'",
                         "“": '"', "”": '"', "\u00ad": None, "\u00a0": " ", "\u202f": " ",
})  # fmt: skip


def plain(text: str) -> str:
    """Text as it is compared: composed, one space between words, typographic marks made plain."""
    text = unicodedata.normalize("NFKC", text).translate(_DASHES)
    return _SPACE.sub(" ", _REPLIED_TO.sub("", text)).strip()


def stands_in(quote: str, passage: str) -> bool:
    """Whether a quotation, whole words, occurs in a passage. `…` stands for words left out."""
    text = plain(passage)
    position = 0
    for piece in re.split(r"\s*(?:…|\[…\])\s*", plain(quote)):
        if not piece:
            continue
        found = _find_whole(piece, text, position)
        if found < 0:
            return False
        position = found + len(piece)
    return bool(plain(quote))


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
        if not joined_before and not joined_after:
            return found
        start = found + 1


def longest_shared_run(text: str, source: str) -> int:
    """How many words in a row a text has in common with a source (TIP §13.4.2)."""
    words = _words(text)
    known = _words(source)
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


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", plain(text).casefold())
