"""The sections of a document: which headings there are, under which names, over which text."""

from __future__ import annotations

from dataclasses import dataclass

from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import BlockKind, Document, Span
from tipstaff.domain.location import slug


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """`span` runs to the next heading of the same or a higher level, `own` to the next at all."""

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

    def name(self, title: str) -> str:
        base = slug(title) or "section"
        name, number = base, 2
        while name in self._seen:
            name, number = f"{base}-{number}", number + 1
        self._seen.add(name)
        return name


def sections_of(document: Document) -> tuple[DocumentSection, ...]:
    """Every section, in order. Headings carry their level; text before the first has none."""
    headings = [block for block in document.blocks if block.kind is BlockKind.HEADING]
    names = UniqueNames()
    end_of_text = len(document.text)
    found = []
    path: list[tuple[int, str]] = []
    for index, heading in enumerate(headings):
        title = clean(document, heading.span).text.strip()
        name = names.name(title)
        level = heading.level or 1
        later = headings[index + 1 :]
        own_end = later[0].span.start if later else end_of_text
        end = next(
            (other.span.start for other in later if (other.level or 1) <= level), end_of_text
        )
        while path and path[-1][0] >= level:
            path.pop()
        path.append((level, name))
        found.append(
            DocumentSection(
                title,
                name,
                level,
                Span(heading.span.start, end),
                Span(heading.span.start, own_end),
                tuple(part for _, part in path),
            )
        )
    return tuple(found)
