"""Pictures on pages: which of what was recognised in one is text, in passages.

A page comes in that is the picture, with words whose boxes lie on the page around it. Lines
and cells go out as passages, in reading order; how a picture is ruled says little about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.parse.page_passages import Passage
from tipstaff.parse.page_tables import Table
from tipstaff.parse.page_text import LineText, Vocabulary, text_of
from tipstaff.parse.page_words import Word

# Leaves, faces and brush strokes look like letters to an engine that finds nothing better.
_LEAST_CONFIDENCE = 0.5


def is_text(text: str, confidence: float | None) -> bool:
    return (confidence or 0.0) >= _LEAST_CONFIDENCE and sum(map(str.isalnum, text)) > 1


def passages_of_figure(
    parts: Sequence[Passage | Table], vocabulary: Vocabulary
) -> Iterator[tuple[LineText, float]]:
    """The texts of a picture that was laid out, each with its confidence."""
    for part in parts:
        for lines in _passages(part):
            made = text_of(lines, vocabulary)
            sure = confidence_of([made])
            if is_text(made.text, sure):
                yield made, sure or 0.0


def confidence_of(texts: Sequence[LineText]) -> float | None:
    """Of all words that were recognised, weighted by their letters; None for printed text."""
    known = [
        (word.confidence, len(word.text))
        for text in texts
        for _, _, word in text.words
        if word.confidence is not None
    ]
    letters = sum(length for _, length in known)
    return round(sum(sure * length for sure, length in known) / letters, 4) if letters else None


def _passages(part: Passage | Table) -> Iterator[list[Sequence[Word]]]:
    if isinstance(part, Table):
        for row in part.rows:
            yield [line for cell in row for line in cell.lines]
    else:
        yield [line.words for line in part.lines]
