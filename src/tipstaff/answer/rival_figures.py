"""Figures that an answer uses and another item contradicts, whatever the question is (TIP §4.1
rule 8): what explains, lists, compares or argues must not choose silently either.

Two statements are of one thing only if they say so in the same words, of the same time and in the
same measure; whatever is less certain is left alone (TIP §11.8).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import same
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.domain.response import Contradiction, Position
from tipstaff.facts.periods import conflict, outside_dates, periods
from tipstaff.facts.quantities import Quantity, only_figure
from tipstaff.lexical.analysis import query_terms, terms

# How many of the fewer words two statements share that say the same of one thing, and how many
# words there must be to say anything.
_SHARED = 0.7
_FEWEST = 2
_MOST = 2
_ANOTHER = "The context is not consistent on this. Another item gives another figure:"
_AMONG_THESE = "The context is not consistent on this: the figures of these items differ."


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One figure and what it is of. `cell` is its number in a row."""

    unit: EvidenceUnit
    figure: Quantity
    subject: frozenset[str]
    times: frozenset[str]
    noun: str = ""
    cell: int | None = None


def with_rivals(
    answer: PartAnswer,
    part: Part,
    *,
    used: Sequence[EvidenceUnit],
    found: Iterable[EvidenceUnit],
    context: AnswerContext,
) -> PartAnswer:
    """An answer and, behind it, what other items give for the figures in it."""
    every = list({unit.key: unit for unit in (*used, *found)}.values())
    others = [one for unit in every for one in statements(unit)]
    told: list[tuple[Statement, Statement]] = []
    for mine in (one for unit in used for one in statements(unit)):
        rival = next((one for one in others if contradicts(mine, one, part.terms)), None)
        known = {one.unit.key for pair in told for one in pair}
        if rival is not None and rival.unit.key not in known:
            told.append((mine, rival))
    if not told or answer.contradictions:
        return answer
    return _told(answer, part, told[:_MOST], context)


def statements(unit: EvidenceUnit) -> Iterator[Statement]:
    """The figures of a unit, each with its subject; several of one measure leave doubt."""
    if unit.is_row:
        yield from _of_row(unit)
        return
    figures = outside_dates(unit.figures, unit.text)
    words = frozenset(term for term in query_terms(unit.text) if not any(map(str.isdigit, term)))
    for figure in figures:
        if sum(one.measure is figure.measure for one in figures) == 1:
            behind = terms(unit.text[figure.end :])[:1]
            yield Statement(
                unit=unit,
                figure=figure,
                subject=words,
                times=unit.own_periods,
                noun=behind[0] if behind else "",
            )


def contradicts(mine: Statement, other: Statement, asked: Sequence[str] = ()) -> bool:
    """Whether two items give different figures for one thing."""
    if mine.unit.item_id == other.unit.item_id or mine.unit.is_row != other.unit.is_row:
        return False
    if mine.figure.measure is not other.figure.measure or mine.figure.unit != other.figure.unit:
        return False
    if same(mine.figure, other.figure) or conflict(mine.times, other.times):
        return False
    if mine.unit.is_row:
        return mine.subject == other.subject and mine.times == other.times
    if mine.noun and other.noun and mine.noun != other.noun:
        return False
    shared = mine.subject & other.subject
    fewer = min(len(mine.subject), len(other.subject))
    about = mine.subject & frozenset(asked)
    alike = len(shared) >= _SHARED * fewer or (len(about) > _FEWEST and about <= other.subject)
    return alike and len(shared) >= _FEWEST


def _of_row(unit: EvidenceUnit) -> Iterator[Statement]:
    label = frozenset(query_terms(unit.cells[0][1]))
    for number, (header, words, _) in enumerate(unit.cells[1:], start=1):
        figure = only_figure(words)
        if figure is not None and header and label:
            # Without the time in it, a header says what is measured.
            named = {term for term in terms(header) if not any(map(str.isdigit, term))}
            times = periods(header) | periods(" | ".join([unit.item_title, unit.near]))
            yield Statement(
                unit=unit, figure=figure, subject=label | named, times=times, cell=number
            )


def _told(
    answer: PartAnswer,
    part: Part,
    pairs: Sequence[tuple[Statement, Statement]],
    context: AnswerContext,
) -> PartAnswer:
    """Both figures of each pair, told once; what the answer says already is not repeated."""
    said = {claim.text for paragraph in answer.paragraphs for claim in paragraph.claims}
    found, new = [], []
    for pair in pairs:
        claims = [_claim(one, context) for one in pair]
        new += [claim for claim in claims if claim.text not in said]
        positions = tuple(
            Position(one.figure.text, claim.citations[0].citation.reference)
            for one, claim in zip(pair, claims, strict=True)
        )
        found.append(Contradiction(part.text.strip(" ?"), positions))
    lead = _ANOTHER if new else _AMONG_THESE
    paragraph = Paragraph(lead=lead, claims=tuple(new), as_list=bool(new))
    return replace(answer, paragraphs=(*answer.paragraphs, paragraph), contradictions=tuple(found))


def _claim(one: Statement, context: AnswerContext) -> DraftClaim:
    return claim_from(
        one.unit, context, cell=one.cell, answer=one.figure.text, confidence=Confidence.MEDIUM
    )
