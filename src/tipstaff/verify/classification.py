"""Which of TIP §6's four classes a response is, and how confident (TIP §7)."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.domain.classification import Classification, Confidence, Support, lowest
from tipstaff.domain.response import Gap
from tipstaff.verify.verifier import VerifiedClaim


def classify(claims: Sequence[VerifiedClaim], gaps: Sequence[Gap]) -> Classification:
    """From what was said, what was inferred and what stayed open; never from how it sounds."""
    if not claims:
        return Classification.ABSTENTION
    if gaps:
        return Classification.PARTIAL
    if any(one.claim.support is Support.INFERRED for one in claims):
        return Classification.INFERRED
    return Classification.GROUNDED


def confidence_of(claims: Sequence[VerifiedClaim]) -> Confidence:
    """TIP §7.2: the lowest of all claims; an abstention is sure of the silence."""
    return lowest(one.claim.confidence for one in claims)
