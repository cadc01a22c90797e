"""Which cell of a row answers: the one that the reader points into, or whose header agrees best."""

from __future__ import annotations

import re

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.answer.scoring import is_of_another_kind
from tipstaff.facts.periods import covered, periods
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms

_REFERENCE = re.compile(r"(?:page|p\.|pp\.|no\.?|nr\.?|#|ref\.?|reference)s?", re.IGNORECASE)
_FIGURE_KINDS = frozenset(
    {AnswerKind.MONEY, AnswerKind.COUNT, AnswerKind.PERCENT, AnswerKind.DURATION}
)


def cell_at(unit: EvidenceUnit, position: int) -> int | None:
    """The cell of a row in which a character of its reader text stands."""
    if not unit.is_row:
        return None
    at = 0
    for number, (header, words, _) in enumerate(unit.cells):
        at += len(f"{header}: {words}" if header else words)
        if position < at:
            return number
        at += len("; ")
    return len(unit.cells) - 1


def best_cell(part: Part, unit: EvidenceUnit) -> int | None:
    """The cell whose header agrees best with the question; never the row's own label."""
    if not unit.is_row or len(unit.cells) < 2:
        return None
    left = set(part.terms) - set(terms(unit.cells[0][1]))
    ranked = sorted(
        (-_header_agreement(part, left, header, words), number)
        for number, (header, words, _) in enumerate(unit.cells)
        if number > 0 and not is_of_another_kind(part.kind, words)
    )
    return ranked[0][1] if ranked and ranked[0][0] < 0 else None


def is_reference(header: str, part: Part) -> bool:
    """Whether a column only numbers or refers, unless it is asked for."""
    return bool(_REFERENCE.fullmatch(header)) and not set(terms(header)) & set(part.terms)


def _header_agreement(part: Part, left: set[str], header: str, words: str) -> float:
    """How much of what the row's label leaves open a column's header says."""
    shared = len(left & set(terms(header)))
    time = covered(part.periods, periods(header)) if part.periods else 0.0
    fits = 0.25 if part.kind in _FIGURE_KINDS and quantities(words) else 0.0
    return shared + 2 * time + fits if shared or time else 0.0
