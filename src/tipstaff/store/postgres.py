"""PostgreSQL with pgvector: indexes that several machines share.

Similarity is computed by the database over the rows of the scope, without an approximate index,
so it is exact. A version is written in one transaction: nobody sees half of it.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk
from tipstaff.domain.scope import IndexedItems, Scope
from tipstaff.errors import RetrievalFailed, UsageError
from tipstaff.lexical.bm25 import Postings
from tipstaff.settings import DEFAULTS, Settings
from tipstaff.store.index_folder import VERSIONS_KEPT, folder_name
from tipstaff.store.postgres_connection import Database
from tipstaff.store.records import chunk_record, item_record, read_chunk, read_item
from tipstaff.store.store import IndexContents, IndexKey, Nearest

if TYPE_CHECKING:
    from asyncpg import Connection

_ROWS_AT_ONCE = 1000

# The schema is postgres_schema's; every value is a parameter.
_ADD = """
INSERT INTO tipstaff_1.bundle_index (tenant, tez, digest, embedder, dimensions, items)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id"""
_ADD_PASSAGES = """
INSERT INTO tipstaff_1.passage SELECT $1, $2, * FROM unnest($3::int[], $4::bytea[])"""
_ADD_VECTORS = """
INSERT INTO tipstaff_1.vector
SELECT $1, $2, number, vector::vector FROM unnest($3::int[], $4::text[]) AS row (number, vector)"""
_ADD_POSTINGS = """
INSERT INTO tipstaff_1.posting SELECT $1, $2, * FROM unnest($3::text[], $4::int[], $5::bytea[])"""
_FIND = """
SELECT id, embedder, dimensions, items FROM tipstaff_1.bundle_index
WHERE tez = $1 AND digest = $2"""
_TOUCH = """
UPDATE tipstaff_1.bundle_index SET opened = now()
WHERE id = $1 AND opened < now() - interval '1 hour'"""
# What a session may still be reading is left alone.
_DROP_OLDEST = """
DELETE FROM tipstaff_1.bundle_index WHERE opened < now() - interval '2 days' AND id IN (
    SELECT id FROM tipstaff_1.bundle_index WHERE tez = $1 ORDER BY opened DESC OFFSET $2)"""
_DROP = """
DELETE FROM tipstaff_1.bundle_index WHERE tez = $1 AND digest IS DISTINCT FROM $2 RETURNING id"""

# Each begins at the index itself: no row at all means that it was removed meanwhile.
_POSTINGS = """
SELECT term, facts FROM tipstaff_1.bundle_index LEFT JOIN tipstaff_1.posting
ON index_id = id AND term = ANY ($2::text[]) AND first = ANY ($3::int[])
WHERE id = $1 ORDER BY term, first"""
# OFFSET 0 keeps the planner from joining otherwise than range by range, which would read rows
# outside the scope and take the longer the more is left out.
_NEAREST = """
SELECT number, -distance AS dot FROM unnest($2::int[], $3::int[]) AS range (low, high)
CROSS JOIN LATERAL (
    SELECT number, vector <#> $4::text::vector AS distance FROM tipstaff_1.vector
    WHERE index_id = $1 AND number >= low AND number < high OFFSET 0) AS within
ORDER BY distance, number LIMIT $5"""
_PASSAGES = """
SELECT number, record FROM tipstaff_1.passage WHERE index_id = $1 AND number = ANY ($2::int[])"""
_VECTORS = """
SELECT number, vector::real[] AS vector FROM tipstaff_1.vector
WHERE index_id = $1 AND number = ANY ($2::int[])"""


class PostgresStore:
    name = "postgres"
    scope_exact = True
    exercised = True

    def __init__(self, url: str, *, connections: int = DEFAULTS.store_connections) -> None:
        self._database = Database(url, connections=connections)

    @classmethod
    def from_settings(cls, settings: Settings) -> PostgresStore:
        if settings.database_url == DEFAULTS.database_url:
            raise UsageError(
                "The store 'postgres' needs the address of a database.",
                suggestion="Give it with --set database_url=postgresql://….",
            )
        return _shared(settings.database_url, settings.store_connections)

    def write(self, key: IndexKey, contents: IndexContents) -> None:
        """A second writer of the same version waits for the first and then adds nothing."""
        tenant, tez = folder_name(key.tenant), folder_name(key.tez_id)
        items = msgspec.msgpack.encode([item_record(item) for item in contents.items])

        async def work(connection: Connection) -> None:
            dimensions = int(contents.vectors.shape[1])
            facts = (tenant, tez, key.digest, contents.embedder, dimensions, items)
            number = await connection.fetchval(_ADD, *facts)
            if number is None:
                return
            for statement, rows in (
                (_ADD_PASSAGES, _passages(contents)),
                (_ADD_VECTORS, _vectors(contents)),
                (_ADD_POSTINGS, _postings(contents)),
            ):
                for columns in _portions(rows):
                    await connection.execute(statement, tenant, number, *columns)
            await connection.execute(_DROP_OLDEST, tez, VERSIONS_KEPT)

        self._database.run(tenant, work)

    def open(self, key: IndexKey) -> PostgresIndex | None:
        tenant = folder_name(key.tenant)

        async def work(connection: Connection) -> Any:
            row = await connection.fetchrow(_FIND, folder_name(key.tez_id), key.digest)
            if row is not None:
                await connection.execute(_TOUCH, row["id"])
            return row

        row = self._database.run(tenant, work)
        return PostgresIndex(self._database, tenant, row) if row is not None else None

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:
        async def work(connection: Connection) -> int:
            return len(await connection.fetch(_DROP, folder_name(tez_id), keep))

        return self._database.run(folder_name(tenant), work)

    def close(self) -> None:
        self._database.close()


class PostgresIndex:
    def __init__(self, database: Database, tenant: str, row: Any) -> None:
        records = msgspec.msgpack.decode(row["items"])
        self.items = IndexedItems(read_item(record) for record in records)
        self.embedder: str = row["embedder"]
        self.dimensions: int = row["dimensions"]
        self._database = database
        self._tenant = tenant
        self._id: int = row["id"]

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        firsts = [item.first for item in scope.items if item.chunks]
        rows = self._fetch(_POSTINGS, list(terms), firsts)
        if not rows:
            raise _gone()
        facts: dict[str, list[bytes]] = {term: [] for term in terms}
        for row in rows:
            if row["term"] is not None:
                facts[row["term"]].append(row["facts"])
        return [_joined(facts[term]) for term in terms]

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        ranges = scope.ranges()
        lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
        rows = self._fetch(_NEAREST, lows, highs, _vector_text(query), limit)
        if len(rows) != min(limit, scope.chunk_count):
            raise _gone()
        # The database says -0.0 where there is nothing in common.
        dots = np.array([row["dot"] for row in rows], np.float64) + 0.0
        return Nearest(np.array([row["number"] for row in rows], np.int32), dots)

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        rows = self._fetch(_PASSAGES, _plain(numbers))
        records = {row["number"]: row["record"] for row in rows}
        if not records.keys() >= set(numbers):
            raise _gone()
        return [read_chunk(records[number]) for number in numbers]

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        found = {row["number"]: row["vector"] for row in self._fetch(_VECTORS, _plain(numbers))}
        if not found.keys() >= set(numbers):
            raise _gone()
        rows = np.array([found[number] for number in numbers], np.float32)
        return rows.reshape(len(numbers), self.dimensions).astype(np.int16)

    def check(self) -> None:
        """The database watches over its own pages."""

    def close(self) -> None:
        """Connections belong to the store."""

    def _fetch(self, statement: str, *values: Any) -> list[Any]:
        async def work(connection: Connection) -> list[Any]:
            return list(await connection.fetch(statement, self._id, *values))

        return self._database.run(self._tenant, work)


@cache
def _shared(url: str, connections: int) -> PostgresStore:
    """One pool a process and database, closed when the process ends."""
    store = PostgresStore(url, connections=connections)
    atexit.register(store.close)
    return store


def _passages(contents: IndexContents) -> Iterator[tuple[Any, ...]]:
    return ((number, chunk_record(chunk)) for number, chunk in enumerate(contents.chunks))


def _vectors(contents: IndexContents) -> Iterator[tuple[Any, ...]]:
    return ((number, _vector_text(vector)) for number, vector in enumerate(contents.vectors))


def _postings(contents: IndexContents) -> Iterator[tuple[Any, ...]]:
    """One row a term and item: a scope is a set of items, and reads no row of any other."""
    for item in contents.items:
        found: dict[str, list[tuple[int, int, int]]] = {}
        for number in range(item.first, item.first + item.chunks):
            terms = contents.counts[number]
            length = sum(terms.values())
            for term, count in terms.items():
                found.setdefault(term, []).append((number, count, length))
        for term, facts in found.items():
            yield term, item.first, np.array(facts, "<i4").tobytes()


def _joined(facts: Sequence[bytes]) -> Postings:
    table = np.frombuffer(b"".join(facts), "<i4").reshape(-1, 3)
    return Postings(table[:, 0], table[:, 1], table[:, 2])


def _portions(rows: Iterator[tuple[Any, ...]]) -> Iterator[list[list[Any]]]:
    """Rows as columns, so many at a time."""
    portion: list[tuple[Any, ...]] = []
    for row in rows:
        portion.append(row)
        if len(portion) == _ROWS_AT_ONCE:
            yield [list(column) for column in zip(*portion, strict=True)]
            portion = []
    if portion:
        yield [list(column) for column in zip(*portion, strict=True)]


def _vector_text(vector: npt.NDArray[np.int16]) -> str:
    return f"[{','.join(map(str, vector.tolist()))}]"


def _plain(numbers: Sequence[int]) -> list[int]:
    return [int(number) for number in numbers]


def _gone() -> RetrievalFailed:
    return RetrievalFailed(
        "The index was removed while it was being searched.", suggestion="Ask again."
    )


STORE = PostgresStore
