"""Citation checks (TIP §9.5): a claim of the synthesis traced to the items behind it.

"The synthesis states X" and "the context supports X" are two different claims (TIP §3.5); a claim
that nothing supports is flagged as a potential error of the synthesis.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.claim_support import Standing, Support, support_of, without_marks
from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import answer_from, merged
from tipstaff.answer.gathering import gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part, QueryType
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim, Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.quantities import Quantity
from tipstaff.lexical.analysis import terms

_MARK = re.compile(r"\s*\[\[[^\]]*\]\]")
_FRAME = frozenset(
    terms(
        "synthesis summary tez.md tez md say says state states claim claims get gets got "
        "figure source sources evidence supporting supports support show me where does come comes "
        "from exact cite citation citations underlying context document documents what which basis "
        "behind assertion backed based statement stated number recommended recommendation about "
        "really"
    )
)
_MOST_STATED = 2
_STATED = 0.3
_LEADS = {
    Standing.SUPPORTED: "The underlying context supports it:",
    Standing.OTHERWISE: "The context does not support it as it stands. It says:",
    Standing.ELSEWHERE: "The item that it cites does not say so. Elsewhere the context says:",
}
_FLAGS = {
    Standing.OTHERWISE: "The claim of the synthesis is not supported by the context as it is "
    "worded. This is a potential synthesis error.",
    Standing.ELSEWHERE: "The claim of the synthesis is not supported by the item that it cites. "
    "This is a potential synthesis error.",
    Standing.UNSUPPORTED: "The claim of the synthesis is not supported by the context: no item was "
    "found that says it, although it may carry a citation. This is a potential synthesis error.",
}


def answer_citation_check(part: Part, context: AnswerContext) -> PartAnswer:
    subject = [term for term in part.terms if term not in _FRAME] or list(part.terms)
    stated = _stated(subject, part.quantities, context)
    if not stated:
        answer = answer_from(replace(part, type=QueryType.FACTUAL), gather(part, context), context)
        if not part.about_synthesis:
            return answer
        gap = Gap(part.text.strip(" ?"), "The synthesis does not make such a claim.")
        return replace(answer, gaps=(*answer.gaps, gap))
    said = Paragraph(
        lead="The synthesis states:", claims=tuple(_synthesis_claim(unit) for unit in stated)
    )
    traced = [(unit, support_of(unit, subject, context)) for unit in stated]
    supported = [one for _, one in traced if one.standing is Standing.SUPPORTED]
    if supported:
        claims = merged([claim_of(one, context) for two in supported for one in two.evidence])
        lead = _LEADS[Standing.SUPPORTED]
        found = Paragraph(lead=lead, claims=tuple(claims), as_list=len(claims) > 1)
        return PartAnswer(paragraphs=(said, found))
    unit, best = traced[0]
    gap = Gap(without_marks(unit.text).strip(" .")[:160], _FLAGS[best.standing])
    return PartAnswer(paragraphs=(said, *_not_supported(best, context)), gaps=(gap,))


def _not_supported(support: Support, context: AnswerContext) -> list[Paragraph]:
    """What the context says where it does not say what the synthesis does."""
    paragraphs = []
    if support.evidence:
        claims = tuple(
            claim_of(one, context, confidence=Confidence.MEDIUM) for one in support.evidence[:2]
        )
        paragraphs.append(Paragraph(lead=_LEADS[support.standing], claims=claims))
    if support.instead:
        claims = tuple(
            claim_from(unit, context, confidence=Confidence.MEDIUM) for unit in support.instead
        )
        paragraphs.append(
            Paragraph(lead="What stands at the place that it cites:", claims=claims, as_list=True)
        )
    return paragraphs


def _stated(
    subject: list[str], figures: tuple[Quantity, ...], context: AnswerContext
) -> list[EvidenceUnit]:
    """The sentences of the synthesis that a question is about."""
    total = sum(context.rarity(term) for term in subject) or 1.0
    scored = []
    for unit in context.synthesis_units:
        if unit.unit.kind is UnitKind.HEADING:
            continue
        own = frozenset(terms(without_marks(unit.reader_text)))
        held = sum(context.rarity(term) for term in subject if term in own)
        around = sum(context.rarity(term) for term in subject if term in unit.all_terms)
        score = held / total + 0.3 * around / total
        score += 0.5 * sum(any(one.value == two.value for two in unit.figures) for one in figures)
        if score >= _STATED and held:
            scored.append((score, unit))
    scored.sort(key=lambda pair: (-pair[0], pair[1].key))
    best = scored[0][0] if scored else 0.0
    return [unit for score, unit in scored if score >= 0.75 * best][:_MOST_STATED]


def _synthesis_claim(unit: EvidenceUnit) -> DraftClaim:
    pieces = tuple(piece.strip() for piece in _MARK.split(unit.text) if piece.strip(" .,;"))
    return DraftClaim(
        text=without_marks(unit.text),
        kind=ClaimKind.QUOTE,
        confidence=Confidence.HIGH,
        citations=(DraftCitation(citation=unit.citation, quotes=pieces),),
    )
