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
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.figures import in_base, is_label, same_measure, stated_in
from tipstaff.verify.measures import measured_in, unit_terms
from tipstaff.verify.pairing import are_swapped, is_of_other_pair
from tipstaff.verify.statement import Statement, telling_in
from tipstaff.verify.synonyms import is_form, is_known
from tipstaff.verify.timing import is_of_other_time, is_timed

_LEADS = re.compile(r"\b(?:with|at|and|plus|against|for|to|from)\b", re.IGNORECASE)
_LETTERED = re.compile(r"\b(?P<head>[a-z]{3,}) (?P<letter>[A-Z])\b(?!\.\w)")
_ONE_LETTER = re.compile(r"[A-Z]")
_ORDERS = frozenset(terms("first second third fourth primary secondary main deputy"))
_LABEL = re.compile(r"\b(?:[A-Z]|\d{1,3})\b")
# Units that a place has at most: in a whole item others are spoken of.
_PLACE = 20
_HEADED = re.compile(r"\W*([A-ZÀ-Þ][^:;.,\d]{2,40}):\s")
# What is written before a decision and its votes tells not whose they are.
_DECIDED = frozenset(
    terms("resolved resolution decided decision agreed action motion vote votes voting result "
          "against favour abstentions abstained note outcome")
)  # fmt: skip
_WAYS = frozenset(("up", "down", "in", "out", "on", "off", "over", "under"))
_PER = frozenset(("per", "each"))
# So many words on either side of a figure say what it is of.
_BESIDE = 3
_NO_NOUNS = frozenset(
    terms("without within per plus including until since during before after against between "
          "only each every")
)  # fmt: skip
_NOUN = re.compile(r"\s([a-z]{3,})\b")
_FEW = 2
_SHORT_LEAD = 4
_PLACED = re.compile(r"\W*(?:at|in|on|for|by|from|during|after|before|under) ", re.IGNORECASE)
_PAST = re.compile(r"\s([a-z]+ed)\b")
_ELLIPTIC = frozenset(terms("for from with and were was are is had have"))
_AIM = re.compile(r"\b(?:target|goal|aim(?:s|ed)?|against|planned|budget\w*)\b", re.IGNORECASE)
_AIMED_AT = re.compile(
    r"\b(?:against|below|above|missing|short of) (?:an? |the |its |our )?(?:target|goal|aim) of $",
    re.IGNORECASE,
)
_OF_TOTAL = re.compile(r"\b(?:percent|share) of (?:the )?total\b", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)


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
            if _of_other_label(having, statement, [*evidence, *cited]):
                return False
            if not _of_its_clause(figure, clause, statement, evidence, far):
                return False
            if is_of_other_time(clause, figure, evidence) or _is_aimed_at(
                figure, statement, evidence
            ):
                return False
        if not is_timed(clause, statement, evidence):
            return False
        lead = _lead(before, statement, told)
        if not _of_their_columns(clause, figures, statement, evidence, lead):
            return False
    if any(
        are_swapped(statement, one) or is_of_other_pair(statement, one)
        for one in evidence
        if not one.is_row
    ):
        return False
    if not _of_one_column(statement, evidence) or _has_other_label(statement, evidence):
        return False
    return all(_named_in_row(name, statement, evidence, rows) for name in statement.names)


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


def _has_other_label(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether all rows are of another letter or number than the statement names: "variant A", and
    B under "Variant"."""
    rows = [one for one in evidence if one.is_row]
    told = set(_LABEL.findall(" ".join(words for row in rows for _, words in row.cells)))
    for head in {row.cells[0][0] for row in rows if row.cells[0][0].isalpha()}:
        named = re.findall(rf"\b(?i:{head}) ({_LABEL.pattern})", statement.plain)
        labels = [row.cells[0][1].strip() for row in rows if row.cells[0][0] == head]
        if named and all(map(_LABEL.fullmatch, labels)) and told.isdisjoint(named):
            return True
    return _has_other_letter(statement, rows) or any(
        _is_other_in_order(statement, row) for row in rows
    )


def _has_other_letter(statement: Statement, rows: Sequence[EvidenceText]) -> bool:
    """Whether a statement names a letter under a header where every row has another: "grade A",
    and D under "grade"."""
    for match in _LETTERED.finditer(statement.plain):
        letters = [
            words.strip()
            for row in rows
            for head, words in row.cells
            if head.lower() == match["head"].lower()
        ]
        if letters and all(
            one != match["letter"] and _ONE_LETTER.fullmatch(one) for one in letters
        ):
            return True
    return False


def _is_other_in_order(statement: Statement, row: EvidenceText) -> bool:
    """Whether what is said to be first stands in a row under "second": "first call: Ada", "second
    call: fire service"."""
    placed = {
        order: frozenset(terms(words))
        for head, words in row.cells
        for order in _ORDERS.intersection(terms(head))
    }
    for clause in statement.clauses if len(placed) > 1 else ():
        said = _ORDERS & clause.terms
        if len(said) != 1 or not said <= placed.keys():
            continue
        (order,) = said
        rest = clause.terms - STOP_WORDS - _ORDERS
        others = frozenset().union(*(words for one, words in placed.items() if one != order))
        if rest & others and not rest & placed[order]:
            return True
    return False


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
    if len(rows) < 2 or not having or any(_is_numbered(one, statement) for one in having):
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


def _is_numbered(row: EvidenceText, statement: Statement) -> bool:
    """Whether a statement says by its number which row it speaks of: "severity 1"."""
    if not row.is_row or not row.cells[0][1].strip().isdigit():
        return False
    head, number = row.cells[0]
    label = rf"\b{re.escape(head)} {re.escape(number.strip())}\b"
    return bool(head) and bool(re.search(label, statement.plain, re.IGNORECASE))


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


def _of_its_clause(
    figure: Quantity,
    said: Clause,
    statement: Statement,
    evidence: Sequence[EvidenceText],
    far: Sequence[EvidenceText],
) -> bool:
    """No clause with another figure of its kind fits better than those that have this one; one
    that is `far` from them must fit much better."""
    # A figure does not say what it is of, in words no more than in digits.
    spelled = {term for one in statement.figures for term in terms(one.text)}
    wanted = telling_in(said) - unit_terms() - spelled
    # Figures that are stated too are no rivals; whether they are swapped is asked apart.
    beside = [one for one in statement.figures if one is not figure]
    named = wanted & {term for name in statement.names for term in terms(name)}
    having, rivals, farther = [0], [0], [0]
    holding: list[tuple[EvidenceText, Clause, frozenset[str]]] = []
    beside_it: list[tuple[EvidenceText, Clause]] = []
    told = "\n".join(one.text for one in evidence)
    for one in (*evidence, *far):
        if one.is_row:
            continue
        before, counted = frozenset[str](), frozenset[str]()
        for clause in one.clauses:
            own = [f for f in one.own_figures if clause.start <= f.start < clause.end]
            # Whose figure it is tells more than what is said of it.
            shared = len(wanted & clause.terms) + bool(named & clause.terms)
            # "It has five floors and 1,150 seats": a few words go on with what was said before.
            nouns = frozenset(_noun_behind(one.text, f.end) for f in own)
            goes_on = figure.measure is Measure.NUMBER and len(telling_in(clause)) <= _FEW
            lead = before if goes_on and nouns.isdisjoint(counted) else frozenset()
            before, counted = clause.terms, nouns
            if stated_in(figure, statement.plain, own, f"{one.text}\n{one.surroundings}", told):
                if _counts_other(figure, statement.plain, one, own):
                    return False
                led = clause.terms | lead
                holding.append((one, clause, _figure_words(one, clause, figure)))
                having.append(len(wanted & led) + bool(named & led))
            elif not _is_stated(own, beside) and any(
                same_measure(figure, other)
                and not is_label(other, one.text, [one.text])
                # What is measured is not money.
                and not (figure.measure is Measure.MONEY and measured_in(one.text, other.end))
                for other in own
            ):
                (rivals if any(one is near for near in evidence) else farther).append(shared)
                if shared:
                    beside_it.append((one, clause))
    best, rival = max(having), max(rivals)
    if rival == best and _is_of_neighbour(wanted, holding, beside_it, statement):
        return False
    if max(farther) > best + 1:
        return False
    return rival <= best + 1 if best else not rival


def _is_of_neighbour(
    wanted: frozenset[str],
    holding: Sequence[tuple[EvidenceText, Clause, frozenset[str]]],
    rivals: Sequence[tuple[EvidenceText, Clause]],
    statement: Statement,
) -> bool:
    """Whether what a figure is said to be of stands with another figure, and with this one stands
    something else: "in seven cases milk was missing, in three cases mustard"."""
    if len(holding) != 1:
        return False
    ((unit, own, near),) = holding
    said = frozenset(terms(statement.plain))
    other = {
        term
        for term in near & telling_in(own) - unit_terms() - said - LIGHT
        if not term[:1].isdigit() and not is_known(term, said)
    }
    return bool(other) and any(
        wanted & rival.terms - own.terms - LIGHT for one, rival in rivals if one is unit
    )


def _figure_words(one: EvidenceText, clause: Clause, figure: Quantity) -> frozenset[str]:
    """The words right before and behind a figure in its clause."""
    for other in one.own_figures:
        if other.value == figure.value and clause.start <= other.start < clause.end:
            before = terms(one.text[clause.start : other.start])[-_BESIDE:]
            return frozenset((*before, *terms(one.text[other.end : clause.end])[:_BESIDE]))
    return frozenset()


def _of_other_label(
    having: Sequence[EvidenceText], statement: Statement, around: Sequence[EvidenceText]
) -> bool:
    """Whether a figure stands only under labels that a statement does not name, and it names the
    label of a neighbour: "Ada: nine weeks", "Max: five weeks"."""
    said = frozenset(terms(statement.plain))
    labels = [_label(one) for one in having]
    if not having or any(not label or label & said for label in labels):
        return False
    return any((label := _label(one)) and label <= said for one in around)


def _label(one: EvidenceText) -> frozenset[str]:
    match = None if one.is_row else _HEADED.match(one.text)
    return frozenset(terms(match[1])) - STOP_WORDS - _DECIDED if match else frozenset()


def _counts_other(figure: Quantity, said: str, one: EvidenceText, own: Sequence[Quantity]) -> bool:
    """Whether what a figure is said to count is counted by another one there, and this one counts
    something else: 1,150 floors, and "five floors and 1,150 seats"."""
    if figure.measure is not Measure.NUMBER:
        return False
    noun = _noun_behind(said, figure.end)
    mine = {_noun_behind(one.text, other.end) for other in own if other.value == figure.value}
    others = {_noun_behind(one.text, other.end) for other in one.own_figures} - mine
    if not noun or noun in mine or noun not in others or "" in mine:
        return False
    # "Four technicians for the get-in and six for the get-out": the noun stands once.
    verbs = {
        term
        for other in own
        if other.value == figure.value and (verb := _PAST.match(one.text, other.end))
        for term in terms(verb[1])
    }
    return not mine <= _ELLIPTIC | verbs and not _counts_first(noun, figure, one)


def _counts_first(noun: str, figure: Quantity, one: EvidenceText) -> bool:
    """Whether a noun with an adjective is counted by this figure, too: "three dimmer modules"."""
    return any(
        noun in terms(one.text[other.end :])[:2]
        for other in one.own_figures
        if other.value == figure.value
    )


def _noun_behind(text: str, end: int) -> str:
    match = _NOUN.match(text, end)
    noun = next(iter(terms(match[1])), "") if match else ""
    return "" if noun in _NO_NOUNS else noun


def _is_stated(own: Sequence[Quantity], stated: Sequence[Quantity]) -> bool:
    """Whether a clause is where another figure of the statement comes from."""
    return any(one.value == other.value for one in own for other in stated)


def _of_their_columns(
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


def _lead(before: Clause | None, statement: Statement, told: Sequence[str]) -> frozenset[str]:
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


def _of_one_column(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
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
