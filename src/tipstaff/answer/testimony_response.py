"""What held of a model's draft → the response, with what the engine without a model proved.

Class, confidence, gaps and contradictions come from what was verified, never from what the model
says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tipstaff.answer.disclosure import LIMITS
from tipstaff.answer.generative import Testimony
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.rendering import listed_claim
from tipstaff.domain.classification import Classification, Support, lowest
from tipstaff.domain.response import (
    CheckedCitation,
    Claim,
    Contradiction,
    Gap,
    Inference,
    Response,
)
from tipstaff.verify.verifier import VerifiedClaim

INSTEAD = "In place of what was withheld, in the words of the context:"
_SILENT = re.compile(r"(The bundled context does not contain information about .+)", re.DOTALL)
# Silence was found by rules, and the draft pointed at these lines: a reader must look at both.
MAY_BEAR = (
    "A model's statements on this could not be verified. The lines that they rest on stand below; "
    "whether they answer the question was not verified either."
)


def response_of_testimony(
    testimony: Testimony, offline: Sequence[PartAnswer], without_model: Response
) -> Response:
    """`without_model` is the verified answer to the same question."""
    claims = testimony.claims
    proven = [gap for answer in offline if answer.proven for gap in answer.gaps]
    gaps = tuple(dict.fromkeys((*testimony.gaps, *proven)))
    disputed = [two for two in without_model.contradictions if _concerns(two, claims)]
    citations = list(testimony.citations)
    citations += _of_other_sides(disputed, citations, without_model)
    return Response(
        text=_text(testimony, proven, disputed),
        classification=_classification(claims, gaps),
        confidence=lowest(claim.confidence for claim in claims),
        claims=tuple(claims),
        citations=tuple(citations),
        gaps=gaps,
        inferences=tuple(
            Inference(claim.text, claim.citations, claim.text)
            for claim in claims
            if claim.support is Support.INFERRED
        ),
        contradictions=tuple(disputed),
        removed=tuple(testimony.removed),
    )


def response_without(
    testimony: Testimony,
    without_model: Response,
    lines: Sequence[VerifiedClaim],
    offline: Sequence[PartAnswer],
) -> Response:
    """The answer that stands in for a draft of which nothing held, and what the draft's sources
    say. An abstention stays one: nobody has verified that these lines answer. But neither is it
    said that the context is silent, unless that is proven."""
    removed = (*testimony.removed, *without_model.removed)
    if not lines:
        return replace(without_model, removed=removed)
    claims = [one.claim for one in lines]
    citations = [cited for one in lines for cited in one.citations]
    abstains = without_model.classification is Classification.ABSTENTION
    if abstains and not any(answer.proven for answer in offline):
        gaps = tuple(replace(gap, description=_unverified(gap)) for gap in without_model.gaps)
        told = " ".join(dict.fromkeys(gap.description for gap in gaps))
        without_model = replace(without_model, text=told or without_model.text, gaps=gaps)
    paragraphs = [without_model.text, *([MAY_BEAR] if abstains else []), instead(lines)]
    return replace(
        without_model,
        text="\n\n".join(paragraphs),
        claims=without_model.claims if abstains else (*without_model.claims, *claims),
        citations=(*without_model.citations, *citations),
        removed=removed,
    )


def _unverified(gap: Gap) -> str:
    """TIP §6.4 names what is missing; that nothing is there on it has not been shown."""
    named = _SILENT.fullmatch(gap.description)
    if named is None:
        return gap.description
    return f"{named[1].rstrip('.')} that could be verified as an answer."


def instead(lines: Sequence[VerifiedClaim]) -> str:
    return "\n".join((INSTEAD, *(f"- {listed_claim(one)}" for one in lines)))


def _classification(claims: Sequence[Claim], gaps: Sequence[Gap]) -> Classification:
    if not claims:
        return Classification.ABSTENTION
    if gaps:
        return Classification.PARTIAL
    if any(claim.support is Support.INFERRED for claim in claims):
        return Classification.INFERRED
    return Classification.GROUNDED


def _text(testimony: Testimony, proven: Sequence[Gap], disputed: Sequence[Contradiction]) -> str:
    """What was released, then what the reader must know beside it."""
    paragraphs = [testimony.text]
    paragraphs += [gap.description for gap in proven]
    for two in disputed:
        sides = "; ".join(f"{side.value} [[{side.citation}]]" for side in two.positions)
        paragraphs.append(f"The context disagrees on {two.topic}: {sides}.")
    # What is beyond a limit is not wrong; a notice of its own tells of it.
    if count := sum(one.reason not in LIMITS for one in testimony.removed):
        told = "1 statement could not be verified and was withheld"
        if count > 1:
            told = f"{count} statements could not be verified and were withheld"
        paragraphs.append(f"({told}.)")
    return "\n\n".join(paragraphs)


def _concerns(two: Contradiction, claims: Sequence[Claim]) -> bool:
    """Whether an answer uses one side of a disagreement."""
    return any(
        side.citation in claim.citations or side.value in claim.text
        for claim in claims
        for side in two.positions
    )


def _of_other_sides(
    disputed: Sequence[Contradiction],
    citations: Sequence[CheckedCitation],
    without_model: Response,
) -> list[CheckedCitation]:
    wanted = {side.citation for two in disputed for side in two.positions}
    wanted -= {citation.reference for citation in citations}
    return [one for one in without_model.citations if one.reference in wanted]
