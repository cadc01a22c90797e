"""RTF as tokens: control words, text, bytes and groups, in one linear pass.

A file's bytes come in as Latin-1 text, so that every character is a byte; `\\bin` data is
stepped over by its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_TOKEN = re.compile(
    r"\\([A-Za-z]{1,32})(-?\d{1,10})?[ ]?"
    r"|\\'([0-9A-Fa-f]{2})"
    r"|\\(.)"
    r"|([{}])"
    r"|([\r\n\x00]+)"
    r"|([\x80-\xff]+)"
    r"|([^\\{}\r\n\x00\x80-\xff]+)"
    r"|\\",
    re.S,
)


class TokenKind(Enum):
    WORD = auto()  # \par, with its number
    SIGN = auto()  # \~ and the like
    BYTES = auto()  # \'e4, or the bytes themselves
    TEXT = auto()
    OPEN = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    text: str = ""
    number: int | None = None


_OPEN = Token(TokenKind.OPEN)
_CLOSE = Token(TokenKind.CLOSE)


def tokens(text: str) -> Iterator[Token]:
    position = 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        word, number, byte, sign, brace, _, wide, plain = match.groups()
        if plain is not None:
            yield Token(TokenKind.TEXT, plain)
        elif word is not None:
            value = None if number is None else int(number)
            if word == "bin":
                position += max(0, value or 0)
            else:
                yield Token(TokenKind.WORD, word, value)
        elif brace is not None:
            yield _OPEN if brace == "{" else _CLOSE
        elif byte is not None:
            yield Token(TokenKind.BYTES, chr(int(byte, 16)))
        elif wide is not None:
            yield Token(TokenKind.BYTES, wide)
        elif sign is not None:
            # A line end behind a backslash is a paragraph's end.
            yield Token(TokenKind.WORD, "par") if sign in "\r\n" else Token(TokenKind.SIGN, sign)
