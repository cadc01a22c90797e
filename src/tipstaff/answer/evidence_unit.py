"""A unit of evidence with everything that belongs to it: headings, header cells, author, item."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from tipstaff.domain.citation import Citation
from tipstaff.domain.document import Block, TableCell, Unit, UnitKind
from tipstaff.domain.location import CellRange
from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import terms


@dataclass(frozen=True, kw_only=True)
class EvidenceUnit:
    """`cells` are a row's (header, words, cell), in order; empty elsewhere."""

    unit: Unit
    block: Block
    item_title: str
    cells: tuple[tuple[str, str, TableCell], ...] = ()
    author: str | None = None  # who says it, as the format or the text itself tells
    writer: str = ""  # who wrote the whole document
    near: str = ""  # the words just before a table: its caption, its unit of money
    previous: str = field(default="", repr=False)  # the sentence before, for pronouns

    @property
    def item_id(self) -> str:
        return self.unit.item_id

    @property
    def key(self) -> tuple[str, int, int]:
        return self.unit.item_id, self.unit.span.start, self.unit.span.end

    @property
    def is_row(self) -> bool:
        return self.unit.kind is UnitKind.ROW and bool(self.cells)

    @cached_property
    def text(self) -> str:
        """Its own words on one line."""
        return " ".join(self.unit.text.split())

    @cached_property
    def reader_text(self) -> str:
        """As the reader was trained to see it: rows as `header: value; header: value`."""
        if not self.is_row:
            return self.text
        return "; ".join(
            f"{header}: {words}" if header else words for header, words, _ in self.cells
        )

    @cached_property
    def surroundings(self) -> str:
        """What a reader sees around it and an answer may rest on together with it."""
        parts = [self.item_title, *self.block.headings, self.near]
        if self.author:
            parts.append(self.author)
        parts += [header for header, _, _ in self.cells]
        return " | ".join(part for part in parts if part)

    @cached_property
    def own_terms(self) -> frozenset[str]:
        return frozenset(terms(self.reader_text))

    @cached_property
    def all_terms(self) -> frozenset[str]:
        return self.own_terms | frozenset(terms(self.surroundings))

    @cached_property
    def own_periods(self) -> frozenset[str]:
        return periods(self.text)

    @cached_property
    def all_periods(self) -> frozenset[str]:
        return self.own_periods | periods(self.surroundings)

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        return tuple(quantities(self.text))

    @property
    def citation(self) -> Citation:
        return Citation(self.unit.item_id, self.unit.location)

    def cell_citation(self, cell: TableCell) -> Citation:
        """Where one cell stands: its own place in a sheet, its row's elsewhere."""
        place = self.unit.location
        if isinstance(place, CellRange):
            return Citation(self.item_id, CellRange(place.sheet, cell.cell, cell.cell))
        return self.citation
