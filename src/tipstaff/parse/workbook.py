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
from tipstaff.parse.parser import Parser, Source
from tipstaff.parse.sheet_content import SheetContent, encrypted
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
            return _document(_values_only(source.content), (f"The workbook is odd: {odd}.",))


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
            if not gc.get_freeze_count():
                # All that is left belongs to the document and lives on: among the old values
                # the collector does not look at it at once.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _opened(content: bytes) -> _Sheets:
    """The reader of a format, imported when a file of that format comes."""
    if content.startswith(_OLE):
        if _ENCRYPTED_PACKAGE in content:
            raise encrypted()
        from tipstaff.parse.xls_workbook import XlsWorkbook

        return XlsWorkbook(content)
    if not content.startswith(b"PK"):
        return _values_only(content)
    package = Package(content)
    if package.has("content.xml"):
        from tipstaff.parse.ods_workbook import OdsWorkbook

        return OdsWorkbook(package)
    if package.has("xl/workbook.bin"):
        return _values_only(content)
    return XlsxWorkbook(package)


def _values_only(content: bytes) -> _Sheets:
    from tipstaff.parse.calamine_sheets import CalamineSheets

    return CalamineSheets(content)


def _document(workbook: _Sheets, notes: tuple[str, ...] = ()) -> Document:
    builder = DocumentBuilder()
    names = SheetNames()
    for content in workbook.sheets():
        write_sheet(builder, content, name=names.unique(content.name))
    builder.notes.extend([*notes, *workbook.notes])
    return builder.build()


PARSER = Parser(
    name="workbook",
    version=3,
    media_types=(
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.oasis.opendocument.spreadsheet",
    ),
    parse=parse,
)
