"""Text into terms: stems of words, numbers whole, codes whole and in parts.

The same text always gives the same terms; nothing here depends on the collection.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

# Changes whenever the terms of any text do: an index made before must not be searched.
ANALYSIS_VERSION = 1

# A number with its separators; a word, or a code of words joined by - _ . / : ; one ideograph.
_TOKEN = re.compile(
    r"\d+(?:[.,]\d+)*(?![\w-])"
    r"|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
    r"|[^\W_]+(?:['’][^\W_]+|[-_./:][^\W_]+)*"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_PART = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)

# What a question is built with and no answer is found by. In capitals they are names: US, IT,
# WHO.
_STOP_TEXT = (
    "a about all am an and any are as at be been being but by can could did do does doing for "
    "from had has have having he her hers him his how i if in into is it its just me more most my "
    "no nor not of off on or our ours out over own please she should so some such tell than that "
    "the their theirs them then there these they this those to too under until up us very was we "
    "were what when where which while who whom whose why will with would you your yours "
)
STOP_WORDS = frozenset(_STOP_TEXT.split())
_SHORT = 512


def terms(text: str) -> list[str]:
    """Every term of a text, in order, with repetitions."""
    return list(_short(text) if len(text) <= _SHORT else _terms(text))


def _terms(text: str) -> tuple[str, ...]:
    return tuple([term for token in _tokens(text) for term in _terms_of(token)])


# Sentences are compared with many others.
_short = lru_cache(maxsize=16_384)(_terms)


def query_terms(query: str) -> list[str]:
    """The distinct terms that a query looks for, sorted; its stop words only if it has no
    others."""
    tokens = _tokens(query.lower() if query.isupper() else query)
    telling = [token for token in tokens if not _is_stop_word(token)]
    return sorted({term for token in telling or tokens for term in _terms_of(token)})


def _tokens(text: str) -> list[str]:
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _TOKEN.findall(plain)


def _is_stop_word(token: str) -> bool:
    is_name = token.isupper() and len(token) > 1
    return token.lower() in STOP_WORDS and not is_name


@lru_cache(maxsize=65_536)
def _terms_of(token: str) -> tuple[str, ...]:
    """One token as it is searched for; the parts of a code or an identifier as well."""
    if token[0].isdigit() and _is_number(token):
        return (_number(token),)
    word = _POSSESSIVE.sub("", token)
    whole = _folded(word)
    parts = [part for piece in _PART.findall(word) for part in _HUMP.split(piece)]
    if len(parts) == 1:
        return (_stem(whole),)
    return (whole, *(_stem(_folded(part)) for part in parts))


def _is_number(token: str) -> bool:
    return all(mark.isdigit() or mark in ".," for mark in token)


def _number(token: str) -> str:
    """3,400,000 and 3400000 are one number; 1,5 stays as it is."""
    return token.replace(",", "") if _THOUSANDS.fullmatch(token) else token


def _folded(word: str) -> str:
    """Lower case, without accents: nobody types them in a search."""
    small = word.casefold()
    if small.isascii():
        return small
    plain = unicodedata.normalize("NFD", small)
    return "".join(mark for mark in plain if not unicodedata.combining(mark))


def _stem(word: str) -> str:
    return word if any(mark.isdigit() for mark in word) else _stemmer().stemWord(word)


@cache
def _stemmer() -> Any:
    """Snowball's English stemmer: endings of other languages are mostly left alone by it."""
    import Stemmer

    return Stemmer.Stemmer("english")
