"""A bundle and the items that somebody may see → the bundle that exists for them (Enterprise
§3.5). Whatever a recipient is shown, told or answered from comes from this one."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from types import MappingProxyType

from tipstaff.access.withholding import NOTHING, Withholding
from tipstaff.domain.bundle import Bundle, Synthesis
from tipstaff.domain.conversation import Conversation, Turn

# What tools put out and what systems were told holds words of items without saying whose.
_UNATTRIBUTED = frozenset({"tool", "system", "function", "developer"})
_TEXT = frozenset({"text/markdown", "text/plain"})


def visible_bundle(bundle: Bundle, permitted: Collection[str]) -> Bundle:
    """The bundle itself where nothing is hidden. The sender's own objects (manifest, parameters)
    name every item, so nothing of them is left where something is."""
    items = tuple(item for item in bundle.items if item.id in permitted)
    if len(items) == len(bundle.items):
        return bundle
    kept_from = Withholding.of(bundle, permitted)
    nothing: MappingProxyType[str, object] = MappingProxyType({})
    return replace(
        bundle,
        items=items,
        synthesis=_synthesis(bundle.synthesis, kept_from),
        conversation=_conversation(bundle.conversation, kept_from),
        manifest=nothing,
        params=nothing,
        tip_config=nothing,
    )


def _synthesis(synthesis: Synthesis | None, kept_from: Withholding) -> Synthesis | None:
    if synthesis is None or synthesis.is_released:
        return synthesis
    if synthesis.media_type not in _TEXT:
        # Words cannot be taken out of such a file, and it cannot be told which it rests on.
        return None
    text = kept_from.text(synthesis.text)
    if text == synthesis.text:
        return synthesis
    content = text.encode("utf-8")
    # The hash of the sender's file would confirm a guess at what was taken out of it.
    return replace(
        synthesis,
        text=text,
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )


def _conversation(conversation: Conversation, kept_from: Withholding) -> Conversation:
    if conversation.is_released:
        return conversation
    summary = conversation.summary
    return replace(
        conversation,
        turns=tuple(_turn(turn, kept_from) for turn in conversation.turns),
        summary=summary if summary is None else kept_from.text(summary),
    )


def _turn(turn: Turn, kept_from: Withholding) -> Turn:
    """Turns keep their numbers; one of which nothing may be seen is empty."""
    cited = [kept_from.names.get(name, name) for name in turn.cited]
    if turn.role.casefold() in _UNATTRIBUTED or kept_from.rests_on_hidden(cited):
        return replace(turn, content=NOTHING, cited=())
    left = tuple(name for name in turn.cited if kept_from.names.get(name) not in kept_from.hidden)
    return replace(turn, content=kept_from.text(turn.content), cited=left)
