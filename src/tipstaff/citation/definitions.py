"""Definitions of source code by name: `login`, `Session.close`, `Session::close`.

The names are those that blocks of code stand under (`Block.headings`, their own last) and those
of definitions inside blocks (`Document.definitions`). A document with headings has sections
instead: there, the same names are titles.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import groupby

from tipstaff.domain.document import BlockKind, Document, Span
from tipstaff.domain.location import slug

Path = tuple[str, ...]

_SEPARATOR = re.compile(r"::|[.\\#/]")


class Definitions:
    """Every path of names in a document, each with the numbers of the blocks under it, or with
    its lines inside a block."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._blocks: dict[Path, list[int]] = {}
        self._inside: dict[Path, list[Span]] = {}
        if any(block.kind is BlockKind.HEADING for block in document.blocks):
            return
        for number, block in enumerate(document.blocks):
            if block.kind is BlockKind.CODE_DEFINITION:
                for length in range(1, len(block.headings) + 1):
                    self._blocks.setdefault(block.headings[:length], []).append(number)
        for definition in document.definitions:
            spans = self._inside.setdefault(definition.names, [])
            if definition.span not in spans:  # overloads on one line
                spans.append(definition.span)

    @cached_property
    def _paths(self) -> list[Path]:
        return list(dict.fromkeys([*self._blocks, *self._inside]))

    @property
    def names(self) -> list[str]:
        return [".".join(path) for path in self._paths]

    def find(self, name: str) -> list[Path]:
        """Paths that a name may mean: exactly, by its end, then without regard to case and
        punctuation. More than one is an ambiguity."""
        wanted = _path(name)
        if wanted in self._blocks or wanted in self._inside:
            return [wanted]
        if found := [path for path in self._paths if path[-len(wanted) :] == wanted]:
            return found
        wanted_slug = slug(name)
        if not wanted_slug:
            return []
        whole = [path for path in self._paths if slug(".".join(path)) == wanted_slug]
        return whole or [
            path
            for path in self._paths
            if any(slug(".".join(path[start:])) == wanted_slug for start in range(1, len(path)))
        ]

    def spans(self, path: Path) -> list[Span]:
        """All that is defined under a path; neighbouring blocks are one span."""
        blocks = self._document.blocks
        spans = []
        numbered = enumerate(self._blocks.get(path, ()))
        for _, run in groupby(numbered, key=lambda pair: pair[1] - pair[0]):
            numbers = [number for _, number in run]
            spans.append(Span(blocks[numbers[0]].span.start, blocks[numbers[-1]].span.end))
        # One name may be a block here and inside a block there: `impl` twice, a class reopened.
        inside = self._inside.get(path, [])
        spans += [one for one in inside if not any(span.contains(one) for span in spans)]
        return sorted(spans)

    def around(self, name: str) -> list[Span]:
        """A member that is no definition (a field, a constant) has no lines of its own: the class
        stands for it if it holds the word."""
        *outer, last = _path(name) or ("",)
        owners = self.find(".".join(outer)) if outer else []
        if len(owners) != 1 or not last:
            return []
        word = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
        return [span for span in self._own(owners[0]) if self._holds(span, word)]

    def _own(self, path: Path) -> list[Span]:
        """What stands directly under a path, without the blocks of its members."""
        blocks = (self._document.blocks[number] for number in self._blocks.get(path, ()))
        spans = [block.span for block in blocks if block.headings == path]
        return spans + self._inside.get(path, [])

    def _holds(self, span: Span, word: re.Pattern[str]) -> bool:
        return word.search(self._document.text, span.start, span.end) is not None


def _path(name: str) -> Path:
    return tuple(part for part in _SEPARATOR.split(name.strip().removesuffix("()")) if part)
