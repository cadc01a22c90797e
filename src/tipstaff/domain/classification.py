"""How a response stands to the context (TIP §6), and how strong its support is (TIP §7)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Classification(StrEnum):
    GROUNDED = "grounded"
    INFERRED = "inferred"
    PARTIAL = "partial"
    ABSTENTION = "abstention"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Support(StrEnum):
    """What the verifier found of one claim, best first."""

    QUOTED = "quoted"
    ENTAILED = "entailed"
    WEAK = "weak"
    INFERRED = "inferred"
    UNVERIFIED = "unverified"


_FROM_LOWEST = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)


def lowest(levels: Iterable[Confidence]) -> Confidence:
    """TIP §7.2: a response is as confident as its least confident claim.

    With no claim at all nothing is uncertain: an abstention that is sure of the silence.
    """
    return min(levels, key=_FROM_LOWEST.index, default=Confidence.HIGH)
