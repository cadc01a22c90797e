"""Whether evidence supports a statement in other words: by rules that can only lower trust.

Every figure, date, name and quotation of the statement must be in the evidence after
normalisation; denial and direction must agree; its telling words must be covered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.domain.classification import Support
from tipstaff.facts.names import names
from tipstaff.facts.periods import periods
from tipstaff.facts.polarity import NEGATION
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.directions import opposed
from tipstaff.verify.figures import stated_in
from tipstaff.verify.quotes import stands_in

# Share of a statement's telling words that its evidence must have; calibrated on drafts that were
# written for tuning, reported on others (docs/verification.md).
ENTAILED = 0.6
WEAK = 0.4

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


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """A unit of evidence and what belongs to it: headings, header cells, title, speaker."""

    text: str
    surroundings: str = ""

    @property
    def whole(self) -> str:
        return f"{self.surroundings}\n{self.text}" if self.surroundings else self.text


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """UNVERIFIED with the reason why it is withheld, in words that repeat nothing of it."""

    support: Support
    reason: str = ""


def check_support(statement: str, evidence: Sequence[EvidenceText]) -> SupportVerdict:
    """How well the evidence of all its citations together supports a statement."""
    if not evidence:
        return SupportVerdict(Support.UNVERIFIED, "Nothing was cited for it.")
    everything = "\n".join(one.whole for one in evidence)
    quoted = [quote for quote in _QUOTATION.findall(statement) if _is_quotation(quote)]
    for quote in quoted:
        if not any(stands_in(quote.strip(" .,;"), one.text) for one in evidence):
            return SupportVerdict(
                Support.UNVERIFIED, "A quotation in it does not stand at the cited place."
            )
    plain = _QUOTATION.sub(" ", statement) if quoted else statement
    for check in (_figures, _times, _names):
        reason = check(plain, everything)
        if reason:
            return SupportVerdict(Support.UNVERIFIED, reason)
    if quoted and len(_telling(plain)) <= 3:
        return SupportVerdict(Support.QUOTED)
    aligned = _aligned(plain, evidence)
    if bool(NEGATION.search(plain)) != bool(NEGATION.search(aligned.text)):
        return SupportVerdict(Support.UNVERIFIED, "It affirms what the cited words deny, or denies "
                              "what they affirm.")  # fmt: skip
    if opposed(plain, aligned.text):
        return SupportVerdict(Support.UNVERIFIED, "It states the opposite direction of the cited "
                              "words.")  # fmt: skip
    share = _covered(plain, everything)
    if share >= ENTAILED:
        return SupportVerdict(Support.QUOTED if quoted else Support.ENTAILED)
    if share >= WEAK:
        return SupportVerdict(Support.WEAK)
    return SupportVerdict(Support.UNVERIFIED, "The cited words do not say it.")


def _is_quotation(words: str) -> bool:
    return len(words.split()) >= _MIN_QUOTED_WORDS


def _figures(statement: str, evidence: str) -> str:
    known = quantities(evidence)
    for figure in quantities(statement):
        if not _is_year(figure) and not stated_in(figure, known, evidence):
            return "A figure in it does not stand at the cited place."
    return ""


def _is_year(figure: Quantity) -> bool:
    """Years are compared as times."""
    return figure.measure is Measure.NUMBER and 1900 <= figure.value <= 2100 and figure.digits <= 4


def _times(statement: str, evidence: str) -> str:
    return "" if periods(statement) <= periods(evidence) else "A time in it is not the cited one."


def _names(statement: str, evidence: str) -> str:
    known = set(terms(evidence))
    for name in names(statement):
        words = [term for term in terms(name) if term not in STOP_WORDS]
        if words and not any(term in known for term in words[-1:]) and not set(words) & known:
            return "A name in it does not occur at the cited place."
        if len(words) > 1 and not set(words) <= known | _STRUCTURE:
            return "A name in it does not occur at the cited place."
    return ""


def _telling(statement: str) -> list[str]:
    return [
        term
        for term in dict.fromkeys(terms(statement))
        if term not in STOP_WORDS and term not in _STRUCTURE
    ]


def _aligned(statement: str, evidence: Sequence[EvidenceText]) -> EvidenceText:
    """The unit that shares most of a statement's words: the one whose denial counts."""
    wanted = set(_telling(statement))

    def shared(one: EvidenceText) -> tuple[float, int]:
        own = set(terms(one.text))
        return len(wanted & own) + 0.1 * len(wanted & set(terms(one.whole))), -len(own)

    return max(evidence, key=shared)


def _covered(statement: str, evidence: str) -> float:
    wanted = _telling(statement)
    if not wanted:
        return 1.0
    known = set(terms(evidence))
    return sum(_is_known(term, known) for term in wanted) / len(wanted)


def _is_known(term: str, known: set[str]) -> bool:
    """The term itself, or another form of a long word."""
    if term in known:
        return True
    return len(term) >= 6 and any(other[:5] == term[:5] for other in known if len(other) >= 6)
