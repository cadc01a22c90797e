"""What parsing makes of an item: spans, blocks that know their place, chunks over them.

All ranges are half-open character ranges in the item's extracted text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tipstaff.domain.location import CellRange, Lines, Location, TimeRange


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"
    CODE_DEFINITION = "code_definition"
    MESSAGE = "message"
    SLIDE = "slide"
    CELL_RANGE = "cell_range"
    TRANSCRIPT_SEGMENT = "transcript_segment"
    DATA_NODE = "data_node"


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a range of text: {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class PageBox:
    """A rectangle on a page as it is shown: origin top left, rotation applied, in points."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The smallest piece of an item with a place of its own."""

    item_id: str
    kind: BlockKind
    text: str
    span: Span
    location: Location
    headings: tuple[str, ...] = ()
    boxes: tuple[PageBox, ...] = ()
    lines: Lines | None = None
    cells: CellRange | None = None
    time: TimeRange | None = None
    header: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What retrieval ranks: a run of blocks, each named by its span (TIP §10.1.7)."""

    chunk_id: str
    item_id: str
    location: Location
    text: str
    spans: tuple[Span, ...]
    tokens: int
