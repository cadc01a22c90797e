"""The two sides of a comparison by one measure: like sentences, or cells of one row.

"The charge for 2024 is £23,450" is compared with "the charge for 2023 was £18,200" and not with
whatever else has a figure for 2023."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tipstaff.answer.contradictions import Value, answer_value
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gathering import Candidate
from tipstaff.answer.question import Part
from tipstaff.domain.draft import DraftClaim
from tipstaff.domain.response import Gap
from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import only_figure
from tipstaff.lexical.analysis import query_terms, terms

# How many of their words two sentences share that say the same of two things.
_ALIKE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One side: its evidence, or the gap; `others` are what else was found on it."""

    side: str
    part: Part
    candidate: Candidate | None
    others: tuple[Candidate, ...] = ()
    gap: Gap | None = None
    related: tuple[DraftClaim, ...] = ()


def aligned(found: list[Found]) -> list[Found]:
    """Both sides by the measure of the surer one, where the sides differ in their time only."""
    one, two = found
    if not one.part.periods or one.part.periods == two.part.periods:
        return found
    surer, other = sorted(found, key=_doubt)
    if surer.candidate is None:
        return found
    value = answer_value(surer.candidate)
    like = _like(surer.candidate, value, other) if value and value.figure else None
    if like is None:
        return found
    changed = replace(other, candidate=like, gap=None, related=())
    return [surer, changed] if surer is one else [changed, surer]


def is_on_subject(part: Part, candidate: Candidate) -> bool:
    """A row is about what its label says; the total of a table is about its title."""
    unit = candidate.unit
    if not unit.is_row or len(unit.cells) < 2:
        return True
    label = set(terms(unit.cells[0][1]))
    return not label or bool(label & set(part.terms)) or "total" in label


def of_one_cell(part: Part, candidate: Candidate) -> Candidate:
    """A row that has several cells for the time asked about (a budget and an actual) is shown
    whole: none of them is chosen."""
    if not candidate.unit.is_row or not part.periods:
        return candidate
    cells = [head for head, _, _ in candidate.unit.cells[1:] if part.periods <= periods(head)]
    named = [head for head in cells if set(part.terms) & _telling(head)]
    return (
        candidate if len(cells) < 2 or len(named) == 1 else replace(candidate, cell=None, answer="")
    )


def _telling(header: str) -> set[str]:
    return {term for term in terms(header) if not any(map(str.isdigit, term))}


def _doubt(one: Found) -> float:
    return -one.candidate.probability if one.candidate is not None else 1.0


def _like(candidate: Candidate, value: Value, other: Found) -> Candidate | None:
    if candidate.unit.is_row:
        return _cell_of_that_time(candidate, other.part)
    words = _words(candidate.unit)
    best: tuple[float, Candidate | None] = (0.0, None)
    for one in other.others:
        if one.unit.is_row or one.features.wrong_time or one.features.times < 1:
            continue
        figures = outside_dates(one.unit.figures, one.unit.text)
        alike = [
            figure for figure in figures if value.figure and figure.measure is value.figure.measure
        ]
        shared = len(words & _words(one.unit)) / max(len(words), 1)
        if len(alike) == 1 and shared >= _ALIKE and shared > best[0]:
            best = shared, replace(one, answer=alike[0].text)
    return best[1]


def _cell_of_that_time(candidate: Candidate, part: Part) -> Candidate | None:
    """The cell of the same row under the header of the other time."""
    fitting = [
        number
        for number, (header, words, _) in enumerate(candidate.unit.cells)
        if number and part.periods <= periods(header) and only_figure(words)
    ]
    if len(fitting) != 1:
        return None
    words = candidate.unit.cells[fitting[0]][1]
    return replace(candidate, cell=fitting[0], answer=words)


def _words(unit: EvidenceUnit) -> set[str]:
    """What a sentence says, without its figures and its time."""
    return {term for term in query_terms(unit.text) if not any(map(str.isdigit, term))}
