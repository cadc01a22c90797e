"""What one sentence or row plainly says otherwise: the other verb, another label, other columns.

Each is a look at the unit that has most of a statement's words, and needs no more of the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tipstaff.facts.periods import MONTH, outside_dates, periods
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import DENIAL
from tipstaff.verify.column_times import YEAR, are_apart, moment
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.measures import measured_in
from tipstaff.verify.statement import Statement

_WENT = r"(?:has |have |had )?(?:gone|went|goes|go|going)"
# Two verbs of which only one can be so.
_VERBS = tuple(
    (re.compile(rf"\b(?:{one})\b", re.IGNORECASE), re.compile(rf"\b(?:{other})\b", re.IGNORECASE))
    for one, other in (
        (
            rf"increase[sd]?|rose|risen|rises?|grew|grown|raise[sd]?|climbed|improved|{_WENT} up",
            rf"decrease[sd]?|fell|fallen|falls?|lowered|dropped|declined|reduced|{_WENT} down",
        ),
        (r"accept(?:s|ed)|approve[sd]?|agreed to", r"reject(?:s|ed)|refuse[sd]|turned down"),
        (r"pass(?:es|ed)", r"fail(?:s|ed)"),
        (r"allow(?:s|ed)|permit(?:s|ted)", r"forbids?|forbidden|prohibit(?:s|ed)|banned"),
        (r"won|wins", r"lost|loses"),
        (r"opened|opens", r"closed|closes|shut"),
        (r"shortened|shortens", r"extended|extends|lengthened"),
        (
            r"(?:over|above|exceed(?:s|ed|ing)?) (?:(?:its|the|their) )?budget",
            r"(?:below|under|within) (?:(?:its|the|their) )?budget",
        ),
        (r"Fahrenheit", r"Celsius|Centigrade"),
        (r"lend(?:s|ing)?|lent", r"borrow(?:s|ed|ing)?"),
        (r"offer(?:s|ed)? to", r"ask(?:s|ed)? for|request(?:s|ed)?"),
        (r"added|adds", r"removed|removes|(?:taken|took|takes) (?:\w+ ){0,6}(?:out|off)"),
    )
)
# Who would not object would accept: a verb, and the same denied.
_NOT = r"\b(?:(?:would|will|does|do|did|could|can|shall|has|have) not|\w+n['’]t|cannot|never) "
_FOR_IT, _AGAINST_IT = (
    (re.compile(rf"\b(?:{verbs})\b", re.I), re.compile(rf"{_NOT}(?:{verbs})\b", re.I))
    for verbs in (
        r"accept|agree|approve|consent|allow|welcome|support",
        r"object|oppose|resist|mind|refuse",
    )
)
# To say no: who acknowledged a notice has not turned it down.
_SAYS_NO = re.compile(r"\b(?:reject(?:s|ed)|refuse[sd]|turned (?:\w+ ){0,4}down)\b", re.IGNORECASE)
_MAY_SAY_NO = re.compile(
    r"\b(?:reject|refus|declin|turn(?:s|ed|ing)? (?:\w+ ){0,4}down|turndown|dismiss|deni|deny|veto|"
    r"disallow|object|against|unwilling|fail|void|cannot|can['’]t|won['’]t|will not|would not|"
    r"(?:said|say|says|saying|answered|was|is|a|voted) no\b|"
    r"not (?:\w+ ){0,2}(?:accept|agree|approv|allow|grant|tak|support)|"
    r"\w+n['’]t (?:\w+ ){0,2}(?:agree|approv|allow|grant|tak|support|have|want|do))",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b([a-z]{3,}) ([A-Z]|\d{1,3})\b(?![.,:]\d|\w|%)", re.IGNORECASE)
# Behind a figure: whom it is for.
_FOR = re.compile(r"(?: [a-z]+)? for (?:the |an? )?(?P<whom>[a-z]{3,})\b(?! \d)")
_UP = re.compile(
    rf"\b(?:{_WENT} up|rose|rises?|increase[sd]?|grew|more|higher|dearer|raised)\b", re.IGNORECASE
)
_DOWN = re.compile(
    rf"\b(?:{_WENT} down|fell|falls?|decrease[sd]?|dropped|fewer|less|lower|cheaper|reduced)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:before(?: [a-z]+)?|previous|prior|old|last year|earlier|was)\b", re.IGNORECASE
)
_NOW = re.compile(r"\b(?:now|new|current|after|today|present)\b", re.IGNORECASE)
_LATER = 100_000
_MONTH = re.compile(
    rf"\b(?:{MONTH}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b", re.IGNORECASE
)
_OVER = re.compile(r"\b(?:exceed(?:s|ed)|(?:above|over|beyond) (?:the|its) \w+)", re.IGNORECASE)
_LIMIT = re.compile(r"\b(?:limit|maximum|max|ceiling|cap|threshold)\b", re.IGNORECASE)
# A unit that has so many of a statement's words is the one that is retold.
_RETOLD = 0.5
# Those that are written in one way only.
_UNIT_BEHIND = re.compile(
    r"\s?(ppm|ppb|kwh|mwh|kw|mw|kg|mg|ml|km|cm|mm|hpa|kpa|db|hz|khz|lux)\b", re.IGNORECASE
)
_PARTS = re.compile(r"\b(?:and|while|whereas|but)\b|;", re.IGNORECASE)


def says_otherwise(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether the unit that is retold says the opposite, or says it of another."""
    words = frozenset(statement.words)
    if not words or not units:
        return False
    nearest = max(units, key=lambda one: len(words & one.own_terms))
    if nearest.is_row:
        return _moves_otherwise(statement, nearest) or _is_within(statement, nearest)
    if len(words & nearest.own_terms) < _RETOLD * len(words):
        return False
    return (
        _is_other_verb(statement, nearest)
        or _is_other_label(statement, nearest)
        or _has_no_such_label(statement, nearest, units)
        or _is_for_another(statement, nearest)
    )


def refuses_unsaid(statement: str, told: str) -> bool:
    """Whether something is said to have been refused, and nothing there says no."""
    return bool(_SAYS_NO.search(statement)) and not _MAY_SAY_NO.search(told)


def timed_in_other_row(statement: Statement, rows: Sequence[EvidenceText]) -> bool:
    """Whether a figure and a time of one clause stand in two rows, each with another: "0.24 at
    07:00", and a row of 07:00 with 0.18; or a figure and a month."""
    told = [("t", one.text, statement.figures_in(one)) for one in statement.clauses]
    # "At 821 when it was tested in December": more than a clause tells when.
    parts = _PARTS.split(statement.plain)
    told += [("dm", one, outside_dates(quantities(one), one)) for one in parts]
    for kinds, text, figures in told:
        marks = {mark for mark in periods(text) if mark[0] in kinds}
        stated = {figure.value for figure in figures}
        if not stated or not 1 <= len(marks) <= len(kinds):
            continue
        then = [row for row in rows if marks <= (row.times if kinds == "t" else periods(row.text))]
        having = [row for row in rows if stated <= {one.value for one in row.figures}]
        if then and having and not any(row in having for row in then):
            return True
    return False


def has_unit_of_other_column(statement: Statement, rows: Sequence[EvidenceText]) -> bool:
    """Whether a figure of a row has the unit that stands in the header of another: "radon was 821
    ppm", and "peak co2 ppm" beside "radon"."""
    for figure in statement.figures:
        unit = _UNIT_BEHIND.match(statement.plain, figure.end)
        if unit is None:
            continue
        term = terms(unit[1])[0]
        cells = [
            (term in terms(head), figure.value in {one.value for one in found})
            for row in rows
            for head, words in row.cells
            if (found := quantities(words)) and term not in terms(words)
        ]
        own = [named for named, is_its in cells if is_its]
        if own and not any(own) and any(named for named, _ in cells):
            return True
    return False


def _is_other_verb(statement: Statement, unit: EvidenceText) -> bool:
    if statement.denies and _is_other_denied(statement.plain, unit.text):
        return True
    if statement.denies or DENIAL.search(unit.text):
        return False
    return any(
        mine.search(statement.plain)
        and not theirs.search(statement.plain)
        and theirs.search(unit.text)
        and not mine.search(unit.text)
        for pair in _VERBS
        for mine, theirs in (pair, pair[::-1])
    )


def _is_other_denied(statement: str, told: str) -> bool:
    """ "Would not accept it", and "would not object to it"."""
    return any(
        denied.search(statement) and others.search(told) and not mine.search(told)
        for (mine, denied), (_, others) in ((_FOR_IT, _AGAINST_IT), (_AGAINST_IT, _FOR_IT))
    )


def _is_other_label(statement: Statement, unit: EvidenceText) -> bool:
    """ "Lot A had nine months in barrels", and "lot A was in steel, lot B had nine months"."""
    for noun, label in _labels(statement.plain):
        told = {
            clause: {one for other, one in _labels(clause.text) if other == noun}
            for clause in unit.clauses
        }
        if sum(map(bool, told.values())) < 2 or not any(label in found for found in told.values()):
            continue
        rest = frozenset(terms(statement.plain)) - STOP_WORDS - frozenset(terms(f"{noun} {label}"))
        shared = {clause: len(rest & clause.terms) for clause in told if told[clause]}
        best = max(shared.values())
        if best and all(label not in told[one] for one, count in shared.items() if count == best):
            return True
    return False


def _has_no_such_label(
    statement: Statement, unit: EvidenceText, units: Sequence[EvidenceText]
) -> bool:
    """ "Fan A vibrates", where only fan B does."""
    told = {noun for noun, label in _labels(unit.text) if label.isupper()}
    known = {one for every in units for one in _labels(every.whole)}
    return any(
        label.isupper() and noun in told and (noun, label) not in known
        for noun, label in _labels(statement.plain)
    )


def _is_for_another(statement: Statement, unit: EvidenceText) -> bool:
    """ "The throat is guaranteed for twelve years", and "twelve years for the crown and ten years
    for the throat"."""
    each = {}
    for figure in unit.own_figures:
        if match := _FOR.match(unit.text, figure.end):
            each[match["whom"].lower()] = figure.value
    named = [whom for whom in each if re.search(rf"\b{whom}\b", statement.plain, re.IGNORECASE)]
    stated = {figure.value for figure in statement.figures}
    if len(each) < 2 or len(named) != 1 or each[named[0]] in stated:
        return False
    return not stated.isdisjoint(each.values())


def _labels(text: str) -> list[tuple[str, str]]:
    """ "Lot A" and "tower 9"; of "tarvelin 20 mg" the figure is a dose and no label."""
    return [
        (match[1].lower(), match[2])
        for match in _LABEL.finditer(text)
        if measured_in(text, match.end()) is None
    ]


def _moves_otherwise(statement: Statement, row: EvidenceText) -> bool:
    """ "The urn goes up", and "fee 2025: £130; fee 2026: £120"."""
    up, down = bool(_UP.search(statement.plain)), bool(_DOWN.search(statement.plain))
    if up == down or statement.denies or len(statement.figures) > 1:
        return False
    ends = _ends(row)
    return ends is not None and ends[0] != ends[1] and (ends[1] > ends[0]) != up


def _ends(row: EvidenceText) -> tuple[Decimal, Decimal] | None:
    """The figures of a row for then and for now, if it has one pair of them: its headers are the
    same but for that."""
    alike: dict[frozenset[str], list[tuple[int, Decimal]]] = {}
    for head, words in row.cells:
        when, found = _when(head), quantities(words)
        if when is not None and len(found) == 1:
            alike.setdefault(_bare(head), []).append((when, found[0].value))
    pairs = [
        some for some in alike.values() if len(some) == 2 and are_apart(some[0][0], some[1][0])
    ]
    if len(pairs) != 1:
        return None
    (_, then), (_, now) = sorted(pairs[0])
    return then, now


def _when(head: str) -> int | None:
    """A header's year and month, or before and after any: what was, and what is now."""
    if found := moment(head):
        return found
    if _THEN.search(head):
        return 0
    return _LATER if _NOW.search(head) else None


def _bare(head: str) -> frozenset[str]:
    left = _NOW.sub(" ", _THEN.sub(" ", YEAR.sub(" ", _MONTH.sub(" ", head))))
    return frozenset(terms(left)) - STOP_WORDS


def _is_within(statement: Statement, row: EvidenceText) -> bool:
    """ "The old filter exceeded the limit", and "limit: 50; old filter: 46"."""
    if statement.denies or not _OVER.search(statement.plain):
        return False
    limits = [
        one.value for head, words in row.cells if _LIMIT.search(head) for one in quantities(words)
    ]
    said = frozenset(terms(statement.plain))
    named = [
        (len(said & frozenset(terms(head))), one.value)
        for head, words in row.cells
        if not _LIMIT.search(head)
        for one in quantities(words)[:1]
    ]
    if len(limits) != 1 or not named:
        return False
    share, value = max(named, key=lambda one: one[0])
    return share > 1 and value <= limits[0]
