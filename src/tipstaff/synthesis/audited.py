"""What an audit of a synthesis says: each claim, how it stands to what it cites, and a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How a claim stands to the context (TIP §3.5: what the synthesis states, and what the
    context supports, are two things)."""

    SUPPORTED = "supported"
    WEAK = "weak"  # its facts are there; whether its words say the same, rules cannot tell
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"
    CITATION_BROKEN = "citation_broken"
    UNCITED = "uncited"
    VIEW = "view"  # an opinion, an introduction, a byline: nothing to check


# What a sender must look at before sending.
PROBLEMS = frozenset((Standing.UNSUPPORTED, Standing.CONTRADICTED, Standing.CITATION_BROKEN))
# How much of a claim counts as standing on the context. A view is no claim.
_WORTH: Mapping[Standing, float] = {
    Standing.SUPPORTED: 1.0,
    Standing.WEAK: 0.75,
    Standing.UNCITED: 0.5,
    Standing.UNSUPPORTED: 0.0,
    Standing.CONTRADICTED: 0.0,
    Standing.CITATION_BROKEN: 0.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedPassage:
    """Words of the context that a verdict rests on. Of an item that may only be asked about
    (TIP §13.4.2) there is the place and no excerpt."""

    item_id: str
    location: str
    text_excerpt: str = ""

    @property
    def reference(self) -> str:
        return f"{self.item_id}:{self.location}" if self.location else self.item_id


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedClaim:
    """`start` to `end` are characters of the synthesis. `computed` is arithmetic that was done
    again; `elsewhere` are places that say it and are not cited; `newer` are passages of newer
    items that give another figure."""

    text: str
    standing: Standing
    reason: str
    line: int
    start: int
    end: int
    heading: str = ""
    citations: tuple[str, ...] = ()
    passages: tuple[AuditedPassage, ...] = ()
    computed: tuple[str, ...] = ()
    elsewhere: tuple[AuditedPassage, ...] = ()
    newer: tuple[AuditedPassage, ...] = ()

    @property
    def is_problem(self) -> bool:
        return self.standing in PROBLEMS

    @property
    def is_stale(self) -> bool:
        return bool(self.newer)


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesisAudit:
    """`text` is the synthesis that was audited, which places of claims are counted in. `score` is
    from 0 to 1; a synthesis that claims nothing has 1. `newer_items` are dated after the synthesis
    was written."""

    id: str
    title: str
    version: int
    file: str
    score: float
    counts: Mapping[str, int]
    claims: tuple[AuditedClaim, ...]
    text: str
    newer_items: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[AuditedClaim, ...]:
        return tuple(one for one in self.claims if one.is_problem)

    def passes(self, *, threshold: float, strict: bool = False) -> bool:
        """Strict lets any problem fail, however many claims hold."""
        return self.score >= threshold and not (strict and self.problems)


def scored(claims: tuple[AuditedClaim, ...]) -> tuple[float, dict[str, int]]:
    """The score and how many claims there are of each standing."""
    counts = {str(standing): 0 for standing in Standing}
    counts["stale"] = sum(one.is_stale for one in claims)
    worth = []
    for one in claims:
        counts[str(one.standing)] += 1
        if one.standing is not Standing.VIEW:
            whole = _WORTH[one.standing]
            worth.append(min(whole, _WORTH[Standing.WEAK]) if one.is_stale else whole)
    return (round(sum(worth) / len(worth), 3) if worth else 1.0), counts
