"""Nothing of a file's own text may be lost: what no block took becomes a block or a mark."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.domain.document import Block, BlockKind, Mark, MarkKind, Span
from tipstaff.domain.text_lines import TextLines


def with_leftovers(
    lines: TextLines, blocks: Sequence[Block], marks: Sequence[Mark]
) -> tuple[tuple[Block, ...], tuple[Mark, ...]]:
    """Blocks and marks that together cover every word of the text, in order.

    Between blocks, a line with a letter or digit outside all marks becomes a paragraph; a line
    of bare punctuation is syntax.
    """
    taken = sorted([*(block.span for block in blocks), *(mark.span for mark in marks)])
    more_blocks, more_marks = [], []
    position = 0
    for span in [*taken, Span(*[len(lines.text)] * 2)]:
        if span.start > position:
            for piece in _lines_between(lines, position, span.start):
                words = lines.text[piece.start : piece.end]
                if any(map(str.isalnum, words)):
                    more_blocks.append(
                        Block(kind=BlockKind.PARAGRAPH, span=piece, location=lines.lines(piece))
                    )
                elif words:
                    more_marks.append(Mark(piece, MarkKind.MARKUP, "syntax"))
        position = max(position, span.end)
    return (
        tuple(sorted([*blocks, *more_blocks], key=lambda block: block.span)),
        tuple(sorted([*marks, *more_marks], key=lambda mark: (mark.span, mark.kind))),
    )


def _lines_between(lines: TextLines, start: int, end: int) -> list[Span]:
    pieces = []
    for number in range(lines.number(start), lines.number(end - 1) + 1):
        line = lines.span(number, number)
        piece = Span(min(max(start, line.start), end), max(start, min(end, line.end)))
        trimmed = lines.trimmed(piece) if piece.end > piece.start else piece
        if len(trimmed):
            pieces.append(trimmed)
    return pieces
