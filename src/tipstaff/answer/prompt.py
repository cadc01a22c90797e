"""The prompt of one query: TIP §4.1's template in full, this context, this history, this question.

Built anew each time. Whatever comes from outside (items, synthesis, queries) is data between
markers that are random in each request, and cannot close them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tipstaff.domain.conversation import Conversation, ConversationSharing
from tipstaff.domain.invisible import without_invisible

_NO_QUOTING = (
    "- These items may be used and cited but never quoted; say what they say in your own words: "
    "{items}.\n"
)
ASKS = "The recipient asks"
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
    """`marker` is this request's own; a response that repeats it has leaked the prompt."""

    system: str
    question: str
    marker: str


def build_prompt(
    question: str,
    *,
    items: Sequence[PromptItem],
    synthesis: str,
    conversation: Conversation | None = None,
    unquotable: Sequence[str] = (),
    grounding: str = "standard",
    new_marker: Callable[[], str] = lambda: f"<<{secrets.token_hex(8)}>>",
) -> BuiltPrompt:
    """The system prompt and the question, both with everything foreign between markers."""
    marker = new_marker()
    listed = "\n\n".join(_item(item, marker) for item in items)
    template = normative_template()
    head = template.replace("{context_items}", "\0items\0").replace("{synthesis}", "\0synthesis\0")
    access = _NO_QUOTING.format(items=", ".join(unquotable)) if unquotable else ""
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
        question=f"{ASKS}:\n{data(question, marker)}",
        marker=marker,
    )


def normative_template() -> str:
    """TIP §4.1, word for word."""
    return _text("system_prompt.txt")


@cache
def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _item(item: PromptItem, marker: str) -> str:
    """TIP §4.2.1."""
    facts = f"Title: {_line(item.title)}\nType: {_line(item.type)}\nSource: {_line(item.source)}"
    content = data(item.content, marker)
    return f"--- Context Item: {item.id} ---\n{facts}\n\n{content}\n\n--- End: {item.id} ---"


def data(text: str, marker: str) -> str:
    """Foreign text between two marker lines; what looks like the marker in it is broken."""
    # Of the marker its random part is taken out: no bracket that is left beside it makes another.
    clean = without_invisible(text).replace(marker.strip("<>"), "")
    return f"{marker}\n{clean}\n{marker}"


def _line(text: str) -> str:
    return " ".join(without_invisible(text).split())


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
