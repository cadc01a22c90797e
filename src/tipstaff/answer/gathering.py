"""Evidence for one part of a question: passages are found, read, and their units judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tipstaff.answer.cell_choice import best_cell, cell_at, is_reference
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.question import Part
from tipstaff.answer.scoring import Features, features_of, is_of_another_kind, probability
from tipstaff.answer.table_lookup import fitting_cells
from tipstaff.domain.document import UnitKind
from tipstaff.domain.retrieval import Found
from tipstaff.facts.periods import in_other_words, worded_as
from tipstaff.facts.synonyms import in_its_place, reworded
from tipstaff.read.reader import Reading
from tipstaff.verify.addressed import asks_of_orders, between_tags, is_order

# Passages that are retrieved, and how many of them the reader reads.
_RETRIEVED = 24
_READ = 7
# A table that has every word of the question, and one column that fits.
_LOOKED_UP = 0.85
# What a row of references is worth as an answer.
_REFERENCE_CHANCE = 0.3


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
    is_reworded: bool = False  # the reader was asked in the passage's words, not the question's
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
    others = in_its_place(part.search_text, context.occurs) if context.reader is not None else []
    searched = " ".join([part.search_text, *in_other_words(part.search_text), *others])
    found = [one for one in context.search(searched, options).found if one.beside is None]
    passages = [_passage(one, context) for one in found]
    readings, exchanged = {}, set()
    if context.reader is not None and read:
        chosen = _to_read(found, read)
        texts = [passages[number].text for number in chosen]
        asked = [worded_as(part.search_text, text) for text in texts]
        told = [reworded(words, text) for words, text in zip(asked, texts, strict=True)]
        made = context.reader.read(list(zip(told, texts, strict=True)))
        readings = dict(zip(chosen, made, strict=True))
        exchanged = {
            number for number, one, two in zip(chosen, asked, told, strict=True) if one != two
        }
    best: dict[tuple[str, int, int], Candidate] = {}
    of_orders = asks_of_orders(part.search_text)
    for number, (one, passage) in enumerate(zip(found, passages, strict=True)):
        spoken = between_tags([unit.text for unit in passage.units])
        for at, unit in enumerate(passage.units):
            if unit.unit.kind is UnitKind.HEADING:
                continue
            if not of_orders and (at in spoken or is_order(unit.text)):
                # What an item tells machines to say answers nothing else (TIP §4.4).
                continue
            read_there = _read_in(part, unit, passage, readings.get(number))
            candidate = _candidate(part, unit, one, read_there, context)
            if number in exchanged:
                candidate = replace(candidate, is_reworded=True)
            known = best.get(unit.key)
            if known is None or candidate.probability > known.probability:
                best[unit.key] = candidate
    order = sorted(best.values(), key=lambda one: (-one.probability, one.found.rank, one.unit.key))
    return Gathered(candidates=tuple(order), found=tuple(found))


@dataclass(frozen=True, slots=True)
class _ReadThere:
    """What the reader made of one unit: the words that it picked, their cell, its voice."""

    answer: str = ""
    cell: int | None = None
    voice: float | None = None


def _read_in(
    part: Part, unit: EvidenceUnit, passage: _Passage, reading: Reading | None
) -> _ReadThere:
    if reading is None:
        return _ReadThere()
    picked = passage.at(reading.start)
    if picked and _heads(picked[0], unit):
        # The reader chose a heading: what stands under it is meant.
        return _ReadThere(voice=reading.probability)
    if picked is None or unit is not picked[0]:
        # The reader chose another unit of this passage: not a no, but not a yes.
        return _ReadThere(voice=min(reading.probability, 0.5) * 0.4)
    start = picked[1]
    answer = unit.reader_text[start : start + reading.end - reading.start].strip()
    if unit.is_row and is_of_another_kind(part.kind, answer):
        # The right row, the wrong column: the whole row is said.
        return _ReadThere(voice=reading.probability)
    return _ReadThere(answer, cell_at(unit, start), reading.probability)


def _candidate(
    part: Part, unit: EvidenceUnit, found: Found, there: _ReadThere, context: AnswerContext
) -> Candidate:
    facts = features_of(part, unit, found, there.voice, context)
    chance = probability(facts, with_reader=context.reader is not None)
    answer, cell = there.answer, there.cell
    fitting = fitting_cells(part, unit)
    exact = fitting[0] if len(fitting) == 1 else None
    if exact is not None:
        answer, cell, chance = unit.cells[exact][1], exact, max(chance, _LOOKED_UP)
    cell = cell if cell is not None else best_cell(part, unit)
    if cell is not None and is_reference(unit.cells[cell][0], part):
        # "Headcount … page 12" says where it stands, not how much it is.
        answer, cell, chance = "", None, _REFERENCE_CHANCE * chance
    return Candidate(
        unit=unit,
        found=found,
        features=facts,
        probability=chance,
        answer=answer,
        cell=cell,
        is_exact=exact is not None,
        fitting=tuple(fitting) if len(fitting) > 1 else (),
    )


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
