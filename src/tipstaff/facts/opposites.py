"""Verbs that say the opposite of each other: what was approved was not rejected.

Only pairs that cannot both be true of one event; beginning and ending, say, can.
"""

from __future__ import annotations

from functools import cache

from tipstaff.lexical.analysis import terms

# One line says the opposite of the other.
_PAIRS = """
approve approved approval accept accepted adopt adopted authorise authorised authorize authorized \
ratify ratified grant granted endorse endorsed agreed
reject rejected rejection refuse refused refusal decline declined veto vetoed deny denied

rise rose risen increase increased grow grew grown climb climbed raise raised improve improved
fall fell fallen decrease decreased drop dropped decline declined shrink shrank shrunk lower \
lowered reduce reduced worsen worsened

pass passed succeed succeeded success
fail failed failure

win won
lose lost

support supported favour favoured favor favored
oppose opposed object objected

include included
exclude excluded omit omitted

allow allowed permit permitted
forbid forbade forbidden prohibit prohibited ban banned

extend extended lengthen lengthened
shorten shortened curtail curtailed

hire hired appoint appointed
dismiss dismissed

keep kept retain retained
abolish abolished scrap scrapped remove removed

confirm confirmed
deny denied retract retracted
"""


@cache
def _opposites() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
    for pair in _PAIRS.strip().split("\n\n"):
        one, other = (frozenset(terms(words)) for words in pair.splitlines())
        for term in one:
            alike, against = found.get(term, (frozenset(), frozenset()))
            found[term] = alike | one, against | other
        for term in other:
            alike, against = found.get(term, (frozenset(), frozenset()))
            found[term] = alike | other, against | one
    return found


def alike_and_opposite(term: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The terms that say the same as a term, and those that say the opposite; None for most."""
    return _opposites().get(term)
