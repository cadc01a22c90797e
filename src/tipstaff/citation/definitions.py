"""Definitions of source code by name: `login`, `Session.close`, `Session::close`.

The names are those that blocks of code stand under (`Block.headings`, their own last). A
document with headings has sections instead: there, the same names are titles.
"""

from __future__ import annotations

import re
from itertools import groupby

from tipstaff.domain.document import Block, BlockKind, Document, Span
from tipstaff.domain.location import slug

Path = tuple[str, ...]

_SEPARATOR = re.compile(r"::|[.\\#/]")


class Definitions:
    """Every path of names in a document, each with the numbers of the blocks under it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._blocks: dict[Path, list[int]] = {}
        if any(block.kind is BlockKind.HEADING for block in document.blocks):
            return
        for number, block in enumerate(document.blocks):
            if block.kind is BlockKind.CODE_DEFINITION:
                for length in range(1, len(block.headings) + 1):
                    self._blocks.setdefault(block.headings[:length], []).append(number)

    @property
    def names(self) -> list[str]:
        return [".".join(path) for path in self._blocks]

    def find(self, name: str) -> list[Path]:
        """Paths that a name may mean: exactly, by its end, then without regard to case and
        punctuation. More than one is an ambiguity."""
        wanted = _path(name)
        if wanted in self._blocks:
            return [wanted]
        if found := [path for path in self._blocks if path[-len(wanted) :] == wanted]:
            return found
        wanted_slug = slug(name)
        if not wanted_slug:
            return []
        whole = [path for path in self._blocks if slug(".".join(path)) == wanted_slug]
        return whole or [
            path
            for path in self._blocks
            if any(slug(".".join(path[start:])) == wanted_slug for start in range(1, len(path)))
        ]

    def spans(self, path: Path) -> list[Span]:
        """All that is defined under a path; neighbouring blocks are one span."""
        blocks = self._document.blocks
        spans = []
        for _, run in groupby(enumerate(self._blocks[path]), key=lambda pair: pair[1] - pair[0]):
            numbers = [number for _, number in run]
            spans.append(Span(blocks[numbers[0]].span.start, blocks[numbers[-1]].span.end))
        return spans

    def around(self, name: str) -> list[Span]:
        """A member of a class that is one block has no block of its own: the class stands for it
        if it holds the word."""
        *outer, last = _path(name) or ("",)
        owners = self.find(".".join(outer)) if outer else []
        if len(owners) != 1 or not last:
            return []
        word = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
        return [block.span for block in self._under(owners[0]) if self._holds(block, word)]

    def _under(self, path: Path) -> list[Block]:
        blocks = (self._document.blocks[number] for number in self._blocks[path])
        return [block for block in blocks if block.headings == path]

    def _holds(self, block: Block, word: re.Pattern[str]) -> bool:
        return word.search(self._document.text, block.span.start, block.span.end) is not None


def _path(name: str) -> Path:
    return tuple(part for part in _SEPARATOR.split(name.strip().removesuffix("()")) if part)
