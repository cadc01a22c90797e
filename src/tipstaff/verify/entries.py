"""Entries that a code or a number tells apart: invoice TW-25118 and TW-25181, change order 1 and 2.
What one of them is or has is not said of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.presenting import PRESENTING
from tipstaff.verify.statement import STRUCTURE, Statement
from tipstaff.verify.synonyms import is_known

# Codes with a digit in them: SH-25-0417, TW-25118, PO-2278.
_CODE = re.compile(
    r"(?<![\w-])(?:[A-Za-z]{1,6}-?\d[\w-]*\d|\d{1,4}-[A-Z])(?![\w-])|"
    r"(?<![\w.,-])\d{4,}(?![\w.,-]|\s?%)"
)
_NUMBERED = re.compile(
    r"\b(?P<kind>[a-z]{3,}) (?:no\.? ?)?(?P<number>\d{1,2}|[A-Z])\b(?![.,:]?\d|%)", re.I
)
_HEAD = re.compile(rf"\W*(?:the )?(?:[a-z]+ )?{_NUMBERED.pattern}", re.I)
# Of what a part says, so much may be the other entry's.
_MANY = 2
_NAME = 3
# Rows that a place has at most: of a whole table every row is a neighbour.
_PLACE = 60
_BEHIND = 3
_BEFORE_CODE = 4
_REMARK = re.compile(r"(?<=[.!?;])\s+")


@dataclass(frozen=True, slots=True)
class _Part:
    """What stands behind a label, up to the next one."""

    kind: str
    number: str
    words: frozenset[str]


def is_of_other_entry(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether what a statement says of one code or number is said of another one there."""
    several = len(_codes(statement.plain)) > 1
    return (
        _has_other_code(statement, units)
        or (several and any(_exchanges_codes(statement.plain, one.text) for one in units))
        or _is_of_other_number(statement, units)
        or _is_of_neighbour(statement, units)
        or _is_of_other_remark(statement, units)
    )


def _is_of_neighbour(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether a statement names the neighbour of the only rows that are cited: the balancing tank,
    where they are of "name: flotation tank"."""
    rows = [one for one in units if one.is_row]
    if not rows or len(rows) < len(units) or len(rows) > _PLACE:
        return False
    own = frozenset().union(*(one.own_terms for one in rows))
    ends = {tuple(terms(words))[-1:] for row in rows for _, words in row.cells if _is_name(words)}
    said = set(pairwise(terms(statement.plain)))
    if any((thing,) in ends and kind in own for kind, thing in said):
        # It names both.
        return False
    return any(
        (thing,) in ends
        and kind not in own
        and any((kind, thing) in pairwise(terms(row.nearby)) for row in rows)
        for kind, thing in said
        if kind not in STOP_WORDS
    )


def _is_of_other_remark(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether a statement begins with a code that the row has in one sentence of a remark, and says
    of it what another sentence there says of something else: "Ticket 5521 says so. The letter
    bears the date of 9 May"."""
    head = _CODE.search(statement.plain)
    if head is None or statement.plain[: head.start()].count(" ") > _BEFORE_CODE:
        return False
    behind = _telling(statement.plain[head.end() :])
    for row in (one for one in units if one.is_row):
        for _, words in row.cells:
            remarks = _REMARK.split(words)
            having = [one for one in remarks if head.group() in one]
            if len(remarks) < _MANY or not having or row.text.count(head.group()) > len(having):
                continue
            own = max(len(behind.intersection(terms(one))) for one in having)
            if any(
                head.group() not in one and len(behind.intersection(terms(one))) >= own + _MANY
                for one in remarks
            ):
                return True
    return False


def _is_name(cell: str) -> bool:
    """Whether a cell may be what a thing is called: two words or three."""
    return 1 < len(cell.split()) <= _NAME and cell.replace(" ", "").replace("-", "").isalpha()


def _has_other_code(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether the sentence that a statement retells speaks of another code of its kind, and its own
    stands in another sentence."""
    said = _codes(statement.plain)
    told = [(one, _codes(one.text)) for one in units if said and not one.is_row]
    if len(told) < _MANY:
        return False
    words = frozenset(statement.words)
    held = [len(words & one.own_terms) for one, _ in told]
    most = max(held)
    if most < _MANY:
        return False
    nearest = [codes for count, (_, codes) in zip(held, told, strict=True) if count == most]
    return all(
        codes and codes.isdisjoint(said) and any(_are_alike(a, b) for a in codes for b in said)
        for codes in nearest
    ) and any(not codes.isdisjoint(said) for _, codes in told)


def _exchanges_codes(said: str, told: str) -> bool:
    """Whether two codes of one form change places: batch 44-R was certified again since the papers
    were for 44-K, where it was the other way round."""
    mine, theirs = _beside(said), _beside(told)
    for one, other in combinations(sorted(mine.keys() & theirs.keys()), 2):
        if not _are_alike(one, other):
            continue
        kept = len(mine[one] & theirs[one]) + len(mine[other] & theirs[other])
        if len(mine[one] & theirs[other]) + len(mine[other] & theirs[one]) > kept:
            return True
    return False


def _beside(text: str) -> dict[str, frozenset[str]]:
    """Each code with the telling words that stand before it, back to the one before, and the few
    behind it."""
    found: dict[str, frozenset[str]] = {}
    start = 0
    for match in _CODE.finditer(text):
        behind = _CODE.split(text[match.end() :])[0].split()[:_BEHIND]
        words = _telling(f"{text[start : match.start()]} {' '.join(behind)}")
        found[match.group().lower()] = found.get(match.group().lower(), frozenset()) | words
        start = match.end()
    return found


def _codes(text: str) -> frozenset[str]:
    return frozenset(match.group().lower() for match in _CODE.finditer(text))


def _are_alike(one: str, other: str) -> bool:
    """Whether two codes are of one form: the same letters, as many digits; 44-K and 44-R."""
    return _form(one) == _form(other)


def _form(code: str) -> str:
    return re.sub(r"(?<=0-)[a-z]$", "x", re.sub(r"\d", "0", code))


def _is_of_other_number(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether a part of a statement has words of another number's entry and none of its own for
    them: "change order 1 was approved", where change order 2 was."""
    parts = list(_parts(statement.plain))
    entries = {(one.kind, one.number): one.words for one in _entries(units if parts else ())}
    for part in parts if len(entries) > 1 else ():
        own = entries.get((part.kind, part.number))
        if own is None:
            continue
        strange = [word for word in part.words if not is_known(word, own)]
        for (kind, number), words in entries.items():
            others = [word for word in strange if word in words]
            if kind == part.kind and number != part.number and len(others) >= _MANY:
                return True
    return False


def _entries(units: Sequence[EvidenceText]) -> Iterator[_Part]:
    for one in units:
        head = None if one.is_row else _HEAD.match(one.text)
        if head is not None and len(_NUMBERED.findall(one.text)) == 1:
            yield _Part(head["kind"].lower(), head["number"].lower(), _telling(one.text))


def _parts(text: str) -> Iterator[_Part]:
    labels = list(_NUMBERED.finditer(text))
    for at, match in enumerate(labels):
        end = labels[at + 1].start() if at + 1 < len(labels) else len(text)
        words = _telling(text[match.end() : end])
        yield _Part(match["kind"].lower(), match["number"].lower(), words)


def _telling(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - STOP_WORDS - STRUCTURE - PRESENTING
