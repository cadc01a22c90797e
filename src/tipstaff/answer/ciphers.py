"""Texts in simple ciphers → what they say: shifted letters, words turned round, Morse, numbers for
characters, spelling alphabets, pig Latin, vowels left out.

A cipher has no key that would tell whether a text is in it. What comes out is offered as a reading
only if it has words in it that commands to a system are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LEAST_KNOWN = 2
_TELLING = frozenset(
    [
        "ignore",
        "disregard",
        "forget",
        "override",
        "bypass",
        "reveal",
        "pretend",
        "rules",
        "instructions",
        "prompt",
        "system",
        "guidelines",
        "restrictions",
    ]
)
_KNOWN = _TELLING | frozenset(
    [
        "show",
        "print",
        "tell",
        "repeat",
        "act",
        "previous",
        "prior",
        "above",
        "all",
        "your",
        "you",
        "the",
        "and",
        "now",
        "are",
        "rule",
        "instruction",
        "message",
        "hidden",
        "secret",
        "without",
        "everything",
        "answer",
        "from",
        "only",
        "limits",
    ]
)
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MORSE = {
    code: letter
    for letter, code in zip(
        _LETTERS,
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        strict=True,
    )
}
_MORSE_RUN = re.compile(r"(?:[.·•\-–−_]{1,5}(?:\s*[/|]\s*|\s+)){5,}[.·•\-–−_]{1,5}")
_NUMBERS = re.compile(r"(?<![\w.])(?:\d{2,3}[ ,;]+){5,}\d{2,3}(?![\w.])")
_SPELLING = {
    word: word[0]
    for word in [
        "alfa",
        "alpha",
        "bravo",
        "charlie",
        "delta",
        "echo",
        "foxtrot",
        "golf",
        "hotel",
        "india",
        "juliett",
        "juliet",
        "kilo",
        "lima",
        "mike",
        "november",
        "oscar",
        "papa",
        "quebec",
        "romeo",
        "sierra",
        "tango",
        "uniform",
        "victor",
        "whiskey",
        "xray",
        "yankee",
        "zulu",
    ]
}
_LEAST_SPELLED = 6
_VOWELS = re.compile(r"[aeiou]")


def deciphered(text: str) -> Iterator[str]:
    """Readings of the whole text that make sense as commands."""
    plain = _words_of(text)
    for reading in _readings(text):
        words = _words_of(reading)
        if len(words & _KNOWN) >= _LEAST_KNOWN and (words - plain) & _TELLING:
            yield reading


def _words_of(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _readings(text: str) -> Iterator[str]:
    folded = text.casefold()
    for shift in range(1, len(_LETTERS)):
        yield folded.translate(str.maketrans(_LETTERS, _LETTERS[shift:] + _LETTERS[:shift]))
    yield folded.translate(str.maketrans(_LETTERS, _LETTERS[::-1]))
    yield _WORD.sub(lambda word: word[0][::-1], folded)
    yield _MORSE_RUN.sub(lambda run: _from_morse(run[0]), text)
    yield _NUMBERS.sub(lambda run: _from_numbers(run[0]), text)
    yield _from_spelling(folded)
    if folded.count("ay") >= _LEAST_KNOWN:
        yield from _from_pig_latin(folded)
    yield _with_vowels(folded)


def _from_morse(run: str) -> str:
    plain = re.sub(r"[·•]", ".", re.sub(r"[–−_]", "-", run))
    words = re.split(r"\s*[/|]\s*|\s{3,}", plain)
    return " ".join("".join(_MORSE.get(code, "") for code in word.split()) for word in words)


def _from_numbers(run: str) -> str:
    """Codes of characters, or places in the alphabet."""
    numbers = [int(number) for number in re.findall(r"\d+", run)]
    return "".join(chr(number) if 32 <= number < 127 else " " for number in numbers)


def _from_spelling(folded: str) -> str:
    words = _WORD.findall(folded.replace("x-ray", "xray"))
    letters = "".join(_SPELLING.get(word, " ") for word in words)
    if len(letters.replace(" ", "")) < _LEAST_SPELLED:
        return ""
    # Nothing tells where a spelled word ends: known words are cut out of the run.
    known = sorted(_KNOWN, key=len, reverse=True)
    return re.sub("|".join(known), lambda word: f" {word[0]} ", letters)


def _from_pig_latin(folded: str) -> Iterator[str]:
    """The letters moved behind may be one or several; "way" may hide a vowel or a w."""

    def restored(word: str) -> str:
        if not word.endswith("ay") or len(word) <= len("ay") + 1:
            return word
        stem = word[: -len("ay")]
        choices = [stem[-moved:] + stem[:-moved] for moved in (1, 2, 3)]
        choices += [stem[:-1] if stem.endswith("w") else stem, stem]
        return next((choice for choice in choices if choice in _KNOWN), choices[0])

    yield _WORD.sub(lambda word: restored(word[0]), folded)


def _with_vowels(folded: str) -> str:
    bare = {_VOWELS.sub("", word): word for word in sorted(_KNOWN) if len(word) > len("show")}
    bare |= {"ll": "all", "yr": "your", "th": "the", "nd": "and"}
    return _WORD.sub(
        lambda word: bare.get(word[0], word[0]) if not _VOWELS.search(word[0]) else word[0], folded
    )
