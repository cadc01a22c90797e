"""Forms that minutes and contracts have for votes and signatures: "For: 4. Against: 1" are votes,
and who stands behind "For the Council:" signed for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known

_VOTES = re.compile(
    r"\b(?:for|in favou?r|against|abstentions?|abstained)\b:?\s*(?:\d|none|unanimous)|"
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?:for|in favou?r|against)\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"\b(?:for|on behalf of)(?: and on behalf of)? (?:the )?(?P<party>[A-ZÀ-Þ][^:\n]{1,40}):\s*"
    r"(?P<name>[A-ZÀ-Þ][\w’'.-]*(?: [A-ZÀ-Þ][\w’'-]+)+)",
    re.IGNORECASE,
)
_SIGNS = re.compile(
    r"^(?P<name>[A-ZÀ-Þ][\w’'. -]+?),? (?:has |had )?sign(?:ed|s)\b[^.;]{0,60}?"
    r"\b(?:for|on behalf of) (?:the )?(?P<party>[^.,;]+)"
)
_SWITCH = re.compile(r"true|false|yes|no|on|off|enabled|disabled", re.IGNORECASE)
_ON = re.compile(r"true|yes|on|enabled", re.IGNORECASE)
# "15 percent off" switches nothing off.
_OFF = re.compile(
    r"(?<!percent )(?<!cent )(?<!% )\b(?:off|disabled|inactive|deactivated)\b", re.IGNORECASE
)
SWITCHED = frozenset(
    terms("accept accepted allow allowed permit permitted enable enabled switch switched possible "
          "available active used offered taken")
)  # fmt: skip
_SETTING = re.compile(
    r"(?P<key>[A-Za-z][\w.-]*)\s*[=:]\s*[\"']?(?P<value>[A-Za-z][\w-]*)[\"']?\s*(?:#|//)"
    r"\s*(?P<remark>.+)"
)
_SOLD_OUT = re.compile(r"\b(?:sold|booked) out\b|\bfully booked\b", re.IGNORECASE)
_SEATS = re.compile(r"(?:seats|places|capacity|available)", re.IGNORECASE)
_SOLD = re.compile(r"(?:(?:tickets |seats )?(?:sold|booked|taken)|tickets)", re.IGNORECASE)
_VOTE_WORDS = frozenset(terms("vote votes voted voting"))
_SIGN_WORDS = frozenset(terms("sign signed signs signature"))


def is_switch(statement: Statement, one: EvidenceText) -> bool:
    """Whether a row says of what a statement speaks of that it is so, or not: `cash: true`."""
    said = frozenset(terms(statement.plain))
    return any(
        _SWITCH.fullmatch(words.strip()) and said.issuperset(terms(head))
        for head, words in one.cells
    )


def is_switched_otherwise(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether something is said to be off that a row has on, or sold out where seats are left."""
    if _SOLD_OUT.search(statement.plain) and any(map(_has_seats_left, units)):
        return True
    if not _OFF.search(statement.plain):
        return False
    said = frozenset(terms(statement.plain))
    return any(
        _ON.fullmatch(words.strip()) and said.issuperset(terms(head)) and not _OFF.search(head)
        for one in units
        for head, words in one.cells
    )


def _has_seats_left(row: EvidenceText) -> bool:
    seats, sold = (_values(row, heads) for heads in (_SEATS, _SOLD))
    return len(seats) == len(sold) == 1 and sold[0] < seats[0]


def _values(row: EvidenceText, heads: re.Pattern[str]) -> list[Decimal]:
    cells = (words for head, words in row.cells if heads.fullmatch(head))
    return [one.value for words in cells for one in quantities(words)]


def value_left_out(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether a statement has words of the remark behind a setting and not its value: "reads go to
    the primary", and `reads = "replica"  # to take load off the primary`."""
    said = frozenset(statement.words)
    for one in units:
        if one.is_row or (match := _SETTING.fullmatch(one.text.strip())) is None:
            continue
        key, value, remark = (frozenset(terms(match[part])) for part in ("key", "value", "remark"))
        key |= {part for term in key for part in term.split("_")}
        stated = any(is_known(term, said) for term in value)
        if key & said and not stated and said & remark - key and not _SWITCH.fullmatch(match[2]):
            return True
    return False


def said_by_form(units: Sequence[EvidenceText]) -> frozenset[str]:
    """The words that the form of what is cited says without having them."""
    said: frozenset[str] = frozenset()
    for one in units:
        if _VOTES.search(one.text):
            said |= _VOTE_WORDS
        if _SIGNED.search(one.text):
            said |= _SIGN_WORDS
    return said


def is_signed_by(statement: str, units: Sequence[EvidenceText]) -> bool:
    """Whether the one who is said to have signed for a party stands behind it."""
    return (
        _SIGNS.match(statement) is not None
        and not signed_by_other(statement, units)
        and any(_SIGNED.search(one.text) for one in units)
    )


def signed_by_other(statement: str, units: Sequence[EvidenceText]) -> bool:
    """Whether somebody else stands behind the party for which a statement says that one signed."""
    signs = _SIGNS.match(statement)
    if signs is None:
        return False
    party, name = set(terms(signs["party"])), set(terms(signs["name"]))
    signers = [
        set(terms(match["name"]))
        for one in units
        for match in _SIGNED.finditer(one.text)
        if set(terms(match["party"])) <= party
    ]
    return bool(signers) and not any(name & signer for signer in signers)
