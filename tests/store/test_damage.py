"""Damage anywhere in an index file is noticed before anything that it could have changed leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tipstaff.contracts.index_samples import chance_of, index_contents, query_vector
from tipstaff.contracts.stores import Row, ranked_rows
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.scope import Scope
from tipstaff.store.embedded import EmbeddedStore
from tipstaff.store.faiss import FaissStore
from tipstaff.store.index_file import MappedFile
from tipstaff.store.store import DamagedIndex, IndexKey, OpenIndex, Store

KEY = IndexKey(tenant="acme", tez_id="tez", digest="digest")
CONTENTS = index_contents(chance_of(5), most_chunks=40)
SECTIONS = (
    "items",
    "term_hashes",
    "term_names",
    "term_name_ends",
    "posting_ends",
    "posting_chunks",
    "posting_counts",
    "lengths",
    "records",
    "record_ends",
    "record_checksums",
)


def everything(index: OpenIndex) -> tuple[object, list[Row], object]:
    """What a search and a reader of every passage get."""
    found = ranked_rows(
        index,
        Scope(index.items),
        query="w1 w2 w3",
        vector=query_vector(chance_of(1)),
        options=RetrievalOptions(),
    )
    return index.items, found, index.chunks(range(len(CONTENTS.chunks)))


def written(store: Store, folder: Path) -> Path:
    store.write(KEY, CONTENTS)
    (path,) = (path for path in folder.rglob("digest.*") if path.is_file())
    return path


def opened(store: Store) -> OpenIndex:
    index = store.open(KEY)
    assert index is not None
    return index


def flip(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << (place % 8)
    # Another file: whoever has mapped the one before keeps it.
    path.unlink()
    path.write_bytes(content)


@pytest.fixture(params=["short sums", "long sums"])
def sums(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large sections are summed otherwise; these are small, so what is large is said."""
    if request.param == "long sums":
        monkeypatch.setattr("tipstaff.store.index_file._LARGE", 16)


@pytest.mark.usefixtures("sums")
@pytest.mark.parametrize(
    ("kind", "section"),
    [(EmbeddedStore, name) for name in (*SECTIONS, "vectors")]
    + [(FaissStore, name) for name in (*SECTIONS, "faiss")],
)
def test_a_flipped_bit_in_a_section_ends_a_search_and_the_index(
    kind: type[EmbeddedStore | FaissStore], section: str, tmp_path: Path
) -> None:
    store = kind(tmp_path)
    path = written(store, tmp_path)
    place = MappedFile(path)._places[section]
    for wrong in (place.start, (place.start + place.end) // 2, place.end - 1):
        flip(written(store, tmp_path), wrong)
        index = opened(store)
        with pytest.raises(DamagedIndex):
            everything(index)
        assert not path.exists()
        assert store.open(KEY) is None


def test_the_sections_that_are_damaged_here_are_all_that_there_are(tmp_path: Path) -> None:
    path = written(EmbeddedStore(tmp_path), tmp_path)
    assert [*MappedFile(path)] == [*SECTIONS, "vectors"]


@pytest.mark.usefixtures("sums")
def test_a_flipped_bit_anywhere_changes_no_result(tmp_path: Path) -> None:
    store, chance = EmbeddedStore(tmp_path), chance_of(11)
    path = written(store, tmp_path)
    expected = everything(opened(store))
    size, noticed = path.stat().st_size, 0
    for _ in range(150):
        flip(written(store, tmp_path), chance.randrange(size))
        index = store.open(KEY)
        try:
            assert index is None or everything(index) == expected
        except DamagedIndex:
            noticed += 1
        else:
            noticed += index is None
    # The rest hit the nothing behind the records, which nobody reads.
    assert noticed > 140


def test_a_check_finds_what_no_question_has_touched(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    place = MappedFile(written(store, tmp_path))._places["records"]
    flip(written(store, tmp_path), place.end - 1)
    index = opened(store)
    assert index.chunks([0]) == [CONTENTS.chunks[0]]
    with pytest.raises(DamagedIndex):
        index.check()
    assert store.open(KEY) is None
