from __future__ import annotations

from tests.bundle.archives import Entry, honest_zip, zip_bytes
from tests.conftest import BundleMaker, manifest_of
from tipstaff.bundle.level_three import pack
from tipstaff.bundle.opening import OpenBundle, open_bundle
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.item import HashState, ItemState
from tipstaff.settings import Settings


def ids(opened: OpenBundle) -> list[str]:
    return [item.id for item in opened.bundle.items]


def test_each_member_of_an_archive_is_an_item_of_its_own(make_bundle: BundleMaker) -> None:
    inner = honest_zip({"deep.txt": b"deep"})
    papers = honest_zip({"a.md": b"one", "sub/a.md": b"two", "inner.zip": inner, ".DS_Store": b"x"})
    with open_bundle(make_bundle({"papers.zip": papers, "z.md": b"z"})) as opened:
        assert ids(opened) == [
            "papers",
            "papers.a",
            "papers.inner",
            "papers.inner.deep",
            "papers.a-2",
            "z",
        ]
        assert opened.read("papers.a-2") == b"two"
        assert opened.read("papers.inner.deep") == b"deep"
        member = opened.bundle.item("papers.a")
        assert member is not None
        assert (member.parent, member.file) == ("papers", "context/papers.zip!/a.md")
        assert member.hash_state is HashState.VERIFIED
        assert sorted(pack(opened, Settings()).contents) == [
            "context/papers.zip",
            "context/z.md",
            "manifest.json",
            "tez.md",
        ]


def test_a_member_is_as_private_and_as_sound_as_its_archive(make_bundle: BundleMaker) -> None:
    files = {"papers.zip": honest_zip({"a.md": b"one"})}
    manifest = manifest_of(files)
    manifest["context"]["items"][0] |= {
        "access": "interrogation_only",
        "hash": "sha256:" + "0" * 64,
    }
    with open_bundle(make_bundle(files, manifest=manifest)) as opened:
        member = opened.bundle.items[1]
        assert member.access.level is AccessLevel.INTERROGATION_ONLY
        assert member.state is ItemState.CORRUPTED
        assert not member.has_integrity


def test_nesting_ends_at_its_limit(make_bundle: BundleMaker) -> None:
    content = honest_zip({"bottom.txt": b"x"})
    for _ in range(6):
        content = honest_zip({"next.zip": content})
    with open_bundle(make_bundle({"a.zip": content})) as opened:
        assert ids(opened) == ["a", "a.next", "a.next.next", "a.next.next.next"]
        assert "archive-depth" in {finding.code for finding in opened.findings}


def test_a_hostile_archive_is_flagged_and_the_rest_is_read(make_bundle: BundleMaker) -> None:
    hostile = zip_bytes([Entry(b"../x", b"x")])
    bomb = zip_bytes([Entry(b"x", b"\x00" * (5 << 20))])
    with open_bundle(make_bundle({"h.zip": hostile, "b.zip": bomb, "n.md": b"fine"})) as opened:
        assert ids(opened) == ["h", "b", "n"]
        codes = [finding.code for finding in opened.findings]
        assert codes.count("hostile-archive") == 2


def test_archives_share_one_budget(make_bundle: BundleMaker) -> None:
    files = {
        f"{name}.zip": honest_zip({f"{n}.txt": b"x" * 100 for n in range(4)}) for name in "abc"
    }
    with open_bundle(make_bundle(files), settings=Settings(max_items=9)) as opened:
        assert len(opened.bundle.items) == 9
        assert "too-many-items" in {finding.code for finding in opened.findings}
    with open_bundle(make_bundle(files), settings=Settings(max_unpacked_bytes=900)) as opened:
        assert len(opened.bundle.items) == 3 + 8
        assert "hostile-archive" in {finding.code for finding in opened.findings}
