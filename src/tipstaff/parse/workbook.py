"""Workbooks (XLSX, XLSM, XLSB, XLS, ODS): every row of every sheet is a block of its cells.

Cells show what a reader sees ("25%"), and keep the cached value and the formula where these
differ. References are the sheet's own, wherever its cells begin.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from tipstaff.domain.document import Document
from tipstaff.parse.building import DocumentBuilder
from tipstaff.parse.calamine_sheets import CalamineSheets, encrypted
from tipstaff.parse.ods_workbook import OdsWorkbook
from tipstaff.parse.parser import Parser, Source
from tipstaff.parse.sheet_row import SheetContent
from tipstaff.parse.sheet_writing import SheetNames, write_sheet
from tipstaff.parse.xlsx_package import OddPart, Package
from tipstaff.parse.xlsx_workbook import XlsxWorkbook

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Office wraps an encrypted XLSX file into an OLE file with a stream of this name.
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")


class _Sheets(Protocol):
    @property
    def notes(self) -> list[str]: ...

    def sheets(self) -> Iterator[SheetContent]: ...


def parse(source: Source) -> Document:
    with _without_collector():
        try:
            return _document(_opened(source.content))
        except OddPart as odd:
            return _document(CalamineSheets(source.content), (f"The workbook is odd: {odd}.",))


@contextmanager
def _without_collector() -> Iterator[None]:
    """A sheet becomes a great many small values without a cycle among them; the collector
    would look at all of them again and again, for a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _opened(content: bytes) -> _Sheets:
    if content.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in content:
            raise encrypted()
        return CalamineSheets(content)
    if not content.startswith(b"PK"):
        return CalamineSheets(content)
    package = Package(content)
    if package.has("content.xml"):
        return OdsWorkbook(package)
    if package.has("xl/workbook.bin"):
        return CalamineSheets(content)
    return XlsxWorkbook(package)


def _document(workbook: _Sheets, notes: tuple[str, ...] = ()) -> Document:
    builder = DocumentBuilder()
    names = SheetNames()
    for content in workbook.sheets():
        write_sheet(builder, content, name=names.unique(content.name))
    builder.notes.extend([*notes, *workbook.notes])
    return builder.build()


PARSER = Parser(
    name="workbook",
    version=2,
    media_types=(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.oasis.opendocument.spreadsheet",
    ),
    parse=parse,
)
