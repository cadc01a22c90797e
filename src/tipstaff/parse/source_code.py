"""Source code: the text is the file's own; blocks are definitions, in whole lines.

A block's `headings` are the names that it stands under, its own last: `("Session", "close")`.
Lines between definitions (imports, constants, fields) stand under the names around them. A
class up to 60 lines is one block, whose members are the document's `definitions`; a larger one
is its header and its members.
"""

from __future__ import annotations

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Block, BlockKind, Definition, Document, Mark, MarkKind, Span
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.code_languages import LANGUAGES, PLAIN_LANGUAGES, language_for
from tipstaff.parse.code_pieces import (
    Piece,
    loose_pieces,
    only_closes,
    pieces_between_blank_lines,
    pieces_of_code,
)
from tipstaff.parse.leftovers import with_leftovers
from tipstaff.parse.parser import Parser, Source
from tipstaff.parse.sql_pieces import pieces_of_sql

_SQL = "application/sql"
_MOST_CHARACTERS = 2_000_000
_LONGEST_LINE = 100_000
_TOO_LARGE = (
    "The source code is too large to look for its definitions; it is cut at blank lines instead."
)


def parse(source: Source) -> Document:
    text = decode_text(source.content)
    lines = TextLines.of(text)
    too_large = len(text) > _MOST_CHARACTERS or _longest_line(lines) > _LONGEST_LINE
    pieces, members = (
        ([*loose_pieces(lines, 1, len(lines), ())], []) if too_large else _pieces(source, lines)
    )
    blocks = [_block(lines, piece) for piece in pieces]
    covered, marks = with_leftovers(lines, blocks, _closing_lines(lines, pieces))
    return Document(
        text=text,
        blocks=covered,
        marks=marks,
        definitions=tuple(Definition(piece.path, _span(lines, piece)) for piece in members),
        lines_are_the_files=True,
        notes=(_TOO_LARGE,) if too_large else (),
    )


def _pieces(source: Source, lines: TextLines) -> tuple[list[Piece], list[Piece]]:
    if source.media_type == _SQL:
        return pieces_of_sql(lines), []
    language = language_for(source.media_type, source.name, lines.text)
    if language is None:
        return pieces_between_blank_lines(lines), []
    return pieces_of_code(lines, language)


def _span(lines: TextLines, piece: Piece) -> Span:
    """Whole lines, without blank ones around them."""
    place = lines.lines(lines.trimmed(lines.span(piece.first, piece.last)))
    return lines.span(place.first, place.last)


def _block(lines: TextLines, piece: Piece) -> Block:
    span = _span(lines, piece)
    return Block(
        kind=BlockKind.CODE_DEFINITION,
        span=span,
        location=lines.lines(span),
        headings=piece.path,
    )


def _closing_lines(lines: TextLines, pieces: list[Piece]) -> list[Mark]:
    """Lines between pieces that only close something: `end` is a word, but says nothing."""
    marks = []
    free = 1
    for piece in [*pieces, Piece(len(lines) + 1, len(lines) + 1)]:
        for number in range(free, piece.first):
            span = lines.trimmed(lines.span(number, number))
            if len(span) and only_closes(lines.text, span):
                marks.append(Mark(span, MarkKind.MARKUP, "syntax"))
        free = piece.last + 1
    return marks


def _longest_line(lines: TextLines) -> int:
    ends = [*lines.starts[1:], len(lines.text)]
    return max(end - start for start, end in zip(lines.starts, ends, strict=True))


PARSER = Parser(
    name="source_code",
    version=2,
    media_types=(*LANGUAGES, _SQL, *PLAIN_LANGUAGES),
    parse=parse,
)
