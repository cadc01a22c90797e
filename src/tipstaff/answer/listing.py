"""Tables and lists of the documents as answers: which one a question asks for, and which of its
rows. What fits is decided by the words over and in it, never by its size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.row_filters import Filter, filters_of
from tipstaff.domain.document import UnitKind
from tipstaff.facts.senses import same_sense
from tipstaff.lexical.analysis import STOP_WORDS, terms

# Words that ask for a list and say nothing about it.
_FRAME = frozenset(
    terms(
        "list compile collect enumerate summarise summarize show name give set out each every "
        "still now currently following documents context bundle papers file kind different "
        "various main key"
    )
)
# How much of a question a listing must cover by what stands over it and by the rows it names;
# less is enough where the listing calls itself what the question asks for.
_COVERED = 0.6
_COVERED_BY_NAME = 0.5
_COVERED_WITHOUT_NAME = 0.8
_SUBJECT_RARITY = 1.0


@dataclass(frozen=True)
class Listing:
    """The rows of a table, or the items of a list under one heading."""

    units: tuple[EvidenceUnit, ...]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What it is called: its heading, its caption, its columns."""
        first = self.units[0]
        return (*first.block.headings[-1:], first.near, *(header for header, _, _ in first.cells))

    @cached_property
    def over(self) -> frozenset[str]:
        """Every term that stands over it, its document's title included."""
        return frozenset(terms(" ".join((self.units[0].surroundings, *self.labels))))

    def is_called(self, head: str) -> float:
        """1 if a label ends with the word that the question asks a list of, half if it is only
        somewhere over it."""
        wanted = same_sense(head)
        ends = {found[-1] for label in self.labels if (found := _words(label))}
        if wanted & ends:
            return 1.0
        return 0.5 if wanted & self.over else 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """How much of the question a listing covers; one that calls itself so is always better."""

    called: float
    share: float
    units: tuple[EvidenceUnit, ...]


_NO_FIT = Fit(-1.0, 0.0, ())


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a question says of the list that it wants. `roles`: those that it names, with the last
    names of those who have them."""

    text: str
    asked: tuple[str, ...]
    names: tuple[str, ...]
    roles: dict[str, frozenset[str]]

    @cached_property
    def telling(self) -> list[str]:
        return [term for term in self.asked if term not in _FRAME]


def listed_for(
    wanted: Wanted, items: Sequence[str], context: AnswerContext
) -> tuple[EvidenceUnit, ...]:
    """The rows of the listing that covers the question best; none if no one does."""
    best = _NO_FIT
    for item_id in items:
        for listing in _listings(context.units_of(item_id)):
            fit = _fit(wanted, listing, context)
            if (fit.called, fit.share) > (best.called, best.share):
                best = fit
    return best.units


def head_noun(text: str) -> str:
    """What a question wants a list of: "List the serious adverse events in …" wants events."""
    words = text.strip(" ?.!").split()
    while words and (words[0].lower() in STOP_WORDS or set(terms(words[0])) <= _FRAME):
        words.pop(0)
    phrase: list[str] = []
    for word in words:
        if word.lower().strip(",;:") in STOP_WORDS:
            break
        phrase.append(word.strip(",;:"))
        if word[-1] in ",;:":
            break
    plural = [word for word in phrase if word.endswith("s") and word.islower() and len(word) > 3]
    chosen = (plural or phrase or [""])[-1]
    found = terms(chosen)
    return found[0] if found else ""


def _listings(units: Sequence[EvidenceUnit]) -> Iterator[Listing]:
    tables: dict[int, list[EvidenceUnit]] = {}
    lists: dict[tuple[str, ...], list[EvidenceUnit]] = {}
    for unit in units:
        if unit.is_row and unit.block.table is not None and any(h for h, _, _ in unit.cells):
            tables.setdefault(unit.block.table, []).append(unit)
        elif unit.unit.kind is UnitKind.LIST_ITEM and unit.block.headings:
            lists.setdefault(unit.block.headings, []).append(unit)
    for group in (*tables.values(), *lists.values()):
        if len(group) > 1:
            yield Listing(tuple(group))


def _fit(wanted: Wanted, listing: Listing, context: AnswerContext) -> Fit:
    asked = wanted.telling
    over = {term for term in asked if same_sense(term) & listing.over}
    filters = filters_of(wanted.text, asked, over, listing.units, wanted.roles)
    covered = over | {term for one in filters for term in one.asked}
    if any(not _is_met(name, covered, listing, context) for name in wanted.names):
        return _NO_FIT
    total = sum(context.rarity(term) for term in asked) or 1.0
    share = sum(context.rarity(term) for term in asked if term in covered) / total
    called = listing.is_called(head_noun(wanted.text))
    needed = {1.0: _COVERED_BY_NAME, 0.5: _COVERED}.get(called, _COVERED_WITHOUT_NAME)
    if share < needed or not over:
        return _NO_FIT
    return Fit(called, share, _kept(listing.units, filters))


def _is_met(name: str, covered: set[str], listing: Listing, context: AnswerContext) -> bool:
    """A name of the question must stand over the listing or choose among its rows, unless it is
    the subject of the whole bundle."""
    wanted = [term for term in terms(name) if context.rarity(term) > _SUBJECT_RARITY]
    return all(term in covered or term in listing.over for term in wanted)


def _kept(units: tuple[EvidenceUnit, ...], filters: Sequence[Filter]) -> tuple[EvidenceUnit, ...]:
    numbers = set(range(len(units)))
    for one in filters:
        numbers &= one.rows
    return tuple(units[number] for number in sorted(numbers))


def _words(label: str) -> list[str]:
    """The terms of a label without what only counts or qualifies it: "Cost ($)"."""
    return [term for term in terms(label.split("(", maxsplit=1)[0]) if not term[0].isdigit()]
