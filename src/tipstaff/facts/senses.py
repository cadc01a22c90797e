"""Words that head columns and lists, by sense: a job in a question is a work in a table.

Only words of forms, registers and minutes, which every field shares; never a field's own words.
"""

from __future__ import annotations

from functools import cache

from tipstaff.lexical.analysis import terms

_SENSES = (
    "task action job work to-do follow-up measure step activity",
    "cost price estimate amount charge fee expense",
    "owner responsible responsibility assignee lead who",
    "due deadline date by when",
    "risk threat hazard danger concern challenge headwind vulnerability downside uncertainty",
    "status state progress",
    "reason cause rationale why",
    "condition requirement prerequisite criterion",
    "attendee participant present",
    "decision resolution",
    "finding observation result",
    "recommendation proposal advice",
    "phase stage",
    "goal objective aim target",
)


@cache
def _groups() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _SENSES:
        group = frozenset(terms(word)[0] for word in line.split())
        for term in group:
            found[term] = found.get(term, frozenset()) | group
    return found


def same_sense(term: str) -> frozenset[str]:
    """A term with those that stand for the same thing at the head of a list."""
    return _groups().get(term, frozenset()) | {term}
