"""Every store that runs in this process keeps the contract; stores that break it are caught."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.conftest import ROOT
from tests.store.scope_cases import SCOPE_CASES, scope_case_faults
from tipstaff.contracts.index_samples import chance_of, index_contents
from tipstaff.contracts.stores import faults_of
from tipstaff.domain.scope import Scope
from tipstaff.errors import MissingExtra
from tipstaff.lexical.bm25 import Postings
from tipstaff.settings import DEFAULTS
from tipstaff.store.embedded import EmbeddedIndex, EmbeddedStore
from tipstaff.store.registry import store_named
from tipstaff.store.store import IndexContents, IndexKey, Nearest, Store

KEY = IndexKey(tenant="acme", tez_id="tez", digest="digest")


def test_the_embedded_store_keeps_the_contract(tmp_path: Path) -> None:
    assert faults_of(EmbeddedStore(tmp_path)) == []


def test_a_search_in_a_scope_equals_a_search_of_that_scope_alone(tmp_path: Path) -> None:
    assert scope_case_faults(EmbeddedStore(tmp_path), cases=SCOPE_CASES) == []


def test_faiss_keeps_the_contract(tmp_path: Path) -> None:
    from tipstaff.store.faiss import FaissStore

    assert faults_of(FaissStore(tmp_path)) == []


def test_qdrant_keeps_the_contract(tmp_path: Path) -> None:
    from tipstaff.store.qdrant import QdrantStore

    store = QdrantStore(tmp_path)
    try:
        assert faults_of(store, cases=3) == []
    finally:
        store.close()


def test_a_second_process_in_a_qdrant_database_is_told_so(tmp_path: Path) -> None:
    from tipstaff.store.qdrant import QdrantStore

    program = (
        "import pathlib, sys\n"
        "from tipstaff.store.qdrant import QdrantStore\n"
        "from tipstaff.store.store import IndexKey\n"
        "key = IndexKey(tenant='acme', tez_id='tez', digest='digest')\n"
        "QdrantStore(pathlib.Path(sys.argv[1])).open(key)\n"
    )
    store = QdrantStore(tmp_path)
    try:
        store.write(KEY, index_contents(chance_of(1)))
        done = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "RetrievalFailed: Another process" in done.stderr
    finally:
        store.close()


def test_chroma_keeps_the_contract(tmp_path: Path) -> None:
    pytest.importorskip("chromadb", reason="chromadb is too heavy for the tests' environment")
    from tipstaff.store.chroma import ChromaStore

    store = ChromaStore(tmp_path)
    try:
        assert faults_of(store, cases=5) == []
    finally:
        store.close()


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("chroma", "chromadb"),
        ("faiss", "faiss"),
        ("pinecone", "pinecone"),
        ("postgres", "asyncpg"),
        ("qdrant", "qdrant_client"),
        ("weaviate", "weaviate"),
    ],
)
def test_a_store_whose_package_is_missing_names_the_extra(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra) as caught:
        store_named(name, replace(DEFAULTS, database_url="https://example.invalid"))
    assert caught.value.details["extra"] == name


@pytest.mark.parametrize("name", ["chroma", "faiss", "pinecone", "postgres", "qdrant", "weaviate"])
def test_importing_a_store_does_not_import_its_package(name: str) -> None:
    """Only choosing it does: the module is read without the package being there."""
    packages = {"asyncpg", "chromadb", "faiss", "pinecone", "qdrant_client", "weaviate"}
    program = f"import sys, tipstaff.store.{name}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not packages & set(done.stdout.split())
    assert isinstance(import_module(f"tipstaff.store.{name}").STORE, type)


class Broken(EmbeddedStore):
    """The embedded store with one promise broken."""

    def __init__(self, folder: Path, index: type[EmbeddedIndex] = EmbeddedIndex) -> None:
        super().__init__(folder)
        self._index = index

    def open(self, key: IndexKey) -> EmbeddedIndex | None:
        file = self._files.open(key)
        return self._index(file) if file else None


class PostingsOfEverything(EmbeddedIndex):
    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:  # noqa: ARG002
        return super().postings(terms, Scope(self.items))


class NearestOfEverything(EmbeddedIndex):
    """What a filter after the search does: the best of all, then those that are permitted."""

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        found = super().nearest(query, Scope(self.items), limit)
        allowed = [any(low <= n < high for low, high in scope.ranges()) for n in found.chunks]
        return Nearest(found.chunks[allowed], found.dots[allowed])


class TiesBackwards(EmbeddedIndex):
    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        found = super().nearest(query, scope, limit)
        order = np.lexsort((-found.chunks, -found.dots))
        return Nearest(found.chunks[order], found.dots[order])


class RoundedProducts(EmbeddedIndex):
    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        found = super().nearest(query, scope, limit)
        return Nearest(found.chunks, found.dots + 1)


class OneTenant(Broken):
    def write(self, key: IndexKey, contents: IndexContents) -> None:
        super().write(IndexKey(tenant="all", tez_id=key.tez_id, digest=key.digest), contents)

    def open(self, key: IndexKey) -> EmbeddedIndex | None:
        return super().open(IndexKey(tenant="all", tez_id=key.tez_id, digest=key.digest))

    def remove(self, *, tenant: str, tez_id: str, keep: str | None = None) -> int:  # noqa: ARG002
        return super().remove(tenant="all", tez_id=tez_id, keep=keep)


@pytest.mark.parametrize(
    ("index", "fault"),
    [
        (PostingsOfEverything, "postings"),
        (NearestOfEverything, "the nearest are others"),
        (TiesBackwards, "not in order"),
        (RoundedProducts, "not exact"),
    ],
)
def test_the_suite_catches_an_index_that(
    index: type[EmbeddedIndex], fault: str, tmp_path: Path
) -> None:
    faults = faults_of(Broken(tmp_path, index), cases=10)
    assert any(fault in one for one in faults)


def test_the_suite_catches_a_store_that_mixes_tenants(tmp_path: Path) -> None:
    assert "a tenant sees another one's index" in faults_of(OneTenant(tmp_path), cases=0)


@pytest.mark.parametrize("index", [PostingsOfEverything, NearestOfEverything])
def test_the_scope_property_catches_a_filter_that_comes_too_late(
    index: type[EmbeddedIndex], tmp_path: Path
) -> None:
    assert scope_case_faults(Broken(tmp_path, index), cases=100)


def claims() -> dict[str, tuple[bool, bool]]:
    stores: dict[str, type[Store]] = {
        point.name: point.load() for point in entry_points(group="tipstaff.store")
    }
    assert {name: store.name for name, store in stores.items()} == {name: name for name in stores}
    return {name: (store.scope_exact, store.exercised) for name, store in stores.items()}


def test_every_store_of_the_install_says_what_it_claims() -> None:
    assert claims() == {
        "chroma": (False, True),
        "embedded": (True, True),
        "faiss": (True, True),
        "pinecone": (False, False),
        "postgres": (True, True),
        "qdrant": (True, True),
        "weaviate": (False, False),
    }


def test_the_documents_say_of_every_store_what_it_claims() -> None:
    page = (ROOT / "docs" / "retrieval.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (yes|no) \| (yes|no) \|", page, re.MULTILINE)
    described = {name: (exact == "yes", live == "yes") for name, _, exact, live in rows}
    assert described == claims()
    for name, extra, _, _ in rows:
        assert extra == ("–" if name == "embedded" else f"`{name}`")
