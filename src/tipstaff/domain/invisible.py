"""Characters that nobody sees: zero-width, bidirectional, tag and control characters.

Joiners between letters of scripts that need them (Persian, Indic, emoji) are honest and
stay; a byte-order mark at the start of a text is no secret either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tipstaff.domain.document import Span

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
# Seen only at the end of a line, and honest; between other letters it hides a word.
_SOFT_HYPHEN = "\u00ad"
_JOINERS = re.compile("[\u200c\u200d]+")


def invisible_spans(text: str) -> Iterator[Span]:
    """Every run of invisible characters, in order."""
    for match in _INVISIBLE.finditer(text):
        if match[0] == "\ufeff" and match.start() == 0:
            continue
        if _JOINERS.fullmatch(match[0]) and _joins(text, match.start(), match.end()):
            continue
        yield Span(match.start(), match.end())


def without_invisible(text: str) -> str:
    """The text as it looks, soft hyphens aside."""
    kept, position = [], 0
    for span in invisible_spans(text):
        kept.append(text[position : span.start])
        position = span.end
    return "".join([*kept, text[position:]]).replace(_SOFT_HYPHEN, "")


def names(text: str, spans: Iterator[Span] | list[Span]) -> str:
    """Which characters they are, by code point, for a person who wants to look."""
    found = sorted({character for span in spans for character in text[span.start : span.end]})
    shown = ", ".join(f"U+{ord(character):04X}" for character in found[:4])
    return shown + (" …" if len(found) > 4 else "")


def _joins(text: str, start: int, end: int) -> bool:
    before, behind = text[start - 1 : start], text[end : end + 1]
    return bool(before and behind) and ord(before) > 0x2FF and ord(behind) > 0x2FF
