"""What of a delivered claim is not in the text that its citations lead to.

Written apart from `tipstaff.verify`, and of none of its code: it looks for figures, quotations,
names and whether the place has most of the words, as somebody with a pencil would.
"""

from __future__ import annotations

import re

_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "k": 1e3, "m": 1e6, "bn": 1e9}
_SCALED = re.compile(
    r"(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<scale>thousand|million|billion|k|m|bn)?\b", re.IGNORECASE
)
_QUOTATION = re.compile(r"[“\"]([^“”\"]{4,})[”\"]")
_NAME = re.compile(r"\b[A-Z][\w’'-]+(?:\s+(?:of\s+)?[A-Z][\w’'-]+)+")
# Capitals that begin a sentence or a table's label say nothing about anybody.
_NO_NAME = frozenset(
    {"The", "A", "An", "In", "On", "At", "For", "From", "By", "With", "This", "That", "These"}
    | {"Those", "It", "Its", "According", "And", "But", "Yes", "No", "However", "Note"}
    | {"Milestone", "Date", "Owner", "Rating", "Source"}
)

_NTH = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_WORD = re.compile(r"[^\W\d_]{5,}")
_BEGINNING = 5
_FEW = 4
# Words that say nothing of a place.
_PLAIN = frozenset(
    {"about", "their", "there", "these", "those", "which", "where", "would", "could"}
)


def unsupported(claim: str, passages: list[str], titles: list[str], *, computed: bool) -> list[str]:
    """Figures, quotations and names of a claim that are not there. Figures that were `computed`
    from others stand in no passage."""
    cited = "\n".join(passages)
    known = _flat(cited)
    missing = [quote for quote in _QUOTATION.findall(claim) if _flat(quote) not in known]
    if not computed:
        missing += _figures_missing(claim, cited)
    missing += [nth[0] for nth in _NTH.finditer(claim) if not _has_nth(int(nth[1]), known)]
    missing += _words_missing(claim, known)
    missing += _said_too_often(claim, known)
    around = known + " " + _flat(" ".join(titles))
    for name in _NAME.findall(claim):
        words = [word for word in name.split() if word not in _NO_NAME and word != "of"]
        missing += [word for word in words if _flat(word).removesuffix("'s") not in around]
    return missing


def _has_nth(number: int, known: str) -> bool:
    word = _ORDINALS[number] if number < len(_ORDINALS) else ""
    return bool(re.search(rf"\b{number}(?:st|nd|rd|th)?\b", known)) or bool(word and word in known)


def _said_too_often(claim: str, known: str) -> list[str]:
    """Three words in a row that come more often than they do at the place, and more than twice."""
    words = _flat(claim).split()
    runs = {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}
    said = _flat(claim)
    return [run for run in sorted(runs) if said.count(run) > max(2, known.count(run))]


def _words_missing(claim: str, known: str) -> list[str]:
    """The longer words that do not stand at the place, where most of them do not: a title above it
    does not say them."""
    words = [word.casefold() for word in _WORD.findall(claim)]
    telling = [word[:_BEGINNING] for word in words if word not in _PLAIN]
    absent = [word for word in telling if word not in known]
    return absent if len(telling) >= _FEW and 2 * len(absent) > len(telling) else []


def _figures_missing(claim: str, cited: str) -> list[str]:
    there = {value for match in _SCALED.finditer(cited) for value in _values(match)}
    # A table in thousands, or in millions, gives its figures without saying so in each cell.
    there |= {value * scale for value in set(there) for scale in (1e3, 1e6)}
    return [
        match["number"]
        for match in _SCALED.finditer(claim)
        if not any(
            abs(value - one) <= 1e-9 * abs(value) for value in _values(match) for one in there
        )
    ]


def _values(match: re.Match[str]) -> tuple[float, ...]:
    value = float(match["number"].replace(",", ""))
    scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
    return (value * scale,) if scale != 1.0 else (value,)


def _flat(text: str) -> str:
    plain = text.translate(str.maketrans("’‘“”–—\u00a0", "''\"\"-- "))
    return re.sub(r"\s+", " ", plain).casefold().strip(" .,;")
