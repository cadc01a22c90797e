"""One worksheet's XML to rows: shown text, cached value, formula and style of every cell.

The XML of a sheet is searched, not parsed: a table of half a million cells is read in about a
second. `Package.markup` makes that safe: `<` begins a tag and nothing else.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tipstaff.domain.location import Cell, column_number
from tipstaff.parse.sheet_row import MergedCells, RowShape, SheetRow, one_line
from tipstaff.parse.sheet_run import SheetPiece
from tipstaff.parse.workbook_styles import WorkbookStyles
from tipstaff.parse.xlsx_formula import SharedFormulas, readable
from tipstaff.parse.xlsx_package import unescaped
from tipstaff.parse.xlsx_row_plan import (
    LAST_COLUMN,
    Plan,
    Planner,
    RepeatedRow,
    Strings,
    attributes_of,
    column_numbers,
)
from tipstaff.parse.xlsx_run import Stretches, read_run

LAST_ROW = 1_048_576

# Column, attributes, formula, value: what almost every cell is; last, anything else inside.
# A cell that never ends takes the rest of its row, so that searching stays linear.
_CELL = re.compile(
    r'<c(?:\sr="([A-Z]{1,3})[0-9]+")?((?:\s[^>/]*)?)'
    r"(?:/>|>(?:(?:<f>([^<]*)</f>)?<v>([^<]*)</v></c>|(.*?)(?:</c>|\Z)))",
    re.S,
)
_FORMULA = re.compile(r"<f(?=[\s>/])([^>]*?)(?:/>|>([^<]*)(?:</f>|\Z))")
_VALUE = re.compile(r"<v(?:\s[^>]*)?>([^<]*)(?:</v>|\Z)")
_PHONETIC = re.compile(r"<rPh.*?(?:</rPh>|\Z)", re.S)
_TEXT = re.compile(r"<t(?:\s[^>/]*)?>([^<]*)")
_STRING = re.compile(
    r"<si(?:\s[^>/]*)?(?:/>|>(?:<t(?:\s[^>/]*)?>([^<]*)</t></si>|(.*?)(?:</si>|\Z)))", re.S
)
_COLUMN = re.compile(r"<col\s([^>]*)>")
_MERGED = re.compile(r'<mergeCell\s[^>]*?ref="\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)"')
_ROW_NUMBER = re.compile(r'\br="(\d{1,7})"')
_HIDDEN = re.compile(r'\bhidden="(?:1|true)"')

FoundCell = tuple[str, str, str, str, str]


class _ShownCell(NamedTuple):
    column: int
    kind: str
    text: str
    value: str | None
    formula: str | None
    concealed: str | None
    bold: bool


def _runs_of_text(markup: str) -> str:
    """The text of a string item, still escaped: its runs joined, without phonetic guides."""
    if "<rPh" in markup:
        markup = _PHONETIC.sub("", markup)
    return "".join(_TEXT.findall(markup))


def shared_strings(markup: str) -> Strings:
    """The table of strings that cells refer to, by number as cells write it."""
    return Strings(
        (str(index), one_line(unescaped(plain or _runs_of_text(rich))))
        for index, (plain, rich) in enumerate(_STRING.findall(markup))
    )


def data_of(markup: str) -> slice:
    """Where the rows of a sheet begin and end; other facts stand before and behind them."""
    start = markup.find("<sheetData")
    if start < 0:
        return slice(len(markup), len(markup))
    end = markup.find("</sheetData>", start)
    return slice(start, end if end >= 0 else len(markup))


def hidden_columns(markup: str, data: slice) -> frozenset[int]:
    hidden: set[int] = set()
    for match in _COLUMN.finditer(markup, 0, data.start):
        if _HIDDEN.search(match[1]):
            bounds = attributes_of(match[1])
            first, last = bounds.get("min", ""), bounds.get("max", "")
            if first.isdigit() and last.isdigit():
                hidden.update(range(int(first), min(int(last), LAST_COLUMN) + 1))
    return frozenset(hidden)


def merged_cells(markup: str, data: slice) -> MergedCells:
    return MergedCells(
        (
            Cell(column_number(match[1]), int(match[2])),
            Cell(min(column_number(match[3]), LAST_COLUMN), int(match[4])),
        )
        for match in _MERGED.finditer(markup, data.stop)
    )


class SheetReader:
    """Reads one sheet. `without_result` counts formulas that the file has no result of, and
    `misplaced` rows and cells that stand out of order."""

    def __init__(self, strings: Strings, styles: WorkbookStyles) -> None:
        self.without_result = 0
        self.misplaced = 0
        self._strings = strings
        self._planner = Planner(strings, styles)
        self._shared = SharedFormulas()
        self._like = RepeatedRow()
        self._number = 0

    def rows(self, markup: str, data: slice) -> Iterator[SheetPiece]:
        """Every row with something in it, in order; rows that repeat come many at once."""
        stretches = Stretches(markup, data)
        for stretch in stretches:
            run = read_run(self._like, stretch, after=self._number)
            stretches.was_run(run is not None)
            if run is None:
                yield from self._rows_one_by_one(stretch)
            else:
                self._number = run.last
                yield run

    def _rows_one_by_one(self, stretch: str) -> Iterator[SheetRow]:
        for piece in stretch.split("</row>"):
            start = piece.rfind("<row")
            end = piece.find(">", start)
            if start < 0 or end < 0:
                continue
            about = piece[start:end]
            named = _ROW_NUMBER.search(about)
            following = int(named[1]) if named else self._number + 1
            if not self._number < following <= LAST_ROW:
                self.misplaced += 1
                continue
            self._number = following
            row = self._row_like_the_last(following, piece, end + 1) or self._row(
                following, _CELL.findall(piece, end + 1)
            )
            if row is not None:
                row.hidden = "hidden" in about and _HIDDEN.search(about) is not None
                yield row

    def _row(self, number: int, cells: list[FoundCell]) -> SheetRow | None:
        if not cells:
            return None
        columns, attributes, simple, raws, _ = zip(*cells, strict=True)
        if "" in raws:
            return self._difficult(number, cells)
        plan = self._planner.plan(columns, attributes)
        self._like.learn(plan, columns, attributes, tuple(map(bool, simple)))
        formulas = {index: text for index, text in enumerate(simple) if text}
        row = self._simple_row(number, plan, raws, formulas)
        return self._difficult(number, cells) if row is None else row

    def _row_like_the_last(self, number: int, piece: str, start: int) -> SheetRow | None:
        """The same row by one match, where rows repeat; None where this one differs."""
        like = self._like
        match = like.pattern.fullmatch(piece, start) if like.pattern is not None else None
        if match is None or like.plan is None:
            return None
        raws: Sequence[str] = match.groups()
        formulas = None
        if like.formulas:
            formulas = {index: raws[group] for index, group in like.formulas}
            raws = [raws[group] for group in like.values]
        return self._simple_row(number, like.plan, raws, formulas)

    def _simple_row(
        self, number: int, plan: Plan, raws: Sequence[str], formulas: Mapping[int, str] | None
    ) -> SheetRow | None:
        """A row whose every cell has a value; None where one shows nothing all the same."""
        texts = [show(raw) for show, raw in zip(plan.shows, raws, strict=True)]
        if "" in texts or not plan.orderly:
            return None
        values = {i: raws[i] for i in plan.numbers if raws[i] != texts[i]}
        for index, stored in plan.dates:
            value = stored(raws[index])
            if value != texts[index]:
                values[index] = value
        return SheetRow(
            number,
            plan.shape,
            texts,
            values=values,
            formulas={index: readable(text) for index, text in formulas.items()}
            if formulas
            else None,
            concealed=plan.concealed,
        )

    def _difficult(self, number: int, cells: list[FoundCell]) -> SheetRow | None:
        """A row cell by cell: with rich text, shared formulas, or cells that show nothing."""
        columns = column_numbers([cell[0] for cell in cells], [cell[1] for cell in cells])
        kept: list[_ShownCell] = []
        for column, found in zip(columns, cells, strict=True):
            shown = self._cell(Cell(column, number), found) if any(found[2:]) else None
            if shown is None:
                continue
            if column > LAST_COLUMN or (kept and column <= kept[-1].column):
                self.misplaced += 1
                continue
            kept.append(shown)
        if not kept:
            return None
        shape = RowShape(
            array("i", [cell.column for cell in kept]),
            "".join(cell.kind for cell in kept),
            all(cell.bold for cell in kept),
        )
        return SheetRow(
            number,
            shape,
            [cell.text for cell in kept],
            values={i: cell.value for i, cell in enumerate(kept) if cell.value is not None},
            formulas={i: cell.formula for i, cell in enumerate(kept) if cell.formula is not None},
            concealed={i: cell.concealed for i, cell in enumerate(kept) if cell.concealed} or None,
        )

    def _cell(self, cell: Cell, found: FoundCell) -> _ShownCell | None:
        attributes = attributes_of(found[1])
        raw, formula = self._contents(cell, found)
        plan = self._planner.plan(("A",), (_without_reference(found[1]),))
        text = plan.shows[0](raw) if raw else ""
        concealed = (plan.concealed or {}).get(0)
        if not text and raw and raw != "0":
            text, concealed = self._unformatted(attributes, raw), "a format that shows nothing"
        if not text and formula and attributes.get("t") != "str":
            self.without_result += 1
            text, raw = formula, ""
        if not text:
            return None
        value = plan.dates[0][1](raw) if plan.dates else raw if plan.numbers else text
        return _ShownCell(
            cell.column,
            plan.shape.kinds,
            text,
            value if raw and value != text else None,
            formula if formula != text else None,
            concealed,
            plan.shape.bold,
        )

    def _unformatted(self, attributes: Mapping[str, str], raw: str) -> str:
        """What a cell holds whose format shows nothing of it."""
        return self._strings[raw] if attributes.get("t") == "s" else one_line(unescaped(raw))

    def _contents(self, cell: Cell, found: FoundCell) -> tuple[str, str | None]:
        """The stored text of a cell and its formula."""
        simple, raw, other = found[2:]
        if not other:
            return raw, readable(simple) if simple else None
        formula = None
        if match := _FORMULA.search(other):
            formula = self._shared.formula(cell, attributes_of(match[1]), match[2] or "")
        if match := _VALUE.search(other):
            return match[1], formula
        return (_runs_of_text(other) if "<is" in other else ""), formula


def _without_reference(attributes: str) -> str:
    return re.sub(r'\br="[^"]*"', "", attributes)
