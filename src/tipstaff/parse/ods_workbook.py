"""ODS files to sheets: the file holds what each cell shows beside its value and formula."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from lxml import etree

from tipstaff.domain.location import Cell
from tipstaff.parse.sheet_content import SheetContent, encrypted
from tipstaff.parse.sheet_row import (
    MergedCells,
    Remark,
    RowShape,
    SheetRow,
    one_line,
)
from tipstaff.parse.xlsx_package import Package

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
_MANIFEST = "META-INF/manifest.xml"

_KINDS = {"float": "n", "percentage": "n", "currency": "n", "date": "d", "time": "d",
          "boolean": "b"}  # fmt: skip
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_NOT_SHOWN = ("collapse", "filter")
_ROW_GROUPS = frozenset(
    _TABLE + name for name in ("table-row-group", "table-rows", "table-header-rows")
)


class OdsWorkbook:
    """Raises `OddPart` where the file is damaged, `CannotRead` where it is encrypted."""

    def __init__(self, package: Package) -> None:
        self.notes: list[str] = []
        if package.has(_MANIFEST) and b"encryption-data" in package.read(_MANIFEST):
            raise encrypted()
        self._root = package.xml("content.xml")
        self._hidden_styles = {
            style.get(_STYLE + "name")
            for style in self._root.iter(_STYLE + "style")
            for properties in style.iterchildren(_STYLE + "table-properties")
            if properties.get(_TABLE + "display") == "false"
        }

    def sheets(self) -> Iterator[SheetContent]:
        for table in self._root.iterfind(f"{_OFFICE}body/{_OFFICE}spreadsheet/{_TABLE}table"):
            yield _Sheet(table, self._hidden_styles).content()


class _Sheet:
    def __init__(self, table: etree._Element, hidden_styles: set[str | None]) -> None:
        self.name = table.get(_TABLE + "name") or ""
        self.hidden = table.get(_TABLE + "style-name") in hidden_styles
        self.table = table
        self.remarks: list[Remark] = []
        self.merged: list[tuple[Cell, Cell]] = []

    def content(self) -> SheetContent:
        # Comments and merged cells are only known once all rows have been read.
        rows = list(self._rows())
        return SheetContent(
            name=self.name,
            rows=rows,
            hidden=self.hidden,
            hidden_columns=self._hidden_columns(),
            merged=MergedCells(self.merged),
            remarks=self.remarks,
        )

    def _hidden_columns(self) -> frozenset[int]:
        hidden: set[int] = set()
        number = 1
        for column in self.table.iter(_TABLE + "table-column"):
            count = min(_count(column, "number-columns-repeated"), _LAST_COLUMN)
            if column.get(_TABLE + "visibility") in _NOT_SHOWN:
                hidden.update(range(number, number + count))
            number += count
        return frozenset(hidden)

    def _rows(self) -> Iterator[SheetRow]:
        number = 1
        for element in _row_elements(self.table):
            repeated = _count(element, "number-rows-repeated")
            for again in range(repeated):
                if number + again > _LAST_ROW:
                    return
                row = self._row(element, number + again)
                if row is None:
                    break
                yield row
            number += repeated

    def _row(self, element: etree._Element, number: int) -> SheetRow | None:
        columns, kinds = array("i"), ""
        texts: list[str] = []
        values: dict[int, str] = {}
        formulas: dict[int, str] = {}
        column = 1
        for cell in element.iterchildren(_TABLE + "table-cell", _TABLE + "covered-table-cell"):
            repeated = _count(cell, "number-columns-repeated")
            shown = _shown(cell)
            self._notice(cell, Cell(column, number))
            for again in range(repeated if shown else 0):
                if column + again > _LAST_COLUMN:
                    break
                value, formula = _value(cell), _formula(cell.get(_TABLE + "formula"))
                if value is not None and value != shown:
                    values[len(texts)] = value
                if formula is not None:
                    formulas[len(texts)] = formula
                columns.append(column + again)
                kinds += _KINDS.get(cell.get(_OFFICE + "value-type") or "", "t")
                texts.append(shown)
            column += repeated
        if not texts:
            return None
        hidden = element.get(_TABLE + "visibility") in _NOT_SHOWN
        shape = RowShape(columns, kinds)
        return SheetRow(number, shape, texts, values=values, formulas=formulas, hidden=hidden)

    def _notice(self, element: etree._Element, cell: Cell) -> None:
        """What a cell has beside its text: a comment, and neighbours that it is merged with."""
        if cell.column > _LAST_COLUMN or cell.row > _LAST_ROW:
            return
        for note in element.iterchildren(_OFFICE + "annotation"):
            words = "\n".join(_paragraphs(note))
            if words:
                self.remarks.append(Remark(cell, words, note.findtext(_CREATOR)))
        wide, high = (
            _count(element, "number-columns-spanned"),
            _count(element, "number-rows-spanned"),
        )
        if wide > 1 or high > 1:
            last = Cell(min(cell.column + wide - 1, _LAST_COLUMN), cell.row + high - 1)
            self.merged.append((cell, last))


def _row_elements(table: etree._Element) -> Iterator[etree._Element]:
    """Rows in order, with those inside groups."""
    waiting = [table.iterchildren()]
    while waiting:
        for element in waiting[-1]:
            if element.tag == _TABLE + "table-row":
                yield element
            elif element.tag in _ROW_GROUPS:
                waiting.append(element.iterchildren())
                break
        else:
            waiting.pop()


def _count(element: etree._Element, name: str) -> int:
    text = element.get(_TABLE + name) or "1"
    return max(1, int(text)) if text.isdigit() and len(text) < 10 else 1


def _shown(cell: etree._Element) -> str:
    text = one_line("\n".join(_paragraphs(cell)))
    return text or (_value(cell) or "")


def _paragraphs(element: etree._Element) -> list[str]:
    found = []
    for paragraph in element.iterchildren(_TEXT + "p"):
        words = []
        for piece in paragraph.iter():
            if piece.tag == _TEXT + "s":
                words.append(" ")
            words.append((piece.text or "") if isinstance(piece.tag, str) else "")
            if piece is not paragraph:
                words.append(piece.tail or "")
        found.append("".join(words).strip())
    return [text for text in found if text]


def _value(cell: etree._Element) -> str | None:
    for name in ("value", "date-value", "time-value"):
        if (value := cell.get(_OFFICE + name)) is not None:
            return value
    return None


def _formula(text: str | None) -> str | None:
    """`of:=SUM([.B2:.B5])` as its author wrote it: =SUM(B2:B5)."""
    if not text:
        return None
    start = text.find("=")
    bare = text[start:] if 0 <= start < 8 else "=" + text
    return bare.replace("[.", "").replace(":.", ":").replace("]", "")
