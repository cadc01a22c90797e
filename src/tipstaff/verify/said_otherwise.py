"""Words of a statement that its evidence says in another way: by a direction, a denial, a unit, a
form that is filled in, or by who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from tipstaff.facts.quantities import only_figure
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import terms
from tipstaff.verify.attributions import reporting_terms
from tipstaff.verify.clauses import DENIAL, LACK
from tipstaff.verify.directions import same_side
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.measures import said_by_unit
from tipstaff.verify.set_forms import SWITCHED, is_switch, said_by_form
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import undone, written_apart
from tipstaff.verify.windows import Window

_EVERY_SO_OFTEN = frozenset(terms("daily weekly monthly quarterly yearly annual annually"))
_EVERY = frozenset(terms("every each"))
# "Our store" is the company's.
_OURS = re.compile(r"\b(?:we|our|ours|us)\b", re.IGNORECASE)
_COMPANY = frozenset(terms("company firm organisation organization"))

_LEFT = re.compile(r"outstanding|balance|remaining|unpaid|open amount|left", re.IGNORECASE)
_DONE = re.compile(r"paid|received|delivered|settled|recovered", re.IGNORECASE)
_ALL = frozenset(terms("full fully entire entirely whole"))
_AS_BEFORE = frozenset(terms("stay stays remain remains unchanged same keep keeps"))

_OF_ROWS = _ALL | _AS_BEFORE


def said_otherwise(statement: Statement, window: Window) -> set[str]:
    """The terms that need not be looked for among the evidence's words."""
    moved = {
        term
        for word in statement.directions
        if same_side(word, window.told)
        for term in terms(word)
    }
    if window.speaks_of_itself(statement) and not statement.names and len(statement.words) > 1:
        # "We shall vote": whom the statement calls the committee speaks of itself.
        moved |= set(statement.words[:1])
    if statement.lacks and any(
        clause.denied or clause.lacks for one in window.units for clause in one.clauses
    ):
        # "Free of damages" is "no damages": compared as a denial already.
        moved |= {term for match in LACK.finditer(statement.plain) for term in terms(match[0])}
    for figure in statement.figures:
        moved |= said_by_unit(statement.plain, figure.end)
    moved |= reporting_terms(statement) | said_by_form(window.units)
    if any(is_switch(statement, one) for one in window.units):
        moved |= SWITCHED
    if not window.terms.isdisjoint(_EVERY_SO_OFTEN):
        # Monthly is every month.
        moved |= _EVERY
    if not _COMPANY.isdisjoint(statement.words) and _OURS.search(window.told):
        moved |= _COMPANY
    moved |= written_apart(statement.words, window.terms)
    if statement.opening:
        # Looked for as a name already.
        moved |= set(terms(statement.opening)) & (window.people_terms | TITLES)
    undid = {word for word in statement.words if undone(word) in window.terms}
    if undid and any(DENIAL.search(one.text) for one in window.units):
        # "Not opened" is unopened.
        moved |= undid
    if _OF_ROWS.isdisjoint(statement.words):
        return moved
    return moved.union(*(_said_by_row(one) for one in window.units if one.is_row))


def _said_by_row(row: EvidenceText) -> Iterator[str]:
    """What the cells of a row say together: what was paid is all that was due, what it costs is
    what it did."""
    amounts = [(head, one) for head, words in row.cells if (one := only_figure(words))]
    left = [one.value for head, one in amounts if _LEFT.search(head)]
    if left and not any(left):
        yield from _ALL
    for (head, one), (other, two) in combinations(amounts, 2):
        if one.value == two.value != 0 and one.measure is two.measure:
            yield from _AS_BEFORE
            if not left and (_DONE.search(head) or _DONE.search(other)):
                yield from _ALL
