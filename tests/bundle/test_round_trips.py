"""Pack, import, export inline, import again: every byte of every item and of the synthesis."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bundle.archives import Entry, zip_bytes
from tests.conftest import MERIDIAN, BundleMaker, manifest_of
from tests.strategies import item_ids
from tipstaff.bundle.inline_export import export_inline
from tipstaff.bundle.level_three import PackedBundle, Reader, pack, unpack
from tipstaff.bundle.opening import OpenBundle, open_bundle
from tipstaff.bundle.writing import new_file, new_folder, write_archive, write_files
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.item import HashState, ItemState
from tipstaff.errors import BundleUnusable, UsageError
from tipstaff.settings import Settings

endings = st.sampled_from([".md", ".txt", ".pdf", ".tar.gz", "", ".JSON", ".x"])
contents = st.binary(max_size=400) | st.text(max_size=200).map(str.encode)
syntheses = st.one_of(
    st.binary(max_size=200),
    st.sampled_from(
        [
            b"---\ntezit: 1.2\n---\nnested\r\n",
            b"---\n",
            b"\xef\xbb\xbf# BOM",
            b"PK\x05\x06" + b"\0" * 18,
        ]
    ),
)
titles = st.text(min_size=1, max_size=40).filter(lambda text: text.strip())
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=5,
)
accesses = st.sampled_from(
    [
        None,
        "interrogation_only",
        {"type": "fga", "object": "document:x", "relation": "can_read"},
        {"type": "public", "provider": "kept"},
        {"type": "custom", "provider": "com.x", "attributes": {"a": [1]}, "level": "summary_only"},
    ]
)


@st.composite
def declared_items(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Items as senders write them: files named otherwise, external ones, unknown fields."""
    items = []
    for number, item_id in enumerate(draw(st.lists(item_ids, min_size=1, max_size=6, unique=True))):
        stem = draw(
            st.sampled_from([item_id, f"file{number}", f"sub/{number}", f".hidden/{number}"])
        )
        items.append(
            {
                "id": item_id,
                "file": f"context/{stem}{draw(endings)}",
                "content": draw(contents),
                "title": draw(titles),
                "access": draw(accesses),
                "future": draw(json_values),
                "kind": draw(st.sampled_from(["here", "here", "here", "external"])),
            }
        )
    files = [item["file"] for item in items]
    return items if len(set(files)) == len(files) else items[:1]


def readers(files: Mapping[str, bytes]) -> dict[str, Reader]:
    return {name: (lambda content=content: content) for name, content in files.items()}  # type: ignore[misc]


def read_all(packed: PackedBundle) -> dict[str, bytes]:
    return {name: read() for name, read in packed.contents.items()}


def snapshot(opened: OpenBundle) -> dict[str, object]:
    bundle = opened.bundle
    return {
        "id": bundle.id,
        "version": bundle.version,
        "title": bundle.title,
        "scope": bundle.scope,
        "synthesis": opened.synthesis_bytes,
        "future": bundle.manifest.get("future"),
        "items": [
            (
                item.id,
                item.type,
                item.title,
                item.access,
                item.state,
                item.hash_state,
                item.external_uri,
                item.declared_hash,
                item.declared.get("future"),
                opened.read(item.id) if item.has_bytes else None,
            )
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
            if step == "packed.tez":
                document = export_inline(opened, options)
                (folder / "inline.md").write_bytes(document.content)
                write_files(folder, document.beside)
    return seen


@given(
    items=declared_items(),
    synthesis=syntheses,
    title=titles,
    budget=st.sampled_from([1, 200, 10_000]),
    future=json_values,
)
@settings(max_examples=60)
def test_round_trips_keep_every_byte_and_every_word(
    items: list[dict[str, Any]], synthesis: bytes, title: str, budget: int, future: Any
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here = {item["file"]: item["content"] for item in items if item["kind"] == "here"}
        manifest = manifest_of({item["id"]: item["content"] for item in items}, future=future)
        for entry, item in zip(manifest["context"]["items"], items, strict=True):
            entry |= {"id": item["id"], "title": item["title"], "file": item["file"]}
            entry |= {"access": item["access"], "future": item["future"]}
            if item["kind"] == "external":
                entry |= {"file": None, "external_uri": "https://example.com/x"}
        manifest["synthesis"] |= {"title": title, "language": "en"}
        manifest["context"]["scope"] = "private"
        source = folder / "source"
        write_files(source, readers(here))
        write_files(
            source, readers({"tez.md": synthesis, "manifest.json": json.dumps(manifest).encode()})
        )
        first, *rest = carry(source, folder, Settings(inline_total_bytes=budget))
        assert first["synthesis"] == synthesis
        for later in rest:
            assert later == first


def test_an_informal_folder_packs_to_level_3(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    files = {"README.md": b"# P", "a.md": b"same stem", "sub/a.txt": b"other", "b": b"\x00\x01"}
    write_files(folder, readers(files))
    first, *rest = carry(folder, tmp_path, Settings())
    assert first["synthesis"] == b"# P"
    for later in rest:
        assert later["synthesis"] == first["synthesis"]
        assert isinstance(later["items"], list)
        assert isinstance(first["items"], list)
        assert [item[-1] for item in later["items"]] == [item[-1] for item in first["items"]]


def test_a_synthesis_found_among_the_context_is_not_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    files = {"context/report.md": b"# The long one" * 9, "other/report.md": b"# The short one"}
    write_files(folder, readers(files))
    with open_bundle(folder) as opened:
        packed = read_all(pack(opened, Settings()))
    assert packed["tez.md"] == files["context/report.md"]


def test_a_complete_manifest_is_kept_to_the_byte() -> None:
    with open_bundle(MERIDIAN) as opened:
        packed = read_all(pack(opened, Settings()))
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
    manifest = manifest_of(files, future={"a": [1]}, version="abc", tezit_version="9.9")
    manifest["context"]["item_count"] = 77
    del manifest["context"]["items"][0]["hash"]
    manifest["context"]["items"][0] |= {"future_item_field": "kept", "type": "transcript"}
    extra = {"extensions/x/.data/m.json": b"{}", ".DS_Store": b"junk"}
    with open_bundle(make_bundle(files, manifest=manifest, extra=extra)) as opened:
        packed = pack(opened, Settings())
    written = json.loads(packed.contents["manifest.json"]())
    entry = written["context"]["items"][0]
    assert (written["future"], written["version"], written["tezit_version"]) == (
        {"a": [1]},
        1,
        "1.2",
    )
    assert written["context"]["item_count"] == 1
    assert entry["future_item_field"] == "kept"
    assert entry["hash"].startswith("sha256:")
    assert (entry["type"], entry["metadata"]["original_type"]) == ("custom", "transcript")
    assert packed.contents["extensions/x/.data/m.json"]() == b"{}"
    assert any("transcript" in note for note in packed.notes)
    assert any(".DS_Store" in note for note in packed.notes)


def test_changed_bytes_are_not_packed_by_accident(make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    (folder / "context" / "notes.md").write_bytes(b"changed")
    with open_bundle(folder) as opened:
        with pytest.raises(BundleUnusable, match="do not match their declared hash"):
            pack(opened, Settings())
        written = json.loads(pack(opened, Settings(), rehash=True).contents["manifest.json"]())
        assert written["context"]["items"][0]["size_bytes"] == len(b"changed")
    (folder / "context" / "notes.md").unlink()
    with open_bundle(folder) as opened, pytest.raises(BundleUnusable, match="are not there"):
        pack(opened, Settings())


def test_a_missing_synthesis_is_not_replaced_by_an_empty_one(make_bundle: BundleMaker) -> None:
    manifest = manifest_of({"notes.md": b"x"})
    manifest["synthesis"]["file"] = "missing.md"
    folder = make_bundle({"notes.md": b"x"}, manifest=manifest)
    with open_bundle(folder) as opened, pytest.raises(BundleUnusable, match="synthesis"):
        pack(opened, Settings())


def test_tampered_bytes_stay_tampered_through_every_form(
    make_bundle: BundleMaker, tmp_path: Path
) -> None:
    folder = make_bundle()
    (folder / "context" / "notes.md").write_bytes(b"tampered")
    document = tmp_path / "x.md"
    with open_bundle(folder) as opened:
        exported = export_inline(opened, Settings())
        assert any("declared hash" in note for note in exported.notes)
    document.write_bytes(exported.content)
    with open_bundle(document) as opened:
        assert opened.bundle.items[0].state is ItemState.CORRUPTED
        write_files(tmp_path / "imported", unpack(opened, Settings()).contents)
    with open_bundle(tmp_path / "imported") as opened:
        assert opened.bundle.items[0].state is ItemState.CORRUPTED


def test_a_damaged_member_does_not_come_out_of_an_import_as_sound(tmp_path: Path) -> None:
    manifest = json.dumps(manifest_of({"a.txt": b"bad"})).replace('"hash"', '"no_hash"').encode()
    entries = [Entry(b"tez.md", b"# S"), Entry(b"manifest.json", manifest)]
    path = tmp_path / "x.tez"
    path.write_bytes(zip_bytes([*entries, Entry(b"context/a.txt", b"bad", checksum=7)]))
    with open_bundle(path) as opened:
        unpacked = unpack(opened, Settings())
        assert "context/a.txt" not in unpacked.contents
        assert any("damaged" in note for note in unpacked.notes)


def test_what_cannot_be_read_does_not_stop_an_import(
    make_bundle: BundleMaker, tmp_path: Path
) -> None:
    folder = make_bundle()
    os.mkfifo(folder / "pipe")
    (folder / "dangling").symlink_to(tmp_path / "nowhere")
    with open_bundle(folder) as opened:
        unpacked = unpack(opened, Settings())
        packed = pack(opened, Settings())
    assert sorted(unpacked.contents) == ["context/notes.md", "manifest.json", "tez.md"]
    assert sum("cannot be read" in note for note in packed.notes) == 2


def test_an_archive_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    for name in ("one.tez", "two.tez"):
        files = readers({"b": b"2", "manifest.json": b"{}", "a": b"1"})
        write_archive(tmp_path / name, files, compress=False)
    assert (tmp_path / "one.tez").read_bytes() == (tmp_path / "two.tez").read_bytes()


def test_what_we_pack_we_open(make_bundle: BundleMaker, tmp_path: Path) -> None:
    dull = b"0,0,0,0\n" * 600_000
    manifest = manifest_of({"dull.csv": dull, "b.md": b"x"})
    manifest["context"]["items"][1]["id"] = "b" * 300
    folder = make_bundle({"dull.csv": dull, "b.md": b"x"}, manifest=manifest)
    with open_bundle(folder) as opened:
        write_archive(tmp_path / "x.tez", pack(opened, Settings()).contents, compress=True)
    with open_bundle(tmp_path / "x.tez") as opened:
        assert opened.read("dull") == dull
    with open_bundle(folder) as opened, pytest.raises(BundleUnusable, match="bytes in all"):
        pack(opened, Settings(max_unpacked_bytes=1_000_000))


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
        with open_bundle(path) as alone:
            states = {item.id: item.state for item in alone.bundle.items}
            assert states == {"large": ItemState.MISSING, "small": ItemState.AVAILABLE}
            lost = alone.bundle.item("large")
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


def test_a_strangers_document_reads_no_hidden_files(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id_rsa").write_text("secret")
    (tmp_path / "x.md").write_text(
        "---\ntezit: 1.2\ncontext:\n- {label: key, file: .ssh/id_rsa}\n"
        f"- {{label: fine, content_b64: {base64.b64encode(b'x').decode()}}}\n---\nbody"
    )
    with open_bundle(tmp_path / "x.md") as opened:
        assert opened.bundle.items[0].state is ItemState.REFUSED


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    def half_a_file() -> None:
        with new_file(tmp_path / "x.tez", replace=False) as target:
            target.write_bytes(b"half")
            raise KeyboardInterrupt

    def half_a_folder() -> None:
        with new_folder(tmp_path / "x", replace=False) as target:
            write_files(target, readers({"a": b"half"}))
            raise KeyboardInterrupt

    for interrupted in (half_a_file, half_a_folder):
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    assert list(tmp_path.iterdir()) == []


def test_the_leftovers_of_a_killed_process_are_swept(tmp_path: Path) -> None:
    done = subprocess.Popen(["true"])
    done.wait()
    process = done.pid
    (tmp_path / f".x.tez.{process}-abc").write_text("half")
    (tmp_path / f".x.tez.{os.getpid()}-abc").write_text("another thread's")
    with new_file(tmp_path / "x.tez", replace=False) as target:
        target.write_bytes(b"whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f".x.tez.{os.getpid()}-abc",
        "x.tez",
    ]


def test_only_a_bundle_is_replaced_and_only_when_asked(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    write_files(precious, readers({"mine": b"mine"}))
    for replace in (False, True):
        with pytest.raises(UsageError), new_folder(precious, replace=replace):
            pass
    assert (precious / "mine").read_bytes() == b"mine"
    write_files(precious, readers({"manifest.json": b"{}"}))
    with new_folder(precious, replace=True) as target:
        write_files(target, readers({"new": b"new"}))
    assert [path.name for path in precious.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_a_file_replaces_nothing_but_a_file(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "target"
    if kind == "folder":
        target.mkdir()
    elif kind == "pipe":
        os.mkfifo(target)
    else:
        (tmp_path / "real").write_text("mine")
        target.symlink_to(tmp_path / "real")
    with pytest.raises(UsageError), new_file(target, replace=True):
        pass
    assert os.path.lexists(target)


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "a\x00b", "..", "", "./a", "a//b"])
def test_no_name_is_written_outside_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="refusing to write"):
        write_files(tmp_path / "inside", readers({name: b"x"}))


def test_links_are_not_written_through(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (inside / "folder").symlink_to(outside)
    (inside / "file").symlink_to(outside / "made")
    with pytest.raises(UsageError, match="leads out"):
        write_files(inside, readers({"folder/x": b"x"}))
    write_files(inside, readers({"file": b"x"}))
    assert list(outside.iterdir()) == []
    assert not (inside / "file").is_symlink()
    shutil.rmtree(inside)


def test_a_place_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(UsageError, match="cannot be written"),
        new_file(tmp_path / "file" / "x.tez", replace=False),
    ):
        pass
