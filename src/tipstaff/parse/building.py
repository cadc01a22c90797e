"""Building a document whose text is extracted, piece by piece, with places kept in step.

For formats whose text is not the file's own: documents with sections, slides, sheets,
pages. Paragraphs are counted within their section, as `citation.places` counts them.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

from tipstaff.domain.document import (
    Block,
    BlockKind,
    BoxTable,
    CellTable,
    Document,
    Mark,
    MarkKind,
    Page,
    Sheet,
    Span,
)
from tipstaff.domain.location import Element, Location, Section, WholeItem
from tipstaff.domain.many import many
from tipstaff.domain.sections import UniqueNames

CELL_SEPARATOR = " | "
IN_A_PICTURE = "Text in a picture"


@dataclass(frozen=True, slots=True)
class PictureText:
    """A passage that was recognised in a picture inside a document; confidence 0 to 1."""

    text: str
    confidence: float


class DocumentBuilder:
    """Text only grows; every piece that is added becomes a block (or a mark) of it."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._names = UniqueNames()
        self._path: list[tuple[int, str, str]] = []
        self._paragraphs = 0
        self._tables_here = 0
        self._tables = 0
        self.blocks: list[Block] = []
        self.marks: list[Mark] = []
        self.pages: list[Page] = []
        self.sheets: list[Sheet] = []
        self.notes: list[str] = []
        self.cells = CellTable()
        self.boxes = BoxTable()

    @property
    def position(self) -> int:
        """Where the next piece of text will begin."""
        return self._length

    @property
    def headings(self) -> tuple[str, ...]:
        """The titles of the sections that are open, outermost first."""
        return tuple(title for _, title, _ in self._path)

    def write(self, text: str) -> Span:
        """Bare text that belongs to no block (yet)."""
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return Span(start, self._length)

    def block(
        self,
        kind: BlockKind,
        text: str,
        location: Location,
        *,
        level: int | None = None,
        table: int | None = None,
        author: str | None = None,
        quoted: bool = False,
        confidence: float | None = None,
        headings: tuple[str, ...] | None = None,
    ) -> Span:
        """A block of its own lines at a location that the caller knows."""
        span = self.write(text)
        self.write("\n")
        self.blocks.append(
            Block(
                kind=kind,
                span=span,
                location=location,
                headings=self.headings if headings is None else headings,
                level=level,
                table=table,
                author=author,
                quoted=quoted,
                confidence=confidence,
            )
        )
        return span

    def heading(self, text: str, level: int, *, title: str | None = None) -> Span:
        """Opens a section; what follows is counted within it. `title` is what is shown of the
        text, where part of it is marked: sections go by what is shown."""
        title = text if title is None else title
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        name = self._names.name(title)
        span = self.block(BlockKind.HEADING, text, Section(name), level=level)
        self._path.append((level, title, name))
        self._paragraphs = self._tables_here = 0
        return span

    def paragraph(
        self,
        text: str,
        *,
        kind: BlockKind = BlockKind.PARAGRAPH,
        author: str | None = None,
        quoted: bool = False,
    ) -> Span:
        """The next paragraph (or list item) of the open section."""
        self._paragraphs += 1
        place = self.place(Element("para", self._paragraphs))
        return self.block(kind, text, place, author=author, quoted=quoted)

    def picture_text(self, found: PictureText) -> Span:
        """The next paragraph, under a heading that says that it was read from a picture."""
        self._paragraphs += 1
        return self.block(
            BlockKind.PARAGRAPH,
            found.text,
            self.place(Element("para", self._paragraphs)),
            confidence=found.confidence,
            headings=(*self.headings, IN_A_PICTURE),
        )

    def table(self) -> int:
        """Begins a table in the open section; the number goes to `row`."""
        self._tables += 1
        self._tables_here += 1
        return self._tables

    def row(
        self,
        texts: Sequence[str],
        *,
        table: int,
        row: int,
        columns: Sequence[int] | None = None,
        header: Sequence[int] | None = None,
        values: Mapping[int, str] | None = None,
        formulas: Mapping[int, str] | None = None,
        location: Location | None = None,
        kind: BlockKind = BlockKind.TABLE_ROW,
        headings: tuple[str, ...] | None = None,
    ) -> Span:
        """One row, its cells parted by ` | `. `columns` are cell columns (1, 2, … by default),
        `header` indexes `cells.headers` for each cell, `values` and `formulas` go by position."""
        start = self._length
        self.cells.add_row(
            table=table,
            row=row,
            columns=columns or range(1, len(texts) + 1),
            start=start,
            texts=texts,
            gap=len(CELL_SEPARATOR),
            header_ids=header,
            values=values,
            formulas=formulas,
        )
        line = CELL_SEPARATOR.join(texts)
        self._parts += (line, "\n")
        self._length = start + len(line) + 1
        span = Span(start, start + len(line))
        self.blocks.append(
            Block(
                kind=kind,
                span=span,
                location=location or self.place(Element("table", self._tables_here)),
                headings=self.headings if headings is None else headings,
                table=table,
            )
        )
        return span

    def rows(
        self,
        texts: Sequence[Sequence[str]],
        *,
        table: int,
        first_row: int,
        columns: array[int],
        header: array[int],
        values: Mapping[int, Sequence[str]],
        formulas: Mapping[int, Sequence[str]],
        locations: Sequence[Location],
        kind: BlockKind,
        headings: tuple[str, ...],
    ) -> None:
        """What `row` does for each of many rows in the same columns; `texts`, `values` and
        `formulas` come column by column, `locations` row by row."""
        cells, first, width, count = self.cells, len(self.cells), len(texts), len(texts[0])
        cells.add_rows(
            table=table,
            first_row=first_row,
            columns=columns,
            start=self._length,
            texts=texts,
            gap=len(CELL_SEPARATOR),
            header_ids=header,
            values=values,
            formulas=formulas,
        )
        lines = "\n".join(map(CELL_SEPARATOR.join, zip(*texts, strict=True)))
        self._parts += (lines, "\n")
        self._length += len(lines) + 1
        starts, ends = cells.starts[first::width], cells.ends[first + width - 1 :: width]
        fixed = {
            "kind": kind, "headings": headings, "level": None, "table": table, "author": None,
            "quoted": False, "confidence": None,
        }  # fmt: skip
        self.blocks += many(
            Block,
            count,
            span=many(Span, count, start=starts, end=ends),
            location=locations,
            **{name: repeat(value) for name, value in fixed.items()},
        )

    def header_ids(self, titles: Sequence[str]) -> list[int]:
        """Column headings, for `row(header=…)`."""
        first = len(self.cells.headers)
        self.cells.headers.extend(titles)
        return list(range(first, first + len(titles)))

    def place(self, element: Element | None) -> Location:
        """An element of the open section, or of the item where none is open."""
        return Section(self._path[-1][2], element) if self._path else WholeItem(element)

    def hide(self, span: Span, reason: str, *, kind: MarkKind = MarkKind.HIDDEN) -> None:
        if len(span):
            self.marks.append(Mark(span, kind, reason))

    def build(self, *, metadata: Mapping[str, str] | None = None, **fields: object) -> Document:
        document = Document(
            text="".join(self._parts),
            blocks=tuple(self.blocks),
            marks=tuple(sorted(self.marks, key=lambda mark: mark.span)),
            pages=tuple(self.pages),
            sheets=tuple(self.sheets),
            cells=self.cells,
            boxes=self.boxes,
            notes=tuple(self.notes),
            metadata=dict(metadata or {}),
        )
        return replace(document, **fields) if fields else document  # type: ignore[arg-type]
