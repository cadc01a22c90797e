"""Chat logs among plain texts: every line that begins with a time and a name is a message.

A text is a chat log only if most of its lines are messages; what stands before the first one is
ordinary text, and a line without a time goes on with the message before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CLOCK = r"[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?:\.\d+)?(?:\s?[AaPp]\.?[Mm]\.?)?Z?"
_DAY = r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2} [A-Z][a-z]{2,8} \d{4})"
_STAMP = rf"[\[(]?(?:{_DAY},?[ T])?{_CLOCK}(?:,? {_DAY})?[\])]?"
# A nick in angle brackets, or a name of a few words before a colon.
_NAME = r"(?:<(?P<nick>[^<>\s][^<>\n]{0,39})>|(?P<name>[^\W\d][\w.’'@-]*(?: [\w.’'()-]+){0,3}):)"
_MESSAGE = re.compile(rf"\s*{_STAMP}(?:\s+[-–—|])?\s+{_NAME}\s+\S")
_FEWEST = 3
_MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Lines `first` to `last`, counted from 1, and who wrote them."""

    first: int
    last: int
    author: str


def chat_messages(lines: Sequence[str]) -> list[ChatMessage]:
    """The messages of a chat log; none if the text is something else."""
    authors: dict[int, str] = {}
    for number, line in enumerate(lines, start=1):
        match = _MESSAGE.match(line)
        if match:
            authors[number] = (match["nick"] or match["name"]).strip()
    said = sum(bool(line.strip()) for line in lines)
    if len(authors) < _FEWEST or len(authors) < _MOSTLY * said:
        return []
    starts = sorted(authors)
    ends = [*(following - 1 for following in starts[1:]), len(lines)]
    return [
        ChatMessage(first, _last_said(lines, first, end), authors[first])
        for first, end in zip(starts, ends, strict=True)
    ]


def _last_said(lines: Sequence[str], first: int, end: int) -> int:
    while end > first and not lines[end - 1].strip():
        end -= 1
    return end
