"""Every claim and citation of a draft, checked against the bytes before anything is said.

Three facts of a citation are kept apart (TIP §5.5): that the place exists, that the item's bytes
are those that were sent, that the words stand there. A claim that fails is withheld, and the
response says so (TIP §3.4.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.draft import ClaimKind, Draft, DraftCitation, DraftClaim
from tipstaff.domain.response import CheckedCitation, Claim, RemovedClaim
from tipstaff.verify.figures import figures_missing_from
from tipstaff.verify.quotes import Unquotable, consists_of, stands_in

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_EXCERPT_CHARS = 400

_SUPPORT = {
    ClaimKind.QUOTE: Support.QUOTED,
    ClaimKind.RESTATED: Support.ENTAILED,
    ClaimKind.INFERENCE: Support.INFERRED,
}


@dataclass(frozen=True, slots=True)
class VerifiedClaim:
    draft: DraftClaim
    claim: Claim
    citations: tuple[CheckedCitation, ...]


@dataclass(frozen=True, slots=True)
class VerifiedParagraph:
    lead: str
    claims: tuple[VerifiedClaim, ...]
    as_list: bool


@dataclass(frozen=True, slots=True)
class Verified:
    """What may be said, and what was withheld and why."""

    paragraphs: tuple[VerifiedParagraph, ...]
    related: tuple[VerifiedClaim, ...]
    removed: tuple[RemovedClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """`resolve` finds the passage of a citation and `readings` the ways to read its words (as they
    are, without the format's marks, cell by cell); `has_integrity` says whether an item's bytes are
    those that were sent; `quotable` whether its words may be repeated."""

    resolve: Callable[[Citation], Resolution]
    readings: Callable[[Passage], tuple[str, ...]]
    has_integrity: Callable[[str], bool]
    quotable: Callable[[str], bool]
    permitted: Callable[[str], bool]
    headers: Callable[[Passage], frozenset[str]]

    def verify(self, draft: Draft) -> Verified:
        removed: list[RemovedClaim] = []
        paragraphs = [
            VerifiedParagraph(
                paragraph.lead,
                self._claims(paragraph.claims, removed),
                paragraph.as_list,
            )
            for paragraph in draft.paragraphs
        ]
        related = self._claims(draft.related, removed)
        kept = tuple(
            paragraph
            for paragraph, was in zip(paragraphs, draft.paragraphs, strict=True)
            if paragraph.claims or not was.claims
        )
        return Verified(kept, related, tuple(removed))

    def _claims(
        self, claims: tuple[DraftClaim, ...], removed: list[RemovedClaim]
    ) -> tuple[VerifiedClaim, ...]:
        kept = []
        for claim in claims:
            outcome = self.check(claim)
            if isinstance(outcome, VerifiedClaim):
                kept.append(outcome)
            else:
                removed.append(outcome)
        return tuple(kept)

    def check(self, claim: DraftClaim) -> VerifiedClaim | RemovedClaim:
        """One claim with all its citations; the first thing that is wrong withholds it."""
        references = tuple(one.citation.reference for one in claim.citations)
        if not claim.citations:
            return RemovedClaim("It has no citation.", references)
        checked = []
        passages: list[str] = []
        for one in claim.citations:
            result = self._citation(claim, one)
            if isinstance(result, str):
                return RemovedClaim(result, (one.citation.reference,))
            citation, readings = result
            checked.append(citation)
            passages += [*readings, *one.headers]
        if claim.kind is not ClaimKind.INFERENCE:
            missing = figures_missing_from(claim.text, passages)
            if missing:
                return RemovedClaim(
                    f"A figure in it does not stand at the cited place ({', '.join(missing)}).",
                    references,
                )
        return VerifiedClaim(
            claim,
            Claim(
                text=claim.text,
                confidence=claim.confidence,
                citations=references,
                support=Support.WEAK
                if claim.confidence is Confidence.LOW and claim.kind is not ClaimKind.INFERENCE
                else _SUPPORT[claim.kind],
            ),
            tuple(checked),
        )

    def _citation(
        self, claim: DraftClaim, one: DraftCitation
    ) -> tuple[CheckedCitation, tuple[str, ...]] | str:
        item_id = one.citation.item_id
        if not self.permitted(item_id):
            # TIP-Enterprise §10.1: for this recipient there is no such item.
            return "It cites an item that is not in this context."
        found = self.resolve(one.citation)
        if not isinstance(found, Passage):
            return f"It cites a place that does not exist: {found.reason}."
        if not self.has_integrity(item_id):
            return "The cited item's bytes are not those that the sender hashed."
        readings = self.readings(found)
        unsupported = _unsupported(claim, one, readings)
        if unsupported:
            return unsupported
        if one.headers and not set(one.headers) <= self.headers(found):
            return "A header that it names does not stand above the cited cells."
        shown = item_id == SYNTHESIS_ID or self.quotable(item_id)
        if not shown and self._quotes_item(claim, item_id):
            return "It would quote an item that may only be asked about."
        return (
            CheckedCitation(
                item_id=item_id,
                location=str(one.citation.location),
                text_excerpt=_excerpt(one.quotes, found.text) if shown else "",
                claim=claim.text,
                exists_verified=True,
                integrity_verified=True,
                quote_verified=bool(one.quotes),
                retrieval=one.retrieval,
            ),
            readings,
        )

    def _quotes_item(self, claim: DraftClaim, item_id: str) -> bool:
        """TIP §13.4.2: against the whole item, wherever in it the claim points."""
        whole = self.resolve(Citation(item_id))
        known = self.readings(whole) if isinstance(whole, Passage) else ()
        said = (claim.text, claim.lead, claim.reasoning)
        items = [Unquotable(_SENTENCE.split(text)) for text in known]
        return any(item.is_quoted_in(one) for one in said for item in items)


def _unsupported(claim: DraftClaim, one: DraftCitation, readings: tuple[str, ...]) -> str:
    """Why the words of a claim are not those of the cited place, or nothing."""
    if claim.kind is not ClaimKind.INFERENCE and not one.quotes:
        return "It does not say which words support it."
    if not all(any(stands_in(quote, text) for text in readings) for quote in one.quotes):
        return "Words that it rests on do not stand at the cited place."
    if claim.kind is ClaimKind.QUOTE and not consists_of(claim.text, one.quotes):
        return "It says more than the words that it quotes."
    return ""


def _excerpt(quotes: tuple[str, ...], passage: str) -> str:
    text = " | ".join(quotes) if quotes else " ".join(passage.split())
    return text if len(text) <= _EXCERPT_CHARS else text[: _EXCERPT_CHARS - 1] + "…"
