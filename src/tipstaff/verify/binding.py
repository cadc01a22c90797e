"""Whether figures and times belong to what a statement says they are of.

A figure that stands at the cited place may be another row's, another column's or the other half
of the sentence's. It is held against its rivals there: figures whom the statement's words fit
better take it down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.columns import lead_of, of_one_column, of_their_columns
from tipstaff.verify.durations import in_base
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import is_label, stated_in
from tipstaff.verify.labels import has_other_label, of_other_label
from tipstaff.verify.moves import moves_unsaid_in_row
from tipstaff.verify.own_clause import of_its_clause
from tipstaff.verify.pairing import (
    are_exchanged,
    are_swapped,
    is_of_other_pair,
    is_one_of_bare_pair,
    is_share_of_other,
)
from tipstaff.verify.plainly_other import has_unit_of_other_column, timed_in_other_row
from tipstaff.verify.quantifiers import is_of_some_rows
from tipstaff.verify.statement import Statement
from tipstaff.verify.timing import (
    is_of_other_deed,
    is_of_other_moment,
    is_of_other_time,
    is_timed,
)

# Units that a place has at most: in a whole item others are spoken of.
_PLACE = 20
_AIM = re.compile(r"\b(?:target|goal|aim(?:s|ed)?|against|planned|budget\w*)\b", re.IGNORECASE)
_AIMED_AT = re.compile(
    r"\b(?:against|below|above|missing|short of) (?:an? |the |its |our )?(?:target|goal|aim) of $",
    re.IGNORECASE,
)
_OF_TOTAL = re.compile(r"\b(?:percent|share) of (?:the )?total\b", re.IGNORECASE)


def is_bound(
    statement: Statement,
    evidence: Sequence[EvidenceText],
    rows: Sequence[EvidenceText],
    cited: Sequence[EvidenceText] = (),
) -> bool:
    """Whether every figure is of the row, the column and the clause that the statement names.
    `rows` are all those cited, not only those that support is found in, and `cited` all else."""
    told = [one.whole for one in evidence]
    far = [one for one in cited if not one.is_row and not any(one is other for other in evidence)]
    far = far if len(far) <= _PLACE and not any(one.is_row for one in evidence) else []
    for before, clause in zip((None, *statement.clauses), statement.clauses, strict=False):
        figures = [
            figure
            for figure in statement.figures_in(clause)
            if not is_label(figure, statement.plain, told)
            and not _is_said_before(figure, statement)
        ]
        for figure in figures:
            having = [one for one in evidence if _has(one, figure, statement)]
            if not _of_their_row(clause, having, rows, statement):
                return False
            if of_other_label(having, statement, [*evidence, *cited]):
                return False
            if not of_its_clause(figure, clause, statement, evidence, far):
                return False
            if is_of_other_time(clause, figure, evidence) or _is_aimed_at(
                figure, statement, evidence
            ):
                return False
        if not is_timed(clause, statement, evidence):
            return False
        lead = lead_of(before, statement, told)
        if not of_their_columns(clause, figures, statement, evidence, lead):
            return False
    if _are_paired_otherwise(statement, evidence):
        return False
    if not of_one_column(statement, evidence) or has_other_label(statement, evidence, cited):
        return False
    if is_of_other_deed(statement, evidence) or is_of_other_moment(statement, evidence):
        return False
    return _holds_of_rows(statement, evidence, rows) and all(
        _named_in_row(name, statement, evidence, rows) for name in statement.names
    )


def _holds_of_rows(
    statement: Statement, evidence: Sequence[EvidenceText], rows: Sequence[EvidenceText]
) -> bool:
    """Whether figures are of the time and in the unit of their row, what is said to rise does, and
    what is said of both rows is so in both."""
    return not (
        timed_in_other_row(statement, rows)
        or has_unit_of_other_column(statement, rows)
        or moves_unsaid_in_row(statement.plain, evidence, rows)
        or is_of_some_rows(statement, rows)
    )


def _are_paired_otherwise(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    if are_exchanged(statement, evidence) or is_share_of_other(statement, evidence):
        return True
    return any(
        are_swapped(statement, one)
        or is_of_other_pair(statement, one)
        or is_one_of_bare_pair(statement, one)
        for one in evidence
        if not one.is_row
    )


def _is_aimed_at(figure: Quantity, statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a figure is only what was aimed at, and is said to be what was reached: "96 percent,
    against a target of 97"."""
    if _AIM.search(statement.plain):
        return False
    places = [
        (one.text, other.start)
        for one in evidence
        if not one.is_row
        for other in one.own_figures
        if other.value == figure.value and other.measure is figure.measure
    ]
    return bool(places) and all(_AIMED_AT.search(text[:start]) for text, start in places)


def _is_said_before(figure: Quantity, statement: Statement) -> bool:
    """Of "56 days, or eight weeks" the weeks are the days."""
    return figure.measure is Measure.DURATION and any(
        one.start < figure.start and one.unit != figure.unit and in_base(one) == in_base(figure)
        for one in statement.figures
        if one.measure is Measure.DURATION
    )


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
    if numbered := [one for one in rows if _is_numbered(one, clause.text)]:
        return any(one is other for one in having for other in numbered)
    if any(_is_numbered(one, statement.plain) for one in having):
        return True
    local = _row_words(clause) - apart_from
    every = frozenset(term for one in statement.clauses for term in _row_words(one)) - apart_from
    # A figure does not say itself which row it is of.
    stated = {term for one in statement.figures for term in terms(one.text)}
    # Nor does a word which is a header here: that another row's remark has it tells nothing.
    heads = {term for one in having for head, _ in one.cells for term in terms(head)}
    wanted = (local if len(local) > 1 else every) - stated - heads
    best = max(len(wanted & (one.cell_terms or one.own_terms)) for one in having)
    return all(len(wanted & one.cell_terms) <= best for one in rows if one not in having)


def _is_numbered(row: EvidenceText, plain: str) -> bool:
    """Whether a statement says by its number which row it speaks of: "severity 1"."""
    if not row.is_row or not row.cells[0][1].strip().isdigit():
        return False
    head, number = row.cells[0]
    label = rf"\b{re.escape(head)} {re.escape(number.strip())}\b"
    return bool(head) and bool(re.search(label, plain, re.IGNORECASE))


def _row_words(clause: Clause) -> frozenset[str]:
    # "30 percent of the total" is not of the row called Total.
    said = clause.terms
    if _OF_TOTAL.search(clause.text):
        said -= frozenset(terms("total"))
    return frozenset(term for term in said if term not in STOP_WORDS and not term.isdigit())


def _named_in_row(
    name: str,
    statement: Statement,
    evidence: Sequence[EvidenceText],
    rows: Sequence[EvidenceText],
) -> bool:
    own = frozenset(terms(name))
    if any(own <= one.own_terms for one in evidence if not one.is_row):
        return True
    having = [one for one in evidence if own & one.cell_terms]
    counted = all(statement.figures_in(one) for one in statement.clauses if own & one.terms)
    if having and counted and sum(one.is_row for one in evidence) > 1:
        # Rows that are compared are each bound by their figures.
        return True
    return all(
        _of_their_row(clause, having, rows, statement, own)
        for clause in statement.clauses
        if own & clause.terms
    )
