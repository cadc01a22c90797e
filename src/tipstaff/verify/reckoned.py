"""A sum or a difference that a sentence works out of figures which it names itself, without saying
that it did: done again, and told as what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tipstaff.domain.classification import Support
from tipstaff.facts.number_words import NUMBER_WORDS
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.verify.clauses import DENIAL
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.support import SupportVerdict

_ADDS = re.compile(
    r"\b(?:together|altogether|in all|in total|total(?:s|led|ling)?|sums?|(?:comes?|came|"
    r"adds? up|added up|amounts?|amounted) to)\b",
    re.IGNORECASE,
)
_DIFFERS = re.compile(r"\bdiffer(?:s|ed|ence)?\b|\bapart\b", re.IGNORECASE)
# Right behind the figure: which of two is more.
_THAN = re.compile(
    r"(?: \w+){0,2}? (?:(?P<more>more|higher|dearer|greater|larger|longer)|"
    r"(?P<less>less|fewer|lower|cheaper|smaller|shorter))\b(?: \w+){0,3}? than ",
    re.IGNORECASE,
)
_INEXACT = re.compile(
    r"\b(?:about|around|some|nearly|almost|roughly|approximately|at least|at most|up to|over|under|"
    r"(?:more|less|fewer) than) $",
    re.IGNORECASE,
)
# A rate is no amount.
_RATE = re.compile(r"\s*(?:per|an?|each|every)\b", re.IGNORECASE)
# What is compared, counted: "the two prices".
_COUNTED = re.compile(rf"\b(?:{NUMBER_WORDS}|both|by)\b", re.IGNORECASE)
_IS = re.compile(r"[\s,]*\b(?:is|are|was|were)?\s*$")
_MOST = 6
_SAID = (Support.QUOTED, Support.ENTAILED)


def calculation(
    statement: str,
    evidence: Sequence[Sequence[EvidenceText]],
    *,
    stated: Callable[[str], SupportVerdict],
) -> str:
    """How the one figure of a statement that stands nowhere comes out of all the others of its
    kind, which the statement names and the evidence has; nothing, if it does not. `stated` is the
    verdict on what else it says."""
    every = outside_dates(quantities(statement), statement)
    known = {one.value for units in evidence for unit in units for one in unit.figures}
    counts = [one for one in every if one.text.isalpha()]
    written = [one for one in every if not one.text.isalpha()]
    new = [one for one in written if one.value not in known]
    if len(new) != 1 or new[0].measure is Measure.PERCENT:
        return ""
    (figure,) = new
    others = [one for one in written if one is not figure and one.measure is figure.measure]
    if not 1 < len(others) <= _MOST or not _is_plain(figure, statement):
        return ""
    if any(one.unit != figure.unit for one in others) or any(
        # "The three prices" are as many.
        one.value != len(others)
        for one in counts
    ):
        return ""
    how, basis = _worked(figure, others, statement)
    return how if how and all(stated(one).support in _SAID for one in basis) else ""


def _is_plain(figure: Quantity, statement: str) -> bool:
    return not (
        DENIAL.search(statement)
        or _INEXACT.search(statement[: figure.start])
        or _RATE.match(statement, figure.end)
    )


def _worked(
    figure: Quantity, others: Sequence[Quantity], statement: str
) -> tuple[str, Sequence[str]]:
    """How it comes out, and what the statement says without it."""
    than = _THAN.match(statement, figure.end)
    if than is not None:
        return _more_or_less(figure, others, statement, than)
    left = statement[: figure.start] + statement[figure.end :]
    basis = (" ".join(_ADDS.sub(" ", _DIFFERS.sub(" ", _COUNTED.sub(" ", left))).split()),)
    if _ADDS.search(statement) and sum(one.value for one in others) == figure.value:
        return _joined(" + ", others), basis
    if _DIFFERS.search(statement) and len(others) == 2:
        less, more = sorted(others, key=lambda one: one.value)
        if more.value - less.value == figure.value:
            return _joined(" − ", (more, less)), basis
    return "", ()


def _more_or_less(
    figure: Quantity, others: Sequence[Quantity], statement: str, than: re.Match[str]
) -> tuple[str, Sequence[str]]:
    """The first by which the second is less, or the other way round."""
    if len(others) != 2 or not others[0].end <= figure.start < than.end() <= others[1].start:
        return "", ()
    first, second = others if than["more"] else others[::-1]
    if first.value - second.value != figure.value:
        return "", ()
    basis = _IS.sub("", statement[: figure.start]), statement[than.end() :]
    return _joined(" − ", (first, second)), basis


def _joined(sign: str, figures: Sequence[Quantity]) -> str:
    return sign.join(one.text.strip() for one in figures)
