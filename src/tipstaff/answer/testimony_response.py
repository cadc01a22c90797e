"""What held of a model's draft → the response, with what the engine without a model proved.

Class, confidence, gaps and contradictions come from what was verified, never from what the model
says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tipstaff.answer.disclosure import LIMITS
from tipstaff.answer.generative import Testimony
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.premise import NOT_SAID, SAYS_OTHERWISE
from tipstaff.answer.rendering import NOT_ADDRESSED, listed_claim
from tipstaff.answer.wording import without_marks
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
_SUPPOSED = re.compile(rf"{NOT_SAID} (.+)", re.DOTALL)
# A denial was found by rules, and a draft that could not be verified may have known better.
MAY_BE_SUPPOSED = (
    "Whether the question supposes something that is not so could not be verified. The context has "
    "these lines on it:"
)
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
    without_model = replace(_not_silent(without_model, offline), removed=removed)
    if not lines:
        return without_model
    claims = [one.claim for one in lines]
    citations = [cited for one in lines for cited in one.citations]
    abstains = without_model.classification is Classification.ABSTENTION
    told = without_model.text
    if abstains and without_model.gaps:
        # What there is stands below, line by line.
        told = " ".join(dict.fromkeys(gap.description for gap in without_model.gaps))
    paragraphs = [told, *([MAY_BEAR] if abstains else []), instead(lines)]
    return replace(
        without_model,
        text="\n\n".join(paragraphs),
        claims=without_model.claims if abstains else (*without_model.claims, *claims),
        citations=(*without_model.citations, *citations),
    )


def _not_silent(response: Response, offline: Sequence[PartAnswer]) -> Response:
    """The same without saying that the context is silent on what nobody has proven it to be silent
    on, or denies what a question supposes: a model had something to say, and only could not be
    verified."""
    proven = {_as_told(gap) for answer in offline if answer.proven for gap in answer.gaps}
    doubted = {_as_told(gap) for answer in offline for gap in answer.gaps} - proven
    text, gaps = response.text, []
    for gap in response.gaps:
        told = replace(gap, description=_unverified(gap)) if gap in doubted else gap
        for old, new in _as_worded(gap.description, told.description):
            text = text.replace(old, new)
        gaps.append(told)
    if doubted.intersection(response.gaps):
        for silent in NOT_ADDRESSED:
            text = text.replace(f", but {silent}.", ", but no answer from it could be verified.")
        text = text.replace(SAYS_OTHERWISE, MAY_BE_SUPPOSED)
    return replace(response, text=text, gaps=tuple(gaps))


def _as_told(gap: Gap) -> Gap:
    return Gap(without_marks(gap.topic), without_marks(gap.description))


def _as_worded(old: str, new: str) -> Iterator[tuple[str, str]]:
    """As it stands by itself, and behind "However, "."""
    yield old, new
    yield old[:1].lower() + old[1:], new[:1].lower() + new[1:]


def _unverified(gap: Gap) -> str:
    """TIP §6.4 names what is missing; that nothing is there on it has not been shown."""
    said = gap.description
    if supposed := _SUPPOSED.fullmatch(said):
        said = f"The bundled context does not contain information about {supposed[1]}"
    named = _SILENT.fullmatch(said)
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
