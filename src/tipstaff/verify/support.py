"""Whether evidence supports a statement in other words: by rules that can only lower trust.

Every figure, date, name and quotation of the statement must be in the evidence after
normalisation; denial and direction must agree; its telling words must be covered.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from tipstaff.domain.classification import Support
from tipstaff.facts.names import names
from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.directions import opposed, same_side
from tipstaff.verify.figures import stated_in
from tipstaff.verify.quotes import stands_in

# Share of a statement's telling words that its evidence must have; figures, times and names are
# compared apart. Set so that of the false statements in the tests none passes.
ENTAILED = 0.7
WEAK = 0.6
# A citation that the drafter did not give must be beyond doubt.
REPAIRED = 0.8

_QUOTATION = re.compile(r"[“\"]([^“”\"]{2,})[”\"]")
_MIN_QUOTED_WORDS = 3
# Words that hedge, introduce or connect, and state nothing (TIP §3.6).
_STRUCTURE = frozenset(
    terms(
        "according states state stated says said notes noted context document documents item items "
        "suggests suggest appears indicates indicate therefore however furthermore moreover while "
        "although additionally also overall respectively approximately about around roughly based "
        "specifically both include includes including figure value namely per given shows reported "
        "reports explicitly directly described describes mentions mentioned section table"
    )
)


_TIME_WORDS = frozenset(
    terms(
        "quarter first second third fourth year month week january february march april may "
        "june july "
        "august september october november december percent million thousand billion dollars euros"
    )
)
_TRIED = 4
# Denial by grammar: a deferral is a fact like any other, and "is not deferred" denies it.
_NOT = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE
)
_DIRECTION = re.compile(
    r"\b(?:rose|rises?|risen|grew|grows?|grown|increased?|increases|gained|climbed|up|fell|falls?|"
    r"fallen|declined?|declines|dropped|decreased?|reduced|down|exceeded|exceeds)\b",
    re.IGNORECASE,
)
_DENIED = "It affirms what the cited words deny, or denies what they affirm."
_OPPOSED = "It states the opposite of the cited words."


@dataclass(frozen=True)
class EvidenceText:
    """A unit of evidence and what belongs to it: headings, header cells, title, speaker. What is
    read out of it is kept: a unit is looked at for many statements."""

    text: str
    surroundings: str = ""

    @property
    def whole(self) -> str:
        return f"{self.surroundings}\n{self.text}" if self.surroundings else self.text

    @cached_property
    def own_terms(self) -> frozenset[str]:
        return frozenset(terms(self.text))

    @cached_property
    def terms(self) -> frozenset[str]:
        return self.own_terms | frozenset(terms(self.surroundings))

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        return tuple(quantities(self.whole))

    @cached_property
    def times(self) -> frozenset[str]:
        return periods(self.whole)


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """UNVERIFIED with the reason why it is withheld, in words that repeat nothing of it."""

    support: Support
    reason: str = ""


def check_support(
    statement: str, evidence: Sequence[Sequence[EvidenceText]], *, least: float = WEAK
) -> SupportVerdict:
    """How well what was cited supports a statement. `evidence` has the units of each citation in
    their order; what stands far apart in an item does not support together."""
    if not any(evidence):
        return SupportVerdict(Support.UNVERIFIED, "Nothing was cited for it.")
    parsed = _Statement(statement)
    worst = SupportVerdict(Support.UNVERIFIED, "The cited words do not say it.")
    for number, window in enumerate(_windows(parsed, evidence)):
        verdict = _within(parsed, window, least)
        if verdict.support is not Support.UNVERIFIED:
            return verdict
        if number == 0:
            worst = verdict
            if verdict.reason in (_DENIED, _OPPOSED):
                # The words that are nearest to it contradict it: others do not help.
                return verdict
    return worst


class _Statement:
    """A statement with all that is read out of it once."""

    def __init__(self, text: str) -> None:
        self.quotes = [quote for quote in _QUOTATION.findall(text) if _is_quotation(quote)]
        self.plain = _QUOTATION.sub(" ", text) if self.quotes else text
        self.figures = [one for one in quantities(self.plain) if not _is_year(one)]
        self.times = periods(self.plain)
        self.names = names(self.plain)
        named = {term for name in self.names for term in terms(name)}
        self.words = [word for word in _telling(self.plain) if word not in named]
        self.directions = _DIRECTION.findall(self.plain)
        self.denies = bool(_NOT.search(self.plain))


def _windows(
    statement: _Statement, evidence: Sequence[Sequence[EvidenceText]]
) -> list[list[EvidenceText]]:
    """Where support is looked for: around the best unit of each citation, then around others."""
    ranked = []
    for units in evidence:
        order = sorted(range(len(units)), key=lambda at: (-_shared(statement, units[at]), at))
        ranked.append([list(units[max(at - 1, 0) : at + 2]) for at in order[:_TRIED]])
    windows = []
    for place in range(max(map(len, ranked), default=0)):
        chosen = [
            windows_of[min(place, len(windows_of) - 1)] for windows_of in ranked if windows_of
        ]
        windows.append([unit for window in chosen for unit in window])
    return windows


def _shared(statement: _Statement, unit: EvidenceText) -> float:
    words = sum(term in unit.own_terms for term in statement.words)
    around = sum(term in unit.terms for term in statement.words)
    figures = sum(stated_in(one, unit.figures, unit.whole) for one in statement.figures)
    return words + 0.2 * around + 1.5 * figures


def _within(
    statement: _Statement, evidence: Sequence[EvidenceText], least: float
) -> SupportVerdict:
    for quote in statement.quotes:
        if not any(stands_in(quote.strip(" .,;"), one.text) for one in evidence):
            return _withheld("A quotation in it does not stand at the cited place.")
    known = [figure for one in evidence for figure in one.figures]
    told = "\n".join(one.whole for one in evidence)
    if not all(stated_in(figure, known, told) for figure in statement.figures):
        return _withheld("A figure in it does not stand at the cited place.")
    if not statement.times <= frozenset().union(*(one.times for one in evidence)):
        return _withheld("A time in it is not the cited one.")
    words = frozenset().union(*(one.terms for one in evidence))
    if not all(_is_named(name, words) for name in statement.names):
        return _withheld("A name in it does not occur at the cited place.")
    if statement.quotes and len(statement.words) <= 3:
        return SupportVerdict(Support.QUOTED)
    aligned = max(evidence, key=lambda one: _shared(statement, one))
    if statement.denies != bool(_NOT.search(aligned.text)):
        return _withheld(_DENIED)
    if opposed(statement.plain, aligned.text):
        return _withheld(_OPPOSED)
    moved = {term for word in statement.directions if same_side(word, told) for term in terms(word)}
    share = _covered(statement.words, words | moved)
    if share >= max(ENTAILED, least):
        return SupportVerdict(Support.QUOTED if statement.quotes else Support.ENTAILED)
    return (
        SupportVerdict(Support.WEAK)
        if share >= least
        else _withheld("The cited words do not say it.")
    )


def _withheld(reason: str) -> SupportVerdict:
    return SupportVerdict(Support.UNVERIFIED, reason)


def _is_quotation(words: str) -> bool:
    return len(words.split()) >= _MIN_QUOTED_WORDS


def _is_year(figure: Quantity) -> bool:
    """Years are compared as times."""
    return figure.measure is Measure.NUMBER and 1900 <= figure.value <= 2100 and figure.digits <= 4


def _is_named(name: str, words: Collection[str]) -> bool:
    """Every word of a name, or its last one where the first is only an initial away."""
    own = [term for term in terms(name) if term not in STOP_WORDS and term not in _STRUCTURE]
    return not own or (own[-1] in words and sum(term in words for term in own) * 2 >= len(own))


def _telling(statement: str) -> list[str]:
    """The words that a statement stands or falls with; figures are compared as figures."""
    return [
        term
        for term in dict.fromkeys(terms(statement))
        if term not in STOP_WORDS
        and term not in _STRUCTURE
        and term not in _TIME_WORDS
        and not any(mark.isdigit() for mark in term)
    ]


def _covered(wanted: Sequence[str], known: Collection[str]) -> float:
    if not wanted:
        return 1.0
    return sum(_is_known(term, known) for term in wanted) / len(wanted)


def _is_known(term: str, known: Collection[str]) -> bool:
    """The term itself, or another form of a long word."""
    if term in known:
        return True
    return len(term) >= 6 and any(other[:6] == term[:6] for other in known if len(other) >= 6)
