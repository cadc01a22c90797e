"""What rises or falls, from what to what: in sentences and in rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, quantities
from tipstaff.verify.directions import CHANGE, COMPILED, MOVES, same_side
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import in_base

_MOVES_TO = re.compile(
    r"\b(?:increase[sd]?|rises?|rose|raised|grows?|grew|climbs?|climbed|falls?|fell|drops?|dropped|"
    r"decline[sd]?|decrease[sd]?|reduced|lowered|cut) to\b",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:replac\w+|in place of|instead of|rather than|previously|formerly|was|from|up|down)\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\bfrom [^.;]{1,40}? to [£$€]?\d[\d.,]*", re.IGNORECASE)
_NOW = re.compile(r"\b(?:current|present|now|today|existing|old|before|previous)\b", re.IGNORECASE)
_HEAD_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_COMES_FROM = re.compile(r"\b(up|down) from ", re.IGNORECASE)


def moves_against(words: Sequence[str], evidence: str) -> bool:
    """Whether something is said to rise where the evidence only has that it falls."""
    return any(
        not same_side(word, evidence)
        and any(
            one.fullmatch(word) and MOVES.search(" ".join(other.findall(evidence)))
            for one, other in (COMPILED[0], COMPILED[0][::-1])
        )
        for word in words
    )


def moves_wrongly_to(statement: str, evidence: Sequence[str]) -> bool:
    """Whether something "falls to 5.5 percent" where 5.5 takes the place of 4, or is 46 "up from"
    49."""
    if _comes_wrongly_from(statement):
        return True
    moved = _MOVES_TO.search(statement)
    if moved is None:
        return False
    reached = next((one for one in quantities(statement) if one.start >= moved.end()), None)
    if reached is None or statement[moved.end() : reached.start].strip():
        return False
    rises = bool(COMPILED[0][0].search(moved.group()))
    for text in evidence:
        known = [
            one for one in outside_dates(quantities(text), text) if one.measure is reached.measure
        ]
        if not _REPLACES.search(text) or len(known) != 2 or known[0].value == known[1].value:
            continue
        others = [one.value for one in known if one.value != reached.value]
        if len(others) == 1 and (reached.value > others[0]) != rises:
            return True
    return False


def moves_wrongly_in_row(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "from 260 to 410" has for the first what a row has for the later year."""
    if any(_goes_back(statement, row) for row in evidence):
        return True
    for match in _FROM_TO.finditer(statement):
        ends = [one for one in quantities(match[0]) if one.measure is not Measure.DURATION]
        if len(ends) < 2 or ends[0].value == ends[-1].value:
            continue
        for row in evidence:
            years = [
                next((int(y[0]) for y in [_HEAD_YEAR.search(head)] if y), 0)
                for end in (ends[0], ends[-1])
                for head, words in row.cells
                if any(one.value == end.value for one in quantities(words))
            ]
            if len(years) == 2 and all(years) and years[0] > years[1]:
                return True
    return False


def _goes_back(statement: str, row: EvidenceText) -> bool:
    """Whether something is said to rise or fall to what a row has for now, while it has another
    figure for later: "falls to $18", and "current: 18; from July: 20"."""
    for moved in _MOVES_TO.finditer(statement):
        ends = [one.value for one in quantities(statement[moved.end() :])[:1]]
        current = [words for head, words in row.cells if _NOW.search(head)]
        later = [
            one.value
            for head, words in row.cells
            if not _NOW.search(head) and not CHANGE.search(head)
            for one in quantities(words)
        ]
        now = [one.value for words in current for one in quantities(words)]
        if ends and now and later and ends[0] in now and ends[0] not in later:
            return True
    return False


def _comes_wrongly_from(statement: str) -> bool:
    figures = outside_dates(quantities(statement), statement)
    return any(
        before.end <= moved.start() <= moved.end() == behind.start
        and before.measure is behind.measure
        and (in_base(before) > in_base(behind)) != (moved[1].lower() == "up")
        for moved in _COMES_FROM.finditer(statement)
        for before, behind in pairwise(figures)
    )
