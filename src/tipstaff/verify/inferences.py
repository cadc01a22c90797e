"""Labelled deductions (TIP §6.2): their basis must hold, and their figures must follow from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation
from itertools import combinations, permutations

from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.worked_out import rounds_to

_LABEL = re.compile(
    r"\b(?:based on (?:these|the) figures,? )?(?:it (?:can|may) be (?:inferred|calculated|deduced|"
    r"derived)|it follows|(?:can|may) be (?:inferred|deduced|calculated|derived)|"
    r"this (?:implies|suggests|means)|implies|context suggests|suggesting|by inference|"
    r"calculated from|inferred from|it appears|based on these figures)(?: that)?\b,?",
    re.IGNORECASE,
)
# What may stand before a label: "Based on [[lease:L4]], it can be inferred that …".
_LEAD = re.compile(r"^(?:based on\b[^,]{0,40},)?\W*(?:that\b,?\s*)?", re.IGNORECASE)
# What stands behind it is the reason.
_GIVEN = re.compile(r",? (?:since|because|given that) \b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:more|above|higher|over|rose|risen|rises|increased?|grew|up|longer|later|greater|larger|"
    r"exceed(?:s|ed)?|gained)\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less|fewer|below|lower|under|fell|fallen|falls|decreased?|shrank|down|shorter|earlier|"
    r"smaller|dropped|declined|reduced)\b",
    re.IGNORECASE,
)
_JOINS = re.compile(r"\b(?:than|by|from|to|difference|compared|with|in all|together|sum)\b", re.I)
# How a sum of ours is told; a draft that says so itself has shown nothing.
_NOTE = re.compile(r"\(calculated from the cited figures\b.*", re.IGNORECASE | re.DOTALL)
_YEAR = r"\b(?:19|20)\d{2}\b"
_MOST_FIGURES = 24
_SUMMED = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A figure of the basis with the words that say what it is of."""

    value: Decimal
    words: frozenset[str]
    year: str


def is_labelled(sentence: str) -> bool:
    return bool(_LABEL.search(sentence))


def without_label(sentence: str) -> str:
    """What is inferred, as a statement: the label says how it is known and nothing of it."""
    left = " ".join(_LABEL.sub(" ", without_note(sentence)).split())
    left = _LEAD.sub("", left)
    return left[:1].upper() + left[1:]


def without_note(sentence: str) -> str:
    return _NOTE.sub("", sentence).rstrip()


def with_note(statement: str, how: str) -> str:
    """A statement that says how its figure comes out, and so is labelled (TIP §6.2)."""
    body = statement.rstrip()
    ending = body[-1] if body[-1:] in ".!?" else ""
    return f"{body[: len(body) - len(ending)]} (calculated from the cited figures: {how}){ending}"


def conclusion(statement: str) -> str:
    """What is concluded, where a deduction gives its reason behind it; otherwise nothing."""
    given = _GIVEN.search(statement)
    return statement[: given.start()] if given else ""


def computed_in(sentence: str, told: Sequence[str]) -> list[Quantity]:
    """The figures of a deduction that do not stand in what it rests on."""
    stated = {figure.value for text in told for figure in quantities(text)}
    figures = outside_dates(quantities(sentence), sentence)
    return [figure for figure in figures if figure.value not in stated]


def basis_of(sentence: str, computed: Sequence[Quantity]) -> str:
    """What must be in the context for a computed figure to rest on: the sentence without it and
    the words that compare. Other figures stay, and are held against their places."""
    left = sentence
    for figure in reversed(computed):
        left = left[: figure.start] + " " + left[figure.end :]
    for pattern in (_MORE, _LESS, _JOINS):
        left = pattern.sub(" ", left)
    return " ".join(left.split())


def follows(figure: Quantity, basis: str) -> bool:
    """Whether a figure is a sum, difference, product, ratio or change of figures of the basis,
    rounded as it is written."""
    known = list(dict.fromkeys(one.value for one in quantities(basis)))[:_MOST_FIGURES]
    return any(rounds_to(value, figure) for value in _results(known))


def is_that_way_round(sentence: str, figure: Quantity, units: Sequence[EvidenceText]) -> bool:
    """Whether a difference is more where it is said to be more. Where that cannot be told, it is
    not: a deduction turned round is worse than none."""
    more, less = _MORE.search(sentence), _LESS.search(sentence)
    compared = more or less
    if compared is None or (more and less):
        return compared is None
    head = _telling(_LABEL.sub(" ", sentence[: compared.start()]))
    tail = _telling(sentence[compared.end() :])
    best, sign = 0, Decimal(0)
    for one, other in permutations(_placed(units), 2):
        if not _is_difference(one, other, figure):
            continue
        fit = len(head & one.words) + len(tail & other.words)
        fit -= len(head & other.words) + len(tail & one.words)
        if one.year and other.year and one.year != other.year:
            # What rose is more in the later year.
            fit = 99 if one.year > other.year else -99
        if fit > best:
            best, sign = fit, one.value - other.value
    return best > 0 and (sign > 0) == bool(more)


def _is_difference(one: _Placed, other: _Placed, figure: Quantity) -> bool:
    gap = abs(one.value - other.value)
    shares = [gap / abs(part) * 100 for part in (one.value, other.value) if part]
    return any(rounds_to(value, figure) for value in (gap, *shares))


def _placed(units: Sequence[EvidenceText]) -> list[_Placed]:
    found = []
    for unit in units:
        around = frozenset(terms(unit.surroundings)) if not unit.is_row else frozenset()
        every = re.findall(_YEAR, unit.text)
        for clause in unit.clauses:
            years = re.findall(_YEAR, clause.text) or (every if len(every) == 1 else [])
            found += [
                _Placed(figure.value, clause.terms | around, years[0] if len(years) == 1 else "")
                for figure in quantities(clause.text)
                if figure.text not in years
            ]
    return found[:_MOST_FIGURES]


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if term not in STOP_WORDS)


def _results(values: Sequence[Decimal]) -> Iterator[Decimal]:
    for count in _SUMMED:
        if len(values) <= 12 or count == 2:
            yield from (sum(some, Decimal(0)) for some in combinations(values, count))
    for one, other in combinations(values, 2):
        for first, second in ((one, other), (other, one)):
            yield first - second
            yield first * second
            yield first * second / 100
            try:
                yield first / second
                yield first / second * 100
                yield (first - second) / second * 100
            except (DivisionByZero, InvalidOperation, ZeroDivisionError):
                continue
