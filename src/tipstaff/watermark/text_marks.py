"""Marks in a text that nobody sees: runs of invisible characters between words (TIP §13.3.3).

Visible characters stay as they are, and citation marks stay whole. The characters (U+2061 to
U+2064) are no white space, join nothing and shape nothing, so that they pass through copying and
normalisation. Whoever knows of them can strip them: fingerprints (`fingerprints.py`) are for that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tipstaff.watermark.tag import CODE_BYTES

_FIRST = 0x2061
_SYMBOLS = "".join(chr(_FIRST + number) for number in range(4))
MARK_CHARS = CODE_BYTES * 4
# Words between two marks; a mark stands behind the first word of a paragraph, too.
_EVERY = 12
# In a quotation, none until it is longer than most that are looked up again.
_EVERY_QUOTED = 30
_RUN = re.compile(f"[{_SYMBOLS}]{{{MARK_CHARS}}}")
# Any run that is long enough to be a part of a mark, and not a formula's own operator.
_TRACES = re.compile(f"[{_SYMBOLS}]{{4,}}")
_OPENS, _CLOSES = "“«„", "”»"


def mark_of(code: bytes) -> str:
    return "".join(_SYMBOLS[(byte >> shift) & 3] for byte in code for shift in (6, 4, 2, 0))


def codes_in(text: str) -> list[bytes]:
    """What whole runs in a text stand for, in order."""
    return [_code(match[0]) for match in _RUN.finditer(text)]


def without_marks(text: str) -> str:
    """The text as it was before."""
    return _TRACES.sub("", text)


@dataclass(slots=True)
class TextMarker:
    """Marks a text as it comes, piece by piece: however it is cut, the pieces joined are the
    marked text."""

    code: bytes
    _in_word: bool = False
    _words: int = 0
    _is_first: bool = True
    _in_citation: bool = False
    _in_code: bool = False
    _in_quote: bool = False
    _last: str = ""
    _mark: str = field(init=False)

    def __post_init__(self) -> None:
        self._mark = mark_of(self.code)

    def marked(self, piece: str) -> str:
        return "".join(self._taken(character) for character in piece)

    def _taken(self, character: str) -> str:
        ended = self._in_word and character.isspace()
        mark = self._mark if ended and self._is_due() else ""
        if mark:
            self._words, self._is_first = 0, False
        self._see(character)
        return mark + character

    def _is_due(self) -> bool:
        # Beside a character of their own kind they could not be told from it.
        if self._in_citation or self._in_code or self._last in _SYMBOLS:
            return False
        if self._in_quote:
            return self._words >= _EVERY_QUOTED
        return self._is_first or self._words >= _EVERY

    def _see(self, character: str) -> None:
        pair, self._last = self._last + character, character
        if pair == "[[":
            self._in_citation = True
        elif pair == "]]":
            self._in_citation = False
        elif character == "`":
            self._in_code = not self._in_code
        elif character == '"':
            self._in_quote = not self._in_quote
        elif character in _OPENS or character in _CLOSES:
            self._in_quote = character in _OPENS
        if pair == "\n\n":
            # A paragraph begins anew, whatever was left open before.
            self._is_first, self._in_quote, self._in_code = True, False, False
        if character.isspace():
            self._words += self._in_word and not self._in_citation
        self._in_word = not character.isspace()


def marked_text(text: str, code: bytes) -> str:
    return TextMarker(code).marked(text)


def _code(run: str) -> bytes:
    values = [ord(character) - _FIRST for character in run]
    return bytes(
        values[at] << 6 | values[at + 1] << 4 | values[at + 2] << 2 | values[at + 3]
        for at in range(0, len(values), 4)
    )
