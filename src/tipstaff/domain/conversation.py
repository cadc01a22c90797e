"""The conversation that produced the synthesis, as far as the sender shares it (TIP §13.4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ConversationSharing(StrEnum):
    FULL = "full"
    SUMMARY = "summary"
    REDACTED = "redacted"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Turn:
    """`number` is the turn's place in the record, so that a gap shows where one was redacted."""

    number: int
    role: str
    content: str
    timestamp: str | None = None
    # What the record itself says that the turn cites, beside the marks in its words.
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """Only what may be seen: a withheld turn is counted, and that is all that is known of it."""

    sharing: ConversationSharing
    turns: tuple[Turn, ...] = ()
    withheld_turns: int = 0
    summary: str | None = None
    model: str | None = None
    # Whole for every recipient who may see it at all, whichever items they may see.
    is_released: bool = False
