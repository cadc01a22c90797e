"""Whether days and times of day belong to what a statement says happened then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tipstaff.facts.periods import MONTH, periods
from tipstaff.facts.quantities import Quantity
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import same_measure
from tipstaff.verify.statement import Statement, telling_in
from tipstaff.verify.synonyms import with_synonyms
from tipstaff.verify.verbs import verbs_of

# Days and times of day: years and months are common to many clauses.
_BOUND_TIMES = "dt"
_DAY, _HOUR = "d", "t"
_DAY_OF_MONTH = re.compile(
    rf"(?:\b(\d{{1,2}})(?:st|nd|rd|th)? )?\b({MONTH})\b(?: (\d{{1,2}})\b(?!\d))?", re.IGNORECASE
)
_SHORT = 4
_YEARS_AND_DAYS = "yd"


_PART_OF_MONTH = re.compile(
    rf"\b(?P<part>end|close|start|beginning|middle|mid) (?:of )?(?P<month>{MONTH})\b", re.IGNORECASE
)
# Days that are so called: the last ones of a month, and its first.
_ENDS = {"end": range(28, 32), "close": range(28, 32), "start": range(1, 4)}
_ENDS["beginning"] = _ENDS["start"]


def is_of_other_end(text: str, told: str) -> bool:
    """Whether the end of a month is said for another day of it: "by the end of February", and "by
    13 February"."""
    for said in _PART_OF_MONTH.finditer(text):
        month = said["month"][:3].casefold()
        if any(
            one["month"][:3].casefold() == month and one["part"][:3] == said["part"][:3]
            for one in _PART_OF_MONTH.finditer(told)
        ):
            continue
        days = [
            int(day)
            for before, name, behind in _DAY_OF_MONTH.findall(told)
            if name[:3].casefold() == month
            for day in (before or behind,)
            if day
        ]
        if days and not any(day in _ENDS.get(said["part"].lower(), range(0)) for day in days):
            return True
    return False


def is_timed(clause: Clause, statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """No clause with another time of day or date fits better than those that have this one."""
    # "On 30 June and not on 31 January": what one clause states is no rival of its own.
    stated = periods(clause.text)
    bound = [mark for mark in stated if mark[0] in _BOUND_TIMES]
    if not bound:
        return True
    wanted = with_synonyms(telling_in(clause) & frozenset(statement.words))
    own = [
        (periods(one.text), len(wanted & words), len(wanted & one.terms))
        for unit in evidence
        if not unit.is_row
        for one, words in _with_leads(unit.clauses)
    ]
    for mark in bound:
        best = max((shared for marks, shared, _ in own if mark in marks), default=None)
        rival = max(
            (
                shared
                for marks, _, shared in own
                if mark not in marks and _of_kind(marks - stated, mark)
            ),
            default=0,
        )
        if best is not None and (rival > best + 1 if best else rival):
            return False
    return True


def is_of_other_deed(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the only day of a statement is that of another deed in the sentence that has both:
    "ordered on 13 December, and delivered on 8 January"."""
    days = {mark for mark in statement.times if mark[0] == _DAY}
    verbs = verbs_of(statement.plain)
    if len(days) != 1 or not verbs:
        return False
    for unit in evidence:
        if unit.is_row or not days <= unit.times:
            continue
        parts = [
            (one, {mark for mark in periods(one.text) if mark[0] == _DAY}) for one in unit.clauses
        ]
        having = [one for one, marks in parts if days <= marks and verbs_of(f"{one.text} on")]
        doing = [(one, marks) for one, marks in parts if not verbs.isdisjoint(one.terms)]
        if (
            having
            and doing
            and all(verbs.isdisjoint(one.terms) for one in having)
            and all(marks and days.isdisjoint(marks) for _, marks in doing)
        ):
            return True
    return False


def is_of_other_moment(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the one time of day of a statement stands only beside other days than its own: "on
    10 December at 23:40", and "at: 2025-12-11 23:40"."""
    hours = {mark for mark in statement.times if mark[0] == _HOUR}
    days = {mark for mark in statement.times if _is_day(mark)}
    if len(hours) != 1 or len(days) != 1:
        return False
    beside = [
        {mark for mark in marks if _is_day(mark)}
        for unit in evidence
        for one in unit.clauses
        if hours <= (marks := periods(one.text))
    ]
    return bool(beside) and all(found and found.isdisjoint(days) for found in beside)


def _is_day(mark: str) -> bool:
    return mark[0] == _DAY and mark[1:].isdigit()


def is_of_other_time(clause: Clause, figure: Quantity, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the clauses that have a figure give it another time than a statement does, and its
    time goes with another figure: "1.21 in 2026 and 1.34 in 2027"."""
    said = {mark for mark in periods(clause.text) if mark[0] in _YEARS_AND_DAYS}
    if not said:
        return False
    told = [
        (periods(one.text), [f for f in unit.own_figures if one.start <= f.start < one.end])
        for unit in evidence
        if not unit.is_row
        for one in unit.clauses
    ]
    holding = [marks for marks, own in told if any(one.value == figure.value for one in own)]
    return bool(holding) and any(
        all(mark not in marks and _of_kind(marks, mark) for marks in holding)
        and any(
            mark in marks and any(same_measure(one, figure) for one in own) for marks, own in told
        )
        for mark in said
    )


def _with_leads(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, frozenset[str]]]:
    """Clauses with their words; one that is hardly more than a time says it of what stands before:
    "randomised: 30 June (previously 31 January)"."""
    before: frozenset[str] = frozenset()
    for clause in clauses:
        words = clause.terms | (before if len(clause.terms) <= _SHORT else frozenset())
        yield clause, words
        before = words


def _of_kind(marks: frozenset[str], mark: str) -> bool:
    return any(other[0] == mark[0] for other in marks)
