"""The step that every document goes through: invisible characters are marked, not removed."""

from __future__ import annotations

from dataclasses import replace

from tipstaff.domain.document import Document, Mark, MarkKind, Span
from tipstaff.domain.invisible import invisible_spans

_SOFT_HYPHEN = "\u00ad"


def sanitised(document: Document) -> Document:
    """The document with marks on what nobody sees; text, offsets and places are untouched."""
    text = document.text
    found = [
        Mark(span, MarkKind.INVISIBLE, "invisible characters") for span in invisible_spans(text)
    ]
    position = text.find(_SOFT_HYPHEN)
    while position >= 0:
        found.append(Mark(Span(position, position + 1), MarkKind.MARKUP, "soft hyphen"))
        position = text.find(_SOFT_HYPHEN, position + 1)
    if not found:
        return document
    marks = sorted([*document.marks, *found], key=lambda mark: (mark.span, mark.kind))
    return replace(document, marks=tuple(marks))
