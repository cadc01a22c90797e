"""What can be looked up in a claim, and what of it is nowhere at the places that it cites.

The verifier withholds whatever it cannot prove, because a model may have made it up. An audit
accuses an author; so it looks for each fact in all that is cited, in whatever form, and only what
is nowhere there is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.naming import is_named
from tipstaff.verify.quotes import stands_in
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.windows import Window

_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
# What a figure is set off against.
_FOIL = re.compile(
    r"\b(?:not|nor|rather than|instead of|no longer)\s+"
    r"(?:(?:at|on|by|to|of|in|for|the|about)\s+){0,2}$",
    re.IGNORECASE,
)
# A plain count as small as this stands in many forms: a list of five, a pair, "both".
_SMALL = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFacts:
    """`missing` are facts that tell, `few` small counts that may be counted; `anchors` says how
    many facts were found; `coverage` is the share of its telling words that are there."""

    missing_figures: tuple[Quantity, ...]
    missing: tuple[str, ...]
    few: tuple[Quantity, ...]
    anchors: int
    words: int
    coverage: float
    nearest: EvidenceText
    nearest_coverage: float


def stated_facts(
    statement: Statement, units: Sequence[EvidenceText], is_outside: Callable[[str], bool]
) -> StatedFacts:
    """`is_outside` says whether a name occurs in no item at all."""
    window = Window(tuple(units), tuple(units), tuple(u for u in units if u.is_row), tuple(units))
    lacking = [
        one
        for one in statement.figures
        if not window.states(one, statement)
        and not is_stated(one, units)
        # "At 210 and not at 216": the second is what is not there.
        and not _FOIL.search(statement.plain[: one.start])
    ]
    telling = [one for one in lacking if not _is_small(one)]
    told = " ".join(one.text for one in units).casefold()
    quotes = [
        quote for quote in statement.quotes if not stands_in(quote.strip(" .,;").casefold(), told)
    ]
    names = [
        name
        for name in statement.names
        if not is_named(name, window.people_terms)
        and not name.isupper()
        and not _opens(name, statement.plain)
        and is_outside(name)
    ]
    codes = [code for code in statement.codes if not _has_code(code, units)]
    named = sum(is_named(name, window.people_terms) for name in statement.names)
    figures = sum(not _is_small(one) for one in statement.figures) - len(telling)
    nearest = max(units, key=lambda one: (_share(statement, one.terms), len(one.own_terms)))
    return StatedFacts(
        missing_figures=tuple(telling),
        missing=(*(f"“{quote}”" for quote in quotes), *names, *codes),
        few=tuple(one for one in lacking if _is_small(one)),
        anchors=named + figures + len(statement.times & window.times),
        words=len(statement.words),
        coverage=_share(statement, window.terms),
        nearest=nearest,
        nearest_coverage=_share(statement, nearest.terms),
    )


def _opens(name: str, text: str) -> bool:
    """A single word behind a label or a full stop has its capital from there."""
    return " " not in name and bool(re.search(rf"(?:^|[:.!?*]\s+){re.escape(name)}\b", text))


def is_stated(figure: Quantity, units: Sequence[EvidenceText]) -> bool:
    """Whatever its sign and scale: a fall of 4.5 percent is -4.5%, $2.1M may be 2,100."""
    return any(_is_one(figure, other) for unit in units for other in quantities(unit.whole))


def _is_one(figure: Quantity, other: Quantity) -> bool:
    if (figure.measure is Measure.PERCENT) != (other.measure is Measure.PERCENT) and (
        Measure.NUMBER not in (figure.measure, other.measure)
    ):
        return False
    wanted, there = abs(figure.value), abs(other.value)
    if wanted == there:
        return True
    if figure.measure is Measure.PERCENT and there * 100 == wanted:
        return True
    scales = _SCALES if wanted >= 1000 or there >= 1000 else _SCALES[:1]
    for scale in scales:
        for value in (there * scale, there / scale):
            if value == wanted or _rounds(value, figure, wanted):
                return True
    return False


def _rounds(value: Decimal, figure: Quantity, wanted: Decimal) -> bool:
    """Rounded as it is written; one digit alone would be anything."""
    if figure.digits < 2 or not wanted:
        return False
    step = Decimal(10) ** (wanted.adjusted() - figure.digits + 1)
    return abs(value - wanted) <= step / 2


def _is_small(figure: Quantity) -> bool:
    return figure.measure is Measure.NUMBER and abs(figure.value) <= _SMALL


def _has_code(code: str, units: Sequence[EvidenceText]) -> bool:
    told = "\n".join(f"{one.whole}\n{one.nearby}\n{one.paper}" for one in units).lower()
    return code in told


def _share(statement: Statement, known: frozenset[str]) -> float:
    if not statement.words:
        return 0.0
    return sum(is_known(word, known) for word in statement.words) / len(statement.words)
