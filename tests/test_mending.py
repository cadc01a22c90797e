"""An index that turns out to be damaged is built again, and whoever asked does not notice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import BundleMaker
from tests.store.test_damage import SECTIONS, flip
from tipstaff.bundle.opening import open_bundle
from tipstaff.cli.main import main
from tipstaff.contracts.index_samples import chance_of, index_contents
from tipstaff.domain.retrieval import Retrieval, RetrievalOptions, Strategy
from tipstaff.errors import RetrievalFailed
from tipstaff.indexing import index_bundle
from tipstaff.mending import MendingIndex
from tipstaff.store.embedded import EmbeddedStore
from tipstaff.store.index_file import MappedFile
from tipstaff.store.store import IndexKey

KEY = IndexKey(tenant="acme", tez_id="tez", digest="digest")
QUERY = "What colour is the sky, and what does the pump cost?"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own: it holds one index."""
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def bundle(make_bundle: BundleMaker) -> Path:
    return make_bundle({"notes.md": b"The sky is blue.\n", "bill.md": b"The pump costs $40.\n"})


def damage(data: Path, section: str) -> Path:
    (path,) = data.rglob("*.index")
    flip(path, MappedFile(path)._places[section].start)
    return path


def searched(bundle: Path, strategy: Strategy = Strategy.SINGLE_PASS) -> Retrieval:
    with open_bundle(bundle) as opened:
        done = index_bundle(opened).search(QUERY, options=RetrievalOptions(strategy=strategy))
    return replace(done, time_ms=0)


@pytest.mark.parametrize("section", [*SECTIONS, "vectors"])
def test_a_search_in_a_damaged_index_finds_what_it_found_before(
    data: Path, bundle: Path, section: str
) -> None:
    before = searched(bundle)
    path = damage(data, section)
    assert searched(bundle) == before
    assert {*MappedFile(path)} == {*SECTIONS, "vectors"}
    dict(MappedFile(path))  # every section is whole again


def test_aspects_that_meet_the_damage_at_once_build_once(data: Path, bundle: Path) -> None:
    before = searched(bundle, Strategy.MULTI_PASS)
    assert before.sub_queries
    for section in ("vectors", "posting_chunks"):
        damage(data, section)
    assert searched(bundle, Strategy.MULTI_PASS) == before


def test_the_command_that_builds_looks_for_damage(
    data: Path, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def built() -> bool:
        assert main(["index", str(bundle), "--json"]) == 0
        return bool(json.loads(capsys.readouterr().out)["built"])

    assert [built(), built()] == [True, False]
    damage(data, "vectors")
    assert [built(), built()] == [True, False]


def test_an_index_that_is_another_when_it_is_built_again_answers_nothing(tmp_path: Path) -> None:
    """A scope of before names chunks by numbers that mean others now."""
    one, other = (index_contents(chance_of(seed)) for seed in (1, 2))
    store = EmbeddedStore(tmp_path)

    def rebuilt() -> object:
        store.write(KEY, other)
        return store.open(KEY)

    store.write(KEY, one)
    path = damage(tmp_path, "vectors")
    opened = store.open(KEY)
    assert opened is not None
    index = MendingIndex(opened, rebuilt)  # type: ignore[arg-type]
    assert index.items == one.items
    with pytest.raises(RetrievalFailed, match="built again"):
        index.vectors([0])
    assert path.exists()
    # Asking again begins with the items.
    assert index.items == other.items
    assert index.chunks(range(len(other.chunks))) == list(other.chunks)
