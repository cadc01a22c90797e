"""Whether figures and times belong to what a statement says they are of.

A figure that stands at the cited place may be another row's, another column's or the other half
of the sentence's. It is held against its rivals there: figures whom the statement's words fit
better take it down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import is_label, same_measure, stated_in
from tipstaff.verify.measures import unit_terms
from tipstaff.verify.pairing import are_swapped
from tipstaff.verify.statement import Statement, telling_in
from tipstaff.verify.timing import is_timed

_THAN = re.compile(r"\bthan\b", re.IGNORECASE)


def is_bound(
    statement: Statement, evidence: Sequence[EvidenceText], rows: Sequence[EvidenceText]
) -> bool:
    """Whether every figure is of the row, the column and the clause that the statement names.
    `rows` are all those cited, not only those that support is found in."""
    told = [one.whole for one in evidence]
    for clause in statement.clauses:
        figures = [
            figure
            for figure in statement.figures_in(clause)
            if not is_label(figure, statement.plain, told)
        ]
        for figure in figures:
            having = [one for one in evidence if _has(one, figure, statement)]
            if not _of_their_row(clause, having, rows, statement):
                return False
            if not _of_its_clause(figure, clause, statement, evidence):
                return False
        if not is_timed(clause, statement, evidence):
            return False
        if not _of_their_columns(clause, figures, statement, evidence):
            return False
    if any(are_swapped(statement, one) for one in evidence if not one.is_row):
        return False
    return all(_named_in_row(name, statement, evidence, rows) for name in statement.names)


def _has(one: EvidenceText, figure: Quantity, statement: Statement) -> bool:
    return stated_in(figure, statement.plain, one.figures, one.whole)


def _of_their_row(
    clause: Clause,
    having: Sequence[EvidenceText],
    rows: Sequence[EvidenceText],
    statement: Statement,
    apart_from: frozenset[str] = frozenset(),
) -> bool:
    """No other row fits the words better than those that have the figure or the name."""
    if len(rows) < 2 or not having:
        return True
    local = _row_words(clause) - apart_from
    every = frozenset(term for one in statement.clauses for term in _row_words(one)) - apart_from
    wanted = local if len(local) > 1 else every
    best = max(len(wanted & (one.cell_terms or one.own_terms)) for one in having)
    return all(len(wanted & one.cell_terms) <= best for one in rows if one not in having)


def _row_words(clause: Clause) -> frozenset[str]:
    return frozenset(term for term in clause.terms if term not in STOP_WORDS and not term.isdigit())


def _named_in_row(
    name: str,
    statement: Statement,
    evidence: Sequence[EvidenceText],
    rows: Sequence[EvidenceText],
) -> bool:
    own = frozenset(terms(name))
    having = [one for one in evidence if own & one.cell_terms]
    return all(
        _of_their_row(clause, having, rows, statement, own)
        for clause in statement.clauses
        if own & clause.terms
    )


def _of_its_clause(
    figure: Quantity,
    said: Clause,
    statement: Statement,
    evidence: Sequence[EvidenceText],
) -> bool:
    """No clause with another figure of its kind fits better than those that have this one."""
    wanted = telling_in(said) - unit_terms()
    # Figures that are stated too are no rivals; whether they are swapped is asked apart.
    beside = [one for one in statement.figures if one is not figure]
    named = wanted & {term for name in statement.names for term in terms(name)}
    having, rivals = [0], [0]
    told = "\n".join(one.text for one in evidence)
    for one in evidence:
        if one.is_row:
            continue
        for clause in one.clauses:
            own = [f for f in one.own_figures if clause.start <= f.start < clause.end]
            # Whose figure it is tells more than what is said of it.
            shared = len(wanted & clause.terms) + bool(named & clause.terms)
            if stated_in(figure, statement.plain, own, f"{one.text}\n{one.surroundings}", told):
                having.append(shared)
            elif not _is_stated(own, beside) and any(
                same_measure(figure, other) and not is_label(other, one.text, [one.text])
                for other in own
            ):
                rivals.append(shared)
    best, rival = max(having), max(rivals)
    return rival <= best + 1 if best else not rival


def _is_stated(own: Sequence[Quantity], stated: Sequence[Quantity]) -> bool:
    """Whether a clause is where another figure of the statement comes from."""
    return any(one.value == other.value for one in own for other in stated)


def _of_their_columns(
    clause: Clause,
    figures: Sequence[Quantity],
    statement: Statement,
    evidence: Sequence[EvidenceText],
) -> bool:
    """In a row, a figure or a time stands under the header that the clause names, if it does."""
    # What something is more than is in another column.
    said = frozenset(terms(_THAN.split(clause.text)[0]))
    for row in evidence:
        if not row.is_row:
            continue
        columns = list(_columns(clause, figures, statement, row))
        taken = {head for _, holding, _ in columns for head in holding}
        for _, holding, rest in columns:
            # The header of another figure that is stated too is no rival, unless they are swapped.
            own = max((_named(head, said) for head in holding), default=len(said))
            if any(_named(head, said) > own for head in rest - taken):
                return False
        placed = [(at, holding) for at, holding, _ in columns if at is not None and holding]
        if any(_are_swapped(one, other, clause) for one, other in pairwise(placed)):
            return False
    return True


def _are_swapped(
    one: tuple[Quantity, set[str]], other: tuple[Quantity, set[str]], clause: Clause
) -> bool:
    """Whether two figures would fit each other's header better, by the words beside each."""
    (first, mine), (second, theirs) = one, other
    if mine & theirs:
        return False
    start, middle, end = (
        frozenset(terms(clause.text[max(low - clause.start, 0) : max(high - clause.start, 0)]))
        for low, high in (
            (clause.start, first.start), (first.end, second.start), (second.end, clause.end),
        )
    )  # fmt: skip

    def fit(heads: set[str], before: frozenset[str], behind: frozenset[str]) -> float:
        return max(_named(head, before) + _named(head, behind) / 2 for head in heads)

    kept = fit(mine, start, middle) + fit(theirs, middle, end)
    return fit(theirs, start, middle) + fit(mine, middle, end) > kept


def _columns(
    clause: Clause, figures: Sequence[Quantity], statement: Statement, row: EvidenceText
) -> Iterator[tuple[Quantity | None, set[str], set[str]]]:
    """For each figure and time of a clause, the headers of the cells that have it, and of those
    that have another."""
    for figure in figures:
        # With its header before it: the header may have the unit.
        cells = [
            (head, told := f"{head}: {words}", _behind(len(head) + 2, quantities(told)))
            for head, words in row.cells
        ]
        cells = [(head, words, known) for head, words, known in cells if known]
        holding = {
            head
            for head, words, known in cells
            if stated_in(figure, statement.plain, known, f"{words} {row.surroundings}", row.text)
        }
        if any(
            len(set(terms(words[len(head) :])) & clause.terms - STOP_WORDS) > 2
            and any(one.value == figure.value for one in known)
            for head, words, known in cells
        ):
            # A cell with words of its own says itself what its figure is of.
            continue
        yield figure, holding, {head for head, _, _ in cells} - holding
    dated = [(head, periods(words)) for head, words in row.cells]
    for mark in periods(clause.text):
        holding = {head for head, marks in dated if mark in marks}
        yield None, holding, {head for head, marks in dated if marks} - holding


def _behind(start: int, figures: Sequence[Quantity]) -> list[Quantity]:
    return [figure for figure in figures if figure.start >= start]


def _named(head: str, said: frozenset[str]) -> int:
    """How many words of a header a clause has."""
    own = {part for term in terms(head) for part in term.split("_")} - STOP_WORDS
    return len(own & said)
