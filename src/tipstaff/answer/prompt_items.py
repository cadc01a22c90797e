"""The items of a prompt (TIP §4.2.1): whole where they fit, else the passages that were found.

Each sentence, row or remark stands behind its own place and whoever says it, since a model can only
cite a place, or name a speaker, that it has been shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.prompt import PromptItem
from tipstaff.answer.record_evidence import SETTINGS, are_records
from tipstaff.chunk.units import units
from tipstaff.domain.document import Chunk, Document, Span
from tipstaff.domain.location import Location
from tipstaff.domain.scope import IndexedItem
from tipstaff.domain.text_lines import TextLines
from tipstaff.retrieve.loading import LoadedContext
from tipstaff.tokens import count_tokens


def prompt_items(loaded: LoadedContext, context: AnswerContext) -> list[PromptItem]:
    """Every item that something is loaded of, in the order of the bundle; each passage under the
    place that a citation of it would name. Items without a passage show their summary."""
    by_item: dict[str, list[Chunk]] = {}
    for chunk in dict.fromkeys((*loaded.whole, *loaded.passages)):
        by_item.setdefault(chunk.item_id, []).append(chunk)
    summaries = {item.id: summary for item, summary in loaded.summaries}
    made = []
    for item in context.items:
        chunks = sorted(by_item.get(item.id, ()), key=lambda chunk: chunk.spans[0])
        content = "".join(map(_passage, chunks)).rstrip()
        if not content and item.id in summaries:
            content = f"(summary) {summaries[item.id]}"
        if content:
            made.append(_item(item, content, context))
    return made


def summary_items(items: Sequence[IndexedItem], context: AnswerContext) -> list[PromptItem]:
    """Items of which only the summary may be had (TIP §13.4.2)."""
    return [_item(one, f"(summary) {one.summary}", context) for one in items if one.summary]


def _item(item: IndexedItem, content: str, context: AnswerContext) -> PromptItem:
    known = context.bundle.item(item.id)
    return PromptItem(
        id=item.id,
        title=item.title,
        type=item.type,
        source=(known.source if known and known.source else "bundle"),
        content=content,
    )


def _passage(chunk: Chunk) -> str:
    place = f"{chunk.item_id}:{chunk.location}".rstrip(":")
    # Headings, and the header of a table whose first rows stand in another passage.
    head = f" {chunk.context}" if chunk.context else ""
    return f"[[{place}]]{head}\n{chunk.text}\n\n"


def with_places(chunk: Chunk, context: AnswerContext) -> Chunk:
    """A passage with the place of each unit; as it is, where its units are not all of it. Its
    tokens are of all that is shown of it."""
    shown = _with_places(chunk, context)
    return replace(shown, tokens=count_tokens(_passage(shown)))


def _with_places(chunk: Chunk, context: AnswerContext) -> Chunk:
    found = context.documents(chunk.item_id)
    if found is None:
        return chunk
    document, item = found.document, context.bundle.item(chunk.item_id)
    is_settings = item is not None and item.media_type in SETTINGS
    pieces = list(_lines(chunk, document, is_settings=is_settings))
    pieces = pieces or list(_units(chunk, document))
    if chunk.text.split() != [word for piece in pieces for word in piece.words.split()]:
        return chunk
    return replace(chunk, text="\n".join(_told(pieces)))


class _Piece(NamedTuple):
    """Words of a passage with their place and, where it is known, whoever says them."""

    block: int
    label: str
    words: str


def _lines(chunk: Chunk, document: Document, *, is_settings: bool) -> Iterator[_Piece]:
    """Of settings, code, logs and what had to be cut anywhere: line by line."""
    if not document.lines_are_the_files:
        return
    lines = TextLines.of(document.text)
    for span in chunk.spans:
        words = document.words(span).splitlines(keepends=True)
        if not (chunk.split or is_settings or are_records(words)):
            return
        start = span.start
        for line in words:
            if line.strip():
                place = lines.lines(Span(start, start + len(line.rstrip())))
                yield _Piece(start, _label(place, None), line.rstrip())
            start += len(line)


def _units(chunk: Chunk, document: Document) -> Iterator[_Piece]:
    for unit in units(chunk.item_id, document, touching=chunk.spans):
        if any(span.start <= unit.span.start < span.end for span in chunk.spans):
            author = document.blocks[unit.block].author
            yield _Piece(unit.block, _label(unit.location, author), " ".join(unit.text.split()))


def _label(place: Location, author: str | None) -> str:
    return "; ".join(filter(None, (str(place), author)))


def _told(pieces: Sequence[_Piece]) -> Iterator[str]:
    """Each piece behind its label; what follows under the same one is not labelled again."""
    last = _Piece(-1, "", "")
    line = ""
    for piece in pieces:
        if piece[:2] == last[:2]:
            line += f" {piece.words}"
        else:
            if line:
                yield line
            is_new = piece.label and piece.label != last.label
            line = f"({piece.label}) {piece.words}" if is_new else piece.words
        last = piece
    if line:
        yield line
