"""The criteria that a bundle sets for one query, as checks of a reply."""

from __future__ import annotations

from collections.abc import Iterator

from tipstaff.compliance.evidence import Evidence
from tipstaff.compliance.expectation import Expectation
from tipstaff.compliance.reply import Reply
from tipstaff.compliance.verdict import Check, Level
from tipstaff.domain.citation import SYNTHESIS_ID, SYNTHESIS_NAMES
from tipstaff.facts.quantities import Measure, quantities
from tipstaff.verify.exemptions import is_abstention
from tipstaff.verify.quotes import plain

_DIRECTIONS = ("yes", "no", "partly")


def expectation_checks(reply: Reply, expected: Expectation, evidence: Evidence) -> Iterator[Check]:
    """Classification, what must be said and must not, what must be cited, gaps."""
    for name in expected.unread:
        yield Check(f"the criterion '{name}' can be read", holds=False, found="nobody knows it")
    yield from _classified(reply, expected)
    yield from _said(reply, expected)
    yield from _cited(reply, expected, evidence)
    if expected.abstains:
        yield abstention_is_said(reply)
    if expected.says_gaps:
        yield gap_is_said(reply)
    if expected.direction is not None:
        found = plain(reply.text).casefold().split(",")[0].split(":")[0].split(" ")[0]
        said = found if found in _DIRECTIONS else "nothing of the kind"
        what = f"the verification comes to '{expected.direction}'"
        yield Check(what, said == expected.direction, said)


def _classified(reply: Reply, expected: Expectation) -> Iterator[Check]:
    at = {level: expected.classes_at(level) for level in Level}
    for classes in dict.fromkeys(at.values()):
        yield Check(
            f"the classification is {' or '.join(classes)}",
            reply.classification in classes,
            reply.classification or "none",
            frozenset(level for level in Level if at[level] == classes),
        )


def _said(reply: Reply, expected: Expectation) -> Iterator[Check]:
    for group in expected.contains:
        shown = " or ".join(f"“{word}”" for word in group)
        yield Check(f"the response says {shown}", any(says(reply.text, one) for one in group))
    said = plain(reply.text).casefold()
    for word in expected.lacks:
        yield Check(f"the response does not say “{word}”", plain(word).casefold() not in said)


def says(text: str, word: str) -> bool:
    """The words, or for an amount of money the same amount written otherwise."""
    if plain(word).casefold() in plain(text).casefold():
        return True
    wanted = quantities(word)
    if len(wanted) != 1 or wanted[0].measure is not Measure.MONEY:
        return False
    return any(
        one.measure is Measure.MONEY and one.value == wanted[0].value for one in quantities(text)
    )


def _cited(reply: Reply, expected: Expectation, evidence: Evidence) -> Iterator[Check]:
    found = {one.item_id for one in reply.cited(evidence.subject.names)}
    shown = ", ".join(sorted(found)) or "nothing"
    for name in expected.cites:
        wanted = SYNTHESIS_ID if name in SYNTHESIS_NAMES else name
        yield Check(f"the response cites {name}", wanted in found, shown)
    if expected.cites_at_least:
        what = f"the response cites at least {expected.cites_at_least} items"
        yield Check(what, len(found) >= expected.cites_at_least, shown)


def abstention_is_said(reply: Reply) -> Check:
    """TIP §6.4: that the context is insufficient is said in words, not by a label alone."""
    return Check(
        "the response says that the context does not have it",
        is_abstention(reply.text),
        reply.text[:120],
    )


def gap_is_said(reply: Reply) -> Check:
    return Check(
        "the response says what is missing",
        bool(reply.gaps) or is_abstention(reply.text),
        reply.text[:120],
    )
