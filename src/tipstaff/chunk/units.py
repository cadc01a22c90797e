"""The units of evidence of a document: sentences, rows, list items, definitions, segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tipstaff.chunk.sentences import sentences
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Block, BlockKind, Document, Span, Unit, UnitKind
from tipstaff.domain.location import Lines, Location
from tipstaff.domain.text_lines import TextLines

_WHOLE_BLOCKS = {
    BlockKind.HEADING: UnitKind.HEADING,
    BlockKind.TABLE_ROW: UnitKind.ROW,
    BlockKind.CELL_RANGE: UnitKind.ROW,
    BlockKind.CODE_DEFINITION: UnitKind.CODE,
    BlockKind.MESSAGE: UnitKind.HEADER,
    BlockKind.DATA_NODE: UnitKind.NODE,
}
_BY_SENTENCES = {
    BlockKind.PARAGRAPH: UnitKind.SENTENCE,
    BlockKind.SLIDE: UnitKind.SENTENCE,
    BlockKind.LIST_ITEM: UnitKind.LIST_ITEM,
    BlockKind.TRANSCRIPT_SEGMENT: UnitKind.SEGMENT,
}
# What somebody says at one go is one unit, so that "Six hundred pounds." keeps its sense; a speech
# is cut at its sentences.
_MAX_SEGMENT_CHARS = 320


def units(
    item_id: str, document: Document, *, touching: Sequence[Span] | None = None
) -> Iterator[Unit]:
    """Every unit in order, or those of blocks that touch these spans. Hidden text is in none."""
    lines = TextLines.of(document.text) if document.lines_are_the_files else None
    for number, block in enumerate(document.blocks):
        if touching is not None and not any(map(block.span.overlaps, touching)):
            continue
        for span, text in _pieces(document, block):
            kind = _WHOLE_BLOCKS.get(block.kind) or _BY_SENTENCES[block.kind]
            yield Unit(
                item_id=item_id,
                kind=kind,
                text=text,
                span=span,
                location=_location(block, span, lines),
                block=number,
            )


def sentence_spans(document: Document, span: Span) -> list[tuple[Span, str]]:
    """The sentences of a span: source range and clean text of each."""
    read = clean(document, span)
    return [
        (read.source(sentence.start, sentence.end), read.text[sentence.start : sentence.end])
        for sentence in sentences(read.text)
    ]


def _pieces(document: Document, block: Block) -> Iterator[tuple[Span, str]]:
    is_remark = block.kind is BlockKind.TRANSCRIPT_SEGMENT and len(block.span) <= _MAX_SEGMENT_CHARS
    if block.kind in _BY_SENTENCES and not is_remark:
        yield from sentence_spans(document, block.span)
        return
    read = clean(document, block.span)
    words = read.text.strip()
    if words:
        start = read.text.index(words[0])
        yield read.source(start, start + len(words)), words


def _location(block: Block, span: Span, lines: TextLines | None) -> Location:
    """The block's place; in files with lines of their own, the lines of the unit itself."""
    if lines is None or not isinstance(block.location, Lines):
        return block.location
    return lines.lines(span)
