"""Whether figures and times belong to what a statement says they are of.

A figure that stands at the cited place may be another row's, another column's or the other half
of the sentence's. It is held against its rivals there: figures whom the statement's words fit
better take it down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import same_measure, stated_in
from tipstaff.verify.measures import unit_terms
from tipstaff.verify.statement import Statement, telling_in
from tipstaff.verify.timing import is_timed

_LABELS = frozenset(
    [
        "clause",
        "section",
        "week",
        "day",
        "site",
        "unit",
        "phase",
        "step",
        "version",
        "release",
        "chapter",
        "table",
        "item",
        "option",
        "paragraph",
        "article",
        "part",
        "level",
        "grade",
        "stage",
        "class",
        "group",
        "arm",
        "page",
        "line",
        "point",
        "rule",
    ]
)


def is_bound(
    statement: Statement, evidence: Sequence[EvidenceText], rows: Sequence[EvidenceText]
) -> bool:
    """Whether every figure is of the row, the column and the clause that the statement names.
    `rows` are all those cited, not only those that support is found in."""
    for clause in statement.clauses:
        figures = statement.figures_in(clause)
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
    if _is_label(figure, statement, evidence):
        return True
    wanted = telling_in(said) - unit_terms()
    beside = [one for one in statement.figures_in(said) if one is not figure]
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
            elif any(
                same_measure(figure, other) and not any(two.value == other.value for two in beside)
                for other in own
            ):
                rivals.append(shared)
    best, rival = max(having), max(rivals)
    return rival <= best + 1 if best else not rival


def _is_label(figure: Quantity, statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a figure only tells one of several things: Amendment 1, clause 3.2, Unit 4."""
    words = statement.plain[: figure.start].rsplit(maxsplit=1)
    if not words or not words[-1].isalpha():
        return False
    label = f"{words[-1]} {figure.text}".lower()
    named = words[-1][0].isupper() or words[-1].lower() in _LABELS
    return named and any(label in one.whole.lower() for one in evidence)


def _of_their_columns(
    clause: Clause,
    figures: Sequence[Quantity],
    statement: Statement,
    evidence: Sequence[EvidenceText],
) -> bool:
    """In a row, a figure or a time stands under the header that the clause names, if it does."""
    said = frozenset(terms(clause.text))
    for row in evidence:
        if not row.is_row:
            continue
        for holding, rest in _columns(clause, figures, statement, row):
            own = max((_named(head, said) for head in holding), default=len(said))
            if any(_named(head, said) > own for head in rest):
                return False
    return True


def _columns(
    clause: Clause, figures: Sequence[Quantity], statement: Statement, row: EvidenceText
) -> Iterator[tuple[set[str], set[str]]]:
    """For each figure and time of a clause, the headers of the cells that have it, and of those
    that have another."""
    for figure in figures:
        cells = [(head, words, quantities(words)) for head, words in row.cells]
        cells = [(head, words, known) for head, words, known in cells if known]
        holding = {
            head
            for head, words, known in cells
            if stated_in(figure, statement.plain, known, f"{words} {row.surroundings}", row.text)
        }
        yield holding, {head for head, _, _ in cells} - holding
    dated = [(head, periods(words)) for head, words in row.cells]
    for mark in periods(clause.text):
        holding = {head for head, marks in dated if mark in marks}
        yield holding, {head for head, marks in dated if marks} - holding


def _named(head: str, said: frozenset[str]) -> int:
    """How many words of a header a clause has."""
    own = {part for term in terms(head) for part in term.split("_")} - STOP_WORDS
    return len(own & said)
