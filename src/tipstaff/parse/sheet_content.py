"""A sheet as every spreadsheet format gives it, before it becomes blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tipstaff.parse.parser import CannotRead
from tipstaff.parse.sheet_row import MergedCells, Remark
from tipstaff.parse.sheet_run import SheetPiece


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetContent:
    """Everything that a sheet shows, read or still to be read."""

    name: str
    rows: Iterable[SheetPiece]
    hidden: bool = False
    hidden_columns: frozenset[int] = frozenset()
    merged: MergedCells = field(default_factory=MergedCells)
    remarks: Sequence[Remark] = ()


def encrypted() -> CannotRead:
    return CannotRead(
        "The workbook is encrypted.", "Ask the sender for a version without a password."
    )
