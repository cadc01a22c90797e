"""Which words of a statement are its verbs, by their form and place: a paraphrase has other verbs,
a lie has another thing."""

from __future__ import annotations

import re

from tipstaff.lexical.analysis import terms
from tipstaff.verify.irregular_forms import forms_of

_BETWEEN = r"(?:(?:\w+ly|also|now|then|already|since|been|be|not|never|both|all) )*"
# Behind these stands a verb; behind the others a participle, or an adjective that is none.
_BEHIND_MODAL = re.compile(
    rf"\b(?:to|will|would|could|can|may|might|must|shall|should|did|does|do) {_BETWEEN}"
    r"(?P<verb>[a-z]+)\b"
)
_PARTICIPLE = re.compile(
    rf"\b(?:is|are|was|were|be|been|being|has|have|had) {_BETWEEN}(?P<verb>[a-z]+)\b"
)
_PAST = re.compile(
    r"(?<!\bthe)(?<!\ban)(?<!\ba)(?<!\bof) (?P<verb>[a-z]{3,}ed) "
    r"(?=(?:at|to|in|by|with|for|from|on|off|out|up|down|the|an?|its|their)\b|[£$€\d])"
)


# Behind a name, or before one, or before what it is done to.
_BY_NAME = re.compile(
    r"\b[A-ZÀ-Þ][\w’'-]+ (?P<verb>[a-z]{3,})\b|\b(?P<past>[a-z]{3,}ed)(?= [\wÀ-Þ])"
)


def deeds_of(statement: str) -> frozenset[str]:
    """Whatever may be a verb, by its place: what somebody does, and what is done to them."""
    behind = {
        term for one in _BY_NAME.finditer(statement) for term in terms(one["verb"] or one["past"])
    }
    return verbs_of(statement) | behind


def verbs_of(statement: str) -> frozenset[str]:
    """The terms of a statement that stand where verbs do."""
    found = {term for one in _BEHIND_MODAL.finditer(statement) for term in terms(one["verb"])}
    found |= {term for one in _PAST.finditer(statement) for term in terms(one["verb"])}
    for one in _PARTICIPLE.finditer(statement):
        own = terms(one["verb"])
        if one["verb"].endswith("ed") or any(map(forms_of, own)):
            found |= set(own)
    return frozenset(found)
