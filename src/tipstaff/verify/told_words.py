"""The words of a text in their order, as one sentence is compared with another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tipstaff.lexical.analysis import terms
from tipstaff.verify.quotes import plain

_TOKEN = re.compile(r"[\w£$€%][\w£$€%.,:'/&@+°-]*")
_BREAK = re.compile(r"[,;:()–—.!?\[\]|]|\s-\s")
# A full stop behind a title, an initial or "p.m." ends no sentence.
_SENTENCE = re.compile(
    r"(?<![ ][A-Z]\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bNo\.)(?<!\bMrs\.)"
    r"(?<!\bProf\.)(?<!\.m\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bLtd\.)(?<=[.!?])\s+"
    r"(?=[\w\"'(£$€])"
)
_INITIAL = re.compile(r"[A-ZÀ-Þ]")
_OWNED = re.compile(r"'s?$")
_CONTRACTED = (
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bcan(?:'t|not)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\b(\w+)n't\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(I|we|you|they)'ve\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"\b(I|we|you|he|she|it|they)'ll\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(we|you|they)'re\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\bI'm\b"), "I am"),
    (re.compile(r"\b(it|that|there)'s\b", re.IGNORECASE), r"\1 is"),
    (re.compile(r"\bper cent\b", re.IGNORECASE), "percent"),
    (re.compile(r"(?<=\d)\s?%"), " percent"),
)
# Most texts have none of these.
_ANY_CONTRACTED = re.compile(r"['%]|cannot|per cent", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Word:
    """`breaks`: a mark stands before it; `begins`: it is the first of its sentence; `asked`: that
    is a question; `headed`: before it in its sentence stands a colon."""

    text: str
    written: str
    breaks: bool
    begins: bool
    asked: bool
    headed: bool

    @property
    def is_name(self) -> bool:
        return self.written[:1].isupper()


@lru_cache(maxsize=4096)
def stems_of(word: str) -> frozenset[str]:
    return frozenset(terms(word)[:1]) or frozenset((word,))


@lru_cache(maxsize=512)
def words_in(text: str) -> tuple[Word, ...]:
    text = plain(text)
    if _ANY_CONTRACTED.search(text):
        for pattern, full in _CONTRACTED:
            text = pattern.sub(full, text)
    made: list[Word] = []
    for sentence in _SENTENCE.split(text):
        asked, headed, end = sentence.rstrip().endswith("?"), False, 0
        before = ""
        for match in _TOKEN.finditer(sentence):
            between = sentence[end : match.start()]
            if _INITIAL.fullmatch(before):
                # "I. Solvane" is one name.
                between = between.removeprefix(".")
            written = match.group().rstrip(".,:'-/&+")
            bare = _OWNED.sub("", written.casefold())
            first = end == 0
            breaks = first or bool(_BREAK.search(between))
            headed = headed or ":" in between
            made.append(Word(bare, written, breaks, first, asked, headed))
            end = match.start() + len(written)
            before = written
    return tuple(made)
