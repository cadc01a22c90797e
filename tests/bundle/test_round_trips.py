"""Pack, import, export inline, import again: every byte of every item and of the synthesis."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import MERIDIAN, BundleMaker, manifest_of
from tests.strategies import item_ids
from tipstaff.bundle.inline_export import export_inline
from tipstaff.bundle.level_three import pack, unpack
from tipstaff.bundle.opening import OpenBundle, open_bundle
from tipstaff.bundle.writing import new_file, new_folder, write_archive, write_files
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.item import HashState, ItemState
from tipstaff.errors import BundleUnusable, UsageError
from tipstaff.settings import Settings

endings = st.sampled_from([".md", ".txt", ".pdf", ".tar.gz", "", ".JSON", ".x"])
contents = st.binary(max_size=400) | st.text(max_size=200).map(str.encode)
items = st.dictionaries(item_ids, st.tuples(endings, contents), min_size=1, max_size=6)
syntheses = st.one_of(
    st.binary(max_size=200),
    st.sampled_from(
        [b"---\ntezit: 1.2\n---\nnested\r\n", b"---\n", b"\xef\xbb\xbf# BOM", b"\r\n---\r\n"]
    ),
)
titles = st.text(min_size=1, max_size=40).filter(lambda text: text.strip())


def snapshot(opened: OpenBundle) -> dict[str, object]:
    bundle = opened.bundle
    return {
        "id": bundle.id,
        "version": bundle.version,
        "title": bundle.title,
        "synthesis": opened.synthesis_bytes,
        "items": [
            (item.id, item.type, item.title, item.access, opened.read(item.id))
            for item in bundle.items
        ],
    }


def carry(source: Path, folder: Path, options: Settings) -> list[dict[str, object]]:
    """The bundle as it stands after each step of the way."""
    seen = []
    with open_bundle(source) as opened:
        seen.append(snapshot(opened))
        with new_file(folder / "packed.tez", replace=False) as target:
            write_archive(target, pack(opened, options).contents, compress=True)
    for step in ("packed.tez", "inline.md"):
        with open_bundle(folder / step) as opened:
            seen.append(snapshot(opened))
            with new_folder(folder / f"imported-{step}", replace=False) as target:
                write_files(target, unpack(opened, options).contents)
        with open_bundle(folder / f"imported-{step}") as opened:
            seen.append(snapshot(opened))
            assert opened.bundle.level is BundleLevel.PLATFORM
            assert {item.hash_state for item in opened.bundle.items} <= {HashState.VERIFIED}
            if step == "packed.tez":
                document = export_inline(opened, options)
                (folder / "inline.md").write_bytes(document.content)
                write_files(folder, document.beside)
    return seen


@given(items=items, synthesis=syntheses, title=titles, budget=st.sampled_from([1, 200, 10_000]))
@settings(max_examples=60)
def test_round_trips_keep_every_byte(
    items: dict[str, tuple[str, bytes]], synthesis: bytes, title: str, budget: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {f"{item_id}{ending}": content for item_id, (ending, content) in items.items()}
        manifest = manifest_of(files)
        for entry, item_id in zip(manifest["context"]["items"], items, strict=True):
            entry["id"] = item_id
            entry["title"] = title
        manifest["context"]["items"][0]["access"] = "interrogation_only"
        manifest["synthesis"]["title"] = title
        source = folder / "source"
        write_files(source, {f"context/{file}": content for file, content in files.items()})
        write_files(source, {"tez.md": synthesis, "manifest.json": json.dumps(manifest).encode()})
        first, *rest = carry(source, folder, Settings(inline_total_bytes=budget))
        assert first["synthesis"] == synthesis
        for later in rest:
            assert later == first


def test_an_informal_folder_packs_to_level_3(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    write_files(
        folder,
        {"README.md": b"# Papers", "a.md": b"same stem", "sub/a.txt": b"other", "b": b"\x00\x01"},
    )
    first, *rest = carry(folder, tmp_path, Settings())
    for later in rest:
        assert later["items"] == first["items"]
        assert later["synthesis"] == first["synthesis"]


def test_a_complete_manifest_is_kept_to_the_byte(tmp_path: Path) -> None:
    with open_bundle(MERIDIAN) as opened:
        packed = pack(opened, Settings()).contents
    on_disk = {
        path.relative_to(MERIDIAN).as_posix(): path.read_bytes()
        for path in MERIDIAN.rglob("*")
        if path.is_file()
    }
    assert packed == on_disk


def test_packing_completes_a_manifest_and_keeps_what_it_does_not_know(
    make_bundle: BundleMaker,
) -> None:
    files = {"notes.md": b"x"}
    manifest = manifest_of(files, future={"a": [1]})
    del manifest["context"]["items"][0]["hash"]
    manifest["context"]["items"][0]["future_item_field"] = "kept"
    manifest["context"]["items"][0]["type"] = "transcript"
    with open_bundle(
        make_bundle(files, manifest=manifest, extra={"extensions/x/m.json": b"{}"})
    ) as opened:
        packed = pack(opened, Settings())
    written = json.loads(packed.contents["manifest.json"])
    entry = written["context"]["items"][0]
    assert written["future"] == {"a": [1]}
    assert entry["future_item_field"] == "kept"
    assert entry["hash"].startswith("sha256:")
    assert (entry["type"], entry["metadata"]["original_type"]) == ("custom", "transcript")
    assert packed.contents["extensions/x/m.json"] == b"{}"
    assert any("transcript" in note for note in packed.notes)


def test_changed_bytes_are_not_packed_by_accident(make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    (folder / "context" / "notes.md").write_bytes(b"changed")
    with open_bundle(folder) as opened:
        with pytest.raises(BundleUnusable, match="do not match their declared hash"):
            pack(opened, Settings())
        written = json.loads(pack(opened, Settings(), rehash=True).contents["manifest.json"])
        assert written["context"]["items"][0]["size_bytes"] == len(b"changed")
    (folder / "context" / "notes.md").unlink()
    with open_bundle(folder) as opened, pytest.raises(BundleUnusable, match="are not there"):
        pack(opened, Settings())


def test_an_archive_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("one.tez", "two.tez"):
        write_archive(
            tmp_path / name, {"b": b"2", "manifest.json": b"{}", "a": b"1"}, compress=False
        )
    assert (tmp_path / "one.tez").read_bytes() == (tmp_path / "two.tez").read_bytes()


def test_what_does_not_fit_becomes_a_reference_that_says_so(
    make_bundle: BundleMaker, tmp_path: Path
) -> None:
    folder = make_bundle({"large.txt": b"x" * 70_000, "small.txt": b"y"})
    with open_bundle(folder) as opened:
        document = export_inline(opened, Settings())
    assert list(document.beside) == ["context/large.txt"]
    assert any("large" in note and "only referred to" in note for note in document.notes)
    path = tmp_path / "alone" / "x.md"
    path.parent.mkdir()
    path.write_bytes(document.content)
    with open_bundle(path) as opened:
        states = {item.id: item.state for item in opened.bundle.items}
        assert states == {"large": ItemState.MISSING, "small": ItemState.AVAILABLE}
        lost = opened.bundle.item("large")
        assert lost is not None
        assert lost.declared_hash is not None
    write_files(path.parent, document.beside)
    with open_bundle(path) as opened:
        assert {item.hash_state for item in opened.bundle.items} == {HashState.VERIFIED}


def test_the_whole_document_has_a_budget_too(make_bundle: BundleMaker) -> None:
    folder = make_bundle({f"{name}.txt": b"x" * 50_000 for name in "abcd"})
    with open_bundle(folder) as opened:
        document = export_inline(opened, Settings())
    assert list(document.beside) == ["context/c.txt", "context/d.txt"]


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    def half_a_file() -> None:
        with new_file(tmp_path / "x.tez", replace=False) as target:
            target.write_bytes(b"half")
            raise KeyboardInterrupt

    def half_a_folder() -> None:
        with new_folder(tmp_path / "x", replace=False) as target:
            write_files(target, {"a": b"half"})
            raise KeyboardInterrupt

    for interrupted in (half_a_file, half_a_folder):
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "mine").write_text("mine")
    with (
        pytest.raises(UsageError, match="exists already"),
        new_folder(tmp_path / "x", replace=False),
    ):
        pass
    with new_folder(tmp_path / "x", replace=True) as target:
        write_files(target, {"new": b"new"})
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "a\x00b", "..", ""])
def test_no_name_is_written_outside_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="refusing to write"):
        write_files(tmp_path / "inside", {name: b"x"})
