"""What an RTF file holds: a body, and beside it notes, headers, text boxes, each a story.

A story collects paragraphs and table rows in the order in which their ends come.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tipstaff.domain.document import BlockKind
from tipstaff.parse.flow import Flow
from tipstaff.parse.runs import Runs
from tipstaff.parse.table_grid import Grid, GridCell, GridRow


@dataclass(slots=True)
class Paragraph:
    runs: Runs
    level: int | None = None
    is_listed: bool = False


@dataclass(slots=True)
class ParagraphProperties:
    """Properties of the paragraph that is open; the end of a group does not end them."""

    level: int | None = None
    is_listed: bool = False
    in_table: bool = False


@dataclass(slots=True)
class Story:
    """`cells` are those of the row that is open, `runs` the words of the open paragraph."""

    properties: ParagraphProperties = field(default_factory=ParagraphProperties)
    author: str | None = None
    pieces: list[Paragraph | Grid] = field(default_factory=list)
    runs: Runs = field(default_factory=Runs)
    cells: list[GridCell] = field(default_factory=list)
    boxes: list[Story] = field(default_factory=list)
    is_heading_row: bool = False

    def end_paragraph(self) -> None:
        if self.properties.in_table:
            self.runs.add("\n")  # one of several paragraphs of a cell
            return
        self.end_row()
        self._take()

    def end_cell(self) -> None:
        for box in self._end_boxes():
            self.runs.extend(box.all_runs())
        self.cells.append(GridCell(self.runs))
        self.runs = Runs()

    def end_row(self) -> None:
        cells, self.cells = self.cells, []
        if not cells:
            return
        row = GridRow(cells, is_heading=self.is_heading_row)
        if self.pieces and isinstance(last := self.pieces[-1], Grid):
            last.rows.append(row)
        else:
            self.pieces.append(Grid([row]))

    def end(self) -> None:
        """Takes in what a file that breaks off leaves open."""
        if self.cells and self.runs:
            self.end_cell()
        self.end_row()
        self._take()

    def all_runs(self) -> Runs:
        """All words of the story as one stretch, for where there is no room for blocks."""
        self.end()
        runs = Runs()
        for piece in self.pieces:
            for part in _stretches(piece):
                runs.add(" ")
                runs.extend(part)
        return runs

    def write(self, flow: Flow, *, label: str = "") -> None:
        for piece in self.pieces:
            if isinstance(piece, Grid):
                flow.table(piece)
                continue
            runs = Runs.of(label)
            runs.extend(piece.runs.trimmed())
            label = ""
            kind = BlockKind.LIST_ITEM if piece.is_listed else BlockKind.PARAGRAPH
            flow.paragraph(runs, kind=kind, level=piece.level, author=self.author)

    def _take(self) -> None:
        if self.runs:
            known = self.properties
            self.pieces.append(Paragraph(self.runs, known.level, known.is_listed))
        self.runs = Runs()
        for box in self._end_boxes():
            self.pieces.extend(box.pieces)

    def _end_boxes(self) -> list[Story]:
        boxes, self.boxes = self.boxes, []
        for box in boxes:
            box.end()
        return boxes


def _stretches(piece: Paragraph | Grid) -> list[Runs]:
    if isinstance(piece, Paragraph):
        return [piece.runs]
    return [cell.runs for row in piece.rows for cell in row.cells]
