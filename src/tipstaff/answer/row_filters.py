"""What a question asks of the rows of a table: values, yes/no columns, states, people, blanks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.facts.senses import same_sense
from tipstaff.lexical.analysis import terms

_YES = frozenset(["yes", "y", "true", "x", "✓", "✔"])
_NO = frozenset(["no", "n", "false", "-", "–", "—"])
_BLANK = frozenset(["(none)", "none", "-", "–", "—", "n/a", "tbd", "tbc", "nobody", "?"])
_OPEN_STATES = frozenset(
    ["open", "pending", "in progress", "ongoing", "outstanding", "not started", "to do", "todo",
     "overdue", "incomplete", "waiting", "started"]
)  # fmt: skip
_CLOSED_STATES = frozenset(
    ["done", "closed", "complete", "completed", "finished", "resolved", "settled", "delivered",
     "cancelled", "skipped"]
)  # fmt: skip
_ASKS_OPEN = re.compile(
    r"\bstill (?:open|to be \w+|to \w+|outstanding|pending|missing|unfinished)\b|\b(?:unfinished|"
    r"incomplete|outstanding|pending|open|unresolved|to be (?:done|finished|completed))\b|"
    r"\bnot (?:yet |been )*(?:done|finished|completed?|closed|resolved)\b",
    re.IGNORECASE,
)
_ASKS_CLOSED = re.compile(r"\b(?:done|finished|completed?|closed|resolved)\b", re.IGNORECASE)
_ASKS_BLANK = re.compile(
    r"\b(?:without|no|lack(?:s|ing)?|missing)\s+(?:an?\s+|any\s+)?(?P<what>[a-z]+)", re.IGNORECASE
)
_MOSTLY = 0.66


@dataclass(frozen=True, slots=True)
class Filter:
    """The rows that it leaves, and the terms of the question that it answers to."""

    rows: frozenset[int]
    asked: frozenset[str]


def filters_of(
    text: str,
    asked: Sequence[str],
    over: set[str],
    units: Sequence[EvidenceUnit],
    roles: dict[str, frozenset[str]],
) -> list[Filter]:
    """Every filter that a question applies; rows must pass all of them."""
    columns = _columns(units)
    found = [
        *(one for name in columns for one in _by_column(text, asked, name, columns[name], units)),
        *_by_person(asked, roles, units),
        *_by_blank(text, columns, len(units)),
    ]
    if found:
        return found
    return _by_words(asked, over, units)


def _columns(units: Sequence[EvidenceUnit]) -> dict[str, dict[int, str]]:
    """Header, and the words of its cell in each row that has one."""
    columns: dict[str, dict[int, str]] = {}
    for number, unit in enumerate(units):
        for header, words, _ in unit.cells:
            if header:
                columns.setdefault(header, {})[number] = words
    return columns


def _by_column(
    text: str,
    asked: Sequence[str],
    header: str,
    cells: dict[int, str],
    units: Sequence[EvidenceUnit],
) -> list[Filter]:
    named = frozenset(terms(header)) & frozenset(asked)
    plain = {number: words.strip().lower() for number, words in cells.items()}
    if named and set(plain.values()) <= _YES | _NO and set(plain.values()) & _YES:
        denied = any(re.search(rf"\b(?:not|non)[ -]{word}", text, re.IGNORECASE)
                     for word in header.lower().split())  # fmt: skip
        yes = frozenset(number for number, words in plain.items() if words in _YES)
        return [Filter(frozenset(range(len(units))) - yes if denied else yes, named)]
    states = [words for words in plain.values() if words in _OPEN_STATES | _CLOSED_STATES]
    if len(states) >= _MOSTLY * len(units):
        return _by_state(text, asked, plain)
    return _by_value(asked, named, plain, len(units))


def _by_state(text: str, asked: Sequence[str], cells: dict[int, str]) -> list[Filter]:
    for pattern, states in ((_ASKS_OPEN, _OPEN_STATES), (_ASKS_CLOSED, _CLOSED_STATES)):
        match = pattern.search(text)
        if match:
            rows = frozenset(number for number, words in cells.items() if words in states)
            return [Filter(rows, frozenset(terms(match.group())) & frozenset(asked))]
    return []


def _by_value(
    asked: Sequence[str], named: frozenset[str], cells: dict[int, str], count: int
) -> list[Filter]:
    """Rows whose whole cell is named in the question; a bare number only with its column."""
    rows, met = set(), set()
    for number, words in cells.items():
        value = set(terms(words))
        if value and value <= set(asked) and (named or not words.isdigit()):
            rows.add(number)
            met |= value
    return [Filter(frozenset(rows), frozenset(met))] if 0 < len(rows) < count else []


def _by_person(
    asked: Sequence[str], roles: dict[str, frozenset[str]], units: Sequence[EvidenceUnit]
) -> list[Filter]:
    found = []
    for role, people in roles.items():
        rows = frozenset(n for n, unit in enumerate(units) if unit.cells and people & _cells(unit))
        if 0 < len(rows) < len(units):
            found.append(Filter(rows, frozenset(terms(role)) & frozenset(asked)))
    return found


def _by_blank(text: str, columns: dict[str, dict[int, str]], count: int) -> list[Filter]:
    """ "Which risks have no owner?": rows where that column says nothing."""
    match = _ASKS_BLANK.search(text)
    if not match:
        return []
    wanted = frozenset().union(*(same_sense(term) for term in terms(match["what"])))
    for header, cells in columns.items():
        if wanted & frozenset(terms(header)):
            filled = {n for n, words in cells.items() if words.strip().lower() not in _BLANK}
            rows = frozenset(range(count)) - filled
            return [Filter(rows, frozenset(terms(match["what"])))] if rows else []
    return []


def _by_words(asked: Sequence[str], over: set[str], units: Sequence[EvidenceUnit]) -> list[Filter]:
    """The rows with most of the words that stand in some rows and not over all of them."""
    held = [frozenset(asked) & unit.own_terms - over for unit in units]
    most = max(map(len, held), default=0)
    rows = frozenset(number for number, words in enumerate(held) if len(words) == most)
    met = frozenset().union(*(held[number] for number in rows)) if most else frozenset()
    return [Filter(rows, met)] if most and len(rows) < len(units) else []


def _cells(unit: EvidenceUnit) -> frozenset[str]:
    return frozenset(terms(" ".join(words for _, words, _ in unit.cells)))
