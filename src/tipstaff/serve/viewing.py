"""A document as a viewer needs it: what kind of thing it is, which places of it are lit, and its
lines, blocks and rows by range, so that only what is visible is ever sent.

`Lit` is where a citation points: the passage (light) and in it the exact words (dark).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tipstaff.citation.places import CitableDocument
from tipstaff.domain.document import Block, BlockKind, Document, MarkKind, PageBox, Sheet, Span
from tipstaff.domain.location import Cell, CellRange, DataPath, Slides, TimeRange, column_letters
from tipstaff.domain.wire import to_wire
from tipstaff.serve.quoted_places import quoted_spans

MOST_LINES = 1_000
MOST_ROWS = 500
MOST_COLUMNS = 400
_MOST_LIT_CELLS = 2_000


@dataclass(frozen=True, slots=True)
class Lit:
    """`hidden` is what readers of the file do not see, wherever in it; `start_ms` is the moment
    that was cited of a recording whose words were not read."""

    passage: tuple[Span, ...] = ()
    words: tuple[Span, ...] = ()
    hidden: tuple[Span, ...] = ()
    start_ms: int | None = None

    @property
    def first(self) -> int | None:
        """Where to look first: the words, or the beginning of the passage."""
        spans = self.words or self.passage
        return min((span.start for span in spans), default=None)


def lit_by(document: Document, spans: Sequence[Span], words: str) -> Lit:
    """A passage that is a whole page or section is lit around the words alone; cells are lit as
    they were cited."""
    exact = tuple(quoted_spans(document, spans, words)) if words else ()
    hidden = hidden_spans(document)
    if document.sheets:
        return Lit(tuple(spans), exact, hidden)
    around = [
        block.span for block in document.blocks if any(block.span.overlaps(span) for span in exact)
    ]
    if not exact or not around:
        return Lit(tuple(spans), exact, hidden)
    return Lit(tuple(part for block in around for part in _shared(block, spans)), exact, hidden)


def hidden_text(document: Document) -> list[dict[str, Any]]:
    """What a reader of the file would not see, by reason: how much of it there is."""
    found: dict[str, int] = {}
    for mark in document.marks:
        if mark.kind is MarkKind.HIDDEN:
            found[mark.reason] = found.get(mark.reason, 0) + len(mark.span)
    return [{"reason": reason, "characters": count} for reason, count in found.items()]


def hidden_spans(document: Document) -> tuple[Span, ...]:
    return tuple(mark.span for mark in document.marks if mark.kind is not MarkKind.MARKUP)


def kind_of(document: Document, media_type: str) -> str:
    """Which of the viewer's ways fits: as the file is looked at elsewhere."""
    if media_type == "application/pdf":
        return "pages"
    for start in ("image", "audio", "video"):
        if media_type.startswith(f"{start}/"):
            return start
    if document.sheets:
        return "sheet"
    if any(isinstance(block.location, Slides) for block in document.blocks):
        return "slides"
    if document.blocks and all(isinstance(one.location, DataPath) for one in document.blocks):
        return "tree"
    # Lines of a message are cited as they are read here, whatever the file's are.
    written = any(block.kind is BlockKind.MESSAGE for block in document.blocks)
    return "lines" if document.lines_are_the_files or written else "blocks"


def overview(citable: CitableDocument, kind: str, lit: Lit) -> dict[str, Any]:
    """Everything that does not grow with the text, and the places that are lit."""
    document = citable.document
    return {
        "kind": kind,
        "pages": [
            {"page": page.number, "width": page.width, "height": page.height, "ocr": page.ocr}
            for page in document.pages
        ],
        "sheets": [_sheet(document, sheet) for sheet in document.sheets],
        "line_count": len(citable.lines),
        "block_count": len(document.blocks),
        "duration_ms": document.duration_ms,
        "notes": list(document.notes[:20]),
        "hidden": hidden_text(document),
        "passage_boxes": to_wire(_boxes(document, lit.passage)),
        "word_boxes": to_wire(_boxes(document, lit.words)),
        "lit_cells": lit_cells(document, lit),
        "at": _at(citable, lit),
    }


def lines(citable: CitableDocument, first: int, last: int, lit: Lit) -> list[dict[str, Any]]:
    """Lines by number from 1, each in runs of equal light."""
    last = min(last, len(citable.lines), first + MOST_LINES - 1)
    return [
        {"line": number, "runs": runs(citable.document, citable.lines.span(number, number), lit)}
        for number in range(max(first, 1), last + 1)
    ]


def blocks(citable: CitableDocument, first: int, last: int, lit: Lit) -> list[dict[str, Any]]:
    """Blocks by number from 1: paragraphs, slides, messages, segments."""
    every = citable.document.blocks
    last = min(last, len(every), first + MOST_LINES - 1)
    return [
        _block(citable.document, number, every[number - 1], lit)
        for number in range(max(first, 1), last + 1)
    ]


def rows(document: Document, sheet: Sheet, first: int, last: int) -> list[dict[str, Any]]:
    """Rows of a sheet with their filled cells, by column number."""
    last = min(last, first + MOST_ROWS - 1)
    found: dict[int, dict[str, Any]] = {}
    corner = Cell(MOST_COLUMNS, max(last, 1))
    for cell in document.cells.in_range(sheet.table, Cell(1, max(first, 1)), corner):
        shown: dict[str, Any] = {"text": document.words(cell.span)}
        if cell.value is not None:
            shown["value"] = cell.value
        if cell.formula is not None:
            shown["formula"] = cell.formula
        found.setdefault(cell.cell.row, {})[str(cell.cell.column)] = shown
    return [{"row": row, "cells": cells} for row, cells in sorted(found.items())]


def runs(document: Document, span: Span, lit: Lit) -> list[list[str]]:
    """A stretch of text cut where its light changes: `[text, "" | passage | words | hidden]`."""
    hidden = [mark for mark in lit.hidden if mark.overlaps(span)]
    layers = (("hidden", hidden), ("words", lit.words), ("passage", lit.passage))
    edges = {span.start, span.end}
    for _, spans in layers:
        for one in spans:
            edges |= {edge for edge in (one.start, one.end) if span.start < edge < span.end}
    cut = sorted(edges)
    pieces = []
    for start, end in pairwise(cut):
        piece = Span(start, end)
        light = next((name for name, s in layers if any(one.contains(piece) for one in s)), "")
        pieces.append([document.text[start:end], light])
    return pieces


def lit_cells(document: Document, lit: Lit) -> list[dict[str, Any]]:
    """The cells that are lit, with their sheet; `words` where the exact words stand in them."""
    by_table = {sheet.table: sheet.name for sheet in document.sheets}
    found: list[dict[str, Any]] = []
    for span in lit.passage:
        for cell in document.cells.within(span):
            if cell.table not in by_table or len(found) >= _MOST_LIT_CELLS:
                continue
            found.append(
                {
                    "sheet": by_table[cell.table],
                    "row": cell.cell.row,
                    "column": cell.cell.column,
                    "words": any(one.overlaps(cell.span) for one in lit.words),
                }
            )
    return found


def _sheet(document: Document, sheet: Sheet) -> dict[str, Any]:
    table = document.cells
    mine = [index for index, number in enumerate(table.tables) if number == sheet.table]
    columns = max((table.columns[index] for index in mine), default=0)
    return {
        "name": sheet.name,
        "hidden": sheet.hidden,
        "rows": max((table.rows[index] for index in mine), default=0),
        "columns": min(columns, MOST_COLUMNS),
        "letters": [column_letters(one) for one in range(1, min(columns, MOST_COLUMNS) + 1)],
    }


def _at(citable: CitableDocument, lit: Lit) -> dict[str, Any]:
    """Where the viewer opens: a page, a line, a block, a second."""
    first = lit.first
    if first is None:
        return {} if lit.start_ms is None else {"start_ms": lit.start_ms}
    document = citable.document
    number = next((n for n, one in enumerate(document.blocks, 1) if one.span.end > first), 1)
    found: dict[str, Any] = {"line": citable.lines.number(first), "block": number}
    for page in document.pages:
        if page.span.start <= first <= page.span.end:
            found["page"] = page.number
            break
    if document.blocks:
        place = document.blocks[number - 1].location
        if isinstance(place, TimeRange):
            found["start_ms"] = place.start_ms
        if isinstance(place, CellRange):
            found["sheet"] = place.sheet
    return found


def _block(document: Document, number: int, block: Block, lit: Lit) -> dict[str, Any]:
    place = block.location
    return {
        "block": number,
        "kind": str(block.kind),
        "location": str(place),
        "level": block.level,
        "author": block.author,
        "quoted": block.quoted,
        "slide": place.first if isinstance(place, Slides) else None,
        "start_ms": place.start_ms if isinstance(place, TimeRange) else None,
        "table": block.table if block.kind is BlockKind.TABLE_ROW else None,
        "runs": runs(document, block.span, lit),
    }


def _boxes(document: Document, spans: Sequence[Span]) -> list[PageBox]:
    return [box for span in spans for box in document.boxes.lines(span)]


def _shared(block: Span, spans: Sequence[Span]) -> list[Span]:
    return [
        Span(max(block.start, one.start), min(block.end, one.end))
        for one in spans
        if one.overlaps(block)
    ]
