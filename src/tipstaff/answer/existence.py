"""Questions whether there is something that lacks something: "Is there a risk that nobody
owns?" The rows of a table that say "none" where others give a name or a value."""

from __future__ import annotations

import re

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gathering import Gathered
from tipstaff.answer.question import Part
from tipstaff.facts.names import names
from tipstaff.lexical.analysis import query_terms, terms

_LACKING = re.compile(
    r"^(?:is|are|was|were) there (?P<thing>.+?)\s+(?:that|which|who|whom|for which|for whom|of "
    r"which|with|without)\b.*?(?P<lack>\bnobody\b|\bno[- ]one\b|\bno\b|\bwithout\b|\bnone\b|"
    r"\bunassigned\b)(?P<what>.*)",
    re.IGNORECASE,
)
_WITHOUT = re.compile(r"^(?:is|are|was|were) there (?P<thing>.+?)\s+without\s+(?P<what>.+)", re.I)
_NONE = re.compile(
    r"\(?(?:none|nobody|no one|unassigned|unallocated|vacant|tbd|tbc|n/a|not assigned|-|–|—)\)?",
    re.IGNORECASE,
)
_PEOPLE = frozenset({"nobody", "no one", "no-one"})


def rows_lacking(part: Part, gathered: Gathered, context: AnswerContext) -> list[EvidenceUnit]:
    """The rows of one table that mark as missing what the question says nobody has given."""
    match = _WITHOUT.search(part.text) or _LACKING.search(part.text)
    if not match:
        return []
    thing = set(query_terms(match["thing"]))
    lack = match.groupdict().get("lack") or "without"
    for item_id in dict.fromkeys(found.chunk.item_id for found in gathered.found[:12]):
        for rows in _tables(context.units_of(item_id)):
            around = set(terms(rows[0].surroundings))
            if thing <= around:
                found = _marked(rows, lack.lower(), set(query_terms(match["what"])))
                if found:
                    return found
    return []


def _tables(units: list[EvidenceUnit]) -> list[list[EvidenceUnit]]:
    grouped: dict[int, list[EvidenceUnit]] = {}
    for unit in units:
        if unit.is_row and unit.block.table is not None and any(head for head, _, _ in unit.cells):
            grouped.setdefault(unit.block.table, []).append(unit)
    return [rows for rows in grouped.values() if len(rows) > 1]


def _marked(rows: list[EvidenceUnit], lack: str, what: set[str]) -> list[EvidenceUnit]:
    """Rows with a mark of absence in a column that is of people, or that the question names."""
    found = []
    for row in rows:
        for header, words, _ in row.cells:
            if not header or not _NONE.fullmatch(words):
                continue
            named = bool(what & set(terms(header)))
            if named or (lack in _PEOPLE and _is_of_people(header, rows)):
                found.append(row)
                break
    return found


def _is_of_people(header: str, rows: list[EvidenceUnit]) -> bool:
    held = [words for row in rows for head, words, _ in row.cells if head == header]
    given = [words for words in held if not _NONE.fullmatch(words)]
    named = [words for words in given if names(f"by {words}") and not any(map(str.isdigit, words))]
    return len(given) > 0 and 2 * len(named) > len(given)
