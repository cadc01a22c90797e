"""What an answerer proposes to say, before anything of it has been checked.

A draft is paragraphs of claims under structural words. The verifier decides which claims may
leave; only then does text come of them (TIP §3.4.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence
from tipstaff.domain.evidence import RetrievalTrace
from tipstaff.domain.response import Contradiction, Gap


class ClaimKind(StrEnum):
    QUOTE = "quote"  # the item's own words
    RESTATED = "restated"  # header and value of cells, or a fact in few words
    INFERENCE = "inference"  # computed or deduced, with its working


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCitation:
    """`quotes` are words that must stand at the cited place; `headers` those of its table's
    header, above it."""

    citation: Citation
    quotes: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    retrieval: RetrievalTrace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftClaim:
    """`text` is what is said, without citation marks. `lead` introduces it: "Hana Brezina, in
    the meeting notes:"; it states nothing that the citation does not show."""

    text: str
    kind: ClaimKind
    citations: tuple[DraftCitation, ...]
    confidence: Confidence = Confidence.HIGH
    lead: str = ""
    reasoning: str = ""  # of an inference: how it follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Claims under words that state no facts of their own ("Both figures are in the context:")."""

    claims: tuple[DraftClaim, ...] = ()
    lead: str = ""
    as_list: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """`parts` says how many parts the query has; gaps are those that stay unanswered.

    `abstained_on` is what is missing where nothing could be answered; `related` are passages that
    an abstention names as what there is."""

    paragraphs: tuple[Paragraph, ...] = ()
    gaps: tuple[Gap, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    parts: int = 1
    closing: str = ""
    related: tuple[DraftClaim, ...] = ()
