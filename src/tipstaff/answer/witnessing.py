"""The context as a drafted sentence is held against it: citations looked up, support searched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.item_lines import NO_LINES, ItemLines, item_lines
from tipstaff.answer.key_words import read_table_cell
from tipstaff.answer.record_evidence import (
    SETTINGS,
    are_records,
    as_rows,
    by_object,
    end_of_key,
)
from tipstaff.citation.names import ItemNames
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Span, UnitKind
from tipstaff.domain.evidence import SupportSearch
from tipstaff.domain.response import CheckedCitation
from tipstaff.domain.text_lines import TextLines
from tipstaff.facts.belonging import belongs
from tipstaff.facts.initials import initials, with_names
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import query_terms, terms
from tipstaff.lexical.bm25 import idf
from tipstaff.verify.addressed import between_tags, is_order, ordering
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.known_parts import NOTHING_KNOWN, KnownParts
from tipstaff.verify.naming import Home
from tipstaff.verify.quotes import Unquotable
from tipstaff.verify.sentence_check import SaysIt, Witness, says_nothing
from tipstaff.verify.support_checker import SupportChecker

_SEARCHED_PASSAGES = 5
_TRIED_UNITS = 6
# Of the words of a statement that a passage must have for it to be worth a search.
_LEAST_SHARE = 0.5
# Rarity is counted in whole hundredths.
_FINE = 100
_RECORDED = frozenset((UnitKind.CODE, UnitKind.NODE))
# "Ada Byron: the lift is broken", where the minutes have her initials.
_SPOKEN = re.compile(r"([A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w.’'-]+){1,2}): (?=\S)(.+)", re.DOTALL)
_LABELLED = re.compile(r"([A-ZÀ-Þ]{2,4}(?:-[A-ZÀ-Þ])?): ")
# In so many of its passages stands what a bundle is about.
_EVERYWHERE, _LEAST_EVERYWHERE = 0.1, 4
# So many units before one, and behind it, tell what it speaks of.
_BEFORE, _BEHIND = 3, 1
_SHORT_ITEM = 400
# So many sentences at the head and at the foot of an item say whose it is.
_HEAD, _FOOT, _LONGEST = 4, 2, 200


@dataclass(kw_only=True)
class ContextWitness:
    """`resolve` finds the passage of a citation, `has_integrity` whether an item's bytes are those
    that were sent, `objection` why a statement about items is beyond a limit (TIP §13.3.2), `shown`
    a citation with as much of its place as is within it;
    `checker` gives a second opinion on what the rules let through, `say_it` on what is only in
    other words; `on_search` is told of every search, `on_unheard` of a checker that failed; what is
    looked up once is kept for the whole response."""

    context: AnswerContext
    resolve: Callable[[Citation], Resolution]
    has_integrity: Callable[[str], bool]
    permitted: Callable[[str], bool]
    objection: Callable[[str, Sequence[str]], str] = lambda _text, _items: ""
    shown: Callable[[CheckedCitation], CheckedCitation] = lambda citation: citation
    checker: SupportChecker | None = None
    on_search: Callable[[SupportSearch], None] = lambda _done: None
    on_unheard: Callable[[str, Exception], None] = lambda _name, _problem: None
    say_it: SaysIt = says_nothing
    _looked_up: dict[Citation, CitedEvidence | str] = field(default_factory=dict)
    _searched: dict[str, list[CitedEvidence]] = field(default_factory=dict)
    _places: dict[str, dict[tuple[str, int, int], int]] = field(default_factory=dict)
    _captions: dict[str, list[str]] = field(default_factory=dict)
    _spoken: dict[str, frozenset[int]] = field(default_factory=dict)
    _protected: dict[str, Unquotable] = field(default_factory=dict)
    _lines_of: dict[str, ItemLines] = field(default_factory=dict)

    def witness(
        self, question: str, *, may_infer: bool, parts: KnownParts = NOTHING_KNOWN
    ) -> Witness:
        """What a response to this question is held against."""
        titles = " ".join(item.title for item in self.context.items)
        return Witness(
            look_up=self.look_up,
            search=self.search,
            names=ItemNames(self._names()),
            known_terms=frozenset(terms(f"{question} {titles}")),
            known_figures=frozenset(figure.text for figure in quantities(question)),
            may_infer=may_infer,
            parts=parts,
            say_it=self.say_it,
            asked=question,
            home=Home(
                names=self._home_names(),
                is_common=self.is_common,
                is_everywhere=self.is_everywhere,
                speaks_for=self.speaks_for,
                called=self.called,
            ),
        )

    def look_up(self, citation: Citation) -> CitedEvidence | str:
        if citation not in self._looked_up:
            self._looked_up[citation] = self._found(citation)
        return self._looked_up[citation]

    def search(self, statement: str) -> list[CitedEvidence]:
        """Units of the passages that share most words with a statement. What no passage has half
        of is not looked at."""
        if statement not in self._searched:
            self._searched[statement] = self._found_for(statement)
        return self._searched[statement]

    def is_common(self, word: str) -> bool:
        """Whether a word with a capital is a noun like any other: somewhere it has none."""
        if word not in self.context.evidence.common:
            small = word.lower()
            self.context.evidence.common[word] = any(
                # Most texts do not have it: a pattern is made for those that do.
                small in text and re.search(rf"\b{re.escape(small)}\b", text)
                for text in self._texts_with(word)
            )
        return self.context.evidence.common[word]

    def speaks_for(self, person: str, name: str) -> bool:
        """Whether "we" in somebody's mouth are those who are named."""
        known = self.context.evidence.belongs
        if (person, name) not in known:
            surname = person.rsplit(maxsplit=1)[-1] if person.split() else ""
            known[person, name] = belongs(person, name, self._texts_with(surname))
        return known[person, name]

    def called(self, given: str) -> frozenset[str]:
        """The surnames that somebody of a given name has in these papers."""
        known = self.context.evidence.called
        if given not in known:
            pattern = re.compile(rf"\b{re.escape(given)} ([A-ZÀ-Þ][\w’'-]+)")
            known[given] = frozenset(
                surname for text in self._texts_with(given) for surname in pattern.findall(text)
            )
        return known[given]

    def _texts_with(self, word: str) -> list[str]:
        if not terms(word):
            return []
        (found,) = self.context.index.postings(terms(word)[:1], self.context.scope)
        numbers = [int(number) for number in found.chunks[:_SEARCHED_PASSAGES]]
        return [chunk.text for chunk in self.context.index.chunks(numbers)]

    def is_everywhere(self, term: str) -> bool:
        """Whether the whole bundle speaks of it: its parties, its subject."""
        if term in self._titled:
            return True
        least = max(_EVERYWHERE * self.context.scope.chunk_count, _LEAST_EVERYWHERE)
        return self.context.occurs(term) >= least

    @cached_property
    def _titled(self) -> frozenset[str]:
        return frozenset(terms(self.context.bundle.title))

    def _found_for(self, statement: str) -> list[CitedEvidence]:
        # A statement is found by its own words or not at all: no vectors, and no ranking beyond
        # how rare the words are that a passage shares with it.
        wanted = query_terms(statement)
        held: Counter[int] = Counter()
        weight: Counter[int] = Counter()
        count = max(self.context.scope.chunk_count, 1)
        for one in self._postings(wanted):
            held.update(one)
            weight.update(dict.fromkeys(one, round(_FINE * idf(len(one), count))))
        least = _LEAST_SHARE * len(wanted)
        best = [number for number, _ in weight.most_common() if held[number] >= least]
        units = [
            unit
            for number in best[:_SEARCHED_PASSAGES]
            for unit in self._units_in(number)
            # TIP §3.5: what only the synthesis says is not found in the context.
            if unit.item_id != SYNTHESIS_ID
        ]
        said = set(terms(statement))
        shared = {unit.key: len(said & unit.own_terms) for unit in units}
        fewest = _LEAST_SHARE * max(shared.values(), default=0)
        units = [unit for unit in units if shared[unit.key] >= fewest]
        units.sort(key=lambda unit: (-shared[unit.key], unit.key))
        # As if it had been cited: with the sentences beside it, and the rivals of a row.
        evidence = (self.look_up(citation) for citation in _first(units, _TRIED_UNITS))
        found = [one for one in evidence if not isinstance(one, str)]
        places = tuple(one.citation for one in found)
        self.on_search(SupportSearch(candidates=len(best), found=places))
        return found

    def units_at(self, citation: Citation) -> list[EvidenceUnit]:
        """The units that a citation touches; none where it leads nowhere."""
        if isinstance(self.look_up(citation), str):
            return []
        passage = self.resolve(citation)
        return self._touched(passage) if isinstance(passage, Passage) else []

    def is_short(self, item_id: str) -> bool:
        """Whether an item is so short that all of it may be looked at for one statement."""
        return self.permitted(item_id) and len(self.context.units_of(item_id)) <= _SHORT_ITEM

    def lines_of(self, item_id: str) -> ItemLines:
        """The lines of an item as a reader sees them; none if some of them are hidden."""
        if item_id not in self._lines_of:
            found = self.context.documents(item_id)
            lines = item_lines(clean(found.document).text) if found is not None else NO_LINES
            whole = len(TextLines.of(found.document.text)) if found is not None else 0
            self._lines_of[item_id] = lines if len(lines.texts) == whole else NO_LINES
        return self._lines_of[item_id]

    def is_in_lines(self, unit: EvidenceUnit) -> bool:
        """Whether each line of a unit states its own thing: settings, code, a log."""
        item = self.context.bundle.item(unit.item_id)
        return (
            unit.unit.kind is UnitKind.CODE
            or (item is not None and item.media_type in SETTINGS)
            or are_records(unit.unit.text.splitlines())
        )

    def may_show(self, item_id: str) -> bool:
        """Whether words of an item may be repeated."""
        return item_id == SYNTHESIS_ID or self.context.quotable(item_id)

    def repeats_protected(self, text: str) -> str:
        """TIP §13.4.2: the item that may not be quoted and whose words a sentence repeats, whatever
        it cites; "" if there is none."""
        protected = (item.id for item in self.context.items if not self.may_show(item.id))
        return next((item_id for item_id in protected if self._is_repeated(item_id, text)), "")

    def _is_repeated(self, item_id: str, text: str) -> bool:
        if item_id not in self._protected:
            units = self.context.units_of(item_id)
            # A row is no less a row when its headers are said with it.
            texts = [text for unit in units for text in (unit.text, unit.reader_text)]
            self._protected[item_id] = Unquotable(texts)
        return self._protected[item_id].is_quoted_in(text)

    def _found(self, citation: Citation) -> CitedEvidence | str:
        if not self.permitted(citation.item_id):
            return "It cites an item that is not in this context."
        known = self.context.evidence.cited
        if citation not in known:
            known[citation] = self._units_at(citation)
        found = known[citation]
        if isinstance(found, str):
            return found
        if not self.has_integrity(citation.item_id):
            return "The cited item's bytes are not those that the sender hashed."
        return CitedEvidence(citation, found)

    def _units_at(self, citation: Citation) -> tuple[EvidenceText, ...] | str:
        passage = self.resolve(citation)
        if not isinstance(passage, Passage):
            return f"It cites a place that does not exist: {passage.reason}."
        if settings := self._settings(citation.item_id, passage):
            return settings
        units = [
            text
            for unit in self._touched(passage)
            for text in self._records(unit, passage)
            or self._lines(unit, passage)
            or (self._text(unit),)
        ]
        return by_object(units) or (EvidenceText(passage.text),)

    def _touched(self, passage: Passage) -> list[EvidenceUnit]:
        first = min((span.start for span in passage.spans), default=0)
        last = max((span.end for span in passage.spans), default=0)
        return [
            unit
            for unit in self.context.units_of(passage.citation.item_id)
            # Most of an item is far from the place.
            if first <= unit.unit.span.end
            and unit.unit.span.start <= last
            and any(span.overlaps(unit.unit.span) for span in passage.spans)
        ]

    def _postings(self, wanted: Sequence[str]) -> list[tuple[int, ...]]:
        """In which passages each term stands; read once for a whole interrogation."""
        known = self.context.evidence.passages
        new = [term for term in wanted if term not in known]
        for term, one in zip(
            new, self.context.index.postings(new, self.context.scope), strict=True
        ):
            known[term] = tuple(int(number) for number in one.chunks)
        return [known[term] for term in wanted]

    def _units_in(self, number: int) -> list[EvidenceUnit]:
        known = self.context.evidence.units
        if number not in known:
            (chunk,) = self.context.index.chunks([number])
            known[number] = self.context.units_in(chunk)
        return known[number]

    def _lines(self, unit: EvidenceUnit, passage: Passage) -> list[EvidenceText]:
        """Of a log or a list of settings, the cited lines: each states its own thing."""
        lines = unit.unit.text.splitlines(keepends=True)
        if not are_records(lines):
            return []
        whole, found, start = self._text(unit), [], unit.unit.span.start
        orders = ordering(lines)
        near = "".join(line for line, ordered in zip(lines, orders, strict=True) if not ordered)
        for line, ordered in zip(lines, orders, strict=True):
            span = Span(start, start + len(line))
            start = span.end
            if any(cited.overlaps(span) for cited in passage.spans):
                words = " ".join(line.split())
                found.append(replace(whole, text=words, literal="", nearby=near, ordered=ordered))
        return found

    def _settings(self, item_id: str, passage: Passage) -> tuple[EvidenceText, ...]:
        """Of a file of settings, the cited values: what they stand in is told by how far they are
        indented, and begins far above them."""
        item, found = self.context.bundle.item(item_id), self.context.documents(item_id)
        if item is None or found is None or item.media_type not in SETTINGS:
            return ()
        over = self._touched(passage)
        if not over:
            return ()
        text = found.document.text
        cited = [(span.start, span.end) for span in passage.spans]
        near = "\n".join(self._nearby(unit) for unit in over)
        rows = as_rows(self._text(over[0]), near, text, cited)
        under = [] if rows else [(start, end_of_key(text, start)) for start, _ in cited]
        return tuple(rows or as_rows(self._text(over[0]), near, text, under))

    def _records(self, unit: EvidenceUnit, passage: Passage) -> list[EvidenceText]:
        """Of data and settings, the cited values under their keys."""
        if unit.unit.kind not in _RECORDED:
            return []
        start = unit.unit.span.start
        cited = [(span.start - start, span.end - start) for span in passage.spans]
        return as_rows(self._text(unit), "", unit.unit.text, cited)

    def _text(self, unit: EvidenceUnit) -> EvidenceText:
        known = self.context.evidence.texts
        if unit.key not in known:
            cells = tuple(read_table_cell(head, words) for head, words, _ in unit.cells)
            cells = cells if unit.is_row else ()
            literal = "; ".join(f"{head}: {words}" if head else words for head, words in cells)
            literal = literal or unit.text
            called = self._initials(unit.item_id)
            cells = tuple((head, with_names(words, called)) for head, words in cells)
            text = with_names(literal, called)
            author = self._speaker(unit)
            above = unit.surroundings
            if unit.author and author != unit.author:
                above = above.removesuffix(f" | {unit.author}")
            if text != literal and not author and (spoken := _SPOKEN.match(text)):
                author, text = spoken[1], spoken[2]
            known[unit.key] = EvidenceText(
                text,
                _without_orders(above),
                author=author,
                # What is repeated from another mail is not this writer's.
                writer="" if unit.block.quoted else unit.writer,
                cells=cells,
                block=unit.unit.block,
                nearby=self._beside_table(unit) if unit.is_row else self._nearby(unit),
                paper=self._paper(unit.item_id),
                synthesis=unit.item_id == SYNTHESIS_ID,
                ordered=self.speaks_to_machines(unit) and not is_order(unit.text),
                before=with_names(self._before(unit), called),
                literal=literal if text != literal else "",
            )
        return known[unit.key]

    def _speaker(self, unit: EvidenceUnit) -> str:
        """Whoever says it: where minutes go on within a paragraph, "KO: … DA: …", the one who is
        named last before it."""
        author = unit.author or ""
        if not _LABELLED.match(f"{author}: "):
            return author
        every, at = self._placed(unit)
        for one in reversed(every[: at + 1]):
            if one.unit.block != unit.unit.block:
                break
            if label := _LABELLED.match(one.text):
                return label[1]
        return author

    def _initials(self, item_id: str) -> Mapping[str, str]:
        """Whom an item means by initials: minutes name everybody once."""
        known = self.context.evidence.initials
        if item_id not in known:
            found = self.context.documents(item_id)
            known[item_id] = initials(found.document.text) if found is not None else {}
        return known[item_id]

    def speaks_to_machines(self, unit: EvidenceUnit) -> bool:
        """Whether a sentence is an order to machines, or goes on with one of its paragraph."""
        every, at = self._placed(unit)
        if unit.item_id not in self._spoken:
            self._spoken[unit.item_id] = between_tags([one.text for one in every])
        if at in self._spoken[unit.item_id]:
            return True
        before = [
            one for one in every[max(at - _BEFORE, 0) : at] if one.unit.block == unit.unit.block
        ]
        return ordering([*(one.text for one in before), unit.text])[-1]

    def _before(self, unit: EvidenceUnit) -> str:
        """The sentences before one in its paragraph: whom "she" is stands there."""
        every, at = self._placed(unit)
        near = every[max(at - _BEFORE, 0) : at]
        return " ".join(one.text for one in near if one.unit.block == unit.unit.block)

    def _nearby(self, unit: EvidenceUnit) -> str:
        """A row's neighbours are its rivals; a sentence's say what it is about."""
        every, at = self._placed(unit)
        near = every[max(at - _BEFORE, 0) : at + 1 + _BEHIND]
        orders = ordering([one.text for one in near])
        return "\n".join(
            one.text
            for one, ordered in zip(near, orders, strict=True)
            # What is said to machines tells nothing of what stands beside it (TIP §4.4).
            if one is not unit and not one.is_row and not ordered
        )

    def _beside_table(self, unit: EvidenceUnit) -> str:
        """The sentence before a row's table and the one behind it: its caption, its note."""
        every, at = self._placed(unit)
        if unit.item_id not in self._captions:
            self._captions[unit.item_id] = _captions(every)
        return self._captions[unit.item_id][at]

    def _paper(self, item_id: str) -> str:
        """What an item is called, and its first and last sentences: who writes to whom, as what."""
        known = self.context.evidence.papers
        if item_id not in known:
            every = [
                one
                for one in self.context.units_of(item_id)
                if not one.is_row and not is_order(one.text)
            ]
            ends = [*every[:_HEAD], *every[-_FOOT:]]
            known[item_id] = "\n".join((item_id, *(one.text[:_LONGEST] for one in ends)))
        return known[item_id]

    def _placed(self, unit: EvidenceUnit) -> tuple[Sequence[EvidenceUnit], int]:
        every = self.context.units_of(unit.item_id)
        if unit.item_id not in self._places:
            self._places[unit.item_id] = {one.key: at for at, one in enumerate(every)}
        return every, self._places[unit.item_id][unit.key]

    def _home_names(self) -> frozenset[str]:
        """Whose papers these are: "we" in them."""
        return frozenset(terms(str(self.context.bundle.creator.get("org") or "")))

    def _names(self) -> dict[str, str]:
        """Only names of what this recipient may see: another item's name is no item here."""
        known = self.context.bundle.citable_names()
        return {name: target for name, target in known.items() if self.permitted(target)}


def _without_orders(surroundings: str) -> str:
    """Headings without those that tell machines what to say (TIP §4.4)."""
    if not is_order(surroundings):
        return surroundings
    return " | ".join(one for one in surroundings.split(" | ") if not is_order(one))


def _captions(units: Sequence[EvidenceUnit]) -> list[str]:
    """Of each unit the last sentence before it and the first behind it that are of no table; what
    is said to machines is nobody's caption."""
    told = ["" if one.is_row or is_order(one.text) else one.text for one in units]
    before, behind = _last_of(told), _last_of(told[::-1])[::-1]
    return ["\n".join(filter(None, pair)) for pair in zip(before, behind, strict=True)]


def _last_of(texts: Sequence[str]) -> list[str]:
    """Before each text the last that says something."""
    found, last = [], ""
    for text in texts:
        found.append(last)
        last = text or last
    return found


def _first(units: list[EvidenceUnit], count: int) -> list[Citation]:
    return list(dict.fromkeys(unit.citation for unit in units))[:count]
