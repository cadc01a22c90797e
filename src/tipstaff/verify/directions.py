"""Up or down, more or less: words that state opposite things of the same figures."""

from __future__ import annotations

import re

_UP = (
    r"increas\w*|rose|rise[sn]?|rising|grew|grow[ns]?|growth|gain(?:s|ed)?|climb\w*|up|higher|above|"
    r"exceed\w*|more than|over|greater|improv\w*|raised?"
)
_DOWN = (
    r"decreas\w*|fell|falls?|falling|fallen|declin\w*|drop(?:s|ped)?|down|lower(?:ed)?|below|under|"
    r"less than|fewer|reduc\w*|shrank|shrink\w*|worsen\w*|cut"
)
_PAIRS = (
    (_UP, _DOWN),
    (r"before|earlier|prior to", r"after|later|following"),
    (r"approv\w*|accept\w*|agreed", r"reject\w*|refus\w*|declin\w*|deferr\w*|postpon\w*"),
    (r"includ\w*|within", r"exclud\w*|outside"),
    (r"minimum|at least", r"maximum|at most|no more than"),
    (r"profit|surplus", r"loss|deficit"),
    (r"pass(?:es|ed)?|succeed\w*|success\w*", r"fail\w*"),
)
_COMPILED = tuple(
    tuple(re.compile(rf"\b(?:{side})\b", re.IGNORECASE) for side in pair) for pair in _PAIRS
)


def opposed(statement: str, evidence: str) -> bool:
    """Whether a statement has a word of one side where the evidence has only the other's."""
    for one, other in _COMPILED:
        for mine, theirs in ((one, other), (other, one)):
            says = bool(mine.search(statement)) and not theirs.search(statement)
            if says and theirs.search(evidence) and not mine.search(evidence):
                return True
    return False


def same_side(word: str, evidence: str) -> bool:
    """Whether the evidence has a word of the side that this word is of: rose, and an increase."""
    return any(
        side.fullmatch(word) and side.search(evidence) for pair in _COMPILED for side in pair
    )
