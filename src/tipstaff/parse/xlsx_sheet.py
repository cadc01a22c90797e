"""One worksheet's XML to rows: shown text, cached value, formula and style of every cell.

The XML of a sheet is searched, not parsed: a table of half a million cells is read in less
than a second. `Package.markup` makes that safe: `<` begins a tag and nothing else.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tipstaff.domain.location import Cell, column_number
from tipstaff.parse.sheet_row import MergedCells, RowShape, SheetRow, one_line
from tipstaff.parse.workbook_styles import WorkbookStyles
from tipstaff.parse.xlsx_formula import SharedFormulas, readable
from tipstaff.parse.xlsx_package import unescaped

LAST_ROW, LAST_COLUMN = 1_048_576, 16_384

# Column, attributes, formula, value: what almost every cell is; last, anything else inside.
# A cell that never ends takes the rest of its row, so that searching stays linear.
_CELL = re.compile(
    r'<c(?: r="([A-Z]{1,3})[0-9]+")?((?: [^>/]*)?)'
    r"(?:/>|>(?:(?:<f>([^<]*)</f>)?<v>([^<]*)</v></c>|(.*?)(?:</c>|\Z)))",
    re.S,
)
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_FORMULA = re.compile(r"<f(?=[ >/])([^>]*?)(?:/>|>([^<]*)(?:</f>|\Z))")
_VALUE = re.compile(r"<v(?: [^>]*)?>([^<]*)(?:</v>|\Z)")
_PHONETIC = re.compile(r"<rPh.*?(?:</rPh>|\Z)", re.S)
_TEXT = re.compile(r"<t(?: [^>]*)?>([^<]*)")
_STRING = re.compile(
    r"<si(?: [^>]*)?(?:/>|>(?:<t(?: [^>]*)?>([^<]*)</t></si>|(.*?)(?:</si>|\Z)))", re.S
)
_COLUMN = re.compile(r"<col ([^>]*)/?>")
_MERGED = re.compile(r'<mergeCell [^>]*?ref="\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)"')
_ROW_NUMBER = re.compile(r'\br="(\d{1,7})"')
_HIDDEN = re.compile(r'\bhidden="(?:1|true)"')


class Strings(dict[str, str]):
    """Texts by what cells write for them; what is not known shows nothing."""

    def __missing__(self, key: str) -> str:
        return ""


_BOOLEANS = Strings({"0": "FALSE", "1": "TRUE", "false": "FALSE", "true": "TRUE"})
_KINDS = {"s": "t", "str": "t", "inlineStr": "t", "b": "b", "e": "e", "d": "d"}
_TEXT_TYPES = frozenset({"s", "str", "inlineStr"})

FoundCell = tuple[str, str, str, str, str]


def runs_of_text(markup: str) -> str:
    """The text of a string item, with its runs joined and without phonetic guides."""
    if "<rPh" in markup:
        markup = _PHONETIC.sub("", markup)
    return unescaped("".join(_TEXT.findall(markup)))


def shared_strings(markup: str) -> Strings:
    """The table of strings that cells refer to, by number as cells write it."""
    return Strings(
        (str(index), one_line(unescaped(plain) if plain else runs_of_text(rich)))
        for index, (plain, rich) in enumerate(_STRING.findall(markup))
    )


def hidden_columns(markup: str) -> frozenset[int]:
    hidden: set[int] = set()
    for match in _COLUMN.finditer(markup, 0, _data_bounds(markup)[0]):
        if _HIDDEN.search(match[1]):
            bounds = _attributes(match[1])
            first, last = bounds.get("min", ""), bounds.get("max", "")
            if first.isdigit() and last.isdigit():
                hidden.update(range(int(first), min(int(last), LAST_COLUMN) + 1))
    return frozenset(hidden)


def merged_cells(markup: str) -> MergedCells:
    return MergedCells(
        (
            Cell(column_number(match[1]), int(match[2])),
            Cell(min(column_number(match[3]), LAST_COLUMN), int(match[4])),
        )
        for match in _MERGED.finditer(markup, _data_bounds(markup)[1])
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to show the cells of rows that have the same columns and styles."""

    shape: RowShape
    shows: Sequence[Callable[[str], str]]
    numbers: Sequence[int]  # positions of cells whose stored value may differ from the text
    dates: Sequence[tuple[int, Callable[[str], str]]]  # the same, and how to write the value
    positions: range
    concealed: Mapping[int, str] | None
    orderly: bool  # columns rise, within the sheet


class SheetReader:
    """Reads one sheet. `without_result` counts formulas that the file has no result of, and
    `misplaced` rows and cells that stand out of order."""

    def __init__(self, strings: Strings, styles: WorkbookStyles) -> None:
        self.without_result = 0
        self.misplaced = 0
        self._strings = strings
        self._styles = styles
        self._plans: dict[tuple[tuple[str, ...], tuple[str, ...]], _Plan] = {}
        self._shared = SharedFormulas()

    def rows(self, markup: str) -> Iterator[SheetRow]:
        """Every row with something in it, in order."""
        number = 0
        for piece in markup[slice(*_data_bounds(markup))].split("</row>"):
            start = piece.rfind("<row")
            end = piece.find(">", start)
            if start < 0 or end < 0:
                continue
            named = _ROW_NUMBER.search(piece, start, end)
            following = int(named[1]) if named else number + 1
            if not number < following <= LAST_ROW:
                self.misplaced += 1
                continue
            number = following
            row = self._row(number, _CELL.findall(piece, end + 1))
            if row is not None:
                row.hidden = _HIDDEN.search(piece, start, end) is not None
                yield row

    def _row(self, number: int, cells: list[FoundCell]) -> SheetRow | None:
        if not cells:
            return None
        columns, attributes, simple, raws, _ = zip(*cells, strict=True)
        if "" in raws:
            return self._difficult(number, [cell for cell in cells if any(cell[2:])])
        plan = self._plan(columns, attributes)
        texts = [show(raw) for show, raw in zip(plan.shows, raws, strict=True)]
        if "" in texts or not plan.orderly:
            return self._difficult(number, cells)
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
            formulas={i: readable(simple[i]) for i in plan.positions if simple[i]},
            concealed=plan.concealed,
        )

    def _plan(self, columns: tuple[str, ...], attributes: tuple[str, ...]) -> _Plan:
        plan = self._plans.get((columns, attributes))
        if plan is None:
            plan = self._plans[columns, attributes] = self._make_plan(columns, attributes)
        return plan

    def _make_plan(self, columns: tuple[str, ...], attributes: tuple[str, ...]) -> _Plan:
        shows: list[Callable[[str], str]] = []
        numbers_at: list[int] = []
        dates: list[tuple[int, Callable[[str], str]]] = []
        concealed = {}
        kinds, bold = "", True
        for index, text in enumerate(attributes):
            found = _attributes(text)
            kind = found.get("t", "n")
            number = found.get("s", "0")
            style = self._styles[int(number) if number.isdigit() else 0]
            if kind == "n" and style.number_format.is_date:
                dates.append((index, lru_cache(4096)(style.number_format.stored)))
            elif kind == "n":
                numbers_at.append(index)
            shows.append(self._show(kind, style.number_format.show, style.number_format.show_text))
            if style.concealed:
                concealed[index] = style.concealed
            kinds += _KINDS.get(kind, "d" if style.number_format.is_date else "n")
            bold = bold and style.bold
        numbers = _column_numbers(columns, attributes)
        orderly = numbers == sorted(set(numbers)) and numbers[-1] <= LAST_COLUMN
        shape = RowShape(array("i", numbers), kinds, bold)
        positions = range(len(numbers))
        return _Plan(shape, shows, numbers_at, dates, positions, concealed or None, orderly)

    def _show(
        self, kind: str, number: Callable[[str], str], text: Callable[[str], str]
    ) -> Callable[[str], str]:
        if kind == "s":
            # Almost no style changes text; those that do keep what they would swallow.
            if text("x") == "x":
                return self._strings.__getitem__
            return lambda raw: one_line(text(self._strings[raw]))
        if kind in ("str", "inlineStr"):
            return lambda raw: one_line(text(unescaped(raw)))
        if kind == "b":
            return _BOOLEANS.__getitem__
        return unescaped if kind in ("e", "d") else number

    def _difficult(self, number: int, cells: list[FoundCell]) -> SheetRow | None:
        """A row cell by cell: with rich text, shared formulas, or cells that show nothing."""
        columns = _column_numbers([cell[0] for cell in cells], [cell[1] for cell in cells])
        kept: list[tuple[int, str, str, bool]] = []
        texts: list[str] = []
        values: dict[int, str] = {}
        formulas: dict[int, str] = {}
        concealed: dict[int, str] = {}
        for column, found in zip(columns, cells, strict=True):
            raw, formula = self._contents(Cell(column, number), found)
            plan = self._plan(("A",), (_without_reference(found[1]),))
            shown, why = self._shown(plan, raw), None
            if not shown and raw and raw != "0":
                shown, why = one_line(self._bare(plan, raw)), "a format that shows nothing"
            if not shown and formula:
                self.without_result += 1
                shown = formula
            if shown and (column > LAST_COLUMN or (kept and column <= kept[-1][0])):
                self.misplaced += 1
                shown = ""
            if not shown:
                continue
            position = len(texts)
            for reason in filter(None, (why, (plan.concealed or {}).get(0))):
                concealed[position] = reason
            if formula is not None and formula != shown:
                formulas[position] = formula
            value = plan.dates[0][1](raw) if plan.dates else raw if plan.numbers else shown
            if raw and value != shown:
                values[position] = value
            kept.append((column, plan.shape.kinds, shown, plan.shape.bold))
            texts.append(shown)
        if not kept:
            return None
        shape = RowShape(
            array("i", [cell[0] for cell in kept]),
            "".join(cell[1] for cell in kept),
            all(cell[3] for cell in kept),
        )
        return SheetRow(
            number, shape, texts, values=values, formulas=formulas, concealed=concealed or None
        )

    def _shown(self, plan: _Plan, raw: str) -> str:
        return plan.shows[0](raw) if raw else ""

    def _bare(self, plan: _Plan, raw: str) -> str:
        is_shared = plan.shape.kinds == "t" and raw in self._strings
        return self._strings[raw] if is_shared else raw

    def _contents(self, cell: Cell, found: FoundCell) -> tuple[str, str | None]:
        """The stored text of a cell and its formula."""
        simple, raw, other = found[2:]
        if not other:
            return raw, readable(simple) if simple else None
        formula = None
        if match := _FORMULA.search(other):
            formula = self._shared.formula(cell, _attributes(match[1]), match[2] or "")
        if match := _VALUE.search(other):
            return match[1], formula
        return (runs_of_text(other) if "<is" in other else ""), formula


def _data_bounds(markup: str) -> tuple[int, int]:
    """Where the rows of a sheet begin and end."""
    start = markup.find("<sheetData")
    if start < 0:
        return len(markup), len(markup)
    end = markup.find("</sheetData>", start)
    return start, end if end >= 0 else len(markup)


def _attributes(text: str) -> dict[str, str]:
    return {name: double or single for name, double, single in _ATTRIBUTE.findall(text)}


def _without_reference(attributes: str) -> str:
    return re.sub(r'\br="[^"]*"', "", attributes)


def _column_numbers(
    columns: tuple[str, ...] | list[str], attributes: tuple[str, ...] | list[str]
) -> list[int]:
    """A cell that does not name its column follows the one before it."""
    numbers: list[int] = []
    for letters, text in zip(columns, attributes, strict=True):
        if not letters and " r=" in text:
            named = re.match(r"[A-Za-z]{1,3}", _attributes(text).get("r", ""))
            letters = named[0] if named else ""
        previous = numbers[-1] if numbers else 0
        numbers.append(column_number(letters) if letters else previous + 1)
    return numbers
