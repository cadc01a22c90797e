"""A citation: which item, and where in it (TIP §2.4, §5)."""

from __future__ import annotations

from dataclasses import dataclass

from tipstaff.domain.document import PageBox, Span
from tipstaff.domain.location import WHOLE_ITEM, Location

# TIP §3.5 names the synthesis in two ways; this is the one we write.
SYNTHESIS_ID = "tez.md"
SYNTHESIS_NAMES = frozenset({"tez.md", "synthesis"})


@dataclass(frozen=True, slots=True)
class Citation:
    """One reference. `str()` gives the canonical `[[item-id:location]]`."""

    item_id: str
    location: Location = WHOLE_ITEM

    @property
    def reference(self) -> str:
        """The text between the brackets, as TIP §7.4 lists it for a claim."""
        location = str(self.location)
        return f"{self.item_id}:{location}" if location else self.item_id

    def __str__(self) -> str:
        return f"[[{self.reference}]]"


@dataclass(frozen=True, slots=True)
class CitedPart:
    """One member of a comma list, with its character range in the text it was read from."""

    start: int
    end: int
    citation: Citation


@dataclass(frozen=True, slots=True)
class CitationMark:
    """One `[[…]]` in a text: its range, brackets included, and the citations inside it."""

    start: int
    end: int
    parts: tuple[CitedPart, ...]

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(part.citation for part in self.parts)

    def __str__(self) -> str:
        return "[[" + ", ".join(citation.reference for citation in self.citations) + "]]"


@dataclass(frozen=True, slots=True)
class Passage:
    """What a citation points at: the words, where they stand in the item's text, and, on
    paged items, where they stand on the page. Several spans: cells of a range, nodes of a query."""

    citation: Citation
    text: str
    spans: tuple[Span, ...]
    boxes: tuple[PageBox, ...] = ()
    # What the reader should know: surroundings stand for an element that is not there, the text
    # is that of merged cells which the place is part of, or a query selects more than is shown.
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A citation that points at nothing, and why in words (`p99 of 12`)."""

    citation: Citation
    reason: str


Resolution = Passage | Unresolved
