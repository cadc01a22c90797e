"""XLSB files (and XLS and XLSX files that are odd) to sheets, through python-calamine.

Values come without their formats, so a percentage comes as 0.25; dates come as dates, since
calamine looks at formats itself.
"""

from __future__ import annotations

import datetime as dt
import io
import re
from array import array
from collections.abc import Iterator
from contextlib import contextmanager

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from tipstaff.domain.location import Cell
from tipstaff.parse.number_pattern import general
from tipstaff.parse.parser import CannotRead
from tipstaff.parse.sheet_content import SheetContent, encrypted
from tipstaff.parse.sheet_row import MergedCells, RowShape, SheetRow, one_line

_VALUES_ONLY = (
    "Only the values of this workbook were read, without number formats, formulas and comments: "
    "25% is shown as 0.25."
)

# The stream of an XLS workbook begins, after its head, with a record that asks for a password.
_ENCRYPTED_XLS = re.compile(rb"\x09\x08\x10\x00\x00\x06.{14}\x2f\x00", re.DOTALL)

Value = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


class CalamineSheets:
    """Raises `CannotRead` for what is no workbook, or an encrypted one."""

    def __init__(self, content: bytes) -> None:
        self.notes: list[str] = [_VALUES_ONLY]
        try:
            with panics_as_errors():
                self._workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        except PasswordError as error:
            raise encrypted() from error
        except (CalamineError, ValueError, OSError) as error:
            if _ENCRYPTED_XLS.search(content):
                raise encrypted() from error
            raise CannotRead(
                "The file is damaged or is no workbook.",
                "Ask the sender for the workbook again, or for a version saved as XLSX.",
            ) from error

    def sheets(self) -> Iterator[SheetContent]:
        for index, about in enumerate(self._workbook.sheets_metadata):
            if about.typ != SheetTypeEnum.WorkSheet:
                self.notes.append(f"The sheet '{about.name}' is no worksheet and was not read.")
                continue
            try:
                with panics_as_errors():
                    sheet = self._workbook.get_sheet_by_index(index)
            except (CalamineError, ValueError, OSError):
                self.notes.append(f"The sheet '{about.name}' is damaged and was not read.")
                continue
            yield SheetContent(
                name=about.name,
                rows=_rows(sheet),
                hidden=about.visible != SheetVisibleEnum.Visible,
                merged=MergedCells(
                    (Cell(first[1] + 1, first[0] + 1), Cell(last[1] + 1, last[0] + 1))
                    for first, last in sheet.merged_cell_ranges or ()
                ),
            )


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """A panic of calamine is no `Exception`, and would end the worker as if it had crashed."""
    try:
        yield
    except BaseException as problem:
        if type(problem).__name__ != "PanicException":
            raise
        raise ValueError(str(problem)) from problem


def _rows(sheet: CalamineSheet) -> Iterator[SheetRow]:
    if sheet.start is None:
        return
    # Counting from where the cells begin keeps references right without reading the blank area.
    first_row, first_column = sheet.start
    shapes: dict[tuple[tuple[int, ...], str], RowShape] = {}
    for number, row in enumerate(sheet.to_python(skip_empty_area=True), start=first_row + 1):
        shown = [_shown(value) for value in row]
        used = [index for index, (_, text) in enumerate(shown) if text]
        if not used:
            continue
        columns = tuple(first_column + index + 1 for index in used)
        kinds = "".join(shown[index][0] for index in used)
        shape = shapes.get((columns, kinds))
        if shape is None:
            shape = shapes[columns, kinds] = RowShape(array("i", columns), kinds)
        texts = [shown[index][1] for index in used]
        values = {
            position: repr(row[index])
            for position, index in enumerate(used)
            if kinds[position] == "n" and float(texts[position]) != row[index]
        }
        yield SheetRow(number, shape, texts, values=values)


def _shown(value: Value) -> tuple[str, str]:
    """The kind of a value and the value in words."""
    if isinstance(value, str):
        return "t", one_line(value)
    if isinstance(value, bool):
        return "b", "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return "n", general(repr(value))
    if isinstance(value, dt.datetime):
        return "d", value.isoformat(" ", "seconds")
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return "d", f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    return "d", value.isoformat()
