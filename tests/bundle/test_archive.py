"""Archives that mean harm are refused in one sentence, and nothing is written anywhere."""

from __future__ import annotations

import os
import struct
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bundle.archives import Entry, honest_zip, zip_bytes
from tests.conftest import BundleMaker
from tipstaff.bundle.opening import open_bundle
from tipstaff.domain.item import HashState, ItemState
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings

GOOD = Entry(b"tez.md", b"# Synthesis\n")
MIB = 1024 * 1024

HOSTILE = {
    "a name that climbs out": [GOOD, Entry(b"../evil.md", b"x")],
    "a name that climbs out further in": [GOOD, Entry(b"context/../../evil.md", b"x")],
    "a name with backslashes that climbs out": [GOOD, Entry(b"..\\evil.md", b"x")],
    "an absolute name": [GOOD, Entry(b"/etc/evil.md", b"x")],
    "a drive letter": [GOOD, Entry(b"C:\\evil.md", b"x")],
    "a name with a NUL": [GOOD, Entry(b"evil.md\x00.txt", b"x")],
    "an escape sequence in a name": [GOOD, Entry(b"\x1b[2Jevil.md", b"x")],
    "an empty name": [GOOD, Entry(b"", b"x")],
    "a symbolic link": [GOOD, Entry(b"context/link.md", b"/etc/passwd", mode=0o120777)],
    "a device": [GOOD, Entry(b"context/null", b"", mode=0o020666)],
    "a bomb of 1000:1": [GOOD, Entry(b"context/zeros.txt", b"\x00" * (20 * MIB))],
    "a member larger than declared": [
        GOOD,
        Entry(b"context/a.txt", b"x" * 5000, declared_size=10),
    ],
    "a member smaller than declared": [GOOD, Entry(b"context/a.txt", b"xyz", declared_size=5000)],
    "a stored member with a lying size": [
        GOOD,
        Entry(b"context/a.txt", b"xyz", deflate=False, declared_size=2),
    ],
    "a member with two names": [GOOD, Entry(b"context/a.txt", b"x", local_name=b"context/b.txt")],
    "two members of one name": [GOOD, Entry(b"a.txt", b"1"), Entry(b"a.txt", b"2")],
    "a password": [GOOD, Entry(b"context/a.txt", b"x", flags=1)],
    "an exotic compression": [GOOD, Entry(b"context/a.txt", b"x", method=14, packed=b"x")],
    "a folder with content": [GOOD, Entry(b"context/", b"hidden")],
}


@pytest.fixture
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private place for temporary files, so that a test can see what was left there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused(
    what: str, tmp_path: Path, own_temporary_folder: Path
) -> None:
    path = tmp_path / "inner" / "hostile.tez"
    path.parent.mkdir()
    path.write_bytes(zip_bytes(HOSTILE[what]))
    with pytest.raises(BundleUnusable) as refusal:
        open_bundle(path)
    message = refusal.value.message
    assert message.startswith("The archive was refused: it ")
    assert message.count(". ") == 0
    assert "\x1b" not in message
    assert "\x00" not in message
    assert list(own_temporary_folder.iterdir()) == []
    assert sorted(tmp_path.iterdir()) == [path.parent, own_temporary_folder]


@pytest.mark.parametrize(
    "what",
    [
        "a name that climbs out",
        "an absolute name",
        "a symbolic link",
        "a bomb of 1000:1",
        "a member larger than declared",
    ],
)
def test_the_command_ends_with_4_and_writes_nothing(
    what: str, tmp_path: Path, tip: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    path = tmp_path / "hostile.tez"
    path.write_bytes(zip_bytes(HOSTILE[what]))
    done = tip("import", path, "-o", tmp_path / "out", env={"TMPDIR": str(tmp_path)})
    assert done.returncode == 4
    assert done.stdout == ""
    assert done.stderr.startswith("error: The archive was refused: it ")
    assert "Traceback" not in done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["hostile.tez"]


def test_members_laid_over_each_other_are_refused(tmp_path: Path) -> None:
    entries = [
        Entry(f"f{number}".encode(), b"\x00" * MIB, local_name=b"f0") for number in range(50)
    ]
    path = tmp_path / "overlap.zip"
    path.write_bytes(zip_bytes(entries, overlap=True))
    with pytest.raises(BundleUnusable, match="refused"):
        open_bundle(path)


def test_the_limit_on_unpacked_bytes_counts_what_comes_out(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    path.write_bytes(honest_zip({"tez.md": b"# x", "a.txt": os.urandom(600), "b.txt": b"y" * 600}))
    with pytest.raises(BundleUnusable, match="unpacks to more than 1,000 bytes"):
        open_bundle(path, settings=Settings(max_unpacked_bytes=1000))
    open_bundle(path, settings=Settings(max_unpacked_bytes=2000)).close()


def test_too_many_entries_are_refused_before_any_is_read(tmp_path: Path) -> None:
    path = tmp_path / "many.zip"
    path.write_bytes(honest_zip({f"{number}.txt": b"x" for number in range(50)}))
    with pytest.raises(BundleUnusable, match="lists 50 entries"):
        open_bundle(path, settings=Settings(max_archive_entries=49))


@pytest.mark.parametrize("cut", [10, 100, 300])
def test_a_truncated_archive_is_refused(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.tez"
    path.write_bytes(honest_zip({"tez.md": b"# x" * 50, "context/a.txt": os.urandom(500)})[:-cut])
    with pytest.raises(BundleUnusable, match="cannot be read as a ZIP file"):
        open_bundle(path)


@pytest.mark.parametrize(
    "content", [b"", b"not a zip", b"PK\x05\x06", b"PK\x03\x04" + b"\x00" * 40]
)
def test_what_is_no_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.tez"
    path.write_bytes(content)
    with pytest.raises(BundleUnusable):
        open_bundle(path)


def test_a_directory_size_that_lies_is_refused(tmp_path: Path) -> None:
    content = bytearray(honest_zip({"tez.md": b"# x"}))
    struct.pack_into("<I", content, len(content) - 10, 0x7FFFFFFF)
    path = tmp_path / "lie.tez"
    path.write_bytes(bytes(content))
    with pytest.raises(BundleUnusable, match="list of members"):
        open_bundle(path)


def test_every_single_flipped_byte_is_survived(tmp_path: Path, make_bundle: BundleMaker) -> None:
    """Whatever a byte becomes: a refusal, or a bundle in which the change shows."""
    folder = make_bundle()
    original = honest_zip(
        {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
    )
    item_content = b"The sky is blue.\n"
    path = tmp_path / "flipped.tez"
    for position in range(len(original)):
        content = bytearray(original)
        content[position] ^= 0xFF
        path.write_bytes(bytes(content))
        try:
            with open_bundle(path) as opened:
                item = opened.bundle.item("notes")
                if item is not None and item.hash_state is HashState.VERIFIED:
                    assert opened.read("notes") == item_content
        except BundleUnusable:
            continue


def test_a_damaged_member_is_flagged_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "damaged.zip"
    entries = [GOOD, Entry(b"context/a.txt", b"good"), Entry(b"context/b.txt", b"bad", checksum=7)]
    path.write_bytes(zip_bytes(entries))
    with open_bundle(path) as opened:
        states = {item.id: item.state for item in opened.bundle.items}
        assert states == {"a": ItemState.AVAILABLE, "b": ItemState.CORRUPTED}
        damaged = opened.bundle.item("b")
        assert damaged is not None
        assert not damaged.has_integrity


def test_a_dull_small_file_is_no_bomb(tmp_path: Path) -> None:
    path = tmp_path / "dull.zip"
    path.write_bytes(honest_zip({"tez.md": b"# x", "a.txt": b"\n" * 100_000}))
    open_bundle(path).close()


def test_a_bundle_zipped_with_its_folder_opens_with_a_finding(
    tmp_path: Path, make_bundle: BundleMaker
) -> None:
    folder = make_bundle()
    path = tmp_path / "foldered.tez"
    path.write_bytes(
        honest_zip(
            {
                f"my tez/{file.relative_to(folder).as_posix()}": file.read_bytes()
                for file in folder.rglob("*")
                if file.is_file()
            }
            | {"__MACOSX/junk": b""}
        )
    )
    with open_bundle(path) as opened:
        assert opened.bundle.id == "small-tez"
        assert opened.read("notes") == b"The sky is blue.\n"
        assert "folder-in-archive" in {finding.code for finding in opened.findings}


def test_closing_removes_what_was_unpacked(tmp_path: Path, own_temporary_folder: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(honest_zip({"tez.md": b"# x", "a.txt": b"a"}))
    with open_bundle(path) as opened:
        assert len(list(own_temporary_folder.iterdir())) == 1
        assert opened.read("a") == b"a"
    assert list(own_temporary_folder.iterdir()) == []
