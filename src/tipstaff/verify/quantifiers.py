"""Of all, of this only, and because: what a statement may not add to the words that it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.verify.evidence_text import EvidenceText

# Who says it of all must have read it of all; "all" before a figure, or behind "in", is a sum.
_EVERY = re.compile(
    r"(?<!\bin )(?<!\bat )\b(?:all|every|always|everyone|everybody)\b(?! \d)", re.IGNORECASE
)
_ANY_NUMBER = re.compile(
    r"\b(?:all|every\w*|each|both|always|any|none|nobody|never|whole|entire|throughout|"
    r"nothing|daily|weekly|monthly|yearly|annual\w*|no|per|"
    r"an?(?= (?:day|week|month|year|night)))\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b(?! (?:about|\d))", re.IGNORECASE)
_NONE_ELSE = re.compile(
    r"\b(?:only|sole\w*|exclusive\w*|just|alone|single|no other|nobody else|nothing else|except|"
    r"but|not|no|unless|until|merely|one|limited|restricted)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|due to|led to|leads to|therefore|thus|hence|as a result|"
    r"owing to|prevent(?:s|ed)?)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|due to|led to|leads? to|therefore|thus|hence|result\w*|so|"
    r"owing|since|for (?:this|these|that) reasons?|reasons?|why|after|from|to|attribut\w*|by|"
    r"means?|meant|prevent\w*|keeps?|followed|could not)\b",
    re.IGNORECASE,
)


def says_more(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement says of all, or of one thing only, what the evidence does not."""
    if not _EVERY.search(statement) and not _ONLY.search(statement):
        return False
    told = " ".join(one.text for one in evidence)
    return bool(
        (_EVERY.search(statement) and not _ANY_NUMBER.search(told))
        or (_ONLY.search(statement) and not _NONE_ELSE.search(told))
    )


def reasons_unsaid(statement: str, evidence: str) -> bool:
    """Whether a statement gives a reason where the evidence gives none."""
    return bool(_CAUSE.search(statement)) and not _REASON.search(evidence)
