"""What one part of a question came to; several make a draft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tipstaff.domain.citation import Citation
from tipstaff.domain.draft import Draft, DraftClaim, Paragraph
from tipstaff.domain.response import Contradiction, Gap


@dataclass(frozen=True, slots=True, kw_only=True)
class PartAnswer:
    """Paragraphs where it is answered, gaps where not; both where it is answered in part.
    `related` is what there is instead, for an abstention to name. `proven`: the gap is no doubt of
    ours, the context cannot answer, and nobody may."""

    paragraphs: tuple[Paragraph, ...] = ()
    gaps: tuple[Gap, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    related: tuple[DraftClaim, ...] = ()
    proven: bool = False

    @property
    def says_something(self) -> bool:
        return any(paragraph.claims for paragraph in self.paragraphs)


def draft_of(answers: Sequence[PartAnswer], *, also: PartAnswer | None = None) -> Draft:
    """One draft of all parts; `also` answers none of them and is said behind them."""
    told = _said_once(paragraph for one in answers for paragraph in one.paragraphs)
    return Draft(
        paragraphs=(*told, *(also.paragraphs if also else ())),
        gaps=tuple(dict.fromkeys(gap for one in answers for gap in one.gaps)),
        contradictions=tuple(dict.fromkeys(two for one in answers for two in one.contradictions)),
        related=tuple(dict.fromkeys(claim for one in answers for claim in one.related)),
        parts=len(answers),
    )


def _said_once(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """Two parts may come to the same evidence; it is not told twice."""
    told: set[tuple[str, Citation]] = set()
    for paragraph in paragraphs:
        new = [
            claim
            for claim in paragraph.claims
            if not all((claim.text, one.citation) in told for one in claim.citations)
        ]
        told.update((claim.text, one.citation) for claim in new for one in claim.citations)
        if new or not paragraph.claims:
            yield replace(paragraph, claims=tuple(new))
