"""What one unit says of the claim in a yes-or-no question (TIP §9.2)."""

from __future__ import annotations

import re
from enum import StrEnum

from tipstaff.answer.gathering import Candidate
from tipstaff.answer.question import Part
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.polarity import NEGATION, REPLACED
from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.lexical.analysis import terms
from tipstaff.verify.directions import COMPILED

# Terms of the claim that the evidence must share, weighted by rarity.
ENOUGH = 0.5
SOME = 0.34
# What a unit that says yes must have in itself, and not only around it.
_OWN = 0.5

# Told as an error: "the wrong idea, namely that the replica had stopped".
_MISTAKEN = re.compile(
    r"\b(?:wrong(?:ly)?|mistaken(?:ly)?|false(?:ly)?|incorrect(?:ly)?|untrue|ruled out|disproved|"
    r"turned out not)\b",
    re.IGNORECASE,
)
# What would be, not what is.
_CONDITIONAL = re.compile(
    r"^(?:if|should|were|unless|in case)\b|\b(?:only if|provided that|on condition|would have|"
    r"whether)\b",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    r"\b(?:deferred|postponed|adjourned|put off|put back|held over|not yet (?:decided|approved|"
    r"agreed))\b",
    re.IGNORECASE,
)
_DECIDING = re.compile(
    r"\b(?:approv|decid|authori[sz]|agree|adopt|ratif|accept|vote|sign(?:ed)? off|resolv|grant|"
    r"award|appoint)\w*",
    re.IGNORECASE,
)
# "Did it use more than the year before?" is no matter of words that are there.
_UP, _DOWN = COMPILED[0]
_THAN = re.compile(r"\b(?:than|compared|before|previous|last year|year on year)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[;:]\s+|,\s+(?=(?:and|but|while|though|although|which|so)\b)|\s+but\s+")


class Holds(StrEnum):
    YES = "yes"
    NO = "no"
    NO_LONGER = "no_longer"
    PARTLY = "partly"
    UNCLEAR = "unclear"


def ruling(part: Part, candidate: Candidate) -> Holds:
    """Yes, no, no longer, or nothing clear."""
    unit, facts = candidate.unit, candidate.features
    asked = asked_figures(part)
    agrees = figures_agree(asked, unit.figures)
    if gives_way(asked, candidate):
        return Holds.NO_LONGER
    if agrees is False:
        return Holds.NO
    if puts_off(part, candidate):
        return Holds.NO
    if _CONDITIONAL.search(unit.text) and not _CONDITIONAL.search(part.text):
        return Holds.UNCLEAR
    if _denies(part, candidate) != _is_negated(part, candidate):
        return Holds.NO if facts.together >= SOME else Holds.UNCLEAR
    asked_side, told_side = _sides(part.text), _sides(unit.text)
    if _THAN.search(part.text) and len(asked_side) == 1 and not asked_side & told_side:
        # It compares the other way; or two figures stand there, and nobody has compared them.
        return Holds.NO if told_side and _THAN.search(unit.text) else Holds.UNCLEAR
    own = facts.coverage >= _OWN or facts.voice > 0
    if facts.together >= ENOUGH and own and (agrees is True or not asked):
        return Holds.YES
    return Holds.UNCLEAR


def _sides(text: str) -> set[re.Pattern[str]]:
    """Whether something is more, or less."""
    return {side for side in (_UP, _DOWN) if side.search(text)}


def asked_figures(part: Part) -> tuple[Quantity, ...]:
    """The figures of a claim; its dates are times, and are compared as such."""
    return tuple(outside_dates(part.quantities, part.text))


def gives_way(asked: tuple[Quantity, ...], candidate: Candidate) -> bool:
    """ "replaces the 12 percent of October": the figure asked about is the old one."""
    said = candidate.unit.figures
    held = any(wanted.value == one.value for wanted in asked for one in said)
    return held and bool(REPLACED.search(candidate.unit.text))


def puts_off(part: Part, candidate: Candidate) -> bool:
    """What was deferred was not decided. Such a sentence has seldom the question's verb, but what
    the question is about must be in it or above it."""
    deciding, unit = _DECIDING.search(part.text), candidate.unit
    if not deciding or not _PUT_OFF.search(unit.text) or _PUT_OFF.search(part.text):
        return False
    asked = set(part.terms) - set(terms(deciding.group()))
    return bool(asked) and len(asked & unit.all_terms) >= ENOUGH * len(asked)


def figures_agree(asked: tuple[Quantity, ...], said: tuple[Quantity, ...]) -> bool | None:
    """True if the figure asked about is there, False if only others of its measure are."""
    verdict: bool | None = None
    for wanted in asked:
        alike = [one for one in said if one.measure is wanted.measure and one.unit == wanted.unit]
        if any(wanted.agrees_with(one) for one in alike):
            verdict = True
        elif alike and wanted.measure is not Measure.NUMBER:
            return False
    return verdict


def _denies(part: Part, candidate: Candidate) -> bool:
    """Whether the clauses that speak of the claim turn it round. A list item under "What we will
    not deliver" is denied by its heading."""
    unit = candidate.unit
    heading = unit.block.headings[-1] if unit.block.headings else ""
    if NEGATION.search(heading):
        return True
    asked = set(part.terms)
    clauses = [clause for clause in _CLAUSE.split(unit.text) if clause]
    telling = [clause for clause in clauses if asked & set(terms(clause))] or clauses
    said = set(terms(part.text))
    return any(_denials(one) - said for one in telling) or bool(_MISTAKEN.search(unit.text))


def _is_negated(part: Part, candidate: Candidate) -> bool:
    """Whether a question denies what a unit does not."""
    return bool(_denials(part.text) - candidate.unit.own_terms)


def _denials(text: str) -> set[str]:
    """The words that turn a text round, as terms: what question and unit both have ("Did it fail?
    It failed.") turns neither against the other."""
    return {term for match in NEGATION.finditer(text) for term in terms(match.group())}
