"""What would be and might be: a statement may not say that it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.source_clauses import covering_nearest
from tipstaff.verify.statement import Statement

# "Nobody could say" is what was, like "could not".
_SUPPOSES = re.compile(
    # Who "would advise" does.
    r"\b(?:would(?! (?:still |also |rather )?"
    r"(?:advise|recommend|suggest|prefer|propose|urge|argue))|"
    r"might|(?<!nobody )(?<!no one )(?<!none )could(?! not))\b",
    re.IGNORECASE,
)
_WHEN = re.compile(r"^\W*(?:when|if|once|where|should|in case)\b[^,]*,\s*", re.IGNORECASE)
# Who said that it would start said that it will.
_WOULD_THEN = re.compile(
    r"\b(?:said|says|reported|announced|told|wrote|explained|confirmed|added|promised|agreed)\b"
    r"(?![^.;]{0,120}\bif\b)[^.;]{0,80}\bwould\b|\bwould like\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(r"\b(?:refus|reject|declin|turned (?:\w+ )?down)\w*", re.IGNORECASE)
# What is asked is not said.
ASKS = re.compile(r"\bwhether\b", re.IGNORECASE)
_HEDGES = re.compile(
    r"\b(?:would|could|may|might|can|will|shall|should|must|if|unless|expect\w*|plan\w*|propos\w*|"
    r"suggest\w*|intend\w*|offer\w*|asks?|asked|wants?|wish\w*|possib\w*|likely|estimat\w*|"
    r"recommend\w*|rather|whether|wonder\w*|questions?|prefer\w*|fear(?:s|ed)?|worr(?:y|ies|ied)|accept\w*|promis\w*|hypothe\w*|needs?)\b",
    re.IGNORECASE,
)


def supposed(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what "would cost" or "might be" is said to do or to be."""
    if _HEDGES.search(statement.plain):
        return False
    # What a statement supposes itself may be supposed there.
    stated = set(terms(_WHEN.sub("", statement.plain))).intersection(statement.words)
    chosen = covering_nearest(stated or statement.words, evidence)
    if len(chosen) == 1 and ASKS.search(chosen[0].text):
        # Who refuses what was asked for does not say that it is so.
        return not _REFUSES.search(statement.plain)
    return any(
        _SUPPOSES.search(clause.text) and not _WOULD_THEN.search(clause.text)
        for clause in chosen[:1]
    )
