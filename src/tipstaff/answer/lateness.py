"""How late, or how early, something was (TIP §6.2): the days from when it was due to when it was
done, where one row of a table, or one sentence, gives both dates."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from tipstaff.answer.arithmetic import date_of, inference
from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gate import absent_name
from tipstaff.answer.gathering import gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.periods import periods
from tipstaff.facts.synonyms import said_in
from tipstaff.lexical.analysis import query_terms, terms

_ASKED = re.compile(
    r"\b(?:by )?how (?:(?:many (?:calendar )?days|long|much|far) )?(?:\w+ ){0,8}?"
    r"(?P<how>late|overdue|early|behind schedule|ahead of schedule|past (?:its|the|their) "
    r"(?:due date|deadline))\b",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"\b(?:by how|how|many|much|long|far|calendar|days?|late|overdue|early|behind|ahead|schedule|"
    r"past|due|date|deadline|was|were)\b",
    re.IGNORECASE,
)
_DUE = re.compile(r"\b(?:due|deadline|planned|scheduled|expected|promised|agreed|target)\b", re.I)
_DONE = re.compile(
    r"\b(?:paid|done|received|delivered|completed|finished|actual|closed|settled|returned|arrived|"
    r"submitted|sent|filed)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b(?:19|20)\d\d-\d\d-\d\d\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]+,? (?:19|20)\d\d\b|"
    r"\b[A-Z][a-z]+ \d{1,2},? (?:19|20)\d\d\b"
)


@dataclass(frozen=True, slots=True)
class _Dates:
    """When something was due and when it was done, as written and as days."""

    unit: EvidenceUnit
    due_text: str
    done_text: str
    due: dt.date
    done: dt.date


def answer_lateness(part: Part, context: AnswerContext) -> PartAnswer | None:
    """The days between, worked out; None unless one thing, and one only, has all of the question's
    words and both dates."""
    if not _ASKED.search(part.text) or absent_name(part, context):
        return None
    words = query_terms(_FRAME.sub(" ", part.text))
    units = [one.unit for one in gather(part, context, read=0).candidates]
    dated = [found for unit in units if (found := _dates(unit))]
    fitting = [one for one in dated if _is_about(words, part, one.unit)]
    if not words or len(fitting) != 1:
        return None
    return _worked(fitting[0], context)


def _is_about(words: list[str], part: Part, unit: EvidenceUnit) -> bool:
    around = unit.all_terms | {
        term for header, _, _ in unit.cells for term in terms(header.replace("_", " "))
    }
    timed = not part.periods or part.periods <= unit.all_periods
    return timed and all(said_in(word, frozenset(around)) for word in words)


def _dates(unit: EvidenceUnit) -> _Dates | None:
    pairs = _cells(unit) if unit.is_row else _phrases(unit.text)
    due = [text for label, text in pairs if _DUE.search(label)]
    done = [text for label, text in pairs if _DONE.search(label) and not _DUE.search(label)]
    if len(due) != 1 or len(done) != 1:
        return None
    planned, actual = date_of(periods(due[0])), date_of(periods(done[0]))
    if planned is None or actual is None:
        return None
    return _Dates(unit, due[0], done[0], planned, actual)


def _cells(unit: EvidenceUnit) -> list[tuple[str, str]]:
    """Headers with the one date below each."""
    return [
        (header.replace("_", " "), words)
        for header, words, _ in unit.cells
        if _DAY.fullmatch(words.strip())
    ]


def _phrases(text: str) -> list[tuple[str, str]]:
    """Dates of a sentence with the words since the date before."""
    found, start = [], 0
    for match in _DAY.finditer(text):
        found.append((text[start : match.start()], match.group()))
        start = match.end()
    return found


def _worked(dates: _Dates, context: AnswerContext) -> PartAnswer:
    apart = (dates.done - dates.due).days
    length = f"{abs(apart)} day{'' if abs(apart) == 1 else 's'}"
    said = "it was on the very day." if apart == 0 else f"{length} {_side(apart)}."
    claim = claim_from(dates.unit, context, confidence=Confidence.MEDIUM)
    working = f"from {dates.due_text} (due) to {dates.done_text} (done): {length}"
    return PartAnswer(
        paragraphs=(
            Paragraph(claims=(inference(said, working, claim.citations),)),
            Paragraph(claims=(claim,)),
        )
    )


def _side(apart: int) -> str:
    return "late" if apart > 0 else "early"
