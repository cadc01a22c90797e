"""Whose words are quoted: "I can't do that" says little to a reader who is not told who said it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.quotes import plain

# Nothing but a quotation, or several.
_ONLY_QUOTED = re.compile(r"\W*(?:[“\"][^“”\"]+[”\"][\s,;.]*)+")
_QUOTED = re.compile(r"[“\"]([^“”\"]+)[”\"]")
_I = re.compile(r"\b(?:I|[Ww]e|[Oo]ur|[Mm]y|me|us|[Mm]yself|[Oo]urselves)\b")


def speaks_of_itself(text: str) -> bool:
    """Whether somebody says "I" or "we" in it."""
    return bool(_I.search(text))


def with_speaker(statement: str, units: Sequence[EvidenceText]) -> str:
    """A statement that is only a quotation, behind the name of the one who says it, or who writes
    of "us" there; as it is where that is not one and the same."""
    if not _ONLY_QUOTED.fullmatch(statement):
        return statement
    every = [_flat(one) for one in _QUOTED.findall(statement)]
    said = {name for one in every for name in _speakers(one, units)}
    who = said.pop() if len(said) == 1 else ""
    return f"{who}: {statement}" if who and _flat(who) not in " ".join(every) else statement


def _speakers(quoted: str, units: Sequence[EvidenceText]) -> set[str]:
    """Whoever says it, or parts of it; "" for nobody in particular."""
    own = [
        one for one in units if (told := _flat(one.verbatim)) and (told in quoted or quoted in told)
    ]
    said = {one.author for one in own}
    if said == {""} and speaks_of_itself(quoted):
        said = {one.writer for one in own}
    return said or {""}


def _flat(text: str) -> str:
    return " ".join(re.findall(r"[\w'’]+", plain(text)))
