"""Whose people somebody is: "Ada Byron, head of sales, Lovelace Ltd", "Ada Byron (Lovelace)", or a
name above a firm at the end of a letter."""

from __future__ import annotations

import re
from collections.abc import Iterable

# So much may stand between a name and the firm: what somebody is there.
_BETWEEN = r"(?:\s*[,(\n][^.;:!?<>@]{0,60}?|\s+(?:of|from|for|at|with)\s+(?:the\s+)?)"


def belongs(person: str, firm: str, texts: Iterable[str]) -> bool:
    """Whether a text says of somebody that they are of a firm."""
    words = firm.split()
    surname = person.split()[-1:]
    if not words or not surname or surname == words[-1:]:
        return False
    name = r"\s+".join(map(re.escape, words))
    pattern = re.compile(
        rf"\b{re.escape(surname[0])}(?:{_BETWEEN}\b{name}\b|"
        # Of what is behind the @ of their address, the firm's name is a part.
        rf"[^\n<>]{{0,20}}<[^<>@\s]{{1,60}}@(?i:[\w.-]{{0,40}}\b{re.escape(words[0])}))"
    )
    return any(words[0].casefold() in text.casefold() and pattern.search(text) for text in texts)
