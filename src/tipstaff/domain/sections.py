"""The sections of a document: which headings there are, under which names, over which text."""

from __future__ import annotations

from dataclasses import dataclass

from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import BlockKind, Document, Span
from tipstaff.domain.invisible import without_invisible
from tipstaff.domain.location import slug


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """`span` runs to the next heading of the same or a higher level, `own` to the next at all;
    `path` are the slugs of the titles from the outermost section down to this one."""

    title: str
    name: str
    level: int
    span: Span
    own: Span
    path: tuple[str, ...]


class UniqueNames:
    """Slugs in order of appearance; the second "Terms" is `terms-2`."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._next: dict[str, int] = {}

    def name(self, title: str) -> str:
        # What nobody sees is no part of a name.
        base = slug(without_invisible(title)) or "section"
        name = base
        while name in self._seen:
            number = self._next.get(base, 2)
            self._next[base] = number + 1
            name = f"{base}-{number}"
        self._seen.add(name)
        return name


def sections_of(document: Document) -> tuple[DocumentSection, ...]:
    """Every section, in order. Headings carry their level; text before the first has none."""
    headings = [block for block in document.blocks if block.kind is BlockKind.HEADING]
    names = UniqueNames()
    end_of_text = len(document.text)
    found = []
    path: list[tuple[int, str]] = []
    ends = _ends([heading.level or 1 for heading in headings])
    starts = [*(heading.span.start for heading in headings), end_of_text]
    for index, heading in enumerate(headings):
        title = clean(document, heading.span).text.strip()
        name = names.name(title)
        level = heading.level or 1
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, slug(title)))
        found.append(
            DocumentSection(
                title,
                name,
                level,
                Span(heading.span.start, starts[ends[index]]),
                Span(heading.span.start, starts[index + 1]),
                tuple(part for _, part in path),
            )
        )
    return tuple(found)


def _ends(levels: list[int]) -> list[int]:
    """For each heading the number of the next one that is not below it."""
    ends = [len(levels)] * len(levels)
    open_headings: list[int] = []
    for index, level in enumerate(levels):
        while open_headings and levels[open_headings[-1]] >= level:
            ends[open_headings.pop()] = index
        open_headings.append(index)
    return ends
