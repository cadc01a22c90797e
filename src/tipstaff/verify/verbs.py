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


def verbs_of(statement: str) -> frozenset[str]:
    """The terms of a statement that stand where verbs do."""
    found = {term for one in _BEHIND_MODAL.finditer(statement) for term in terms(one["verb"])}
    found |= {term for one in _PAST.finditer(statement) for term in terms(one["verb"])}
    for one in _PARTICIPLE.finditer(statement):
        own = terms(one["verb"])
        if one["verb"].endswith("ed") or any(map(forms_of, own)):
            found |= set(own)
    return frozenset(found)
