"""The prompt of one query: TIP §4.1's template in full, this context, this history, this question.

Built anew each time. Whatever comes from outside (items, synthesis, queries) is data between
markers that are random in each request, and cannot close them.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tipstaff.bundle.file_names import ITEM_ID
from tipstaff.domain.conversation import Conversation, ConversationSharing
from tipstaff.domain.invisible import without_invisible

_NO_QUOTING = (
    "- These items may be used and cited but never quoted; say what they say in your own words: "
    "{items}.\n"
)
ASKS = "The recipient asks"
_BEFORE = "Earlier in this session the recipient asked, and was answered"
_GROUNDING = {
    "strict": "- Draw no inferences at all: say only what the context says.\n",
    "standard": "",
    "exploratory": "- Labelled inferences are welcome where the context carries them.\n",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptItem:
    """An item as TIP §4.2.1 formats it; `content` is whole, or its retrieved passages with their
    places."""

    id: str
    title: str
    type: str
    source: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPrompt:
    """`marker` is this request's own; a response that repeats it has leaked the prompt. `about` is
    what the `question` asks about, without what stands around it; `unquotable` are the items that
    may not be quoted."""

    system: str
    question: str
    marker: str
    about: str
    unquotable: str = ""


def new_marker() -> str:
    """Nobody who writes what stands between two of them can know it."""
    return f"<<{secrets.token_hex(8)}>>"


def build_prompt(
    question: str,
    *,
    items: Sequence[PromptItem],
    synthesis: str,
    said: Sequence[tuple[str, str]] = (),
    conversation: Conversation | None = None,
    unquotable: Sequence[str] = (),
    grounding: str = "standard",
    marker: str = "",
) -> BuiltPrompt:
    """The system prompt and the question, both with everything foreign between markers. `said` are
    the exchanges before it, oldest first: as much data as the question itself, since a recipient
    has written one half of them and quotes items in the other."""
    marker = marker or new_marker()
    listed = "\n\n".join(_item(item, marker) for item in items)
    template = normative_template()
    head = template.replace("{context_items}", "\0items\0").replace("{synthesis}", "\0synthesis\0")
    named = ", ".join(_named(item_id, marker) for item_id in unquotable)
    access = _NO_QUOTING.format(items=named) if unquotable else ""
    extensions = (
        _text("prompt_extensions.txt")
        .replace("{marker}", marker)
        .replace("{access}", access)
        .replace("{grounding}", _GROUNDING[grounding])
    )
    record = _conversation(conversation, marker)
    system = head.replace("\0items\0", listed).replace("\0synthesis\0", data(synthesis, marker))
    return BuiltPrompt(
        system=f"{system}\n{record}{extensions}",
        question=f"{_exchanges(said, marker)}{ASKS}:\n{data(question, marker)}",
        marker=marker,
        about=question,
        unquotable=named,
    )


def normative_template() -> str:
    """TIP §4.1, word for word."""
    return _text("system_prompt.txt")


@cache
def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _item(item: PromptItem, marker: str) -> str:
    """TIP §4.2.1. What an item is called is as foreign as what is in it."""
    facts = f"Title: {_line(item.title)}\nType: {_line(item.type)}\nSource: {_line(item.source)}"
    told = data(f"{facts}\n\n{item.content}", marker)
    name = _named(item.id, marker)
    return f"--- Context Item: {name} ---\n{told}\n\n--- End: {name} ---"


def _named(item_id: str, marker: str) -> str:
    """An item's id, between markers where it could be more than a name."""
    if ITEM_ID.fullmatch(item_id):
        return item_id
    return " ".join((marker, _without(marker, _line(item_id)), marker))


def data(text: str, marker: str) -> str:
    """Foreign text between two marker lines; what looks like the marker in it is broken."""
    return f"{marker}\n{_without(marker, without_invisible(text))}\n{marker}"


def _without(marker: str, text: str) -> str:
    """Of the marker its random part is taken out, so that no bracket that is left beside it makes
    another; and again where what is left makes one."""
    own = marker.strip("<>")
    while own in text:
        text = text.replace(own, "")
    return text


def _line(text: str) -> str:
    return " ".join(without_invisible(text).split())


def _exchanges(said: Sequence[tuple[str, str]], marker: str) -> str:
    """TIP §8.1.4: what was asked and answered before."""
    if not said:
        return ""
    told = "\n\n".join(f"Question: {asked}\nAnswer: {answered}" for asked, answered in said)
    return f"{_BEFORE}:\n{data(told, marker)}\n\n"


def _conversation(conversation: Conversation | None, marker: str) -> str:
    """TIP §4.5: only where the sender shares it, in full or redacted."""
    shared = (ConversationSharing.FULL, ConversationSharing.REDACTED)
    if conversation is None or conversation.sharing not in shared or not conversation.turns:
        return ""
    shown = [turn for turn in conversation.turns if turn.content.strip()]
    if not shown:
        return ""
    turns = "\n".join(f"{turn.role}: {turn.content}" for turn in shown)
    return (
        "\n=== CONVERSATION RECORD ===\n\n"
        "The following is the AI conversation that produced the synthesis document.\n"
        "You may reference this conversation when answering questions about how the\n"
        "synthesis was developed.\n\n"
        f"{data(turns, marker)}\n\n=== END CONVERSATION RECORD ===\n"
    )
