"""Paragraphs and tables of a Word story (body, header, note, comment), in order, into a flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree

from tipstaff.domain.document import BlockKind
from tipstaff.parse.docx_names import (
    ALTERNATE,
    TRANSPARENT,
    WPS,
    A,
    V,
    W,
    as_number,
    chosen_branch,
    number,
    switch,
    value,
)
from tipstaff.parse.docx_numbering import Numbering
from tipstaff.parse.docx_styles import Style, Styles, list_of, look_of, outline_level, shading
from tipstaff.parse.docx_text import ParagraphReader, References
from tipstaff.parse.flow import CellFlow, Flow
from tipstaff.parse.runs import Runs
from tipstaff.parse.table_grid import Grid, GridCell, GridRow

_DELETED_ROW = "deleted table row (tracked change)"
_HIDDEN_ROW = "hidden table row"


@dataclass(frozen=True, slots=True)
class StoryReader:
    """Writes a story into a flow. `shaded` says that what is behind the text has a colour."""

    styles: Styles
    numbering: Numbering
    references: References
    flow: Flow
    shaded: bool = False
    author: str | None = None

    def read(self, story: etree._Element, *, label: Runs | None = None) -> None:
        """All blocks of an element; `label` goes before the words of the first paragraph."""
        for child in _blocks(story):
            if child.tag == W + "p":
                label = self._paragraph(child, label)
            elif child.tag == W + "tbl":
                self._table(child)
            elif child.tag == W + "altChunk":
                self.references.not_read["embedded document"] += 1

    def _paragraph(self, paragraph: etree._Element, label: Runs | None) -> Runs | None:
        properties = paragraph.find(W + "pPr")
        style = self.styles.paragraph(value(properties, "pStyle"))
        look = look_of(None, properties).over(style.look)
        reader = ParagraphReader(self.styles, self.references, look, shaded=self.shaded)
        found = reader.read(paragraph)
        gone = bool(found.runs) and not found.runs.shown
        # Word numbers empty items, too, but nothing that is deleted or hidden.
        number_text, is_listed = ("", False) if gone else self._list_label(properties, style)
        if found.runs:
            runs = Runs()
            runs.extend(label or Runs())
            runs.add(number_text and number_text + " ")
            runs.extend(found.runs)
            self.flow.paragraph(
                runs,
                kind=BlockKind.LIST_ITEM if is_listed else BlockKind.PARAGRAPH,
                level=_heading_level(properties, style),
                author=self.author,
            )
            label = None
        for box in found.boxes:
            inner = replace(self, shaded=_is_filled(box, otherwise=self.shaded))
            inner.read(box)
        for words in found.pictures:
            self.flow.paragraph(Runs.of(words))
        for text, hidden in found.picture_texts:
            self.flow.picture([text], hidden=hidden)
        return label

    def _list_label(self, properties: etree._Element | None, style: Style) -> tuple[str, bool]:
        list_id, level = list_of(properties)
        list_id = list_id or style.list_id
        if list_id is None or list_id == "0":
            return "", False
        level = style.list_level if level is None else level
        return self.numbering.label(list_id, level or 0), True

    def _table(self, table: etree._Element) -> None:
        rows = list(_children(table, W + "tr"))
        if self._is_frame(rows):
            for row in rows:
                for cell in _children(row, W + "tc"):
                    behind = shading(cell.find(W + "tcPr"))
                    inner = replace(self, shaded=self.shaded if behind is None else behind)
                    inner.read(cell)
            return
        style = value(table.find(W + "tblPr"), "tblStyle")
        coloured = self.styles.shaded_parts(style)
        merges: dict[int, GridCell] = {}
        grid = Grid([])
        for index, row in enumerate(rows):
            shaded = self.shaded or _row_is_coloured(coloured, index, len(rows))
            grid.rows.append(self._row(row, merges, shaded=shaded))
        self.flow.table(grid)

    def _row(self, row: etree._Element, merges: dict[int, GridCell], *, shaded: bool) -> GridRow:
        properties = row.find(W + "trPr")
        hidden = _row_is_hidden(properties)
        result = GridRow([], is_heading=bool(switch(properties, "tblHeader")))
        result.before = number(properties, "gridBefore") or 0
        column = result.before
        for element in _children(row, W + "tc"):
            cell, merge = self._cell(element, hidden, shaded=shaded)
            above = merges.get(column)
            if merge == "continue" and above is not None and not cell.runs:
                above.rows += 1
            else:
                result.cells.append(cell)
                merges.pop(column, None)
                if merge is not None:
                    merges[column] = cell
            column += cell.columns
        return result

    def _cell(
        self, element: etree._Element, hidden: str | None, *, shaded: bool
    ) -> tuple[GridCell, str | None]:
        """A cell, and whether it begins or continues a cell that spans rows."""
        properties = element.find(W + "tcPr")
        behind = shading(properties)
        flow = CellFlow()
        replace(self, flow=flow, shaded=shaded if behind is None else behind).read(element)
        flow.cell.runs = flow.cell.runs.hidden(hidden)
        flow.cell.columns = max(1, number(properties, "gridSpan") or 1)
        merge = None if properties is None else properties.find(W + "vMerge")
        return flow.cell, None if merge is None else merge.get(W + "val", "continue")

    def _is_frame(self, rows: list[etree._Element]) -> bool:
        """A table around text, for its looks: one cell, or a cell with a heading over text."""
        cells = [cell for row in rows for cell in _children(row, W + "tc")]
        return len(cells) == 1 or any(self._has_heading_over_text(cell) for cell in cells)

    def _has_heading_over_text(self, cell: etree._Element) -> bool:
        blocks = [child for child in _blocks(cell) if next(child.iter(W + "t"), None) is not None]
        if len(blocks) < 2:
            return False
        return any(
            _heading_level(properties, self.styles.paragraph(value(properties, "pStyle")))
            for properties in (block.find(W + "pPr") for block in blocks if block.tag == W + "p")
        )


def _blocks(parent: etree._Element) -> Iterator[etree._Element]:
    return _children(parent, W + "p", W + "tbl", W + "altChunk")


def _children(parent: etree._Element, *tags: str) -> Iterator[etree._Element]:
    """Children of some kinds, looking through wrappers that a reader does not see."""
    for child in parent:
        if child.tag in tags:
            yield child
        elif child.tag in TRANSPARENT:
            yield from _children(child, *tags)
        elif child.tag == ALTERNATE and (branch := chosen_branch(child)) is not None:
            yield from _children(branch, *tags)


def _heading_level(properties: etree._Element | None, style: Style) -> int | None:
    said, level = outline_level(properties)
    return level if said else style.level


def _row_is_hidden(properties: etree._Element | None) -> str | None:
    if properties is None:
        return None
    if properties.find(W + "del") is not None:
        return _DELETED_ROW
    return _HIDDEN_ROW if switch(properties, "hidden") else None


def _row_is_coloured(parts: frozenset[str], index: int, count: int) -> bool:
    """Whether a table style colours (some of) a row."""
    whole = parts - {"firstRow", "lastRow", "nwCell", "neCell", "swCell", "seCell"}
    return (
        bool(whole)
        or (index == 0 and "firstRow" in parts)
        or (index == count - 1 and "lastRow" in parts)
    )


def _is_filled(box: etree._Element, *, otherwise: bool) -> bool:
    """Whether the shape around a text box has a colour of its own."""
    for shape in box.iterancestors(WPS + "wsp", V + "shape", V + "rect", V + "roundrect"):
        if shape.tag != WPS + "wsp":
            colour = shape.get("fillcolor", "white").split()[0].lower()
            return shape.get("filled") != "f" and colour not in ("white", "#fff", "#ffffff")
        look = shape.find(WPS + "spPr")
        if look is None or look.find(A + "noFill") is not None:
            return otherwise
        solid = look.find(A + "solidFill")
        if solid is not None:
            exact = solid.find(A + "srgbClr")
            named = solid.find(A + "schemeClr")
            return not (
                (exact is not None and exact.get("val", "").upper() == "FFFFFF")
                or (named is not None and named.get("val") in ("bg1", "lt1") and not len(named))
            )
        theme = shape.find(f"{WPS}style/{A}fillRef")
        by_theme = theme is not None and as_number(theme.get("idx")) != 0
        return by_theme or any(look.find(A + kind) is not None for kind in ("gradFill", "blipFill"))
    return otherwise
