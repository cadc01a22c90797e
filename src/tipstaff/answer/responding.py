"""A verified draft → the response: what held, what is missing, how well it is supported."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.rendering import render
from tipstaff.answer.wording import without_marks
from tipstaff.domain.classification import Support
from tipstaff.domain.draft import Draft
from tipstaff.domain.response import Contradiction, Gap, Inference, Response
from tipstaff.verify.classification import classify, confidence_of
from tipstaff.verify.verifier import Verified, VerifiedClaim


def response_of(proposed: Draft, verified: Verified, context: AnswerContext) -> Response:
    """The response that a draft comes to once it is verified."""
    claims = [one for paragraph in verified.paragraphs for one in paragraph.claims]
    gaps = [Gap(without_marks(g.topic), without_marks(g.description)) for g in proposed.gaps]
    if not claims and not gaps:
        gaps = [Gap("the query", "The bundled context does not contain information about this.")]
    shown = claims or list(verified.related)
    titles = {item.id: item.title for item in context.items}
    return Response(
        text=render(verified, gaps, context.items, titles),
        classification=classify(claims, gaps),
        confidence=confidence_of(claims),
        claims=tuple(one.claim for one in claims),
        citations=tuple(citation for one in shown for citation in one.citations),
        gaps=tuple(gaps),
        inferences=tuple(
            Inference(one.claim.text, one.claim.citations, one.draft.reasoning)
            for one in claims
            if one.claim.support is Support.INFERRED
        ),
        contradictions=_standing(proposed.contradictions, claims),
        removed=verified.removed,
    )


def _standing(
    proposed: Sequence[Contradiction], claims: Sequence[VerifiedClaim]
) -> tuple[Contradiction, ...]:
    """A disagreement is told only if every side of it was let through."""
    said = {reference for one in claims for reference in one.claim.citations}
    return tuple(two for two in proposed if all(side.citation in said for side in two.positions))
