"""conversation.json as far as its sharing mode lets it be known (TIP §4.5, §13.4.1).

A redacted turn's words never leave this module. Whatever is unclear about what is
redacted withholds the whole record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.bundle.structured_text import Unreadable, load_json
from tipstaff.domain.conversation import Conversation, ConversationSharing, Turn
from tipstaff.domain.finding import Finding, error, warning

_EXCLUDED = Conversation(ConversationSharing.EXCLUDED)


def sharing_mode(
    declared: Mapping[str, Any], *, where: str
) -> tuple[ConversationSharing, list[Finding]]:
    """The sender's mode; excluded where none is given or it is not understood."""
    value = declared.get("sharing", "excluded")
    try:
        return ConversationSharing(value), []
    except ValueError:
        return ConversationSharing.EXCLUDED, [
            warning("conversation-sharing", where, f"'{value}' is no sharing mode; kept private.")
        ]


def summary_only(declared: Mapping[str, Any]) -> Conversation:
    summary = declared.get("summary")
    return Conversation(
        ConversationSharing.SUMMARY, summary=summary if isinstance(summary, str) else None
    )


def read_conversation(
    content: bytes, sharing: ConversationSharing, *, file: str, max_nesting: int
) -> tuple[Conversation, list[Finding]]:
    """The turns that may be seen under `full` or `redacted`."""
    try:
        record = load_json(content, max_nesting=max_nesting)
        turns = record.get("turns") if isinstance(record, dict) else record
        if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
            raise Unreadable("it has no list of turns")
        hidden = (
            _redacted_turns(record if isinstance(record, dict) else {}, turns)
            if sharing is ConversationSharing.REDACTED
            else set()
        )
    except Unreadable as problem:
        return _EXCLUDED, [
            error("conversation-unreadable", file, f"The conversation is left out: {problem}.")
        ]
    visible = tuple(
        Turn(
            number=number,
            role=str(turn.get("role", "")),
            content=_content(turn.get("content")),
            timestamp=turn["timestamp"] if isinstance(turn.get("timestamp"), str) else None,
            cited=_cited(turn.get("citations")),
        )
        for number, turn in enumerate(turns, start=1)
        if number - 1 not in hidden
    )
    model = record.get("model") if isinstance(record, dict) else None
    return (
        Conversation(
            sharing,
            turns=visible,
            withheld_turns=len(hidden),
            model=model if isinstance(model, str) else None,
        ),
        [],
    )


def _redacted_turns(record: Mapping[str, Any], turns: list[Any]) -> set[int]:
    """Indices from 0. A mark that cannot be read could hide anything, so it is an error."""
    hidden = {
        index for index, turn in enumerate(turns) if turn.get("redacted") not in (None, False)
    }
    redactions = record.get("redactions") or []
    if not isinstance(redactions, list):
        raise Unreadable("its list of redactions cannot be read")
    for redaction in redactions:
        indices = redaction.get("turn_indices") if isinstance(redaction, dict) else None
        if not isinstance(indices, list):
            raise Unreadable("one of its redactions names no turns")
        for index in indices:
            if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(turns):
                raise Unreadable("one of its redactions names a turn that is not there")
            hidden.add(index)
    return hidden


def _cited(citations: Any) -> tuple[str, ...]:
    """Names of items, written as citations, as bare names or as objects that hold one."""
    listed = citations if isinstance(citations, list) else []
    found = (one.get("item_id", one.get("id")) if isinstance(one, dict) else one for one in listed)
    written = (one.strip(" []") for one in found if isinstance(one, str))
    return tuple(one.partition(":")[0].strip() for one in written)


def _content(content: Any) -> str:
    """Some producers write a list of parts where the format has a string."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        return "\n".join(text for text in texts if isinstance(text, str))
    return ""
