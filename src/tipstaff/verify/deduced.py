"""Deductions that a draft labels (TIP §6.2), against what they rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tipstaff.domain.classification import Support
from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.inferences import basis_of, computed_in, conclusion, is_that_way_round
from tipstaff.verify.naming import Home
from tipstaff.verify.reasons import NOT_SAID
from tipstaff.verify.statement import read_statement
from tipstaff.verify.support import SupportVerdict
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.worked_out import is_worked_out

_BASIS = 6
# Of what is concluded, so much must stand where it is concluded from.
_CONCLUDED = 0.34
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
