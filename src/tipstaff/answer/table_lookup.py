"""A question that a table answers exactly: its row by the label, its column by the header.

No reader is needed for that: every word of the question is in the label, the header, or the
caption and headings around the table.
"""

from __future__ import annotations

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.facts.periods import covered, periods
from tipstaff.lexical.analysis import STOP_WORDS, terms

_FIGURES = frozenset({AnswerKind.MONEY, AnswerKind.COUNT, AnswerKind.PERCENT, AnswerKind.ANY})
# Words by which a period is named, and words that only ask: no label needs to have them.
_SAID_OTHERWISE = frozenset(
    terms(
        "first second third fourth quarter half year month week day q1 q2 q3 q4 much many amount "
        "figure value total number current january february march april may june july august "
        "september october november december end start beginning close"
    )
)


def looked_up(part: Part, unit: EvidenceUnit) -> int | None:
    """The number of the cell that answers a part exactly; None if it takes any judgement."""
    if not unit.is_row or len(unit.cells) < 2 or part.kind not in _FIGURES:
        return None
    label = {term for term in terms(unit.cells[0][1]) if term not in STOP_WORDS}
    asked = set(part.terms)
    # "Total" alone says nothing: a label must have a telling word of the question.
    if not label <= asked | _SAID_OTHERWISE or not (label & asked) - _SAID_OTHERWISE:
        return None
    named = {term for name in part.names for term in terms(name)}
    focus = {term for term in asked - named - _SAID_OTHERWISE if not term.isdigit()}
    if not focus or not focus <= unit.all_terms:
        return None
    return _column(part, unit, focus - label)


def _column(part: Part, unit: EvidenceUnit, left: set[str]) -> int | None:
    """The one column that the question means: by its period, by what is left of its words."""
    fitting = []
    for number, (header, _, _) in enumerate(unit.cells[1:], start=1):
        time = covered(part.periods, periods(header) | _around(unit)) if part.periods else 1.0
        told = periods(header) & part.periods if part.periods else frozenset({"any"})
        words = left & set(terms(header))
        if time == 1.0 and (told or words):
            fitting.append((len(words), len(told), number))
    if not fitting:
        return None
    best = max(fitting)
    if sum(one[:2] == best[:2] for one in fitting) > 1:
        return None
    return best[2]


def _around(unit: EvidenceUnit) -> frozenset[str]:
    """The periods that the whole table stands under; those of its columns are not among them."""
    return periods(" | ".join([unit.item_title, *unit.block.headings, unit.near]))
