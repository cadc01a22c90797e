"""Documents as bytes, between processes and in the cache. Never pickled: a worker that a
hostile file has taken over must not be able to run anything in its host."""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import Any

import msgspec

from tipstaff.domain.document import (
    Block,
    BlockKind,
    BoxTable,
    CellTable,
    Definition,
    Document,
    Mark,
    MarkKind,
    Page,
    Sheet,
    Span,
)
from tipstaff.domain.location import Cell, Location, read_location

# Part of the cache's key: a change of this form must not meet old files.
CODEC_VERSION = 3

_CELL_COLUMNS = ("tables", "rows", "columns", "starts", "ends", "header_ids")
_BOX_INTEGERS = ("starts", "ends", "pages")
_BOX_FLOATS = ("lefts", "tops", "rights", "bottoms")


def _plain_text(value: Any) -> str:
    """lxml gives text as a kind of its own, which is a string in all but type."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"a document holds {type(value).__name__}")


_ENCODER = msgspec.msgpack.Encoder(enc_hook=_plain_text)


class NotADocument(ValueError):
    """Bytes that are not the encoding of a sound document."""


def encode(document: Document) -> bytes:
    headings = {
        path: number for number, path in enumerate({b.headings: 0 for b in document.blocks})
    }
    return _ENCODER.encode(
        {
            "text": document.text,
            "headings": list(headings),
            "blocks": [
                (
                    str(block.kind),
                    block.span.start,
                    block.span.end,
                    str(block.location),
                    headings[block.headings],
                    block.level,
                    block.table,
                    block.author,
                    block.quoted,
                    block.confidence,
                )
                for block in document.blocks
            ],
            "marks": [
                (m.span.start, m.span.end, str(m.kind), m.reason, m.instead) for m in document.marks
            ],
            "pages": [
                (p.number, p.span.start, p.span.end, p.width, p.height, p.ocr)
                for p in document.pages
            ],
            "sheets": [
                (
                    sheet.name,
                    sheet.table,
                    sheet.hidden,
                    [(a.column, a.row, b.column, b.row) for a, b in sheet.merged],
                )
                for sheet in document.sheets
            ],
            "cells": [getattr(document.cells, name).tobytes() for name in _CELL_COLUMNS],
            "cell_texts": (document.cells.headers, document.cells.values, document.cells.formulas),
            "boxes": [
                getattr(document.boxes, name).tobytes() for name in _BOX_INTEGERS + _BOX_FLOATS
            ],
            "definitions": [(d.names, d.span.start, d.span.end) for d in document.definitions],
            "lines_are_the_files": document.lines_are_the_files,
            "duration_ms": document.duration_ms,
            "notes": document.notes,
            "metadata": dict(document.metadata),
        }
    )


def decode(content: bytes) -> Document:
    """The document, checked: every range lies in its text, in order."""
    try:
        raw = msgspec.msgpack.decode(content, strict=False)
        document = Document(
            text=_text(raw["text"]),
            blocks=_blocks(raw),
            marks=tuple(
                Mark(Span(start, end), MarkKind(kind), _text(reason), _text(instead))
                for start, end, kind, reason, instead in raw["marks"]
            ),
            pages=tuple(
                Page(number, Span(start, end), float(width), float(height), bool(ocr))
                for number, start, end, width, height, ocr in raw["pages"]
            ),
            sheets=tuple(
                Sheet(_text(name), int(table), bool(hidden), _merged(merged))
                for name, table, hidden, merged in raw["sheets"]
            ),
            cells=_cells(raw),
            boxes=_boxes(raw["boxes"]),
            definitions=tuple(
                Definition(tuple(map(_text, names)), Span(start, end))
                for names, start, end in raw["definitions"]
            ),
            lines_are_the_files=bool(raw["lines_are_the_files"]),
            duration_ms=raw["duration_ms"],
            notes=tuple(_text(note) for note in raw["notes"]),
            metadata={_text(name): _text(value) for name, value in raw["metadata"].items()},
        )
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, IndexError, OverflowError) as odd:
        raise NotADocument(f"not a document ({type(odd).__name__})") from None
    _check_ranges(document)
    return document


def _blocks(raw: dict[str, Any]) -> tuple[Block, ...]:
    paths = [tuple(_text(title) for title in path) for path in raw["headings"]]
    kinds = {str(kind): kind for kind in BlockKind}
    places: dict[str, Location] = {}
    blocks = []
    for kind, start, end, place, path, level, table, author, quoted, confidence in raw["blocks"]:
        location = places.get(place)
        if location is None:
            location = places[place] = read_location(_text(place))
        blocks.append(
            Block(
                kind=kinds[kind],
                span=Span(start, end),
                location=location,
                headings=paths[path],
                level=level,
                table=table,
                author=author,
                quoted=bool(quoted),
                confidence=confidence,
            )
        )
    return tuple(blocks)


def _merged(raw: list[tuple[int, int, int, int]]) -> tuple[tuple[Cell, Cell], ...]:
    return tuple(
        (Cell(int(left), int(top)), Cell(int(right), int(bottom)))
        for left, top, right, bottom in raw
    )


def _cells(raw: dict[str, Any]) -> CellTable:
    cells = CellTable()
    for name, column in zip(_CELL_COLUMNS, raw["cells"], strict=True):
        setattr(cells, name, array("i", column))
    headers, values, formulas = raw["cell_texts"]
    cells.headers = [_text(header) for header in headers]
    cells.values = {int(index): _text(value) for index, value in values.items()}
    cells.formulas = {int(index): _text(formula) for index, formula in formulas.items()}
    return cells


def _boxes(raw: list[bytes]) -> BoxTable:
    boxes = BoxTable()
    types = "i" * len(_BOX_INTEGERS) + "f" * len(_BOX_FLOATS)
    for name, kind, column in zip(_BOX_INTEGERS + _BOX_FLOATS, types, raw, strict=True):
        setattr(boxes, name, array(kind, column))
    return boxes


def _check_ranges(document: Document) -> None:
    length = len(document.text)
    spans = [block.span for block in document.blocks]
    sound = (
        all(before.end <= behind.start for before, behind in pairwise(spans))
        and (not spans or spans[-1].end <= length)
        and all(mark.span.end <= length for mark in document.marks)
        and all(page.span.end <= length for page in document.pages)
        and all(definition.span.end <= length for definition in document.definitions)
        and len({len(getattr(document.cells, name)) for name in _CELL_COLUMNS}) == 1
        and len({len(getattr(document.boxes, n)) for n in _BOX_INTEGERS + _BOX_FLOATS}) == 1
        and max(document.cells.ends, default=0) <= length
        and max(document.cells.header_ids, default=-1) < len(document.cells.headers)
        and max(document.boxes.ends, default=0) <= length
    )
    if not sound:
        raise NotADocument("ranges lie outside the text")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    return value
