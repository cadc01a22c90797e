"""Why what can be looked up in a statement is not at the cited place: quotations, figures, times,
codes and names."""

from __future__ import annotations

import re

from tipstaff.facts.names import names
from tipstaff.facts.periods import calendar_days, periods
from tipstaff.facts.quantities import Quantity
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.alleged import is_only_alleged
from tipstaff.verify.attributions import is_attributed
from tipstaff.verify.binding import is_bound
from tipstaff.verify.entries import is_of_other_entry
from tipstaff.verify.figures import same_measure
from tipstaff.verify.measures import measured_in, named_units
from tipstaff.verify.naming import Home, are_named, is_named
from tipstaff.verify.numbered_figures import is_of_other_number
from tipstaff.verify.reasons import MISATTRIBUTED, MISPLACED, REPAIRED
from tipstaff.verify.set_forms import (
    signed_by_other,
)
from tipstaff.verify.statement import Statement
from tipstaff.verify.timing import is_of_other_end
from tipstaff.verify.windows import Window

_OF_DAY = re.compile(
    r"\b(?:e-?mail|mail|letter|memo|note|message|reply)s? (?:of|dated|from) "
    r"((?:\w+ )?\d{1,2} \w+(?: \d{4})?)",
    re.IGNORECASE,
)

_BEGINS = re.compile(r"\W*([A-ZÀ-Þ][\w’-]+)(?: [A-ZÀ-Þ][\w’-]+)* [a-z]")
_DAY = re.compile(r"mon|tue|wed|thu|fri|sat|sun")
# Nothing but days: "the sun" is none.
_DAYS = re.compile(rf"\W*(?:{_DAY.pattern})(?:\W+(?:{_DAY.pattern}))*\W*")


def _are_alike(statement: Statement, window: Window) -> bool:
    """Whether the figures are of the same kind there: three of them are no three days."""
    known = [figure for one in window.units for figure in one.figures]
    if not all(
        _is_in_its_unit(figure, statement.plain, window.told) for figure in statement.figures
    ):
        return False
    return all(
        any(same_measure(figure, one) for one in known if one.value == figure.value)
        for figure in statement.figures
        if any(one.value == figure.value for one in known)
    )


def _is_in_its_unit(figure: Quantity, said: str, told: str) -> bool:
    """Whether what a figure is measured in is named there at all: a bare 127 is no centimetres."""
    unit = measured_in(said, figure.end)
    return unit is None or unit[0] in named_units(told)


def _is_then(statement: Statement, window: Window) -> bool:
    """Whether all times are there, days with their months; a day may stand once at the head of the
    paragraph."""
    lacking = statement.times - statement.unclear_hours(window.times) - window.times
    if lacking and (paper := _OF_DAY.search(statement.plain)):
        # "In her mail of 24 March": at the head of what was cited.
        head = frozenset().union(*(one.times for one in window.cited))
        lacking -= head & periods(paper[1])
    if lacking:
        once = window.only_day
        return bool(once) and lacking <= once and not any(one.own_days for one in window.units)
    days = calendar_days(statement.plain)
    told = window.days
    return all(
        (day, month) in told or not any(day == other for other, _ in told) for day, month in days
    )


def _on_those_days(statement: Statement, window: Window) -> bool:
    """Tuesdays are `[tue, thu]`, too."""
    told = window.told.lower()
    cells = (words.lower() for one in window.units for _, words in one.cells)
    short = {day for words in cells if _DAYS.fullmatch(words) for day in _DAY.findall(words)}
    return all(day in told or day[:3] in short for day in statement.weekdays)


def _stand_together(statement: Statement, window: Window) -> bool:
    """Whether some sentence or row that names all of whom a statement speaks has a figure or a
    time of it: a paragraph has many names, and many figures."""
    if not statement.names or not (statement.figures or statement.times):
        return True
    stated = {figure.value for figure in statement.figures}
    return any(
        all(is_named(name, one.people_terms) for name in statement.names)
        and (
            not stated.isdisjoint(figure.value for figure in one.figures)
            or not statement.times.isdisjoint(one.times)
        )
        for one in window.units
    )


def _begins_with(text: str) -> frozenset[str]:
    """The name that a sentence begins with; a capital alone makes none."""
    first = _BEGINS.match(text)
    if first is None or not any(first[1] in name.split() for name in names(text)):
        return frozenset()
    return frozenset(terms(first[1])) - STOP_WORDS


def _is_of_other_name(statement: Statement, window: Window) -> bool:
    """Whether every sentence that has a figure begins with another name, and one without the
    figure has the name that the statement begins with: "Steiner wants 38,500. Garaventa would do
    it for 4,900"."""
    if not statement.figures or any(one.is_row for one in window.units):
        return False
    own = _begins_with(statement.plain)
    if not own:
        return False
    stated = {figure.value for figure in statement.figures}
    having = [one for one in window.units if stated & {f.value for f in one.own_figures}]
    others = [_begins_with(one.text) for one in having]
    return (
        bool(having)
        and all(other and own.isdisjoint(other) for other in others)
        and all(own.isdisjoint(one.own_terms) for one in having)
        and any(own <= one.own_terms for one in window.units if one not in having)
    )


NO_FIGURE = "A figure in it does not stand at the cited place."


def facts_missing(statement: Statement, window: Window, least: float, home: Home) -> str:
    """Why what can be looked up in a statement is not at the cited place, or nothing."""
    for quote in statement.quotes:
        if not window.has_words(quote.strip(" .,;")):
            return "A quotation in it does not stand at the cited place."
    if not all(window.has_said(words) for words in statement.quoted_words):
        return "A quotation in it does not stand at the cited place."
    if not all(window.states(figure, statement) for figure in statement.figures) or not all(
        window.has_ordinal(one, nearby=least < REPAIRED) for one in statement.ordinals
    ):
        return NO_FIGURE
    if least >= REPAIRED and not _are_alike(statement, window):
        return NO_FIGURE
    if (
        not _is_then(statement, window)
        or is_of_other_end(statement.plain, window.told)
        or (statement.weekdays and not _on_those_days(statement, window))
    ):
        return "A time in it is not the cited one."
    if not all(window.has_code(code) for code in statement.codes):
        return "A code in it does not stand at the cited place."
    speakers = {one.author or one.writer for one in window.units} - {""}
    people, told = window.people_terms, window.told
    if not are_named(
        statement, people, told, home, own=window.own, speakers=speakers, paper=window.paper
    ):
        return "A name in it does not occur at the cited place."
    if least >= REPAIRED and not all(is_named(name, window.speakers) for name in statement.places):
        return "A name in it does not occur at the cited place."
    together = not _is_of_other_name(statement, window)
    together = together and (least < REPAIRED or _stand_together(statement, window))
    together = together and not is_of_other_number(statement.plain, window.cited)
    together = together and not is_of_other_entry(statement, window.cited)
    if not together or not is_bound(statement, window.units, window.rows, window.cited):
        return MISPLACED
    if (
        signed_by_other(statement.plain, window.units)
        or is_only_alleged(statement, window.units)
        or not is_attributed(statement, window.units, window.paragraph)
    ):
        return MISATTRIBUTED
    return ""
