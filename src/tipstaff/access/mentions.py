"""Names of items in running text: whether words name an item that does not exist for a reader.

Words are compared without regard to case and to what stands between them. Doubt closes: an
ordinary word that is also the id of an unseen item counts as that item's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from tipstaff.domain.item import ContextItem

_WORD = re.compile(r"\w+")
# One letter, or digits alone, name nothing: they are everywhere.
_LEAST_CHARS = 2


class Mentions:
    """Finds names of `hidden` items. Where a longer name of a visible item stands exactly so
    (`budget-2025`), the shorter one inside it (`budget`) is not mentioned."""

    def __init__(self, hidden: Iterable[ContextItem], visible: Iterable[ContextItem]) -> None:
        self._visible = {_folded(name) for item in visible for name in _names(item)}
        self._hidden: dict[str, set[tuple[str, ...]]] = {}
        for item in hidden:
            for name in _names(item):
                words = tuple(_WORD.findall(name.casefold()))
                if _tells(words) and _folded(name) not in self._visible:
                    self._hidden.setdefault(words[0], set()).add(words)
        self._longer: dict[str, set[tuple[str, ...]]] = {}
        for name in self._visible:
            words = tuple(_WORD.findall(name))
            for number, word in enumerate(words):
                if word in self._hidden:
                    self._longer.setdefault(word, set()).add((str(number), *words))

    def within(self, text: str) -> bool:
        """Whether a text names a hidden item."""
        found = list(_WORD.finditer(text))
        words = [match[0].casefold() for match in found]
        for place, word in enumerate(words):
            for name in self._hidden.get(word, ()):
                if tuple(words[place : place + len(name)]) == name and not self._is_part(
                    text, found, place, len(name)
                ):
                    return True
        return False

    def _is_part(self, text: str, found: list[re.Match[str]], place: int, length: int) -> bool:
        """Whether these words are the middle of a visible item's longer name."""
        for before, *words in self._longer.get(found[place][0].casefold(), ()):
            first = place - int(before)
            last = first + len(words) - 1
            if first < 0 or last >= len(found) or last < place + length - 1:
                continue
            # The whole name as it is written; its outer marks are not words.
            written = _folded(text[found[first].start() : found[last].end()])
            if written in self._visible:
                return True
        return False


def _names(item: ContextItem) -> Iterator[str]:
    """Everything that a sender may call an item."""
    yield from filter(None, (item.id, item.title, *item.names, item.external_uri))
    if item.file:
        path = PurePosixPath(item.file)
        yield from (item.file, path.name, path.stem)


def _tells(words: tuple[str, ...]) -> bool:
    letters = "".join(words)
    return len(letters) >= _LEAST_CHARS and any(map(str.isalpha, letters))


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
