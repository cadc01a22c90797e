"""What rises or falls, from what to what: in sentences and in rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import islice, pairwise, permutations

from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.clauses import clauses
from tipstaff.verify.column_times import YEAR, are_apart, moment
from tipstaff.verify.directions import CHANGE, COMPILED, MOVES, same_side
from tipstaff.verify.durations import in_base
from tipstaff.verify.evidence_text import EvidenceText

_MOVES_TO = re.compile(
    r"\b(?:increase[sd]?|rises?|rose|raised|grows?|grew|climbs?|climbed|falls?|fell|drops?|dropped|"
    r"decline[sd]?|decrease[sd]?|reduced|lowered|cut) to\b",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:replac\w+|in place of|instead of|rather than|previously|formerly|was|from|up|down)\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(
    r"\bfrom (?:[^.;]|\.\d){1,40}? to (?:[£$€]|[a-z]{2,3} )?\d[\d.,]*"
    r"(?: ?(?:thousand|million|billion|[kmb]n?)\b| ?(?:%|per cent|percent))?",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:current|present|now|today|existing|old|before|previous)\b", re.IGNORECASE)
_OF_YEAR = re.compile(r"\s*\(?\b(?:19|20)\d\d(?:[-/]\d{2,4})?\)?$")
_PAIR = 2
_MOVED = re.compile(rf"{MOVES.pattern}|\b(?:gone|went|going|improv|worsen|slip|dip)", re.IGNORECASE)
_UNTIL = re.compile(r"\W*(?:until|up to|before|old|previous|current|present|now)\b", re.IGNORECASE)
_SINCE = re.compile(r"\W*(?:from|after|new|as of)\b", re.IGNORECASE)
# "8 per cent, against 11 per cent the year before": the second was first.
_AGAINST = re.compile(
    r"\b(?:against|compared (?:with|to)|up from|down from|versus)\s(?:[^.;,]|[.,](?=\d)){1,60}",
    re.IGNORECASE,
)
# "Profit was 412,000 pounds (2023: 437,000)".
_YEAR_BEFORE = re.compile(r"\((?:in )?(?:19|20)\d\d(?:[-/]\d{2,4})?: (?P<earlier>[^();]{1,40})\)")
_LATER = re.compile(r"\b(?:expect\w*|will|then|after|plan\w*)\b", re.IGNORECASE)
_NOW_IS = re.compile(r"\b(?:now|today|at present|currently)\b", re.IGNORECASE)
_MORE_OR_LESS = (
    re.compile(r"\b(?:more|higher|dearer|longer|larger|greater)\b(?! than)", re.IGNORECASE),
    re.compile(r"\b(?:fewer|less|lower|cheaper|shorter|smaller)\b(?! than)", re.IGNORECASE),
)
_BEFORE = re.compile(
    r"\b(?:before|last year|previous|earlier|(?:up|down) from|a year ago)\b", re.IGNORECASE
)
_SCALES = (1, 1000, 1_000_000)
# A figure stands so near to what it is set against.
_NEAR = 200
# What rises or falls from a figure, or to one.
_WAY = re.compile(
    r"\b(?:(?P<up>rises?|rose|risen|grows?|grew|grown|climbs?|climbed|increase[sd]?|"
    r"(?:went|goes) up)|"
    r"(?P<down>falls?|fell|fallen|drops?|dropped|declines?|declined|decrease[sd]?|"
    r"(?:went|goes) down)|(?P<beside>up|down)(?= from\b))\b",
    re.IGNORECASE,
)
_WAY_TO = re.compile(r"\b(?:to|from)\b", re.IGNORECASE)
_WAY_TOLD = re.compile(
    rf"{_WAY.pattern}|\b(?:change[sd]?|growth|rising|falling|trend|reduced|raised|cut|"
    r"previous\w*|formerly|was|instead of|in place of)\b|[+\u2212]\s?\d",
    re.IGNORECASE,
)
# A sentence tells of two or three.
_MOST_WAYS = 10
_NEAR_WAY, _AFTER_TO = 60, 25
_OLD = re.compile(r"\W*(?:from|old|before|previous(?:ly)?|was)(?: value)?\W*", re.IGNORECASE)
_NEW = re.compile(r"\W*(?:to|new|after|now)(?: value)?\W*", re.IGNORECASE)
_COMES_FROM = re.compile(r"\b(up|down) from ", re.IGNORECASE)


def moves_against(words: Sequence[str], evidence: str) -> bool:
    """Whether something is said to rise where the evidence only has that it falls."""
    return any(
        not same_side(word, evidence)
        and any(
            one.fullmatch(word) and MOVES.search(" ".join(other.findall(evidence)))
            for one, other in (COMPILED[0], COMPILED[0][::-1])
        )
        for word in words
    )


def moves_wrongly_to(statement: str, evidence: Sequence[str]) -> bool:
    """Whether something "falls to 5.5 percent" where 5.5 takes the place of 4, or is 46 "up from"
    49."""
    if _comes_wrongly_from(statement):
        return True
    moved = _MOVES_TO.search(statement)
    if moved is None:
        return False
    reached = next((one for one in quantities(statement) if one.start >= moved.end()), None)
    if reached is None or statement[moved.end() : reached.start].strip():
        return False
    rises = bool(COMPILED[0][0].search(moved.group()))
    for text in evidence:
        known = [
            one for one in outside_dates(quantities(text), text) if one.measure is reached.measure
        ]
        if not _REPLACES.search(text) or len(known) != 2 or known[0].value == known[1].value:
            continue
        others = [one.value for one in known if one.value != reached.value]
        if len(others) == 1 and (reached.value > others[0]) != rises:
            return True
    return False


def moves_wrongly_in_row(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "from 260 to 410" has for the first what a row has for the later year, or a sentence
    sets against the year before."""
    if changes_backwards(statement, evidence):
        return True
    if any(_goes_back(statement, row) or _goes_the_other_way(statement, row) for row in evidence):
        return True
    if any(_is_set_against_it(statement, one.text) for one in evidence if not one.is_row):
        return True
    for match in _FROM_TO.finditer(statement):
        ends = [one for one in quantities(match[0]) if one.measure is not Measure.DURATION]
        if len(ends) < 2 or ends[0].value == ends[-1].value:
            continue
        if any(_was_the_other_way(ends[0], ends[-1], one.text) for one in evidence):
            return True
        for row in evidence:
            turns = [
                _turn(head)
                for end in (ends[0], ends[-1])
                for head, words in row.cells
                if any(end.value in _scaled(one) for one in quantities(words))
            ]
            if len(turns) == _PAIR and all(turns) and turns[0] > turns[1] and are_apart(*turns):
                return True
    return False


def changes_backwards(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what a record has for "from" and "to" is told the other way round."""
    cells = [(head, one.value) for unit in evidence for head, words in unit.cells
             for one in quantities(words)[:1]]  # fmt: skip
    old = {value for head, value in cells if _OLD.fullmatch(head)}
    new = {value for head, value in cells if _NEW.fullmatch(head)}
    if not old or not new:
        return False
    for match in _FROM_TO.finditer(statement):
        ends = quantities(match[0])
        if len(ends) < 2:
            continue
        first, last = ends[0].value, ends[-1].value
        if (first not in old and first in new) or (last not in new and last in old):
            return True
    return False


def _was_the_other_way(first: Quantity, last: Quantity, text: str) -> bool:
    """Whether a sentence sets the first against the last, as the earlier of the two."""
    return any(
        earlier == last.value and first.value in later for earlier, later in _set_against(text)
    )


@lru_cache(maxsize=1024)
def _set_against(text: str) -> tuple[tuple[Decimal, frozenset[Decimal]], ...]:
    """What a text gives for a time before, each with the figures that it is set against."""
    found = []
    for match in _AGAINST.finditer(text):
        earlier = quantities(match[0])
        near = text[max(0, match.start() - _NEAR) : match.start()]
        # "We expect 22, compared with 17 now".
        is_now = _NOW_IS.search(match[0]) and _LATER.search(near)
        if earlier and (is_now or _BEFORE.search(match[0])):
            found.append((earlier[0].value, frozenset(one.value for one in quantities(near))))
    for match in _YEAR_BEFORE.finditer(text):
        earlier = quantities(match["earlier"])
        last = quantities(text[max(0, match.start() - _NEAR) : match.start()])[-1:]
        if earlier and last and earlier[0].value != last[0].value:
            found.append((earlier[0].value, frozenset((last[0].value,))))
    return tuple(found)


def _is_set_against_it(statement: str, text: str) -> bool:
    """Whether something is said to rise to a figure, or to be more, where a sentence has it beside
    a larger one of a time before."""
    against = _set_against(text)
    if not against:
        return False
    sides = [
        _MOVED.search(" ".join(side.findall(statement))) or plain.search(statement)
        for side, plain in zip(COMPILED[0], _MORE_OR_LESS, strict=True)
    ]
    if bool(sides[0]) == bool(sides[1]):
        return False
    stated = {one.value for one in outside_dates(quantities(statement), statement)}
    return any(
        stated == stated & later != frozenset()
        and all((one > earlier) != bool(sides[0]) for one in stated)
        for earlier, later in against
        if earlier not in stated
    )


def _scaled(figure: Quantity) -> set[Decimal]:
    """What a figure may be, under a header that has thousands."""
    return {figure.value * scale for scale in _SCALES}


def _turn(head: str) -> int:
    """When a column is of: its year and month, or before or after a day; 0 where it does not
    say."""
    if found := moment(head):
        return found
    if _UNTIL.match(head):
        return 1
    return 2 if _SINCE.match(head) else 0


def _goes_back(statement: str, row: EvidenceText) -> bool:
    """Whether something is said to rise or fall to what a row has for now, while it has another
    figure for later: "falls to $18", and "current: 18; from July: 20"."""
    for moved in _MOVES_TO.finditer(statement):
        ends = [one.value for one in quantities(statement[moved.end() :])[:1]]
        current = [words for head, words in row.cells if _NOW.search(head)]
        later = [
            one.value
            for head, words in row.cells
            if not _NOW.search(head) and not CHANGE.search(head)
            for one in quantities(words)
        ]
        now = [one.value for words in current for one in quantities(words)]
        if ends and now and later and ends[0] in now and ends[0] not in later:
            return True
    return False


def _goes_the_other_way(statement: str, row: EvidenceText) -> bool:
    """Whether what a row is of is said to rise, and its later year has less than the one before."""
    label = frozenset(terms(row.cells[0][1])) if row.is_row else frozenset()
    pair = _old_and_new(row) if label else None
    if pair is None:
        return False
    old, new = pair
    for clause in clauses(statement):
        said = [_MOVED.search(" ".join(side.findall(clause.text))) for side in COMPILED[0]]
        if not label <= clause.terms or clause.denied or bool(said[0]) == bool(said[1]):
            continue
        if old.value == new.value or (new.value > old.value) != bool(said[0]):
            return old.measure is new.measure
    return False


def _old_and_new(row: EvidenceText) -> tuple[Quantity, Quantity] | None:
    """The figures of two years or months that a row has, or of one and of now: "Rate", "Rate
    2023-24"."""
    found = [
        (head, years[0] if (years := YEAR.findall(head)) else "", figures[0])
        for head, words in row.cells
        if len(figures := quantities(words)) == 1
    ]
    dated = sorted(
        ((_turn(head), figure) for head, year, figure in found if year), key=lambda one: one[0]
    )
    if len(dated) == _PAIR and are_apart(dated[0][0], dated[1][0]):
        return dated[0][1], dated[1][1]
    if len(dated) != 1:
        return None
    (then,) = [head for head, year, _ in found if year]
    same = [figure for head, year, figure in found if not year and _OF_YEAR.sub("", then) == head]
    return (dated[0][1], same[0]) if len(same) == 1 else None


def _comes_wrongly_from(statement: str) -> bool:
    figures = outside_dates(quantities(statement), statement)
    return any(
        before.end <= moved.start() <= moved.end() == behind.start
        and before.measure is behind.measure
        and (in_base(before) > in_base(behind)) != (moved[1].lower() == "up")
        for moved in _COMES_FROM.finditer(statement)
        for before, behind in pairwise(figures)
    )


def moves_unsaid_in_row(
    statement: str, evidence: Sequence[EvidenceText], rows: Sequence[EvidenceText]
) -> bool:
    """Whether a rise or a fall is told of a row that has none: neither two of its cells with their
    times, nor the rows before it in the same column, nor any word go that way. What stands beside
    it may be another's: "4 days, down from 6", where the 6 are those of another firm."""
    if not evidence or not all(one.is_row for one in evidence):
        return False
    ways = list(_ways(statement))
    if not ways:
        return False
    own = [step for row in evidence for step in _steps_in_row(row)]
    is_told = any(_WAY_TOLD.search(one.text) for one in evidence)
    for up, origin, reached in ways:
        last = None if origin is not None else 1
        steps = [*own, *(step for row in evidence for step in _steps_to_row(row, rows, last))]
        known = [
            later > earlier
            for earlier, later in steps
            if earlier != later and _may_be(reached, later) and _may_be(origin, earlier)
        ]
        if up not in known and (known or not is_told):
            return True
    return False


def _may_be(said: Decimal | None, value: Decimal) -> bool:
    return said is None or any(said == value * scale for scale in _SCALES)


def _ways(statement: str) -> Iterator[tuple[bool, Decimal | None, Decimal | None]]:
    """Whether something goes up, from where and to where, as far as a statement says so."""
    figures = outside_dates(quantities(statement), statement)
    for match in islice(_WAY.finditer(statement), _MOST_WAYS):
        origin = reached = None
        for way, place in ((m[0].lower(), m.end()) for m in _WAY_TO.finditer(statement)):
            if not match.end() <= place <= match.end() + _NEAR_WAY:
                continue
            at = next((one for one in figures if 0 <= one.start - place <= _AFTER_TO), None)
            if at and way.startswith("to"):
                reached = reached or at.value
            elif at:
                origin = origin or at.value
        if match["beside"]:
            before = [one for one in figures if one.end <= match.start()]
            reached = before[-1].value if before else reached
        if origin is not None or reached is not None:
            yield bool(match["up"] or (match["beside"] or "").lower() == "up"), origin, reached


def _steps_in_row(row: EvidenceText) -> Iterator[tuple[Decimal, Decimal]]:
    """What a row has for one time and for another that is no earlier."""
    if (pair := _old_and_new(row)) is not None:
        yield pair[0].value, pair[1].value
    timed = [
        (_turn(head), figure.value)
        for head, words in row.cells
        if _turn(head) and (figure := _figure_of(words))
    ]
    for (one, earlier), (other, later) in permutations(timed, 2):
        if one <= other:
            yield earlier, later


def _steps_to_row(
    row: EvidenceText, rows: Sequence[EvidenceText], last: int | None
) -> Iterator[tuple[Decimal, Decimal]]:
    """What the `last` rows before it have in the same column, or all of them, and what it has
    itself, where each row is of a time."""
    table = [one for one in rows if [h for h, _ in one.cells] == [h for h, _ in row.cells]]
    if not all(periods(one.cells[0][1]) or YEAR.search(one.cells[0][1]) for one in table):
        return
    if len(table) > 1 and table[0].cells[0][1] > table[-1].cells[0][1]:
        table = table[::-1] if table[0].cells[0][1][:1].isdigit() else table
    at = next((place for place, one in enumerate(table) if one is row), 0)
    for before in table[max(at - last, 0) if last else 0 : at]:
        for (_, earlier), (_, later) in zip(before.cells[1:], row.cells[1:], strict=True):
            one, other = _figure_of(earlier), _figure_of(later)
            if one and other:
                yield one.value, other.value


def _figure_of(cell: str) -> Quantity | None:
    found = quantities(cell)
    return found[0] if len(found) == 1 else None
