"""Under which header of a row a figure stands, and which one a statement gives it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import RATE, is_label, stated_in
from tipstaff.verify.measures import unit_terms
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_form

_LEADS = re.compile(r"\b(?:with|at|and|plus|against|for|to|from|of an?)\b", re.IGNORECASE)
_WAYS = frozenset(("up", "down", "in", "out", "on", "off", "over", "under"))
_PER = frozenset(("per", "each"))
_SHORT_LEAD = 4
_PLACED = re.compile(r"\W*(?:at|in|on|for|by|from|during|after|before|under) ", re.IGNORECASE)
_THEN = re.compile(
    r"\s+(?:until|from|before|after|since|in|on|by|as of|up to) ((?:(?! and | but )[^,;.]){2,30})",
    re.IGNORECASE,
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)


def of_their_columns(
    clause: Clause,
    figures: Sequence[Quantity],
    statement: Statement,
    evidence: Sequence[EvidenceText],
    lead: frozenset[str] = frozenset(),
) -> bool:
    """In a row, a figure or a time stands under the header that the clause names, if it does; or
    the `lead` before it."""
    # What something is more than is in another column.
    whole = frozenset(terms(_THAN.split(clause.text)[0])) | lead
    for row in evidence:
        if not row.is_row:
            continue
        if any(_is_under_other_time(figure, statement, row) for figure in figures):
            return False
        columns = list(_columns(clause, figures, statement, row))
        taken = {head for _, holding, _ in columns for head in holding}
        for at, holding, rest in columns:
            said = whole if at is None else _beside(at, figures, clause, whole) - _own_unit(at)
            # The header of another figure that is stated too is no rival, unless they are swapped.
            own = max((_named(head, said, row) for head in holding), default=len(said))
            # The first column says which row it is, and not what a figure is of.
            rivals = rest - taken - {row.cells[0][0]}
            if any(_named(head, said, row) > own for head in rivals):
                return False
            # "Reduced" is the column of the reduced price, and "full price" is not.
            whole_rival = any(
                _named(head, said) == own and _is_named_whole(head, said) for head in rivals
            )
            if own and whole_rival and not any(_is_named_whole(head, said) for head in holding):
                return False
        placed = [(at, holding) for at, holding, _ in columns if at is not None and holding]
        if any(_are_swapped(one, other, clause) for one, other in pairwise(placed)):
            return False
    return True


def _is_under_other_time(figure: Quantity, statement: Statement, row: EvidenceText) -> bool:
    """Whether a figure is given the time of another column: "£725 until 30 September", which is
    what it costs from October."""
    phrase = _THEN.match(statement.plain, figure.end)
    marks = periods(phrase[1]) if phrase else frozenset()
    if not marks:
        return False
    named = {head for head, _ in row.cells if marks <= periods(head)}
    holding = {
        head
        for head, words in row.cells
        if any(one.value == figure.value for one in quantities(words))
    }
    return bool(named and holding) and named.isdisjoint(holding)


def lead_of(before: Clause | None, statement: Statement, told: Sequence[str]) -> frozenset[str]:
    """The words of a clause that only says where or when: "At week 16, 25 mL are drawn"."""
    if before is None or len(before.terms) > _SHORT_LEAD or not _PLACED.match(before.text):
        return frozenset()
    figures = statement.figures_in(before)
    is_led = all(is_label(figure, statement.plain, told) for figure in figures)
    return before.terms if is_led else frozenset()


def _own_unit(figure: Quantity) -> frozenset[str]:
    """Of "56 days" the days name no column."""
    return frozenset(terms(figure.text))


def _beside(
    figure: Quantity, figures: Sequence[Quantity], clause: Clause, whole: frozenset[str]
) -> frozenset[str]:
    """Of a clause with several figures, the words that are one's own: from the figure before it to
    the phrase that leads to the next."""
    if len(figures) < 2:
        return whole
    before = max((one.end for one in figures if one.end <= figure.start), default=clause.start)
    behind = min((one.start for one in figures if one.start >= figure.end), default=clause.end)
    head = clause.text[before - clause.start : figure.start - clause.start]
    tail = clause.text[figure.end - clause.start : behind - clause.start]
    leads = list(_LEADS.finditer(head))
    if before > clause.start and leads:
        head = head[leads[0].start() :]
    cut = _LEADS.search(tail)
    if behind < clause.end and cut:
        tail = tail[: cut.start()]
    return frozenset(terms(f"{head} {tail}"))


def of_one_column(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """What is compared across rows stands in one column, unless each clause names its own."""
    rows = [one for one in evidence if one.is_row]
    if len(rows) < 2:
        return True
    before: set[str] = set()
    for clause in statement.clauses:
        for figure in statement.figures_in(clause):
            heads = {
                head
                for row in rows
                for _, holding, _ in _columns(clause, [figure], statement, row)
                for head in holding
            }
            named = any(_named(head, clause.terms) for head in heads)
            if before and heads and not named and before.isdisjoint(heads):
                return False
            before = heads or before
    return True


def _are_swapped(
    one: tuple[Quantity, set[str]], other: tuple[Quantity, set[str]], clause: Clause
) -> bool:
    """Whether two figures would fit each other's header better, by the words beside each."""
    (first, mine), (second, theirs) = one, other
    if mine & theirs:
        return False
    pair = (first, second)
    near, far = (_beside(one, pair, clause, clause.terms) - _own_unit(one) for one in pair)

    def fit(heads: set[str], said: frozenset[str]) -> int:
        return max(_named(head, said) for head in heads)

    return fit(theirs, near) + fit(mine, far) > fit(mine, near) + fit(theirs, far)


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
            len(set(terms(words[len(head) :])) & clause.terms - STOP_WORDS - unit_terms() - _PER)
            > 2
            and any(one.value == figure.value for one in known)
            for head, words, known in cells
        ):
            # A cell with words of its own says itself what its figure is of.
            continue
        # A percentage is not taken for a number.
        alike = {
            head
            for head, words, known in cells
            if (
                figure.measure is not Measure.PERCENT
                or any(one.measure is Measure.PERCENT for one in known)
                or bool(RATE.search(row.cells[0][1]))
            )
            # What is said of its column, too, is no rival: "six of the model Datex 2200".
            and not clause.terms.issuperset(terms(words[len(head) :]))
        }
        yield figure, holding, alike - holding
    dated = [(head, periods(words)) for head, words in row.cells]
    for mark in periods(clause.text):
        holding = {head for head, marks in dated if mark in marks}
        yield None, holding, {head for head, marks in dated if marks} - holding


def _behind(start: int, figures: Sequence[Quantity]) -> list[Quantity]:
    return [figure for figure in figures if figure.start >= start]


def _is_named_whole(head: str, said: frozenset[str]) -> bool:
    own = {part for term in terms(head) for part in term.split("_")} - STOP_WORDS
    return bool(own) and all(is_form(term, said) for term in own)


def _named(head: str, said: frozenset[str], row: EvidenceText | None = None) -> int:
    """How many words of a header a clause has, or of the unit under it."""
    own = {part for term in terms(head) for part in term.split("_")} - (STOP_WORDS - _WAYS)
    if row is not None:
        under = [words for other, words in row.cells if other == head]
        own |= unit_terms().intersection(terms(" ".join(under)))
        # A remark beside a value says what it is: `"M": 3,  # music`.
        remarks = [words for words in under if not quantities(words)]
        if len(under) > len(remarks) > 0:
            own |= set(terms(" ".join(remarks))) - STOP_WORDS
    return sum(is_form(term, said) for term in own)
