"""Chunks and items as bytes and rows, the same in every store."""

from __future__ import annotations

from typing import Any

import msgspec

from tipstaff.domain.document import Chunk, Span
from tipstaff.domain.location import read_location
from tipstaff.domain.scope import IndexedItem


def chunk_record(chunk: Chunk) -> bytes:
    return msgspec.msgpack.encode(
        [
            chunk.chunk_id,
            chunk.item_id,
            str(chunk.location),
            chunk.text,
            [edge for span in chunk.spans for edge in (span.start, span.end)],
            chunk.tokens,
            chunk.context,
            chunk.split,
        ]
    )


def read_chunk(record: bytes | memoryview) -> Chunk:
    chunk_id, item_id, location, text, edges, tokens, context, split = msgspec.msgpack.decode(
        record
    )
    return Chunk(
        chunk_id=chunk_id,
        item_id=item_id,
        location=read_location(location),
        text=text,
        spans=tuple(Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=True)),
        tokens=tokens,
        context=context,
        split=split,
    )


def item_record(item: IndexedItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "type": item.type,
        "title": item.title,
        "first": item.first,
        "chunks": item.chunks,
        "length": item.length,
        "tokens": item.tokens,
        "summary": item.summary,
        "metadata": dict(item.metadata),
    }


def read_item(record: dict[str, Any]) -> IndexedItem:
    return IndexedItem(**record)
