"""Evidence for one part of a question: passages are found, read, and their units judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.answer.scoring import Features, features_of, is_of_another_kind, probability
from tipstaff.answer.table_lookup import fitting_cells
from tipstaff.domain.document import UnitKind
from tipstaff.domain.retrieval import Found
from tipstaff.facts.periods import covered, in_other_words, periods, worded_as
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms

# Passages that are retrieved, and how many of them the reader reads.
_RETRIEVED = 24
_READ = 7
# A table that has every word of the question, and one column that fits.
_LOOKED_UP = 0.85
_FIGURE_KINDS = frozenset(
    {AnswerKind.MONEY, AnswerKind.COUNT, AnswerKind.PERCENT, AnswerKind.DURATION}
)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A unit that may answer: the words that the reader picked in it (or "") and, in a row, the
    number of their cell; `probability` is the gate's."""

    unit: EvidenceUnit
    found: Found
    features: Features
    probability: float
    answer: str = ""
    cell: int | None = None
    is_exact: bool = False  # a table answers word for word
    fitting: tuple[int, ...] = ()  # cells of the very row asked for, where several may be meant


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """Candidates, best first, and the passages that they came from."""

    candidates: tuple[Candidate, ...]
    found: tuple[Found, ...]

    @property
    def best(self) -> Candidate | None:
        return self.candidates[0] if self.candidates else None


@dataclass(frozen=True, slots=True)
class _Passage:
    """The text that the reader gets, and where each unit begins in it."""

    text: str
    units: tuple[EvidenceUnit, ...]
    starts: tuple[int, ...]

    def at(self, position: int) -> tuple[EvidenceUnit, int] | None:
        """The unit at a character of the text, and how far into it; None in its heading line."""
        for unit, start in zip(reversed(self.units), reversed(self.starts), strict=True):
            if position >= start:
                return unit, position - start
        return None


def gather(part: Part, context: AnswerContext, *, read: int = _READ) -> Gathered:
    """Every unit of the best passages, judged against the part."""
    options = replace(context.options, top_k=max(_RETRIEVED, context.options.top_k))
    searched = " ".join([part.search_text, *in_other_words(part.search_text)])
    found = [one for one in context.search(searched, options).found if one.beside is None]
    passages = [_passage(one, context) for one in found]
    readings = {}
    if context.reader is not None and read:
        chosen = _to_read(found, read)
        texts = [passages[number].text for number in chosen]
        made = context.reader.read([(worded_as(part.search_text, text), text) for text in texts])
        readings = dict(zip(chosen, made, strict=True))
    best: dict[tuple[str, int, int], Candidate] = {}
    for number, (one, passage) in enumerate(zip(found, passages, strict=True)):
        reading = readings.get(number)
        picked = passage.at(reading.start) if reading else None
        for unit in passage.units:
            if unit.unit.kind is UnitKind.HEADING:
                continue
            answer, cell, voice = "", None, None
            if reading and picked and _heads(picked[0], unit):
                # The reader chose a heading: what stands under it is meant.
                voice = reading.probability
            elif reading and picked and unit is picked[0]:
                start = picked[1]
                answer = unit.reader_text[start : start + reading.end - reading.start].strip()
                cell = _cell_at(unit, start)
                voice = reading.probability
                if unit.is_row and is_of_another_kind(part.kind, answer):
                    # The right row, the wrong column: the whole row is said.
                    answer, cell = "", None
            elif reading:
                # The reader chose another unit of this passage: not a no, but not a yes.
                voice = min(reading.probability, 0.5) * 0.4
            facts = features_of(part, unit, one, voice, context)
            chance = probability(facts, with_reader=context.reader is not None)
            fitting = fitting_cells(part, unit)
            exact = fitting[0] if len(fitting) == 1 else None
            if exact is not None:
                answer, cell, chance = unit.cells[exact][1], exact, max(chance, _LOOKED_UP)
            candidate = Candidate(
                unit=unit,
                found=one,
                features=facts,
                probability=chance,
                answer=answer,
                cell=cell if cell is not None else _best_cell(part, unit),
                is_exact=exact is not None,
                fitting=tuple(fitting) if len(fitting) > 1 else (),
            )
            known = best.get(unit.key)
            if known is None or candidate.probability > known.probability:
                best[unit.key] = candidate
    order = sorted(best.values(), key=lambda one: (-one.probability, one.found.rank, one.unit.key))
    return Gathered(candidates=tuple(order), found=tuple(found))


def _to_read(found: Sequence[Found], read: int) -> list[int]:
    """The best passages, and the best of every item that has none among them: what another item
    says may contradict."""
    chosen = list(range(min(read, len(found))))
    items = {found[number].chunk.item_id for number in chosen}
    for number in range(len(chosen), len(found)):
        if found[number].chunk.item_id not in items and len(chosen) < 2 * read:
            items.add(found[number].chunk.item_id)
            chosen.append(number)
    return chosen


def _passage(found: Found, context: AnswerContext) -> _Passage:
    units = tuple(context.units_in(found.chunk))
    text = found.chunk.context.replace("\n", " | ")
    starts = []
    for unit in units:
        text += "\n" if text else ""
        starts.append(len(text))
        text += unit.reader_text
    return _Passage(text, units, tuple(starts))


def _heads(heading: EvidenceUnit, unit: EvidenceUnit) -> bool:
    return (
        heading.unit.kind is UnitKind.HEADING
        and bool(unit.block.headings)
        and unit.block.headings[-1] == heading.text
    )


def _cell_at(unit: EvidenceUnit, position: int) -> int | None:
    """The cell of a row in which a character of its reader text stands."""
    if not unit.is_row:
        return None
    at = 0
    for number, (header, words, _) in enumerate(unit.cells):
        at += len(f"{header}: {words}" if header else words)
        if position < at:
            return number
        at += len("; ")
    return len(unit.cells) - 1


def _best_cell(part: Part, unit: EvidenceUnit) -> int | None:
    """The cell whose header agrees best with the question; never the row's own label."""
    if not unit.is_row or len(unit.cells) < 2:
        return None
    left = set(part.terms) - set(terms(unit.cells[0][1]))
    ranked = sorted(
        (-_header_agreement(part, left, header, words), number)
        for number, (header, words, _) in enumerate(unit.cells)
        if number > 0 and not is_of_another_kind(part.kind, words)
    )
    return ranked[0][1] if ranked and ranked[0][0] < 0 else None


def _header_agreement(part: Part, left: set[str], header: str, words: str) -> float:
    """How much of what the row's label leaves open a column's header says."""
    shared = len(left & set(terms(header)))
    time = covered(part.periods, periods(header)) if part.periods else 0.0
    fits = 0.25 if part.kind in _FIGURE_KINDS and quantities(words) else 0.0
    return shared + 2 * time + fits if shared or time else 0.0
