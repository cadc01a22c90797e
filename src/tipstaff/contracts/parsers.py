"""What every parser promises of every document, whatever the format.

`faults_of(document)` is empty for a good document. The promise that matters most: the text
at a block's location *is* the block.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from tipstaff.citation.places import CitableDocument
from tipstaff.domain.citation import Unresolved
from tipstaff.domain.document import BlockKind, Document, Span
from tipstaff.domain.location import read_location
from tipstaff.parse.codec import NotADocument, decode, encode

_SENT = ("text", "blocks", "marks", "definitions")


def faults_of(document: Document) -> list[str]:
    """Every broken promise, in words; the suite's only entry."""
    return [
        *_encoding(document),
        *_order(document),
        *_uncovered(document),
        *_locations(document),
        *_definitions(document),
        *_cells(document),
        *_boxes(document),
        *_pages(document),
    ]


def _encoding(document: Document) -> Iterator[str]:
    """A document must survive the way from its worker to the host."""
    try:
        again = decode(encode(document))
    except (NotADocument, TypeError, ValueError, OverflowError) as problem:
        yield f"it cannot be sent from its worker: {problem}"
        return
    if any(getattr(again, name) != getattr(document, name) for name in _SENT):
        yield "it changes on its way from the worker"


def _order(document: Document) -> Iterator[str]:
    end = 0
    for number, block in enumerate(document.blocks):
        if block.span.start < end:
            yield f"block {number} overlaps the one before it"
        if block.span.end > len(document.text):
            yield f"block {number} ends behind the text"
        if not document.text_of(block).strip():
            yield f"block {number} is empty"
        if (block.kind is BlockKind.HEADING) != (block.level is not None):
            yield f"block {number}: headings, and only headings, have a level"
        end = block.span.end
    starts = [mark.span.start for mark in document.marks]
    if starts != sorted(starts):
        yield "marks are not in order"
    if any(mark.span.end > len(document.text) for mark in document.marks):
        yield "a mark ends behind the text"


def _uncovered(document: Document) -> Iterator[str]:
    """No words may stand outside every block, unless a mark says that they are not for reading."""
    spans = [block.span for block in document.blocks]
    spans += [mark.span for mark in document.marks]
    position = 0
    for span in [*sorted(spans), Span(len(document.text), len(document.text))]:
        if span.start > position:
            between = document.text[position : span.start].strip()
            if between:
                yield f"text outside every block at {position}: {between[:40]!r}"
        position = max(position, span.end)


def _locations(document: Document) -> Iterator[str]:
    citable = CitableDocument("item", document)
    for number, block in enumerate(document.blocks):
        found = citable.resolve(block.location)
        if isinstance(found, Unresolved):
            yield f"block {number} at '{block.location}' does not resolve: {found.reason}"
        elif document.text_of(block) not in found.text and not any(
            span.contains(block.span) for span in found.spans
        ):
            yield f"block {number}: '{block.location}' leads elsewhere"
        if read_location(str(block.location)) != block.location:
            yield f"block {number}: '{block.location}' does not read back"


def _definitions(document: Document) -> Iterator[str]:
    """A definition that is no block stands, named, inside one that is."""
    spans = [block.span for block in document.blocks]
    for definition in document.definitions:
        name = ".".join(definition.names)
        above = bisect_right(spans, definition.span.start, key=lambda span: span.start) - 1
        if above < 0 or not spans[above].contains(definition.span):
            yield f"definition '{name}' stands in no block"
        if not name or not document.words(definition.span).strip():
            yield f"definition '{name}' has no name or no words"


def _cells(document: Document) -> Iterator[str]:
    tables = {block.table: block.span for block in document.blocks if block.table is not None}
    spans = [block.span for block in document.blocks if block.table is not None]
    position = 0
    for cell in document.cells:
        if cell.span.start < position:
            yield f"cell {cell.cell} is out of order"
        position = cell.span.start
        if cell.table not in tables:
            yield f"cell {cell.cell} belongs to no table"
    inside = 0
    for span in spans:
        inside += sum(1 for _ in document.cells.within(span))
    if inside != len(document.cells):
        yield f"{len(document.cells) - inside} cells stand outside their rows"


def _boxes(document: Document) -> Iterator[str]:
    sizes = {page.number: (page.width, page.height) for page in document.pages}
    end = 0
    for span, box in document.boxes.words(Span(0, len(document.text))):
        if span.start < end:
            yield f"box at {span.start} is out of order"
        end = span.end
        width, height = sizes.get(box.page, (0.0, 0.0))
        slack = 2 + max(width, height) / 50
        if not (
            -slack <= box.left <= box.right <= width + slack
            and -slack <= box.top <= box.bottom <= height + slack
        ):
            yield f"box of {document.words(span)!r} lies outside page {box.page}"


def _pages(document: Document) -> Iterator[str]:
    end = 0
    for number, page in enumerate(document.pages, start=1):
        if page.number != number:
            yield f"page {page.number} stands at place {number}"
        if page.span.start < end:
            yield f"page {page.number} overlaps the one before it"
        end = page.span.end
