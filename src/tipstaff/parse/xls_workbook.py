"""XLS files (Excel 97 to 2003, and older) to sheets, through xlrd: values with their formats,
merged and hidden cells, comments.

Formulas are left out, and a note says so: no library with a licence like ours writes them out
as their author did, and a formula that lost its brackets would be a wrong one.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

import xlrd

from tipstaff.domain.location import Cell
from tipstaff.parse.number_format import BUILT_IN, NumberFormat
from tipstaff.parse.sheet_content import SheetContent, encrypted
from tipstaff.parse.sheet_row import MergedCells, Remark, RowShape, SheetRow, one_line
from tipstaff.parse.workbook_styles import CellStyle
from tipstaff.parse.xlsx_package import OddPart

_NO_FORMULAS = "The formulas of this workbook were not read; their stored results were."
# Formats that follow the reader's locale, for which xlrd takes an American reader.
_LOCAL_FORMATS = frozenset({14, 22, *range(27, 37), *range(50, 59)})
_WHITE = (255, 255, 255)
_BOLD_WEIGHT = 700
_KINDS = {
    xlrd.XL_CELL_TEXT: "t",
    xlrd.XL_CELL_NUMBER: "n",
    xlrd.XL_CELL_DATE: "d",
    xlrd.XL_CELL_BOOLEAN: "b",
    xlrd.XL_CELL_ERROR: "e",
}


class _ShownCell(NamedTuple):
    column: int
    kind: str
    text: str
    value: str | None
    style: CellStyle
    concealed: str | None


class XlsWorkbook:
    """Raises `OddPart` for what xlrd cannot read, `CannotRead` for an encrypted workbook."""

    def __init__(self, content: bytes) -> None:
        self.notes: list[str] = [_NO_FORMULAS]
        try:
            self._book = xlrd.open_workbook(
                file_contents=content,
                formatting_info=True,
                on_demand=True,
                ragged_rows=True,
                logfile=io.StringIO(),
            )
        except Exception as error:  # xlrd lets out whatever it stumbles over
            if "encrypted" in str(error):
                raise encrypted() from error
            raise OddPart("its records are not in order") from error
        others = len(self._book._all_sheets_map) - self._book.nsheets
        if others:
            self.notes.append(f"Sheets that are no worksheets ({others}) were not read.")
        self._styles: dict[int, CellStyle] = {}
        self._shapes: dict[tuple[tuple[int, ...], str, bool], RowShape] = {}

    def sheets(self) -> Iterator[SheetContent]:
        for index, name in enumerate(self._book.sheet_names()):
            try:
                sheet = self._book.sheet_by_index(index)
            except Exception:  # as above
                self.notes.append(f"The sheet '{name}' is damaged and was not read.")
                continue
            yield SheetContent(
                name=name,
                rows=self._rows(sheet),
                hidden=bool(sheet.visibility),
                hidden_columns=frozenset(
                    column + 1 for column, about in sheet.colinfo_map.items() if about.hidden
                ),
                merged=MergedCells(
                    (Cell(left + 1, top + 1), Cell(right, bottom))
                    for top, bottom, left, right in sheet.merged_cells
                ),
                remarks=[
                    Remark(Cell(column + 1, row + 1), note.text.strip(), note.author or None)
                    for (row, column), note in sheet.cell_note_map.items()
                    if note.text.strip()
                ],
            )
            self._book.unload_sheet(index)

    def _rows(self, sheet: Any) -> Iterator[SheetRow]:
        for index in range(sheet.nrows):
            cells = [
                cell
                for column, (kind, value) in enumerate(
                    zip(sheet.row_types(index), sheet.row_values(index), strict=True)
                )
                if kind in _KINDS
                and (cell := self._cell(column, kind, value, sheet.cell_xf_index(index, column)))
            ]
            if not cells:
                continue
            about = sheet.rowinfo_map.get(index)
            yield SheetRow(
                index + 1,
                self._shape(cells),
                [cell.text for cell in cells],
                values={i: cell.value for i, cell in enumerate(cells) if cell.value is not None},
                concealed={i: cell.concealed for i, cell in enumerate(cells) if cell.concealed},
                hidden=about is not None and bool(about.hidden),
            )

    def _cell(self, column: int, kind: int, value: Any, xf: int) -> _ShownCell | None:
        style = self._style(xf)
        stored, concealed = None, style.concealed
        if kind in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
            raw = _digits(value)
            text, stored = style.number_format.show(raw), style.number_format.stored(raw)
        elif kind == xlrd.XL_CELL_TEXT:
            raw = one_line(value)
            text = one_line(style.number_format.show_text(raw))
        else:
            raw = _word(kind, value)
            text = raw
        if not text and raw and raw != "0":
            text, concealed = raw, "a format that shows nothing"
        if not text:
            return None
        stored = stored if stored != text else None
        return _ShownCell(column + 1, _KINDS[kind], text, stored, style, concealed)

    def _shape(self, cells: list[_ShownCell]) -> RowShape:
        columns = tuple(cell.column for cell in cells)
        kinds = "".join(cell.kind for cell in cells)
        bold = all(cell.style.bold for cell in cells)
        shape = self._shapes.get((columns, kinds, bold))
        if shape is None:
            shape = RowShape(array("i", columns), kinds, bold)
            self._shapes[columns, kinds, bold] = shape
        return shape

    def _style(self, number: int) -> CellStyle:
        style = self._styles.get(number)
        if style is None:
            style = self._styles[number] = self._read_style(number)
        return style

    def _read_style(self, number: int) -> CellStyle:
        book = self._book
        from_1904 = book.datemode == 1
        try:
            about = book.xf_list[number]
            font = book.font_list[about.font_index]
            code = book.format_map[about.format_key].format_str
        except (IndexError, KeyError):
            return CellStyle(NumberFormat("General", from_1904=from_1904))
        if about.format_key in _LOCAL_FORMATS:
            code = BUILT_IN[about.format_key]
        fill = about.background
        is_filled = fill.fill_pattern and book.colour_map.get(fill.pattern_colour_index) != _WHITE
        is_white = book.colour_map.get(font.colour_index) == _WHITE and not is_filled
        return CellStyle(
            NumberFormat(code, from_1904=from_1904),
            bool(font.bold) or font.weight >= _BOLD_WEIGHT,
            "white text" if is_white else None,
        )


def _digits(number: float) -> str:
    """As XLSX files write numbers: whole ones without a point."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def _word(kind: int, value: int) -> str:
    if kind == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if value else "FALSE"
    return str(xlrd.error_text_from_code.get(value, "#ERROR!"))
