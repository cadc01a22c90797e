"""A file that is not what was written is never searched."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from tipstaff.contracts.index_samples import chance_of, index_contents
from tipstaff.contracts.stores import faults_of
from tipstaff.store.embedded import EmbeddedStore
from tipstaff.store.index_file import MappedFile, write_sections
from tipstaff.store.index_folder import VERSIONS_KEPT, folder_name
from tipstaff.store.store import DamagedIndex, IndexKey

SECTIONS = {
    "numbers": np.arange(37, dtype=np.int32),
    "none": np.empty((0, 4), np.float32),
    "table": np.arange(12, dtype=np.float32).reshape(3, 4),
}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    stream = io.BytesIO()
    write_sections(stream, {"embedder": "chance", "items": []}, SECTIONS)
    path = tmp_path / "file.index"
    path.write_bytes(stream.getvalue())
    return path


def test_what_was_written_is_read(written: Path) -> None:
    file = MappedFile(written)
    assert file.facts == {"embedder": "chance", "items": []}
    for name, array in SECTIONS.items():
        assert file[name].dtype == array.dtype
        assert np.array_equal(file[name], array)


def test_every_section_stands_at_a_multiple_of_64(written: Path) -> None:
    file = MappedFile(written)
    begin = np.frombuffer(file._map, np.uint8).ctypes.data
    for array in file.values():
        assert (array.ctypes.data - begin) % 64 == 0


def test_a_flipped_bit_anywhere_is_noticed(written: Path) -> None:
    whole = written.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << (place % 8)
        written.write_bytes(changed)
        with pytest.raises(DamagedIndex):
            dict(MappedFile(written))


def test_opening_looks_at_no_section(written: Path) -> None:
    """A search must not wait for what it does not use."""
    whole = bytearray(written.read_bytes())
    whole[-64] ^= 1
    written.write_bytes(whole)
    told: list[str] = []
    file = MappedFile(written, on_damage=lambda: told.append("damaged"))
    assert np.array_equal(file["numbers"], SECTIONS["numbers"])
    assert told == []
    with pytest.raises(DamagedIndex, match="table"):
        file["table"]
    assert told == ["damaged"]


def test_a_file_cut_off_anywhere_is_noticed(written: Path) -> None:
    whole = written.read_bytes()
    for length in range(len(whole)):
        written.write_bytes(whole[:length])
        with pytest.raises(DamagedIndex):
            MappedFile(written)


def test_a_file_with_something_behind_it_is_noticed(written: Path) -> None:
    written.write_bytes(written.read_bytes() + bytes(64))
    with pytest.raises(DamagedIndex):
        MappedFile(written)


def test_noise_is_no_index(tmp_path: Path) -> None:
    chance = chance_of(5)
    for length in (0, 1, 23, 24, 25, 4096):
        path = tmp_path / "noise.index"
        path.write_bytes(chance.randbytes(length))
        with pytest.raises(DamagedIndex):
            MappedFile(path)


KEY = IndexKey(tenant="acme", tez_id="tez", digest="digest")


def test_an_index_with_a_damaged_header_is_not_there_and_can_be_written_again(
    tmp_path: Path,
) -> None:
    store, contents = EmbeddedStore(tmp_path), index_contents(chance_of(1))
    store.write(KEY, contents)
    (path,) = tmp_path.rglob("*.index")
    damaged = bytearray(path.read_bytes())
    damaged[40] ^= 4
    path.write_bytes(damaged)
    assert store.open(KEY) is None
    assert not path.exists()
    store.write(KEY, contents)
    assert store.open(KEY) is not None


def test_a_reader_keeps_what_it_opened_while_it_is_replaced_and_removed(tmp_path: Path) -> None:
    store, contents = EmbeddedStore(tmp_path), index_contents(chance_of(1))
    store.write(KEY, contents)
    index = store.open(KEY)
    assert index is not None
    store.write(KEY, contents)
    store.remove(tenant="acme", tez_id="tez")
    assert index.chunks(range(len(contents.chunks))) == list(contents.chunks)


def test_only_the_versions_used_last_are_kept(tmp_path: Path) -> None:
    store, contents = EmbeddedStore(tmp_path), index_contents(chance_of(1))
    digests = [f"version-{number}" for number in range(VERSIONS_KEPT)]
    for digest in digests:
        store.write(IndexKey(tenant="acme", tez_id="tez", digest=digest), contents)
    used = IndexKey(tenant="acme", tez_id="tez", digest=digests[0])
    assert store.open(used) is not None
    store.write(KEY, contents)
    kept = {path.stem for path in tmp_path.rglob("*.index")}
    assert kept == {*digests, "digest"} - {digests[1]}


def test_a_tenant_and_a_tez_have_a_folder_that_others_cannot_read(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "tenants")
    store.write(KEY, index_contents(chance_of(1)))
    (path,) = tmp_path.rglob("*.index")
    assert path.relative_to(tmp_path).parts[:-1] == ("tenants", "acme", "tez", "tez")
    assert path.parent.stat().st_mode & 0o077 == 0
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("one", "other"), [("Acme", "acme"), ("a/b", "a-b"), ("..", "."), ("a" * 50, "a" * 51)]
)
def test_different_names_are_different_folders(one: str, other: str) -> None:
    assert folder_name(one) != folder_name(other)
    for name in (folder_name(one), folder_name(other)):
        assert "/" not in name
        assert not name.startswith(".")


@pytest.mark.parametrize("name", ["Acme Corp", "a" * 60, "", "lone \ud800", "acme-0123456789ab"])
def test_no_name_is_the_folder_of_another(name: str) -> None:
    folder = folder_name(name)
    assert folder.encode()
    assert folder_name(folder) != folder


@pytest.mark.parametrize(("gathered", "large_item"), [(256, 1), (3, 1000), (3, 4)])
def test_items_large_and_small_keep_the_same_promises(
    gathered: int, large_item: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tipstaff.store.embedded._GATHERED", gathered)
    monkeypatch.setattr("tipstaff.store.embedded._LARGE_ITEM", large_item)
    assert faults_of(EmbeddedStore(tmp_path), cases=30) == []
