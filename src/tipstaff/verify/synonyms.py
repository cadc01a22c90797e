"""Words of everyday English that say the same: irregular forms, and verbs of reports and minutes.

Only what holds in every field; no pair here can turn a statement round.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from tipstaff.lexical.analysis import terms

_GROUPS = (
    "pay paid payment payable", "send sent", "hold held", "keep kept keeps retain",
    "begin began begun start started commence commenced", "leave left leaving departed depart",
    "lose lost loss threw-away", "find found finding identify identified discovered",
    "give gave given grant granted", "say said tell told state claim wrote write written remark",
    "meet met meeting", "buy bought purchase", "sell sold", "build built",
    "spend spent expenditure", "grow grew grown growth", "know knew known",
    "think thought believe considers view opinion", "show shown shows demonstrate",
    "choose chose chosen", "break broke broken", "speak spoke spoken", "rise rose risen",
    "fall fell fallen", "go went gone going", "take took taken", "draw drew drawn",
    "claim demand require ask request want sum", "cost price amount charge estimate fee",
    "need require must has-to", "allow permit may can possible",
    "responsible own owner owned by", "plan planned intend expect expected schedule",
    "move moved transfer", "help assist", "change alter amend vary modified",
    "replace substitute place-of", "join combine together", "share split divide",
    "fix repair mend renew", "author write wrote prepare prepared written", "lead chair head",
    "receive received get got reached arrive arrived", "finish complete completed done end",
    "report tell record note log", "use used using run ran", "size area", "yearly annual year",
    "company firm business", "staff people team employee", "whole entire all total altogether",
    "side party", "sum amount figure", "single one only sole", "origin original initially",
    "worry worries worried concern", "name named call called", "gain gained pick picked won",
    "cut shorten shortened reduce halved lowered", "supply supplied provide provided deliver",
    "agree agreed accept accepted consent", "check checked verify verified test",
    "aged age old", "maintain maintained keep", "issue issued publish published release released",
    "stay stayed remain remained continue continued", "big large", "small little", "fast quick",
    "about approximately roughly around some nearly almost", "every each all any",
    "evening night", "happen happened occur occurred", "fault defect error bug problem",
    "mean means meant", "person people participant user",
    "look looked examine examined review study studied",
    "last lasted take took duration length", "open unresolved outstanding", "buyer purchaser",
    "customer client account", "worth value", "despite although", "count counted",
)  # fmt: skip

# From so many letters on, words that begin alike are forms of one another.
_LONG = 6
# Exclude and exclusion, decide and decision: the end of the root shifts.
_SHIFTING = "dst"
_ROOT = 5
_SHORTEST_ROOT = 4


@cache
def _sets() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _GROUPS:
        group = frozenset(term for word in line.split() for term in terms(word))
        for term in group:
            found[term] = found.get(term, frozenset()) | group
    return found


def is_known(term: str, known: Collection[str]) -> bool:
    """The term itself, another word for it, or another form of a long one."""
    if term in known or any(other in known for other in _sets().get(term, ())):
        return True
    if f"un{term}" in known or f"in{term}" in known:
        # Which of the two is said is a matter of denial.
        return True
    if len(term) < _ROOT:
        return False
    head, root = term[:_LONG], term.rstrip(_SHIFTING)
    return any(
        other[:_LONG] == head or (len(root) >= _SHORTEST_ROOT and other.rstrip(_SHIFTING) == root)
        for other in known
        if len(other) >= _ROOT
    )
