"""The text of lines, with the place of each word in it, and words that a line end broke.

A word that was hyphenated at the end of a line is written together again. Its hyphen stays in
the text, so that nothing is lost, but is marked as a typesetter's; the hyphen of a compound
("long-term") is a writer's and stays for readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tipstaff.parse.page_words import Word, is_unspaced

HYPHENS = "-\u00ad\u2010"
_SOFT = "\u00ad"
# First parts that English writes with a hyphen far more often than without, before a whole word
# ("long-term", but "long-er").
_COMPOUNDING = frozenset(
    {
        "cross", "first", "five", "four", "full", "half", "high", "long", "low", "near",
        "non", "one", "quasi", "real", "self", "short", "single", "six", "third", "three",
        "twenty", "two", "vice", "well", "year",
    }
)  # fmt: skip
_SUFFIXES = frozenset(
    {"able", "est", "ing", "ish", "less", "light", "ment", "ness", "teen", "ties"}
)


@dataclass(slots=True)
class LineText:
    """`words` are start, end, word; `breaks` are hyphens that a line end caused."""

    text: str
    words: list[tuple[int, int, Word]] = field(default_factory=list)
    breaks: list[tuple[int, int]] = field(default_factory=list)


class Vocabulary:
    """The words of a document: how it writes a word elsewhere decides about a hyphen."""

    def __init__(self, words: Iterable[Word]) -> None:
        self._words = {_bare(word.text) for word in words}

    def keeps_hyphen(self, before: str, after: str) -> bool:
        """Whether `before-` and `after`, parted by a line end, are a compound."""
        hyphen = before[-1]
        first, second = _bare(before[:-1]), _bare(after)
        if hyphen == _SOFT or f"{first}{second}" in self._words:
            return False
        if f"{first}-{second}" in self._words:
            return True
        return (
            (first in _COMPOUNDING and len(second) > 2 and second not in _SUFFIXES)
            or any(character in first for character in HYPHENS)
            or not first.isalpha()
            or (before[:-1].isupper() and len(first) > 1)
        )


def text_of(lines: Sequence[Sequence[Word]], vocabulary: Vocabulary) -> LineText:
    """Words parted by single spaces; line ends are spaces, too, but for broken words."""
    made = LineText("")
    parts: list[str] = []
    position = 0
    last: Word | None = None
    for line in lines:
        for number, word in enumerate(line):
            if last is not None:
                if number == 0 and is_broken(last.text, word.text):
                    if not vocabulary.keeps_hyphen(last.text, word.text):
                        made.breaks.append((position - 1, position))
                elif not _touch(last, word, same_line=number > 0):
                    parts.append(" ")
                    position += 1
            parts.append(word.text)
            made.words.append((position, position + len(word.text), word))
            position += len(word.text)
            last = word
    made.text = "".join(parts)
    return made


def is_broken(before: str, after: str) -> bool:
    """Whether a line that ends so, before one that begins so, ends in the middle of a word."""
    return (
        len(before) > 2 and before[-1] in HYPHENS and before[-2].isalpha() and after[:1].islower()
    )


def _touch(last: Word, word: Word, *, same_line: bool) -> bool:
    """Whether no space is to be written between two words."""
    if word.glued and same_line and abs(word.left - last.right) < 0.2 * word.size:
        return True
    if not (is_unspaced(last.text[-1]) and is_unspaced(word.text[0])):
        return False
    return not same_line or word.left - last.right < 0.5 * word.size


def _bare(text: str) -> str:
    return text.strip(".,;:!?()[]{}\"'“”‘’").lower()
