"""What an answer may draw on: the permitted items of one bundle, searched, read and cited.

Everything here is inside the recipient's grounding boundary; nothing else exists for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.chunk.units import units
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.citation import SYNTHESIS_ID, Citation
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import BlockKind, Chunk, Document, Span, TableCell, UnitKind
from tipstaff.domain.retrieval import Retrieval, RetrievalOptions
from tipstaff.domain.scope import IndexedItem, Scope
from tipstaff.facts.months import MONTHS
from tipstaff.lexical.bm25 import idf
from tipstaff.read.reader import Reader
from tipstaff.store.store import OpenIndex
from tipstaff.verify.evidence_text import EvidenceText

_CAPTION_CHARS = 200
_HEAD_CHARS = 700
_NAME = r"[A-ZÀ-Þ][\w.’'-]+(?: (?:[A-ZÀ-Þ][\w.’'-]+|van|von|de|der)){0,3}"
# At the heads of mails.
_OF_MAILS = frozenset(("From", "To", "Cc", "Bcc", "Subject", "Date", "Sent", "Re", "Reply-To"))
_SPEAKER = re.compile(rf"\s*({_NAME})(?: \([^)\n]{{1,40}}\))?:\s+\S")
_WRITTEN_BY = re.compile(
    rf"(?:^|\n)\W*(?i:authors?|prepared by|written by|from|by|author of record)\W{{1,6}}"
    rf"({_NAME})",
)
# "Imre Castellan, Castellan Property Management, 11 April 2025." under the title.
_BY_LINE = re.compile(
    rf"\A[^\n]{{3,120}}\n\s*([A-ZÀ-Þ][\w’'-]+ (?:[A-Z]\. )?[A-ZÀ-Þ][\w’'-]+), "
    rf"[^\n.]{{0,80}}?\d{{1,2}} (?i:{'|'.join(MONTHS)}) \d{{4}}",
)
# "Dr Ada Byron, Byron Surveys" on a line of its own: at the head of what somebody writes as "I", or
# at its foot; before "Dear …" it is to whom it goes.
_NAME_LINE = re.compile(
    r"^\W{0,3}((?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-ZÀ-Þ][a-zà-ÿ’'-]+(?: [A-ZÀ-Þ]\.)? "
    r"[A-ZÀ-Þ][a-zà-ÿ]+[\w’'-]*)(?P<more>, [^\d\n.:;]{3,60})?\W{0,3}$",
    re.MULTILINE,
)
_I = re.compile(r"\b(?:I|my)\b")
_DEAR = re.compile(r"^\W*Dear\b", re.MULTILINE)
_FOOT_CHARS = 200
# On so many pages a line is a header or a footer.
_RUNNING = 3


@dataclass(slots=True)
class KnownEvidence:
    """What drafts are held against, kept for the whole interrogation: passages by term, units by
    passage, units as they are compared, what a citation leads to or why it does not, words that
    are nouns like any other, whose people somebody is, and the surnames of a given name."""

    passages: dict[str, tuple[int, ...]] = field(default_factory=dict)
    units: dict[int, list[EvidenceUnit]] = field(default_factory=dict)
    texts: dict[tuple[str, int, int], EvidenceText] = field(default_factory=dict)
    cited: dict[Citation, tuple[EvidenceText, ...] | str] = field(default_factory=dict)
    papers: dict[str, str] = field(default_factory=dict)
    common: dict[str, bool] = field(default_factory=dict)
    belongs: dict[tuple[str, str], bool] = field(default_factory=dict)
    called: dict[str, frozenset[str]] = field(default_factory=dict)
    initials: dict[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(kw_only=True)
class AnswerContext:
    """`documents` gives the document of a permitted item, reading it when first asked for."""

    bundle: Bundle
    index: OpenIndex
    scope: Scope
    search: Callable[[str, RetrievalOptions], Retrieval]
    options: RetrievalOptions
    documents: Callable[[str], CitableDocument | None]
    reader: Reader | None = None
    quotable: Callable[[str], bool] = lambda _: True
    evidence: KnownEvidence = field(default_factory=KnownEvidence)
    _units: dict[str, list[EvidenceUnit]] = field(default_factory=dict)
    _rarity: dict[str, float] = field(default_factory=dict)
    _seen: dict[str, int] = field(default_factory=dict)

    @property
    def items(self) -> tuple[IndexedItem, ...]:
        return self.scope.items

    def units_of(self, item_id: str) -> list[EvidenceUnit]:
        """Every unit of an item, in order; none for an item without text."""
        if item_id not in self._units:
            found = self.documents(item_id)
            self._units[item_id] = (
                list(_units(item_id, found, self._title(item_id))) if found else []
            )
        return self._units[item_id]

    def units_in(self, chunk: Chunk) -> list[EvidenceUnit]:
        """The units that a chunk is made of."""
        return [
            unit
            for unit in self.units_of(chunk.item_id)
            if any(span.start <= unit.unit.span.start < span.end for span in chunk.spans)
        ]

    def following(self, unit: EvidenceUnit, count: int) -> list[EvidenceUnit]:
        """The sentences of the same block that come after a unit."""
        every = self.units_of(unit.item_id)
        place = next((at for at, one in enumerate(every) if one.key == unit.key), len(every))
        after = every[place + 1 : place + 1 + count]
        return [one for one in after if one.unit.block == unit.unit.block]

    def before(self, unit: EvidenceUnit) -> EvidenceUnit | None:
        """The sentence of the same block that comes before a unit."""
        every = self.units_of(unit.item_id)
        place = next((at for at, one in enumerate(every) if one.key == unit.key), 0)
        if place == 0 or every[place - 1].unit.block != unit.unit.block:
            return None
        return every[place - 1]

    def rarity(self, term: str) -> float:
        """How much a term tells, within the scope; a term that occurs nowhere tells most."""
        if term not in self._rarity:
            self._rarity[term] = idf(self.occurs(term), max(self.scope.chunk_count, 1))
        return self._rarity[term]

    def occurs(self, term: str) -> int:
        """In how many passages of the scope a term occurs."""
        if term not in self._seen:
            (found,) = self.index.postings([term], self.scope)
            self._seen[term] = len(found.chunks)
        return self._seen[term]

    def spoken_by(self, last_names: Collection[str]) -> list[EvidenceUnit]:
        """What somebody says or writes, in whatever item: a speaker's name stands beside the words
        and not in them, so that no search finds it."""
        wanted = frozenset(last_names)
        return [unit for author, said in self.speakers.items() if wanted & _words(author)
                for unit in said]  # fmt: skip

    @cached_property
    def speakers(self) -> dict[str, list[EvidenceUnit]]:
        """Everybody who speaks or writes somewhere, and what they say, in order."""
        found: dict[str, list[EvidenceUnit]] = {}
        for item in self.items:
            for unit in self.units_of(item.id):
                if unit.author:
                    found.setdefault(unit.author, []).append(unit)
        return found

    @property
    def synthesis_units(self) -> list[EvidenceUnit]:
        return self.units_of(SYNTHESIS_ID)

    def _title(self, item_id: str) -> str:
        item = self.bundle.item(item_id)
        return item.title if item else ""


def _words(name: str) -> frozenset[str]:
    return frozenset(word.strip(".,;()") for word in name.casefold().split())


def _units(item_id: str, citable: CitableDocument, title: str) -> Sequence[EvidenceUnit]:
    document = citable.document
    made: list[EvidenceUnit] = []
    caption, last_prose = "", ""
    table: int | None = None
    previous_block = -1
    running = _running_lines(document)
    headers = _header_rows(document)
    speakers = _speakers(document)
    writer = _writer(document)
    for unit in units(item_id, document):
        if _without_digits(unit.text) in running or unit.block in headers:
            continue
        block = document.blocks[unit.block]
        is_row = unit.kind is UnitKind.ROW
        if is_row and block.table != table:
            caption, table = last_prose, block.table
        same_block = unit.block == previous_block
        made.append(
            EvidenceUnit(
                unit=unit,
                block=block,
                item_title=title,
                cells=_cells(document, block.span) if is_row else (),
                near=caption if is_row else "",
                author=block.author or speakers.get(unit.block),
                writer=writer,
                previous=made[-1].text if same_block and made else "",
            )
        )
        previous_block = unit.block
        if not is_row:
            last_prose = unit.text.strip()[-_CAPTION_CHARS:]
    return made


def _header_rows(document: Document) -> set[int]:
    """Rows that are nothing but the header of their own table: nothing is stated in them."""
    words: dict[int, set[str]] = {}
    for cell in document.cells:
        if cell.header:
            words.setdefault(cell.table, set()).add(" ".join(cell.header.split()))
    found = set()
    for number, block in enumerate(document.blocks):
        if block.table in words and block.kind in (BlockKind.TABLE_ROW, BlockKind.CELL_RANGE):
            own = {
                " ".join(document.words(c.span).split()) for c in document.cells.within(block.span)
            }
            if own and own - {""} <= words[block.table]:
                found.add(number)
    return found


def _speakers(document: Document) -> dict[int, str]:
    """Who speaks in each block of a transcript that is written as text: "Ada Byron: …". A label
    that stands before one paragraph only is a field, not a speaker."""
    labels: dict[int, str] = {}
    for number, block in enumerate(document.blocks):
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            match = _SPEAKER.match(clean(document, block.span).text)
            if match and match[1] not in _OF_MAILS:
                labels[number] = match[1]
    counts = Counter(labels.values())
    return {number: name for number, name in labels.items() if counts[name] > 1}


def _writer(document: Document) -> str:
    """The author that a document names at its head: "Prepared by …", "From: …"."""
    head = clean(document, Span(0, min(len(document.text), _HEAD_CHARS))).text
    match = _WRITTEN_BY.search(head) or _BY_LINE.search(head)
    return match[1] if match else _signed(document, head)


def _signed(document: Document, head: str) -> str:
    """The one person whose name is all that a line at the head or the foot of a document says, if
    it is written by an "I"."""
    length = len(document.text)
    if length < 2 * _FOOT_CHARS or not _I.search(document.text):
        return ""
    above = () if _DEAR.search(head) else _NAME_LINE.finditer(head)
    below = clean(document, Span(length - _FOOT_CHARS, length)).text
    found = {match[1] for match in above if match["more"]}
    found |= {match[1] for match in _NAME_LINE.finditer(below)}
    return found.pop() if len(found) == 1 else ""


def _running_lines(document: Document) -> set[str]:
    """Headers and footers: on paged documents, short lines that return on page after page."""
    if len(document.pages) < _RUNNING:
        return set()
    seen: dict[str, int] = {}
    for block in document.blocks:
        if block.kind is BlockKind.PARAGRAPH and len(block.span) < _CAPTION_CHARS:
            line = _without_digits(clean(document, block.span).text)
            seen[line] = seen.get(line, 0) + 1
    return {line for line, count in seen.items() if count >= _RUNNING}


def _without_digits(text: str) -> str:
    return " ".join("".join(" " if mark.isdigit() else mark for mark in text).split())


def _cells(document: Document, span: Span) -> tuple[tuple[str, str, TableCell], ...]:
    found = []
    for cell in document.cells.within(span):
        words = " ".join(clean(document, cell.span).text.split())
        if words:
            header = " ".join(cell.header.split())
            found.append(("" if header == words else header, words, cell))
    return tuple(found)
