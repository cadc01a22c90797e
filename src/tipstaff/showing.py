"""What a citation points at, in its surroundings: the same facts for `tip show`, HTTP and page."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from tipstaff.domain.citation import Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, MarkKind, Span
from tipstaff.domain.wire import to_wire

CONTEXT_CHARS = 300
_MOST_CELLS = 2_000


def shown_passage(
    document: Document, passage: Passage, *, title: str, context_chars: int = CONTEXT_CHARS
) -> dict[str, Any]:
    """The words, where they stand in the text and on the page, and what is around them."""
    citation = passage.citation
    before, behind = surroundings(document, passage, context_chars)
    return {
        "citation": str(citation),
        "item_id": citation.item_id,
        "location": str(citation.location),
        "title": title,
        "text": passage.text,
        "clean_text": "\n".join(clean(document, span).text for span in passage.spans),
        "hidden": hidden_words(document, passage),
        "cells": _cells(document, passage),
        "note": passage.note,
        "spans": to_wire(passage.spans),
        "boxes": to_wire(passage.boxes),
        "before": before,
        "behind": behind,
    }


def hidden_words(document: Document, passage: Passage) -> list[dict[str, str]]:
    """Words of the passage that a reader of the file would not see."""
    return [
        {"text": document.words(mark.span), "reason": mark.reason}
        for mark in document.marks
        if mark.kind is MarkKind.HIDDEN and any(span.overlaps(mark.span) for span in passage.spans)
    ]


def surroundings(document: Document, passage: Passage, chars: int) -> tuple[str, str]:
    """Clean text before and behind, cut at words."""
    start = min(span.start for span in passage.spans)
    end = max(span.end for span in passage.spans)
    before = clean(document, Span(max(0, start - chars), start)).text
    behind = clean(document, Span(end, min(len(document.text), end + chars))).text
    if start > chars:
        before = re.sub(r"^\S*\s", "…", before, count=1)
    if end + chars < len(document.text):
        behind = re.sub(r"\s\S*$", "…", behind, count=1)
    return before, behind


def _cells(document: Document, passage: Passage) -> list[dict[str, str | None]]:
    """The cells of the passage, with their headers, cached values and formulas."""
    return [
        {
            "cell": str(cell.cell),
            "text": document.words(cell.span),
            "header": cell.header or None,
            "value": cell.value,
            "formula": cell.formula,
        }
        for span in passage.spans
        for cell in islice(document.cells.within(span), _MOST_CELLS)
    ]
