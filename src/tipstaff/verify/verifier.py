"""Every claim and citation of a draft, checked against the bytes before anything is said.

Three facts of a citation are kept apart (TIP §5.5): that the place exists, that the item's bytes
are those that were sent, that the words stand there. A claim that fails is withheld, and the
response says so (TIP §3.4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.draft import ClaimKind, Draft, DraftCitation, DraftClaim
from tipstaff.domain.response import CheckedCitation, Claim, RemovedClaim
from tipstaff.verify.figures import figures_missing_from
from tipstaff.verify.quotes import longest_shared_run, stands_in

# TIP §13.4.2: an item that may only be interrogated is not quoted; so many words in a row are
# a fact restated, more are a quotation.
MAX_UNQUOTED_RUN = 6
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
    """`resolve` finds the passage of a citation; `has_integrity` says whether an item's bytes are
    those that were sent; `quotable` whether its words may be repeated."""

    resolve: Callable[[Citation], Resolution]
    has_integrity: Callable[[str], bool]
    quotable: Callable[[str], bool]
    permitted: Callable[[str], bool]
    headers: Callable[[Passage], frozenset[str]]
    # The words of a passage as a reader sees them, without markup: "**No** owner" reads "No owner".
    readable: Callable[[Passage], str]
    # Its cells one by one: 008,014 in a row of a CSV file are two values and not one number.
    cells: Callable[[Passage], Sequence[str]] = lambda _: ()

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
        passages = []
        for one in claim.citations:
            result = self._citation(claim, one)
            if isinstance(result, str):
                return RemovedClaim(result, (one.citation.reference,))
            citation, passage = result
            checked.append(citation)
            passages += [passage.text, self.readable(passage), *self.cells(passage), *one.headers]
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
    ) -> tuple[CheckedCitation, Passage] | str:
        item_id = one.citation.item_id
        if not self.permitted(item_id):
            # TIP-Enterprise §10.1: for this recipient there is no such item.
            return "It cites an item that is not in this context."
        found = self.resolve(one.citation)
        if not isinstance(found, Passage):
            return f"It cites a place that does not exist: {found.reason}."
        if not self.has_integrity(item_id):
            return "The cited item's bytes are not those that the sender hashed."
        if item_id != SYNTHESIS_ID and not self.quotable(item_id):
            run = longest_shared_run(claim.text, found.text)
            if run > MAX_UNQUOTED_RUN:
                return "It would quote an item that may only be asked about."
            excerpt = ""
        else:
            excerpt = _excerpt(one.quotes, found.text)
        if claim.kind is not ClaimKind.INFERENCE and not one.quotes:
            return "It does not say which words support it."
        for quote in one.quotes:
            if not stands_in(quote, found.text) and not stands_in(quote, self.readable(found)):
                return "Words that it rests on do not stand at the cited place."
        if one.headers and not set(one.headers) <= self.headers(found):
            return "A header that it names does not stand above the cited cells."
        return (
            CheckedCitation(
                item_id=item_id,
                location=str(one.citation.location),
                text_excerpt=excerpt,
                claim=claim.text,
                exists_verified=True,
                integrity_verified=True,
                quote_verified=bool(one.quotes),
                retrieval=one.retrieval,
            ),
            found,
        )


def _excerpt(quotes: tuple[str, ...], passage: str) -> str:
    text = " | ".join(quotes) if quotes else " ".join(passage.split())
    return text if len(text) <= _EXCERPT_CHARS else text[: _EXCERPT_CHARS - 1] + "…"
