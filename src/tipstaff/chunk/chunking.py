"""Documents cut into chunks at the boundaries of their format (TIP §10.1.1–10.1.3).

Blocks are packed in order until a chunk is full. A new section, message, sheet or page ends
a chunk, unless it would stay below the least size; a block that is longer than a chunk is
cut at sentences, or at lines where it has none, and its pieces say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tipstaff.chunk.covering import covering
from tipstaff.chunk.units import sentence_spans
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Block, BlockKind, Chunk, Document, Span
from tipstaff.domain.location import Location, Pages, Slides

# TIP §10.1.1: smaller chunks lose their coherence.
MIN_CHUNK_TOKENS = 128

# A line break between two pieces may be a token of its own.
_JOIN = 1

_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TRANSCRIPT_SEGMENT})


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or a part of one that was too long, with its clean text."""

    block: Block
    span: Span
    text: str
    tokens: int
    split: bool = False


def chunks(
    item_id: str,
    document: Document,
    *,
    max_tokens: int,
    overlap_percent: int,
    count_tokens: Callable[[str], int],
) -> list[Chunk]:
    """The chunks of a document, in order; together their spans cover every block."""
    pieces = [
        piece
        for block in document.blocks
        for piece in _pieces(document, block, max_tokens, count_tokens)
    ]
    made: list[Chunk] = []
    for run, repeated in _runs(pieces, max_tokens, max_tokens * overlap_percent // 100):
        made.append(_chunk(item_id, len(made), document, [*repeated, *run], count_tokens))
    return made


def _pieces(
    document: Document, block: Block, max_tokens: int, count_tokens: Callable[[str], int]
) -> Iterator[_Piece]:
    text = clean(document, block.span).text.strip()
    if not text:
        return
    tokens = count_tokens(text)
    if tokens <= max_tokens:
        yield _Piece(block, block.span, text, tokens)
        return
    for span, words in _parts(document, block, max_tokens, count_tokens):
        yield _Piece(block, span, words, count_tokens(words), split=True)


def _parts(
    document: Document, block: Block, max_tokens: int, count_tokens: Callable[[str], int]
) -> Iterator[tuple[Span, str]]:
    """A long block in parts that fit: whole sentences or lines, then words, then letters."""
    atoms = sentence_spans(document, block.span) if block.kind in _PROSE else []
    atoms = atoms or _lines(document, block.span)
    open_span: Span | None = None
    for span, text in atoms:
        joined = Span(open_span.start, span.end) if open_span else span
        if count_tokens(clean(document, joined).text) <= max_tokens:
            open_span = joined
            continue
        if open_span is not None:
            yield open_span, clean(document, open_span).text.strip()
        open_span = span
        if count_tokens(text) > max_tokens:
            yield from _halves(document, span, max_tokens, count_tokens)
            open_span = None
    if open_span is not None:
        yield open_span, clean(document, open_span).text.strip()


def _lines(document: Document, span: Span) -> list[tuple[Span, str]]:
    found, position = [], span.start
    for line in document.words(span).splitlines(keepends=True):
        end = position + len(line)
        text = clean(document, Span(position, end)).text
        if text.strip():
            found.append((Span(position, end), text))
        position = end
    return found


def _halves(
    document: Document, span: Span, max_tokens: int, count_tokens: Callable[[str], int]
) -> Iterator[tuple[Span, str]]:
    text = clean(document, span).text.strip()
    if not text:
        return
    if count_tokens(text) <= max_tokens or len(span) < 2:
        yield span, text
        return
    words = document.words(span)
    middle = len(words) // 2
    space = words.rfind(" ", len(words) // 4, middle)
    cut = span.start + (space if space > 0 else middle)
    yield from _halves(document, Span(span.start, cut), max_tokens, count_tokens)
    yield from _halves(document, Span(cut, span.end), max_tokens, count_tokens)


def _runs(
    pieces: Sequence[_Piece], max_tokens: int, overlap_tokens: int
) -> Iterator[tuple[list[_Piece], list[_Piece]]]:
    """Runs of pieces for one chunk each, with the pieces repeated from the run before."""
    run: list[_Piece] = []
    repeated: list[_Piece] = []
    size = 0
    for piece in pieces:
        if run:
            too_large = size + piece.tokens + _JOIN > max_tokens
            boundary = _is_boundary(run[-1], piece, size)
            if too_large or boundary:
                carried = _trailing_headings(run)
                if len(carried) < len(run):
                    run = run[: len(run) - len(carried)]
                else:
                    carried = []
                yield run, repeated
                repeated = [] if boundary or carried else _tail(run, overlap_tokens)
                size = _size(repeated) + _size(carried)
                if size + piece.tokens + _JOIN > max_tokens:
                    repeated, size = [], _size(carried)
                run = carried
        run.append(piece)
        size += piece.tokens + _JOIN
    if run:
        yield run, repeated


def _size(pieces: Sequence[_Piece]) -> int:
    return sum(piece.tokens + _JOIN for piece in pieces)


def _trailing_headings(run: Sequence[_Piece]) -> list[_Piece]:
    """Headings at the end of a run belong to what follows them."""
    count = 0
    while count < len(run) and run[-1 - count].block.kind is BlockKind.HEADING:
        count += 1
    return list(run[len(run) - count :])


def _is_boundary(last: _Piece, piece: _Piece, size: int) -> bool:
    """Whether the format ends a chunk between two pieces."""
    if piece.block.kind is BlockKind.MESSAGE:
        return True
    if BlockKind.CELL_RANGE in (piece.block.kind, last.block.kind):
        return last.block.table != piece.block.table
    if size < MIN_CHUNK_TOKENS or last.block.kind is BlockKind.HEADING:
        return False
    return piece.block.kind is BlockKind.HEADING or _page(last) != _page(piece)


def _page(piece: _Piece) -> int | None:
    location: Location = piece.block.location
    return location.first if isinstance(location, Pages | Slides) else None


def _tail(run: Sequence[_Piece], overlap_tokens: int) -> list[_Piece]:
    """The last pieces of a run that together fit into the overlap."""
    tail: list[_Piece] = []
    for piece in reversed(run):
        if _size(tail) + piece.tokens > overlap_tokens:
            break
        tail.insert(0, piece)
    return tail if len(tail) < len(run) else []


def _chunk(
    item_id: str,
    number: int,
    document: Document,
    pieces: Sequence[_Piece],
    count_tokens: Callable[[str], int],
) -> Chunk:
    text = "\n".join(piece.text for piece in pieces)
    return Chunk(
        chunk_id=f"{item_id}#{number + 1}",
        item_id=item_id,
        location=covering([piece.block.location for piece in pieces]),
        text=text,
        spans=tuple(piece.span for piece in pieces),
        tokens=count_tokens(text),
        context=_context(document, pieces[0].block),
        split=any(piece.split for piece in pieces),
    )


def _context(document: Document, block: Block) -> str:
    """The headings above the first block, and the header of the table that it continues."""
    lines = [" > ".join(block.headings)] if block.headings else []
    if block.table is not None:
        cells = list(document.cells.within(block.span))
        headers = [cell.header for cell in cells if cell.header]
        shown = [document.words(cell.span) for cell in cells]
        if headers and headers != shown:
            lines.append(" | ".join(headers))
    return "\n".join(lines)
