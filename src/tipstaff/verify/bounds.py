"""At least and at most, above and below: bounds, and which way round they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from tipstaff.facts.quantities import quantities
from tipstaff.verify.clauses import LESS, MORE, clauses

_GOES = r"(?:go|goes|be|is|are|rise|climb|get|fall|drop|sink|come)"
_NO_MORE = re.compile(
    rf"\b(?:no|not)\s+(?:be\s+)?{MORE}\s+than\b|"
    rf"\b(?:not|never)\s+{_GOES}\s+(?:above|over|beyond)\b(?=\s+(?:a |an )?[£$€\d])",
    re.IGNORECASE,
)
_NO_LESS = re.compile(
    rf"\b(?:no|not)\s+(?:be\s+)?{LESS}\s+than\b|"
    rf"\b(?:not|never)\s+{_GOES}\s+(?:below|under)\b(?=\s+(?:a |an )?[£$€\d])",
    re.IGNORECASE,
)
# So long before, and longer than that.
_AHEAD = re.compile(
    r"\b(?:no|not)\s+later\s+than(?=\s+[\w-]+(?: working| calendar)?\s+"
    r"(?:minute|hour|day|week|month|year)s?\s+before\b)",
    re.IGNORECASE,
)
_EXCEED_BY = re.compile(r"(\bnot exceed\b[^.;]{0,80}?\bby )more than\b", re.IGNORECASE)
_ANY_BOUND = re.compile(
    r"\b(?:at (?:most|least)|up to|(?:a )?(?:max|min)(?:imum)?|limit\w*|cap(?:ped)?|exceed\w*|"
    r"(?:more|less|fewer|higher|lower|greater) than|above|below|over|under|within|until|"
    r"not before)\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(r"\b(?:at least|a minimum of|no less than) ", re.IGNORECASE)
_AT_MOST = re.compile(r"\b(?:at most|up to|a maximum of|no more than) ", re.IGNORECASE)
_BELOW = re.compile(r"\b(?:below|under|(?:less|fewer|lower) than) ", re.IGNORECASE)
_ABOVE = re.compile(r"\b(?:above|over|exceeding|(?:more|greater|higher) than) ", re.IGNORECASE)
_NOT_EXCEED = re.compile(
    r"\b(?:(?:not|never) (?:to )?|can(?:not|['’]t) )(?:exceed|be exceeded)\b", re.IGNORECASE
)
_LIMITED = re.compile(
    r"\b(?:limited to|capped at)\b(?=\s+(?:about )?(?:EUR |GBP |USD )?[£$€\d])", re.IGNORECASE
)
_ANY_NO = re.compile(r"[Nn][Oo]|[Nn][Ee][Vv]|[Cc]an['’]t|[Ll]imited to|[Cc]apped at")
_NO_CHANGE = re.compile(r"\b(?:no|not(?: be)?) change[sd]?\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def in_plain_bounds(text: str) -> str:
    """ "No more than" is "at most", "no change" is "unchanged": neither more nor a denial."""
    if not _ANY_NO.search(text):
        return text
    text = _EXCEED_BY.sub(lambda by: f"{by[1]}at most", _NO_CHANGE.sub("unchanged", text))
    text = _LIMITED.sub("at most", _NOT_EXCEED.sub("at most", _AHEAD.sub("at least", text)))
    return _NO_LESS.sub("at least", _NO_MORE.sub("at most", text))


def is_bounded(text: str) -> bool:
    """Whether a text says how much it is at most or at least."""
    return bool(_ANY_BOUND.search(in_plain_bounds(text)))


def bound_turned(statement: str, evidence: Sequence[str]) -> bool:
    """Whether all that is denied is beyond a bound which the statement keeps: "at least 1,500
    metres", and "no flights below 1,500 metres"."""
    said = [one for one in clauses(statement) if not one.denied]
    told = [one for text in evidence for one in clauses(text) if one.denied]
    return any(
        not set(_bounds(mine, clause.text)).isdisjoint(
            value for one in told for value in _bounds(theirs, one.text)
        )
        for mine, theirs in ((_AT_LEAST, _BELOW), (_AT_MOST, _ABOVE))
        for clause in said
    )


def _bounds(pattern: re.Pattern[str], text: str) -> Iterator[Decimal]:
    ends = {match.end() for match in pattern.finditer(text)}
    return (one.value for one in quantities(text) if one.start in ends)
