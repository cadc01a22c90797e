"""Evidence into claims: a sentence is quoted, a cell is restated under its header."""

from __future__ import annotations

import re

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gathering import Candidate
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import ClaimKind, DraftCitation, DraftClaim
from tipstaff.domain.evidence import RetrievalTrace
from tipstaff.domain.retrieval import Found, Method
from tipstaff.facts.periods import periods
from tipstaff.facts.polarity import DENIAL
from tipstaff.lexical.analysis import terms
from tipstaff.verify.speaking import in_paper_of, speaks_of_itself

_LONG_QUOTE = 420
_UNIT_NOTE = re.compile(r"\(([^()]*(?:thousand|million|billion|[$€£%])[^()]*)\)", re.IGNORECASE)
# A row is shown to so many characters.
_LONG_ROW = 420
_SPEAKS = re.compile(
    r"[A-ZÀ-Þ]{2,4} (?:said|says|asked|asks|noted|replied|answered|confirmed|thought|added|told|"
    r"reported|explained|agreed|moved|seconded|proposed|would|will|had|has|is|was)\b"
)
# Drawn before a point of a list, not said.
_BULLET = re.compile(r"^[•‣▪▫◦●○■□·∙–—*-]\s+")


def claim_of(
    candidate: Candidate,
    context: AnswerContext,
    *,
    part: Part | None = None,
    confidence: Confidence = Confidence.HIGH,
) -> DraftClaim:
    """What a candidate says, as a claim."""
    trace = candidate.found.trace(_method(context))
    return claim_from(
        candidate.unit,
        context,
        cell=candidate.cell if part is not None and _cell_is_asked(candidate, part) else None,
        answer=candidate.answer,
        confidence=confidence,
        trace=trace,
    )


def claim_from(
    unit: EvidenceUnit,
    context: AnswerContext,
    *,
    cell: int | None = None,
    answer: str = "",
    confidence: Confidence = Confidence.HIGH,
    trace: RetrievalTrace | None = None,
) -> DraftClaim:
    if not context.quotable(unit.item_id):
        return _restated(unit, answer, confidence, trace)
    if unit.is_row:
        return _row_claim(unit, cell, confidence, trace)
    words = _shortened(_BULLET.sub("", unit.text), answer)
    return DraftClaim(
        text=words,
        kind=ClaimKind.QUOTE,
        lead=_lead(unit),
        confidence=confidence,
        citations=(DraftCitation(citation=unit.citation, quotes=(words,), retrieval=trace),),
    )


def trace_of(found: Found, context: AnswerContext) -> RetrievalTrace:
    return found.trace(_method(context))


def _method(context: AnswerContext) -> Method:
    return context.options.method


def _row_claim(
    unit: EvidenceUnit, cell: int | None, confidence: Confidence, trace: RetrievalTrace | None
) -> DraftClaim:
    """ "Revenue, Q3 2025: 48,620 ($ thousands)", or the whole row where no column was asked for."""
    label = unit.cells[0][1]
    note = unit_note(unit)
    if cell is not None and cell > 0 and unit.cells[cell][0]:
        header, words, place = unit.cells[cell]
        text = f"{label}, {header}: {words}{note}"
        citation = unit.cell_citation(place)
        on_one_cell = citation != unit.citation
        cited = [
            DraftCitation(citation=citation, quotes=(words,), headers=(header,), retrieval=trace)
        ]
        if on_one_cell:
            first = unit.cell_citation(unit.cells[0][2])
            cited.append(DraftCitation(citation=first, quotes=(label,), retrieval=trace))
        else:
            cited[0] = DraftCitation(
                citation=citation, quotes=(label, words), headers=(header,), retrieval=trace
            )
        return DraftClaim(
            text=text, kind=ClaimKind.RESTATED, confidence=confidence, citations=tuple(cited)
        )
    values = _first_values(unit)
    shown = unit.cells[: len(values)]
    more = "; …" if len(shown) < len(unit.cells) else ""
    return DraftClaim(
        text="; ".join(values) + more + note,
        kind=ClaimKind.RESTATED,
        confidence=confidence,
        citations=(
            DraftCitation(
                citation=unit.citation,
                quotes=tuple(words for _, words, _ in shown),
                headers=tuple(header for header, _, _ in shown if header),
                retrieval=trace,
            ),
        ),
    )


def _first_values(unit: EvidenceUnit) -> list[str]:
    """The cells of a row with their headers, as many as can be read at once."""
    values: list[str] = []
    length = 0
    for header, words, _ in unit.cells:
        values.append(f"{header}: {words}" if header else words)
        length += len(values[-1])
        if length > _LONG_ROW:
            break
    return values


def _restated(
    unit: EvidenceUnit, answer: str, confidence: Confidence, trace: RetrievalTrace | None
) -> DraftClaim:
    """TIP §13.4.2: facts of an item that must not be quoted, in no more than a few of its words."""
    words = (answer or _first_figure(unit) or " ".join(unit.text.split()[:4])).split()
    text = " ".join(words[:6])
    return DraftClaim(
        text=text,
        kind=ClaimKind.RESTATED,
        lead="The item, which may not be quoted, gives:",
        confidence=confidence,
        citations=(DraftCitation(citation=unit.citation, quotes=(text,), retrieval=trace),),
    )


def _first_figure(unit: EvidenceUnit) -> str:
    return unit.figures[0].text if unit.figures else ""


def _cell_is_asked(candidate: Candidate, part: Part) -> bool:
    """One column only if the question or the reader points at it clearly."""
    if candidate.cell is None or candidate.cell == 0:
        return False
    header = candidate.unit.cells[candidate.cell][0]
    named = set(terms(header)) & set(part.terms)
    return bool(named or (part.periods & periods(header)) or len(candidate.unit.cells) == 2)


def unit_note(unit: EvidenceUnit) -> str:
    """The scale that a table's caption gives: " ($ thousands)"."""
    if not unit.is_row:
        return ""
    match = _UNIT_NOTE.search(unit.near)
    return f" ({match[1]})" if match else ""


def _lead(unit: EvidenceUnit) -> str:
    """Who says it, or under which heading it stands, where that is part of its sense."""
    if unit.author and unit.unit.kind is not UnitKind.HEADER and unit.author not in unit.text:
        # In minutes "SK: … TL said that the car had moved." tells what TL said there.
        other_speaks = unit.author.isupper() and _SPEAKS.match(unit.text)
        return "" if other_speaks else f"{unit.author}:"
    heading = unit.block.headings[-1] if unit.block.headings else ""
    if heading and (unit.unit.kind is UnitKind.LIST_ITEM or DENIAL.search(heading)):
        return f"Under “{heading}”:"
    if unit.writer and not unit.block.quoted and speaks_of_itself(unit.text):
        return in_paper_of(unit.writer)
    return ""


def _shortened(text: str, answer: str) -> str:
    """A long sentence around the words that answer, cut at words."""
    if len(text) <= _LONG_QUOTE:
        return text
    at = max(text.find(answer), 0) if answer else 0
    start = max(0, min(at - _LONG_QUOTE // 3, len(text) - _LONG_QUOTE))
    end = min(start + _LONG_QUOTE, len(text))
    piece = text[start:end]
    if start:
        piece = "…" + piece.split(" ", 1)[-1]
    if end < len(text):
        piece = piece.rsplit(" ", 1)[0] + "…"
    return piece
