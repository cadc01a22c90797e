"""Markdown as the reference pages are written in: tables, code, anchors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Nothing for no rows: a head alone tells nobody anything."""
    lines = ["| " + " | ".join(_cell(one) for one in row) + " |" for row in rows]
    if not lines:
        return ""
    rule = "|" + "---|" * len(head)
    return "\n".join(["| " + " | ".join(head) + " |", rule, *lines, ""])


def fenced(code: str, language: str = "text") -> str:
    return f"```{language}\n{code.rstrip()}\n```\n"


def code(text: str) -> str:
    """Inline code, even where the text has a backtick in it."""
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}"


def sentence(text: str) -> str:
    """A help text as a sentence."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "…", ")")) else ".")


def anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def plain(text: str) -> str:
    """Words of the code as words of a page: what looks like a tag is none."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
