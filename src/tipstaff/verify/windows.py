"""Where in the cited evidence support for a statement is looked for, best place first.

What stands far apart in an item does not support together; a row of a table speaks for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tipstaff.facts.number_words import ordinal_word
from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText, digits_of
from tipstaff.verify.figures import is_label, stated_in
from tipstaff.verify.naming import FIRST_PERSON, is_named
from tipstaff.verify.quotes import stands_in
from tipstaff.verify.set_against import is_difference
from tipstaff.verify.statement import Statement

_WORD = re.compile(r"[\w'’]+")
_TRIED = 4
_SUM = re.compile(r"\W*(?:sub-?)?(?:total|sum)\b", re.IGNORECASE)
_PAIR = 2
# Units that a place has at most.
_PAGE = 60
# Rows that one sentence tells of at most.
_COMPARED = 4
# Sentences that one statement of several clauses may draw together.
_SHORT = 7
# With more figures a statement goes through a list.
_LISTED = 2


@dataclass(frozen=True)
class Window:
    """`units` support together; `paragraph` are all those of the same paragraphs, where a pronoun's
    name may stand; `rows` are every row cited, in which a figure may have rivals; `cited` is
    all that was."""

    units: tuple[EvidenceText, ...]
    paragraph: tuple[EvidenceText, ...]
    rows: tuple[EvidenceText, ...]
    cited: tuple[EvidenceText, ...] = ()

    @cached_property
    def told(self) -> str:
        return "\n".join(one.whole for one in self.units)

    @cached_property
    def own(self) -> tuple[str, ...]:
        """Its sentences and cells, without headings and headers."""
        return tuple(
            words
            for one in self.units
            for words in ([cell for _, cell in one.cells] if one.is_row else [one.text])
        )

    @cached_property
    def around(self) -> str:
        """With what stands beside it: a unit may be named once for several figures."""
        return "\n".join((self.told, *(one.nearby for one in self.units)))

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset().union(*(one.terms for one in self.units))

    @cached_property
    def cited_terms(self) -> frozenset[str]:
        """What a place says under the same heading tells what it speaks of; a whole item says too
        much."""
        if len(self.cited) > _PAGE:
            return frozenset()
        heads = {one.surroundings for one in self.units if "|" in one.surroundings}
        return frozenset().union(
            *(
                one.own_terms
                for one in self.cited
                if any(_is_under(one.surroundings, head) for head in heads)
            )
        )

    @cached_property
    def times(self) -> frozenset[str]:
        return frozenset().union(*(one.times for one in self.units))

    @property
    def paper(self) -> Iterator[str]:
        """The words of how its items are called, opened and signed: read where they are asked."""
        return (term for one in self.units for term in one.paper_terms)

    @cached_property
    def days(self) -> frozenset[tuple[str, str]]:
        """The days with their months that are named there."""
        return frozenset().union(*(one.days for one in self.units))

    @cached_property
    def only_day(self) -> frozenset[str]:
        """The marks of the one day that the paragraph names, if it is one."""
        named = frozenset().union(*(one.own_days for one in self.paragraph))
        return frozenset(next(iter(named))) if len(named) == 1 else frozenset()

    @cached_property
    def people_terms(self) -> frozenset[str]:
        """Names may stand in the units and, for those without a speaker, in their paragraph; of two
        rows that are cited together the other may say whose ceiling it is."""
        own = frozenset().union(*(one.people_terms for one in self.units))
        if len(self.rows) == len(self.cited) == _PAIR:
            own = own.union(*(one.own_terms for one in self.rows))
        return own.union(*(one.own_terms for one in self.paragraph))

    @cached_property
    def speakers(self) -> frozenset[str]:
        """Who and what is named in the words themselves: a title names what an item is about, and
        not what each of its sentences is about."""
        own = frozenset().union(*(one.named_terms for one in self.units))
        return own.union(*(one.own_terms for one in self.paragraph))

    def has_words(self, quote: str) -> bool:
        """Whether a quotation stands here: in one unit or what is above it, or in several that
        follow each other at the cited place."""
        if any(stands_in(quote, one.verbatim) for one in self.units):
            return True
        if any(
            stands_in(quote, head) for one in self.units for head in one.surroundings.split(" | ")
        ):
            return True
        told = [one.verbatim for one in self.cited if not one.is_row]
        return len(told) <= _PAGE and stands_in(quote, " ".join(told))

    def has_said(self, words: str) -> bool:
        """Whether a word or two between quotation marks stand here so, or in what is above it."""
        wanted = f" {' '.join(_WORD.findall(words.casefold()))} "
        told = (text for one in (*self.units, *self.cited) for text in (one.verbatim, one.whole))
        return any(wanted in f" {' '.join(_WORD.findall(text.casefold()))} " for text in told)

    def has_code(self, code: str) -> bool:
        """A code is whole, and may stand at the head of the paragraph."""
        whole = _whole(code)
        return any(whole.search(one.whole) for one in (*self.units, *self.paragraph))

    def has_ordinal(self, number: int, *, nearby: bool) -> bool:
        """The second, the 2nd, or a 2 that tells which: "Phase 2"."""
        word = ordinal_word(number)
        # The 99th percentile is p99.
        number_form = rf"(?<![\d.,]){number}(?:st|nd|rd|th)?(?![\d\w])"
        forms = number_form + (rf"|\b{re.escape(word)}\b" if word else "")
        return bool(re.search(forms, self.around if nearby else self.told, re.IGNORECASE))

    def speaks_of_itself(self, statement: Statement) -> bool:
        """Whether the unit that a statement comes from is said in the first person."""
        words = frozenset(statement.words)
        nearest = max(self.units, key=lambda one: len(words & one.own_terms))
        return bool(FIRST_PERSON.search(nearest.text))

    def states(self, figure: Quantity, statement: Statement) -> bool:
        if is_label(figure, statement.plain, [self.told]) or self._counts_rows(figure, statement):
            return True
        if is_difference(figure, statement) and len(self.units) == 1:
            return True
        return any(
            stated_in(figure, statement.plain, one.figures, one.whole, self.around)
            for one in self.units
        )

    def _counts_rows(self, figure: Quantity, statement: Statement) -> bool:
        """ "The four batches" are the four rows under "Batch"."""
        rows = [one for one in self.rows if not _SUM.match(one.cells[0][1])]
        if len(rows) < 2 or figure.measure is not Measure.NUMBER or figure.value != len(rows):
            return False
        behind = terms(statement.plain[figure.end :])[:1]
        return not frozenset(behind).isdisjoint(terms(rows[0].cells[0][0]))


def _is_under(surroundings: str, head: str) -> bool:
    """Whether one of two headings is, or goes on from, the other."""
    short, long = sorted((surroundings, head), key=len)
    return "|" in short and long.startswith(short)


@lru_cache(maxsize=1024)
def _whole(code: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(code)}(?![\w-])", re.IGNORECASE)


def windows(statement: Statement, evidence: Sequence[Sequence[EvidenceText]]) -> list[Window]:
    """Around the best unit of each citation, then around others."""
    cited = tuple(one for units in evidence for one in units)
    rows = tuple(one for one in cited if one.is_row)
    ranked = [
        [(_around(units, at), units) for at in _ranked(statement, units)] for units in evidence
    ]
    ranked = [places for places in ranked if places]
    made: list[Window] = []
    for place in range(max(map(len, ranked), default=0)):
        chosen = [places[min(place, len(places) - 1)] for places in ranked]
        together = tuple(one for around, _ in chosen for one in around)
        if any(_same(together, window.units) for window in made):
            continue
        paragraph = tuple(one for around, units in chosen for one in _paragraph(around, units))
        made.append(Window(together, paragraph, rows, cited))
    for units in evidence:
        several = _several_rows(statement, units) or _listed(statement, units)
        if len(several) > 1 and not any(_same(several, window.units) for window in made):
            made.append(Window(several, (), rows, cited))
    return made


def _listed(statement: Statement, units: Sequence[EvidenceText]) -> tuple[EvidenceText, ...]:
    """The whole of a short list, for a statement that goes through it, or of a few sentences, for
    one of several clauses."""
    many = len(statement.figures) > _LISTED and len(units) <= 2 * len(statement.figures)
    joined = len(units) <= (_SHORT if len(statement.clauses) > 1 else _TRIED)
    return tuple(units) if (many or joined) and not any(one.is_row for one in units) else ()


def _several_rows(statement: Statement, units: Sequence[EvidenceText]) -> tuple[EvidenceText, ...]:
    """The rows of one place that a statement with several figures takes them from: it compares
    them, or lists them. Whose each figure is remains to be seen."""
    rows = [one for one in units if one.is_row]
    heads = {one.cells[0][0].lower() for one in rows}
    # "Area 3" says which row it is.
    left = [
        figure
        for figure in statement.figures
        if statement.plain[: figure.start].split()[-1:] == []
        or statement.plain[: figure.start].split()[-1].lower() not in heads
    ]
    if len(rows) < 2 or len(left) < 2:
        return ()
    chosen: list[EvidenceText] = []
    while left and len(chosen) < _COMPARED:
        best = max(
            rows,
            key=lambda one: (
                sum(_states(one, figure, statement) for figure in left),
                _shared(statement, one),
            ),
        )
        kept = [figure for figure in left if not _states(best, figure, statement)]
        if len(kept) == len(left):
            break
        chosen.append(best)
        left = kept
    return tuple(chosen)


def _ranked(statement: Statement, units: Sequence[EvidenceText]) -> list[int]:
    """The units that share most with a statement, best first."""
    if len(units) == 1:
        return [0]
    shared = [_shared(statement, unit) for unit in units]
    return sorted(range(len(units)), key=lambda at: (-shared[at], at))[:_TRIED]


def _same(some: Sequence[EvidenceText], others: Sequence[EvidenceText]) -> bool:
    return len(some) == len(others) and all(a is b for a, b in zip(some, others, strict=True))


def _around(units: Sequence[EvidenceText], at: int) -> list[EvidenceText]:
    if units[at].is_row:
        return [units[at]]
    return [one for one in units[max(at - 1, 0) : at + 2] if not one.is_row]


def _paragraph(around: Sequence[EvidenceText], units: Sequence[EvidenceText]) -> list[EvidenceText]:
    blocks = {one.block for one in around if one.block is not None and not one.is_row}
    return [one for one in units if one.block in blocks]


def _shared(statement: Statement, unit: EvidenceText) -> float:
    words = sum(term in unit.own_terms for term in statement.words)
    around = sum(term in unit.terms for term in statement.words)
    named = sum(is_named(name, unit.people_terms) for name in statement.names)
    figures = sum(_states(unit, one, statement) for one in statement.figures)
    times = len(statement.times & unit.times) if statement.times else 0
    quoted = sum(stands_in(quote.strip(" .,;"), unit.verbatim) for quote in statement.quotes)
    return 3 * quoted + words + 0.2 * around + named + 1.5 * figures + 0.5 * times


def _states(unit: EvidenceText, figure: Quantity, statement: Statement) -> bool:
    # Whatever scale it is in, a figure has its digits; most units have others.
    is_exact = figure.measure is not Measure.DURATION and not statement.is_rough
    if is_exact and digits_of(figure) not in unit.digits:
        return False
    return stated_in(figure, statement.plain, unit.figures, unit.whole)
