"""Where the paragraphs and tables of a flowing document go: into the document, or into a cell.

A format's walker does not know which of the two it writes to, so a cell is read by the same
code as the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tipstaff.domain.document import BlockKind, Span
from tipstaff.parse.building import DocumentBuilder, PictureText
from tipstaff.parse.runs import Runs
from tipstaff.parse.table_grid import Grid, GridCell, write_table


class Flow(Protocol):
    def paragraph(
        self,
        runs: Runs,
        *,
        kind: BlockKind = BlockKind.PARAGRAPH,
        level: int | None = None,
        author: str | None = None,
    ) -> None:
        """A paragraph, or with a level a heading; one without words is left out."""

    def table(self, grid: Grid) -> None: ...

    def picture(self, texts: Sequence[PictureText], *, hidden: str | None = None) -> None:
        """What was read in a picture; `hidden` says why a reader does not see the picture."""


class DocumentFlow:
    """Paragraphs become blocks of a document."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self.builder = builder

    def paragraph(
        self,
        runs: Runs,
        *,
        kind: BlockKind = BlockKind.PARAGRAPH,
        level: int | None = None,
        author: str | None = None,
    ) -> None:
        runs = runs.trimmed()
        if not runs:
            return
        title = runs.shown
        if level is not None and title:
            span = self.builder.heading(runs.text, level, title=title)
        else:
            # A heading of which nothing is shown opens no section.
            span = self.builder.paragraph(runs.text, kind=kind, author=author)
        for mark in runs.marks():
            place = Span(span.start + mark.start, span.start + mark.end)
            self.builder.hide(place, mark.reason, kind=mark.kind)

    def table(self, grid: Grid) -> None:
        write_table(self.builder, grid)

    def picture(self, texts: Sequence[PictureText], *, hidden: str | None = None) -> None:
        for text in texts:
            span = self.builder.picture_text(text)
            if hidden:
                self.builder.hide(span, hidden)


class CellFlow:
    """Paragraphs become the words of one cell; tables and pictures stand beside it."""

    def __init__(self) -> None:
        self.cell = GridCell(Runs())

    def paragraph(
        self,
        runs: Runs,
        *,
        kind: BlockKind = BlockKind.PARAGRAPH,  # noqa: ARG002 - a cell has no blocks inside
        level: int | None = None,  # noqa: ARG002
        author: str | None = None,  # noqa: ARG002
    ) -> None:
        if not runs:
            return
        if self.cell.runs.runs:
            self.cell.runs.add(" ")
        self.cell.runs.extend(runs)

    def table(self, grid: Grid) -> None:
        self.cell.tables.append(grid)

    def picture(self, texts: Sequence[PictureText], *, hidden: str | None = None) -> None:
        self.cell.pictures += [(text, hidden) for text in texts]
