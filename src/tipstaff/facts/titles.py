"""How people are addressed: what stands before a name and is no part of it."""

from __future__ import annotations

from tipstaff.lexical.analysis import terms

_WRITTEN = (
    "dr", "mr", "mrs", "ms", "miss", "mx", "prof", "professor", "sir", "dame", "cllr", "councillor",
    "councilor", "rev", "hon", "capt",
)  # fmt: skip
# As they are written, and as terms.
TITLES = frozenset((*_WRITTEN, *(term for word in _WRITTEN for term in terms(word))))
