"""A query that is masked → the ways to read it: hidden characters, look-alike letters, digits for
letters, letters set apart, and what is written in base64, hexadecimal and other codes.

A reading says nothing about intent: it is text to be judged like the query itself.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from tipstaff.answer.ciphers import deciphered
from tipstaff.domain.invisible import without_invisible

# Codes inside codes; nobody asks a question three times wrapped.
_DEPTH = 3
_LEAST_SHARE_OF_LETTERS = 0.7
_LEAST_CHARS = 6

_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_WORD = re.compile(r"\w+")
_MIXED = re.compile(r"[^\W\d_]+")
# Letters of Cyrillic and Greek that look like Latin ones.
_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһвкмнтАЕОРСУХІЈЅВКМНТαεορνικτυΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡıο",
    "aeopcyxijsdhbkmhtAEOPCYXIJSBKMHTaeopviktuABEZHIKMNOPTYXgio",
)
_DIGITS_AS_LETTERS = str.maketrans("013457@$!|8", "oieastasilb")
_LEET_WORD = re.compile(r"(?<!\w)(?=[\w@$!|]*[A-Za-z])(?=[\w@$!|]*[0134578@$!|])[\w@$!|]{3,}")
_SET_APART = re.compile(
    r"(?<!\w)(?:\w[ ._*-]{1,2}){4,}\w(?!\w)|(?<!\w)\w(?: \w)+(?:\s{2,}\w(?: \w)+)+(?!\w)"
)
_GLUED_LETTER = re.compile(r"(?<=\w)[ ._*-](?=\w(?!\w))")

_OFTEN_MISSPELT = (
    "ignore", "disregard", "forget", "override", "bypass", "previous", "instructions", "prompt",
    "guidelines", "system", "reveal", "pretend", "restrictions",
)  # fmt: skip

_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{12,}={0,2}(?![\w+/=-])")
_BASE32 = re.compile(r"(?<![\w=])[A-Z2-7]{16,}={0,6}(?![\w=])")
_HEX = re.compile(r"(?<!\w)(?:(?:0x|\\x|%)?[0-9A-Fa-f]{2}[ ,:]?){6,}(?!\w)")
_BINARY = re.compile(r"(?<!\w)(?:[01]{8}[ ,]*){4,}(?!\w)")
_ESCAPES = re.compile(r"(?:\\u[0-9A-Fa-f]{4}){3,}")


@dataclass(frozen=True, slots=True)
class Reading:
    """`text` is what it reads as; `piece` what of the query it came from, or None for all."""

    text: str
    piece: str | None = None


def as_seen(query: str) -> str:
    """The query as a person sees it: composed, wide letters made plain, nothing invisible."""
    return without_invisible(unicodedata.normalize("NFKC", query)).strip()


def hidden_in(query: str) -> str:
    """Words written in characters that nobody sees (Unicode's tags repeat ASCII)."""
    return " ".join(
        "".join(chr(ord(mark) - 0xE0000) for mark in run) for run in _TAGS.findall(query)
    )


def readings(seen: str, *, depth: int = _DEPTH) -> Iterator[Reading]:
    """Every way to read a text that differs from how it looks, the codes in it among them."""
    for whole in _as_a_whole(seen):
        if whole != seen:
            yield Reading(whole)
    for piece, text in _decoded_pieces(seen):
        yield Reading(text, piece)
        if depth > 1:
            yield from (Reading(inner.text, piece) for inner in readings(text, depth=depth - 1))


def _as_a_whole(seen: str) -> Iterator[str]:
    latin = _in_latin(seen)
    yield latin
    glued = _SET_APART.sub(lambda run: _GLUED_LETTER.sub("", run[0]), latin)
    yield glued
    for text in (latin, glued):
        yield _LEET_WORD.sub(lambda word: word[0].translate(_DIGITS_AS_LETTERS), text)
    yield _WORD.sub(lambda word: _respelled(word[0]), latin)
    yield seen[::-1]
    yield codecs.encode(seen, "rot13")
    yield html.unescape(seen)
    yield _ESCAPES.sub(lambda run: codecs.decode(run[0], "unicode_escape"), seen)
    if seen.count("%") > 1:
        yield unquote(seen)
    yield from deciphered(latin)


def _in_latin(text: str) -> str:
    """With look-alikes replaced, if a word mixes alphabets: no honest word does."""
    if any(_alphabets(word) > 1 for word in _MIXED.findall(text)):
        return text.translate(_LOOK_ALIKES)
    return text


def _alphabets(word: str) -> int:
    names = (unicodedata.name(letter, "").partition(" ")[0] for letter in word)
    return len({name for name in names if name in ("LATIN", "CYRILLIC", "GREEK")})


def _respelled(word: str) -> str:
    """A word whose letters were exchanged, left out or doubled on purpose: "ignroe", "promt"."""
    folded = word.casefold()
    if len(word) < _LEAST_CHARS - 1 or folded in _OFTEN_MISSPELT:
        return word
    for meant in _OFTEN_MISSPELT:
        if folded[0] == meant[0] and (
            sorted(folded) == sorted(meant)
            or (
                folded[-1] == meant[-1] and (_lacks_one(folded, meant) or _lacks_one(meant, folded))
            )
        ):
            return meant
    return word


def _lacks_one(short: str, long: str) -> bool:
    return len(short) + 1 == len(long) and any(
        short == long[:at] + long[at + 1 :] for at in range(len(long))
    )


def _decoded_pieces(text: str) -> Iterator[tuple[str, str]]:
    for pattern, decode in _CODES:
        for match in pattern.finditer(text):
            decoded = _words_in(decode, match[0])
            if decoded:
                yield match[0], decoded


def _words_in(decode: Callable[[str], bytes], code: str) -> str:
    """The text that a code stands for, or nothing: most hashes and serial numbers are no text."""
    try:
        text = decode(code).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    letters = sum(mark.isalpha() or mark == " " for mark in text)
    if len(text) < _LEAST_CHARS or letters < _LEAST_SHARE_OF_LETTERS * len(text):
        return ""
    return as_seen(text)


def _base64(code: str) -> bytes:
    bare = code.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def _base32(code: str) -> bytes:
    bare = code.rstrip("=")
    return base64.b32decode(bare + "=" * (-len(bare) % 8))


def _hexadecimal(code: str) -> bytes:
    return bytes.fromhex(re.sub(r"0x|\\x|[%,: ]", "", code))


def _binary(code: str) -> bytes:
    bits = re.sub(r"[^01]", "", code)
    return bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8))


_CODES: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
    (_BASE64, _base64),
    (_BASE32, _base32),
    (_HEX, _hexadecimal),
    (_BINARY, _binary),
)
