"""Deductions (TIP §6.2) against what they rest on: those that a draft labels, and sums and
differences that it does not, which are labelled for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tipstaff.domain.classification import Support
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.inferences import (
    basis_of,
    compares,
    computed_in,
    conclusion,
    is_that_way_round,
)
from tipstaff.verify.naming import Home, is_named
from tipstaff.verify.reasons import MISPLACED, NOT_SAID
from tipstaff.verify.statement import read_statement
from tipstaff.verify.support import SupportVerdict
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.worked_out import is_worked_out, working_of_own, workings

_BASIS = 6
# Of what is concluded, so much must stand where it is concluded from.
_CONCLUDED = 0.34
# A smaller figure comes out of many by chance.
_LEAST = 10
_NO_SUCH_FIGURE = "A figure in it does not follow from the cited ones."

_Evidence = Sequence[Sequence[EvidenceText]]
_Stated = Callable[[str], SupportVerdict]


def deduced(statement: str, evidence: _Evidence, *, home: Home, stated: _Stated) -> SupportVerdict:
    """Whether the basis is in the context and the figures follow from it; `stated` is the verdict
    on a statement without its label, which does not make true what is false without it."""
    units = _nearest(statement, evidence)
    computed = computed_in(statement, [unit.whole for unit in units])
    for figure in computed:
        if not is_worked_out(figure, statement, evidence) or not is_that_way_round(
            statement, figure, units
        ):
            return SupportVerdict(Support.UNVERIFIED, _NO_SUCH_FIGURE)
    concluded = conclusion(statement)
    if concluded and not _is_spoken_of(concluded, evidence, home):
        return SupportVerdict(Support.UNVERIFIED, NOT_SAID)
    verdict = stated(basis_of(statement, computed) if computed else statement)
    return verdict if verdict.support is Support.UNVERIFIED else SupportVerdict(Support.INFERRED)


def calculation(statement: str, evidence: _Evidence, *, stated: _Stated) -> str:
    """How the one figure of a statement that stands nowhere comes out of those that it cites; the
    rest of it must be said there, and which is more."""
    units = _nearest(statement, evidence)
    computed = computed_in(statement, [unit.whole for unit in units])
    # "The two prices differ": so many are compared.
    new = [one for one in computed if not one.text.isalpha()]
    if len(new) != 1 or new[0].measure is Measure.PERCENT or not compares(statement):
        return ""
    (figure,) = new
    how = _working(figure, statement, evidence)
    if not how or not is_that_way_round(statement, figure, units):
        return ""
    basis = basis_of(statement, computed)
    verdict = stated(basis)
    # Which of two rows each name is of, the way round has told.
    is_said = verdict.reason == MISPLACED or verdict.support in (Support.QUOTED, Support.ENTAILED)
    return how if is_said and _is_all_there(basis, evidence) else ""


def _working(figure: Quantity, statement: str, evidence: _Evidence) -> str:
    """The one way in which a figure comes out: of those that the statement names, if it does. Of
    many figures some two make any third, and small ones often."""
    others = [
        one
        for one in outside_dates(quantities(statement), statement)
        if one.start != figure.start and one.measure is figure.measure and not one.text.isalpha()
    ]
    if len(others) > 1:
        return working_of_own(figure, others)
    stated = frozenset(one.value for one in others)
    found = [one for one in workings(figure, statement, evidence) if stated <= one.operands]
    ways = {one.operands for one in found}
    is_clear = len(ways) == 1 and (bool(stated) or abs(figure.value) >= _LEAST)
    return found[0].how if is_clear else ""


def _is_all_there(statement: str, evidence: _Evidence) -> bool:
    known = frozenset(term for units in evidence for unit in units for term in unit.people_terms)
    read = read_statement(statement)
    return all(is_named(name, known) for name in read.names) and all(
        is_known(word, known) for word in read.words
    )


def _is_spoken_of(statement: str, evidence: _Evidence, home: Home) -> bool:
    """Whether a place has anything of what is concluded from it: that the tests went well says
    nothing of how a run was calculated."""
    known = frozenset(term for units in evidence for unit in units for term in unit.terms)
    words = [word for word in read_statement(statement).words if not home.is_everywhere(word)]
    held = sum(is_known(word, known) for word in words)
    return held >= _CONCLUDED * len(words)


def _nearest(statement: str, evidence: _Evidence) -> list[EvidenceText]:
    """The units that an inference can rest on: those that share its words."""
    wanted = set(terms(statement))
    units = [unit for units in evidence for unit in units]
    return sorted(units, key=lambda unit: -len(wanted & unit.own_terms))[:_BASIS]
