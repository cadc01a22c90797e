"""What stands around the words of a source in a sentence: what introduces a quotation, the label
before a statement or a list. It states something, too: "Rejected: …", "It is untrue that “…”"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.presenting import PAPERS
from tipstaff.verify.statement import Statement
from tipstaff.verify.verbs import verbs_of
from tipstaff.verify.windows import Window

# Verbs that say of words no more than that they stand there.
_NEUTRAL = frozenset(
    terms(
        "say says said saying state states stated write writes wrote written read reads note notes "
        "noted report reports reported record records recorded add adds added tell tells told "
        "explain explains explained remark remarked remarks put puts describe describes described "
        "mention mentions mentioned list lists listed show shows shown give gives gave given "
        "reply replies replied answer answers answered ask asks asked quote quotes quoted word "
        "words wording term terms follow follows following continue continues continued provide "
        "provides provided require requires set sets under heading headed section clause row line "
        "column cell sentence quotation text thus accord according add further also verbatim exact "
        "warn warns warned argue argues argued insist insists insisted claim claims claimed "
        "suggest suggests suggested think thinks thought believe believes believed comment "
        "comments commented observe observes observed recall recalls recalled stress stresses "
        "stressed "
        "exactly literally then later first next last"
    )
)
_TAKES_BACK = re.compile(
    r"\b(?:un\w{3,}|false\w*|wrong\w*|incorrect\w*|retract\w*|withdr\w+|deni\w+|deny|refut\w+|"
    r"reject\w*|disput\w+|contradict\w*|never|not|no longer|hardly|n['’]t)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"^(?P<bullet>\s*(?:(?:[-*•+]|\d{1,2}[.)])\s+)?)"
    r"(?:\*\*(?P<bold>[^*\n:]{1,60}?)(?::\*\*|\*\*:)|(?P<plain>[A-ZÀ-Þ][\w’' -]{1,40}):)"
    r"\s+(?=[\w\"“£$€*])"
)
# "Not settled" is no "Settled".
_DENIED = re.compile(
    r"\b(?:not|never|no|nor|neither|without)(?: (?:yet|been|be|being|to))* \w+", re.I
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Whoever has this for a label is somebody whose doings stand below.
_PARTY = re.compile(
    r"\b(?:landlord|tenant|lessor|lessee|buyer|seller|vendor|supplier|customer|client|contractor|"
    r"employer|employee|claimant|defendant|plaintiff|applicant|respondent|appellant|sponsor|"
    r"investigator|insurer|insured|lender|borrower|owner|operator|licensor|licensee|author|"
    r"complainant|union|council|committee|board|trustees?|executor|regulator|prosecution|defence)"
    r"s?\b",
    re.IGNORECASE,
)


def is_plain_frame(statement: Statement, window: Window) -> bool:
    """Whether what stands beside a quotation only says whose words it has and where: no other deed,
    and nothing that takes it back."""
    if statement.denies or _TAKES_BACK.search(statement.plain):
        return False
    known = window.terms - verbs_of(statement.plain)
    known |= {term for one in window.units for term in terms(f"{one.author} {one.writer}")}
    return all(word in _NEUTRAL or word in PAPERS or word in known for word in statement.words)


def without_strange_head(statement: str, units: Iterable[EvidenceText]) -> str:
    """A statement without a label whose words do not stand, in this form, at its place."""
    head = _HEAD.match(statement)
    if head is None:
        return statement
    known = frozenset(
        word
        for one in units
        for word in _words(_DENIED.sub(" ", f"{one.whole} {one.paper} {one.author} {one.writer}"))
    )
    if all(word in known or _is_neutral(word) for word in _telling(head["bold"] or head["plain"])):
        return statement
    rest = statement[head.end() :]
    return head["bullet"] + rest if head["bullet"] else rest[:1].upper() + rest[1:]


def is_of_other_party(label: str, units: Collection[EvidenceText]) -> bool:
    """Whether what stands below the label of a party is at a place that does not name it."""
    party = {word for one in _PARTY.findall(label) for word in terms(one)}
    if not party:
        return False
    known: frozenset[str] = frozenset().union(*(one.people_terms | one.terms for one in units))
    return party.isdisjoint(known)


def _is_neutral(word: str) -> bool:
    return all(term in _NEUTRAL or term in PAPERS for term in terms(word))


def _telling(label: str) -> frozenset[str]:
    return frozenset(
        word for word in _words(label) if word not in STOP_WORDS and word not in TITLES
    )


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
