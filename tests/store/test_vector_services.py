"""What is sent to services that cannot be run here: the form of requests, and nothing more.

The fakes have the shapes of the clients' documented answers; nobody has run these adapters
against the live services, and their `exercised` says so.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tipstaff.contracts.index_samples import chance_of, index_contents
from tipstaff.errors import RetrievalFailed, UsageError
from tipstaff.settings import DEFAULTS
from tipstaff.store.pinecone import PineconeService, PineconeStore
from tipstaff.store.registry import store_named
from tipstaff.store.store import IndexKey
from tipstaff.store.vectors_beside import Collection, collection_of

COLLECTION = Collection("acme", "TezAbc")
VECTORS = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
QUERY = np.array([1, 0], np.float32)


class FakePinecone:
    """Answers like `Pinecone().Index(host=…)`, and remembers what it was asked."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.namespaces: dict[str, dict[str, Any]] = {}
        self.hidden = 0

    def upsert(self, *, vectors: list[dict[str, Any]], namespace: str) -> None:
        self.sent.append(("upsert", {"vectors": vectors, "namespace": namespace}))
        rows = self.namespaces.setdefault(namespace, {})
        rows |= {row["id"]: SimpleNamespace(values=row["values"]) for row in vectors}

    def describe_index_stats(self) -> SimpleNamespace:
        if self.hidden:
            self.hidden -= 1
            return SimpleNamespace(namespaces={})
        counts = {
            name: SimpleNamespace(vector_count=len(rows)) for name, rows in self.namespaces.items()
        }
        return SimpleNamespace(namespaces=counts)

    def query(self, **request: Any) -> SimpleNamespace:
        self.sent.append(("query", request))
        matches = [SimpleNamespace(id="2", score=5.0), SimpleNamespace(id="0", score=1.0)]
        return SimpleNamespace(matches=matches)

    def fetch(self, *, ids: list[str], namespace: str) -> SimpleNamespace:
        rows = self.namespaces[namespace]
        return SimpleNamespace(vectors={name: rows[name] for name in ids})

    def delete(self, *, delete_all: bool, namespace: str) -> None:
        assert delete_all
        del self.namespaces[namespace]

    def close(self) -> None:
        self.sent.append(("close", {}))


def test_pinecone_gets_vectors_by_number_in_a_namespace_of_their_own() -> None:
    index = FakePinecone()
    PineconeService(index).put(COLLECTION, VECTORS)
    assert index.sent == [
        (
            "upsert",
            {
                "namespace": "TezAbc",
                "vectors": [
                    {"id": "0", "values": [1.0, 2.0], "metadata": {"number": 0}},
                    {"id": "1", "values": [3.0, 4.0], "metadata": {"number": 1}},
                    {"id": "2", "values": [5.0, 6.0], "metadata": {"number": 2}},
                ],
            },
        )
    ]


@pytest.mark.parametrize(
    ("ranges", "wanted"),
    [
        ([(0, 3)], {"number": {"$gte": 0, "$lt": 3}}),
        (
            [(0, 1), (2, 3)],
            {"$or": [{"number": {"$gte": 0, "$lt": 1}}, {"number": {"$gte": 2, "$lt": 3}}]},
        ),
    ],
)
def test_pinecone_is_asked_within_the_ranges_of_the_scope(
    ranges: list[tuple[int, int]], wanted: dict[str, Any]
) -> None:
    index = FakePinecone()
    numbers, dots = PineconeService(index).nearest(COLLECTION, QUERY, ranges, 2)
    assert index.sent == [
        ("query", {"namespace": "TezAbc", "vector": [1.0, 0.0], "top_k": 2, "filter": wanted})
    ]
    assert (numbers.tolist(), dots.tolist()) == ([2, 0], [5.0, 1.0])


def test_pinecone_is_never_asked_for_more_than_it_gives() -> None:
    index = FakePinecone()
    PineconeService(index).nearest(COLLECTION, QUERY, [(0, 20_000)], 20_000)
    assert index.sent[0][1]["top_k"] == 10_000


def test_pinecone_is_waited_for_until_it_shows_what_was_sent() -> None:
    index = FakePinecone()
    waited: list[float] = []
    index.hidden = 3
    PineconeService(index, wait=waited.append).put(COLLECTION, VECTORS)
    assert waited == [1, 1, 1]
    index.hidden = 1_000
    with pytest.raises(RetrievalFailed, match="does not show"):
        PineconeService(index, wait=waited.append).put(COLLECTION, VECTORS)


def test_a_store_beside_pinecone_writes_opens_and_removes(tmp_path: Path) -> None:
    key = IndexKey(tenant="acme", tez_id="tez", digest="digest")
    index = FakePinecone()
    store, contents = PineconeStore(PineconeService(index), tmp_path), index_contents(chance_of(1))
    store.write(key, contents)
    found = store.open(key)
    assert found is not None
    assert found.chunks([0]) == [contents.chunks[0]]
    assert np.array_equal(found.vectors([1, 0]), contents.vectors[[1, 0]])
    # A writer was killed before all vectors were sent: then it is to be built again.
    index.namespaces[collection_of(key).name].popitem()
    assert store.open(key) is None
    store.write(key, contents)
    assert store.open(key) is not None
    assert store.remove(tenant="acme", tez_id="tez") == 1
    assert index.namespaces == {}
    store.close()
    assert index.sent[-1] == ("close", {})


@pytest.mark.parametrize("name", ["pinecone", "weaviate"])
def test_a_service_without_an_address_says_which_setting_is_missing(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        store_named(name, DEFAULTS)
    assert "database_url" in (caught.value.suggestion or "")


class FakeWeaviate:
    """Answers like a connected client of version 4, and remembers what it was asked."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.there = False
        self.failing = False
        self.collections = self.data = self.query = self.aggregate = self

    def exists(self, _name: str) -> bool:
        return self.there

    def create(self, name: str, **request: Any) -> None:
        self.there = True
        self.sent.append(("create", {"name": name, **request}))

    def use(self, _name: str) -> FakeWeaviate:
        return self

    def insert_many(self, objects: list[Any]) -> SimpleNamespace:
        self.sent.append(("insert_many", objects))
        return SimpleNamespace(has_errors=self.failing)

    def over_all(self, *, total_count: bool) -> SimpleNamespace:
        return SimpleNamespace(total_count=3 if total_count else None)

    def near_vector(self, **request: Any) -> SimpleNamespace:
        self.sent.append(("near_vector", request))
        one = SimpleNamespace(properties={"number": 2}, metadata=SimpleNamespace(distance=-5.0))
        return SimpleNamespace(objects=[one])

    def fetch_objects_by_ids(self, ids: list[Any], **_request: Any) -> SimpleNamespace:
        objects = [
            SimpleNamespace(properties={"number": number}, vector={"default": [number, 1.0]})
            for number in range(len(ids))
        ]
        return SimpleNamespace(objects=objects)


@pytest.fixture
def weaviate() -> tuple[FakeWeaviate, Any]:
    from tipstaff.store.weaviate import WeaviateService

    client = FakeWeaviate()
    return client, WeaviateService(client)


def test_weaviate_gets_vectors_under_names_that_stay(weaviate: tuple[FakeWeaviate, Any]) -> None:
    client, service = weaviate
    service.put(COLLECTION, VECTORS)
    service.put(COLLECTION, VECTORS)
    kinds = [kind for kind, _ in client.sent]
    assert kinds == ["create", "insert_many", "insert_many"]
    first, second = client.sent[1][1], client.sent[2][1]
    assert [one.properties for one in first] == [{"number": number} for number in range(3)]
    assert [one.vector for one in first] == VECTORS.tolist()
    assert [one.uuid for one in first] == [one.uuid for one in second]
    assert service.count(COLLECTION) == 3
    client.failing = True
    with pytest.raises(RetrievalFailed):
        service.put(COLLECTION, VECTORS)


def test_weaviate_is_asked_within_the_ranges_of_the_scope(
    weaviate: tuple[FakeWeaviate, Any],
) -> None:
    client, service = weaviate
    numbers, dots = service.nearest(COLLECTION, QUERY, [(0, 1), (2, 3)], 2)
    assert (numbers.tolist(), dots.tolist()) == ([2], [5.0])
    ((_, request),) = client.sent
    assert request["near_vector"] == [1.0, 0.0]
    assert request["limit"] == 2
    either = request["filters"]
    assert either.operator.value == "Or"
    bounds = [
        [(part.operator.value, part.value) for part in both.filters] for both in either.filters
    ]
    assert bounds == [
        [("GreaterThanEqual", 0), ("LessThan", 1)],
        [("GreaterThanEqual", 2), ("LessThan", 3)],
    ]


def test_weaviate_gives_vectors_in_the_order_asked(weaviate: tuple[FakeWeaviate, Any]) -> None:
    _, service = weaviate
    assert service.rows(COLLECTION, [2, 0, 1]).tolist() == [[2.0, 1.0], [0.0, 1.0], [1.0, 1.0]]
