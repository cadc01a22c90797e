"""Weaviate as the searcher of vectors: one collection an index version, with a flat index.

Not exercised against a live service: requests follow its published interface, and only their
form is tested. `database_url` is its address; a key, if it wants one, is read from
WEAVIATE_API_KEY.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from tipstaff.errors import MissingExtra, RetrievalFailed, UsageError
from tipstaff.settings import DEFAULTS, Settings, data_directory
from tipstaff.store.ties import Answer
from tipstaff.store.vectors_beside import Collection, Ranges, VectorsBeside

_GRPC_PORT = 50051
_ROWS_AT_ONCE = 500


class WeaviateStore(VectorsBeside):
    name = "weaviate"
    scope_exact = False
    exercised = False

    @classmethod
    def from_settings(cls, settings: Settings) -> WeaviateStore:
        if settings.database_url == DEFAULTS.database_url:
            raise UsageError(
                "The store 'weaviate' needs the address of a server.",
                suggestion="Give it with --set database_url=https://….",
            )
        client = _connected(settings.database_url)
        return cls(WeaviateService(client), data_directory() / "tenants")


class WeaviateService:
    """`client` is the library's, connected."""

    def __init__(self, client: Any) -> None:
        _library()
        self._client = client

    def put(self, collection: Collection, vectors: npt.NDArray[np.float32]) -> None:
        from weaviate.classes.config import Configure, DataType, Property, VectorDistances
        from weaviate.classes.data import DataObject

        if not self._client.collections.exists(collection.name):
            flat = Configure.VectorIndex.flat(distance_metric=VectorDistances.DOT)
            self._client.collections.create(
                collection.name,
                properties=[Property(name="number", data_type=DataType.INT)],
                vector_config=Configure.Vectors.self_provided(vector_index_config=flat),
            )
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            rows = vectors[start : start + _ROWS_AT_ONCE].tolist()
            done = self._collection(collection).data.insert_many(
                [
                    DataObject(properties={"number": number}, uuid=_identifier(number), vector=row)
                    for number, row in enumerate(rows, start)
                ]
            )
            if done.has_errors:
                raise RetrievalFailed("Weaviate did not take every vector.")

    def count(self, collection: Collection) -> int:
        if not self._client.collections.exists(collection.name):
            return 0
        counted = self._collection(collection).aggregate.over_all(total_count=True)
        return int(counted.total_count)

    def nearest(
        self, collection: Collection, query: npt.NDArray[np.float32], ranges: Ranges, count: int
    ) -> Answer:
        from weaviate.classes.query import Filter, MetadataQuery

        number = Filter.by_property("number")
        within = [number.greater_or_equal(low) & number.less_than(high) for low, high in ranges]
        found = (
            self._collection(collection)
            .query.near_vector(
                near_vector=query.tolist(),
                limit=count,
                filters=reduce(or_, within),
                return_metadata=MetadataQuery(distance=True),
                return_properties=["number"],
            )
            .objects
        )
        numbers = np.array([one.properties["number"] for one in found], np.int32)
        # Its distance is the product with its sign turned.
        return numbers, -np.array([one.metadata.distance for one in found], np.float64)

    def rows(self, collection: Collection, numbers: Sequence[int]) -> npt.NDArray[np.float32]:
        query = self._collection(collection).query
        found = query.fetch_objects_by_ids(
            [_identifier(number) for number in numbers],
            limit=len(numbers),
            include_vector=True,
            return_properties=["number"],
        ).objects
        vectors = {one.properties["number"]: one.vector["default"] for one in found}
        return np.array([vectors[number] for number in numbers], np.float32)

    def drop(self, collection: Collection) -> None:
        self._client.collections.delete(collection.name)

    def close(self) -> None:
        self._client.close()

    def _collection(self, collection: Collection) -> Any:
        return self._client.collections.use(collection.name)


def _identifier(number: int) -> uuid.UUID:
    """The same chunk is the same object: putting it again changes nothing."""
    return uuid.uuid5(uuid.NAMESPACE_OID, str(number))


def _connected(url: str) -> Any:
    weaviate = _library()
    address = urlsplit(url)
    secure = address.scheme == "https"
    key = os.environ.get("WEAVIATE_API_KEY")
    return weaviate.connect_to_custom(
        http_host=address.hostname,
        http_port=address.port or (443 if secure else 80),
        http_secure=secure,
        grpc_host=address.hostname,
        grpc_port=443 if secure and address.port is None else _GRPC_PORT,
        grpc_secure=secure,
        auth_credentials=weaviate.classes.init.Auth.api_key(key) if key else None,
    )


def _library() -> Any:
    try:
        import weaviate
        import weaviate.classes.init
    except ImportError:
        raise MissingExtra("The store 'weaviate'", extra="weaviate") from None
    return weaviate


STORE = WeaviateStore
