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
    """A statement that is only a quotation, behind the name of the one who says it, or of whose
    paper it is where that speaks of "us"; as it is where that is not one and the same."""
    if not _ONLY_QUOTED.fullmatch(statement):
        return statement
    every = [_flat(one) for one in _QUOTED.findall(statement)]
    said = {lead for one in every for lead in _leads(one, units)}
    lead = said.pop() if len(said) == 1 else ""
    return f"{lead} {statement}" if lead and _flat(lead) not in " ".join(every) else statement


def _leads(quoted: str, units: Sequence[EvidenceText]) -> set[str]:
    """Whoever says it, or parts of it; "" for nobody in particular."""
    found: set[str] = set()
    for one in units:
        told = _flat(one.verbatim)
        # What is quoted there, too, another has said.
        own = _flat(_QUOTED.sub(" ; ", one.verbatim))
        if told and (told in quoted or quoted in told):
            found.add(said_by(one.author) if own and (own in quoted or quoted in own) else "")
    if found == {""} and speaks_of_itself(quoted):
        writers = {one.writer for one in units if quoted in _flat(one.verbatim)}
        found = {in_paper_of(one) for one in writers}
    return found or {""}


def said_by(author: str) -> str:
    return f"{author}:" if author else ""


def in_paper_of(writer: str) -> str:
    """Who speaks in it may be another: a statement that the writer took."""
    return f"In the paper of {writer}:" if writer else ""


def _flat(text: str) -> str:
    return " ".join(re.findall(r"[\w'’]+", plain(text)))
