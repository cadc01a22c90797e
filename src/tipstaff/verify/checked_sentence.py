"""A sentence after its check, worded with canonical marks: what may be said, or why it may not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.response import CheckedCitation, Claim, RemovedClaim
from tipstaff.verify.evidence_text import EvidenceText

_CONFIDENCE = {
    Support.QUOTED: Confidence.HIGH,
    Support.ENTAILED: Confidence.HIGH,
    Support.INFERRED: Confidence.MEDIUM,
    Support.WEAK: Confidence.LOW,
}
_EXCERPT_CHARS = 400
# TIP §7.1.3: weak support is said to be weak.
_HEDGE = " (weakly supported)"
# TIP §3.5: that the synthesis says so is not that the context does.
_ONLY_THERE = (
    " (so the synthesis says; nothing that the context itself says was found to support it)"
)


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """What a citation leads to, as units with their surroundings."""

    citation: Citation
    units: tuple[EvidenceText, ...]


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """`text` may be said as it is, its marks canonical; `evidence` is what it rests on, in whose
    words it may be. A withheld sentence has neither."""

    text: str
    claim: Claim | None = None
    citations: tuple[CheckedCitation, ...] = ()
    removed: RemovedClaim | None = None
    abstains: bool = False
    evidence: tuple[CitedEvidence, ...] = ()
    in_source_words: bool = False


def withheld(reason: str, *references: str) -> CheckedSentence:
    return CheckedSentence("", removed=RemovedClaim(reason, references))


def said(
    statement: str,
    support: Support,
    found: Sequence[CitedEvidence],
    *,
    is_sure: bool = True,
    in_source_words: bool = False,
) -> CheckedSentence:
    """A statement as it may be said, with this much support; less sure where a model says that its
    words are those of the place."""
    references = tuple(dict.fromkeys(one.citation.reference for one in found))
    confidence = _CONFIDENCE[support]
    if confidence is Confidence.HIGH and not is_sure:
        confidence = Confidence.MEDIUM
    claim = Claim(text=statement, confidence=confidence, citations=references, support=support)
    body = statement.rstrip()
    ending = body[-1] if body[-1:] in ".!?" else ""
    marks = f"[[{', '.join(references)}]]"
    hedge = ""
    if support is Support.WEAK:
        hedge = _ONLY_THERE if rests_on_synthesis(found) else _HEDGE
    return CheckedSentence(
        f"{body[: len(body) - len(ending)].rstrip()} {marks}{hedge}{ending}",
        claim,
        tuple(
            CheckedCitation(
                item_id=one.citation.item_id,
                location=str(one.citation.location),
                text_excerpt=_excerpt(one),
                claim=statement,
                exists_verified=True,
                integrity_verified=True,
                quote_verified=support is Support.QUOTED,
            )
            for one in found
        ),
        evidence=tuple(found),
        in_source_words=in_source_words,
    )


def rests_on_synthesis(found: Sequence[CitedEvidence]) -> bool:
    """Whether nothing but the sender's synthesis is cited."""
    units = [unit for one in found for unit in one.units]
    return bool(units) and all(unit.synthesis for unit in units)


def _excerpt(evidence: CitedEvidence) -> str:
    text = " ".join(unit.verbatim for unit in evidence.units)
    return text if len(text) <= _EXCERPT_CHARS else text[: _EXCERPT_CHARS - 1] + "…"
