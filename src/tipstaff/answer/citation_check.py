"""Citation checks (TIP §9.5): a claim of the synthesis traced to the items behind it.

"The synthesis states X" and "the context supports X" are two different claims (TIP §3.5); a claim
that nothing supports is flagged as a potential error of the synthesis.
"""

from __future__ import annotations

import re
from dataclasses import replace

from tipstaff.answer.claims import claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.factual import answer_from, merged
from tipstaff.answer.gathering import Candidate, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part, QueryType, understand
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim, Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import query_terms, terms

_MARK = re.compile(r"\s*\[\[[^\]]*\]\]")
_FRAME = frozenset(
    terms(
        "synthesis summary tez.md tez md say says state states claim claims get gets got figure source "
        "sources evidence supporting supports support show me where does come comes from exact cite "
        "citation citations underlying context document documents what basis behind assertion "
        "backed based statement stated number recommended recommendation say about"
    )
)
_MOST_STATED = 2
_MOST_EVIDENCE = 3
_STATED = 0.3
_SUPPORTED = 0.45


def answer_citation_check(part: Part, context: AnswerContext) -> PartAnswer:
    subject = [term for term in part.terms if term not in _FRAME] or list(part.terms)
    stated = _stated(subject, part.quantities, context)
    if not stated:
        answer = answer_from(replace(part, type=QueryType.FACTUAL), gather(part, context), context)
        if not part.about_synthesis:
            return answer
        gap = Gap(part.text.strip(" ?"), "The synthesis does not make such a claim.")
        return replace(answer, gaps=(*answer.gaps, gap))
    evidence = _evidence(stated, subject, context)
    paragraphs = [
        Paragraph(
            lead="The synthesis states:", claims=tuple(_synthesis_claim(unit) for unit in stated)
        )
    ]
    if evidence:
        claims = merged([claim_of(one, context) for one in evidence])
        lead = "The underlying context supports it:"
        paragraphs.append(Paragraph(lead=lead, claims=tuple(claims), as_list=len(claims) > 1))
        return PartAnswer(paragraphs=tuple(paragraphs))
    topic = _without_marks(stated[0].text).strip(" .")
    gap = Gap(
        topic[:160],
        "No context item was found that supports this claim of the synthesis, although it may "
        "carry a citation. This is a potential synthesis error.",
    )
    return PartAnswer(paragraphs=tuple(paragraphs), gaps=(gap,))


def _stated(
    subject: list[str], figures: tuple[Quantity, ...], context: AnswerContext
) -> list[EvidenceUnit]:
    """The sentences of the synthesis that a question is about."""
    total = sum(context.rarity(term) for term in subject) or 1.0
    scored = []
    for unit in context.synthesis_units:
        if unit.unit.kind is UnitKind.HEADING:
            continue
        own = frozenset(terms(_without_marks(unit.reader_text)))
        held = sum(context.rarity(term) for term in subject if term in own)
        around = sum(context.rarity(term) for term in subject if term in unit.all_terms)
        score = held / total + 0.3 * around / total
        score += 0.5 * sum(any(one.value == two.value for two in unit.figures) for one in figures)
        if score >= _STATED and held:
            scored.append((score, unit))
    scored.sort(key=lambda pair: (-pair[0], pair[1].key))
    best = scored[0][0] if scored else 0.0
    return [unit for score, unit in scored if score >= 0.75 * best][:_MOST_STATED]


def _evidence(
    stated: list[EvidenceUnit], subject: list[str], context: AnswerContext
) -> list[Candidate]:
    """Units of context items that say what the synthesis says: its figures, its telling words."""
    found: dict[tuple[str, int, int], tuple[float, Candidate]] = {}
    for unit in stated:
        claim = _without_marks(unit.reader_text)
        part = understand(claim).parts[0]
        part = replace(part, text=claim, search_text=claim, type=QueryType.FACTUAL)
        wanted = _telling(quantities(claim))
        words = set(query_terms(claim))
        total = sum(context.rarity(term) for term in words) or 1.0
        for one in gather(part, context, read=0).candidates:
            if one.unit.unit.kind is UnitKind.HEADING:
                continue
            held = sum(context.rarity(term) for term in words & one.unit.all_terms) / total
            asked = sum(term in one.unit.all_terms for term in subject) / max(len(subject), 1)
            figures = _shared(wanted, one.unit)
            if wanted and not figures:
                continue
            score = held + 0.3 * figures + 0.2 * asked
            if score >= _SUPPORTED and held >= 0.2:
                known = found.get(one.unit.key)
                if known is None or known[0] < score:
                    found[one.unit.key] = score, one
    ranked = sorted(found.values(), key=lambda pair: (-pair[0], pair[1].unit.key))
    chosen: list[Candidate] = []
    for _, one in ranked:
        if all(other.unit.item_id != one.unit.item_id for other in chosen):
            chosen.append(one)
    return chosen[:_MOST_EVIDENCE]


def _telling(figures: list[Quantity]) -> list[Quantity]:
    """Years and small counts are everywhere; a claim stands or falls with its other figures."""
    return [
        one for one in figures if one.measure != "number" or (one.digits > 2 and not _is_year(one))
    ]


def _is_year(figure: Quantity) -> bool:
    return figure.measure == "number" and 1900 <= figure.value <= 2100


def _shared(wanted: list[Quantity], unit: EvidenceUnit) -> float:
    if not wanted:
        return 0.0
    held = sum(any(one.agrees_with(two) for two in unit.figures) for one in wanted)
    return held / len(wanted)


def _synthesis_claim(unit: EvidenceUnit) -> DraftClaim:
    pieces = tuple(piece.strip() for piece in _MARK.split(unit.text) if piece.strip(" .,;"))
    return DraftClaim(
        text=_without_marks(unit.text),
        kind=ClaimKind.QUOTE,
        confidence=Confidence.HIGH,
        citations=(DraftCitation(citation=unit.citation, quotes=pieces),),
    )


def _without_marks(text: str) -> str:
    return " ".join(_MARK.sub("", text).split())
