"""Sums and shares of the columns of a cited table: the rows that a claim names, and all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.synthesis.arithmetic import agrees
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement

# What a figure is the value of: "cost": 8600000, Amount: 7,500.
_KEY = re.compile(r"([\w ()/.%&-]{1,40}?)[\"']?\s*[:=]\s*[$€£]?\s*$")
_TOTAL = re.compile(r"\b(?:total|sum|in all|overall)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-Z][\w.]*\w|\b[A-Z]\.[A-Z]\b")
_HUNDRED = Decimal(100)

_Column = list[tuple[EvidenceText, Quantity]]


def from_columns(figure: Quantity, statement: Statement, units: Sequence[EvidenceText]) -> str:
    """How a figure is the sum of a column, of the rows in it that a claim names, or a share of its
    total; or nothing."""
    said = statement.plain
    for key, column in _columns(units).items():
        rows = [pair for pair in column if not _is_total(pair[0])]
        for part in (rows, *_named(said, rows)):
            if len(part) > 1 and agrees(_sum(part), figure, said):
                return f"{key}: " + " + ".join(one.text for _, one in part) + f" = {figure.text}"
        if figure.measure is Measure.PERCENT and (told := _share(figure, said, key, column)):
            return told
    return ""


def _columns(units: Sequence[EvidenceText]) -> dict[str, _Column]:
    columns: dict[str, _Column] = {}
    for unit in units:
        for one in outside_dates(quantities(unit.text), unit.text):
            if key := _KEY.search(unit.text[: one.start]):
                columns.setdefault(key[1].strip().lower(), []).append((unit, one))
    return columns


def _named(said: str, rows: _Column) -> Iterator[_Column]:
    """The rows that have a name which the claim has, too: the four of the U.S."""
    for name in dict.fromkeys(_CAPITAL.findall(said)):
        part = [pair for pair in rows if re.search(rf"\b{re.escape(name)}", pair[0].text)]
        if len(part) < len(rows):
            yield part


def _share(figure: Quantity, said: str, key: str, column: _Column) -> str:
    rows = [pair for pair in column if not _is_total(pair[0])]
    stated = [one.value for unit, one in column if _is_total(unit)]
    whole = stated[0] if stated else _sum(rows)
    if not whole:
        return ""
    named = [one for part in _named(said, rows) if len(part) == 1 for _, one in part]
    for one in (*named, *quantities(said)):
        is_part = one.measure is not Measure.PERCENT and 0 < one.value < whole
        if is_part and agrees(one.value / whole * _HUNDRED, figure, said):
            return f"{one.text} of {whole:,f} ({key}) = {figure.text}"
    return ""


def _is_total(unit: EvidenceText) -> bool:
    first = unit.cells[0][1] if unit.cells else unit.text[:20]
    return bool(_TOTAL.search(first))


def _sum(column: _Column) -> Decimal:
    return sum((one.value for _, one in column), Decimal(0))
