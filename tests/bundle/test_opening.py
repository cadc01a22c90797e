"""Every level opens; every oddity is a finding; nothing to interrogate is a refusal."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.bundle.opening import OpenBundle, open_bundle
from tipstaff.domain.access import AccessLevel, AccessType
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.item import HashState, ItemState
from tipstaff.errors import BundleUnusable, ContextPartlyLoaded, NotFound, VersionMismatch
from tipstaff.settings import Settings


def codes(opened: OpenBundle) -> set[str]:
    return {finding.code for finding in opened.findings}


def test_a_platform_bundle_opens_without_a_finding(make_bundle: BundleMaker) -> None:
    with open_bundle(make_bundle()) as opened:
        bundle = opened.bundle
        assert (bundle.level, bundle.id, bundle.version) == (BundleLevel.PLATFORM, "small-tez", 1)
        assert [item.hash_state for item in bundle.items] == [HashState.VERIFIED]
        assert opened.findings == ()
        assert opened.load_failure() is None


def test_a_portable_bundle_finds_its_items(make_bundle: BundleMaker) -> None:
    manifest = {
        "tezit_version": "1.1",
        "id": "portable",
        "title": "Portable",
        "created_at": "2025-01-01T00:00:00Z",
        "synthesis": {"file": "synthesis.md"},
    }
    folder = make_bundle(
        {"a.md": b"one", "sub/b.txt": b"two"},
        manifest=manifest,
        synthesis=None,
        extra={"synthesis.md": b"# S", "params.json": b"{}", "stray.md": b"no item"},
    )
    with open_bundle(folder) as opened:
        assert opened.bundle.level is BundleLevel.PORTABLE
        assert [(item.id, item.file) for item in opened.bundle.items] == [
            ("a", "context/a.md"),
            ("b", "context/sub/b.txt"),
        ]
        assert opened.bundle.synthesis is not None
        assert opened.bundle.synthesis.file == "synthesis.md"
        assert {item.hash_state for item in opened.bundle.items} == {HashState.PINNED}


def test_an_informal_folder_is_a_bundle(tmp_path: Path) -> None:
    folder = tmp_path / "My Papers"
    (folder / "more").mkdir(parents=True)
    (folder / "README.md").write_text("# About these papers")
    (folder / "report.pdf").write_bytes(b"%PDF-1.4 %%EOF")
    (folder / "report.txt").write_text("text")
    (folder / "more" / "Budget 2025.csv").write_text("a,b\n1,2\n")
    (folder / ".hidden").write_text("x")
    with open_bundle(folder) as opened:
        bundle = opened.bundle
        assert bundle.level is BundleLevel.INFORMAL
        assert bundle.id == "my-papers"
        assert bundle.synthesis is not None
        assert bundle.synthesis.file == "README.md"
        assert [(item.id, item.type) for item in bundle.items] == [
            ("budget-2025", "spreadsheet"),
            ("report", "document"),
            ("report-txt", "document"),
        ]
        assert {"informal", "left-out"} <= codes(opened)


def test_the_largest_document_stands_for_a_missing_synthesis(tmp_path: Path) -> None:
    (tmp_path / "small.md").write_text("x")
    (tmp_path / "large.md").write_text("y" * 100)
    (tmp_path / "huge.txt").write_text("z" * 1000)
    with open_bundle(tmp_path) as opened:
        assert opened.bundle.synthesis is not None
        assert opened.bundle.synthesis.file == "large.md"


def inline(context: str, body: str = "# Title\n\nIt says so [[Board: minutes]].\n") -> bytes:
    return (
        f"---\ntezit: 1.2\ntitle: An inline tez\nprofile: knowledge\n{context}---\n{body}".encode()
    )


def test_an_inline_document_carries_its_items(tmp_path: Path) -> None:
    content = b"Approved on 3 March.\n"
    encoded = base64.b64encode(content).decode()
    digest = hashlib.sha256(content).hexdigest()
    path = tmp_path / "inline.md"
    path.write_bytes(
        inline(
            "context:\n"
            f'  - label: "Board: minutes"\n    mime: text/markdown\n    hash: sha256:{digest}\n'
            f"    content_b64: {encoded}\n"
            "  - label: Press release\n    url: https://example.com/x\n"
            "  - label: Beside\n    file: beside.txt\n"
            "  - label: Outside\n    file: ../outside.txt\n"
            f"  - label: Changed\n    hash: sha256:{digest}\n    content_b64: AAAA\n"
        )
    )
    (tmp_path / "beside.txt").write_text("beside")
    with open_bundle(path) as opened:
        bundle = opened.bundle
        assert bundle.level is BundleLevel.INLINE
        assert bundle.title == "An inline tez"
        assert bundle.tezit_version == "1.2"
        states = {item.id: (item.state, item.hash_state) for item in bundle.items}
        assert states == {
            "board-minutes": (ItemState.AVAILABLE, HashState.VERIFIED),
            "press-release": (ItemState.EXTERNAL, HashState.UNAVAILABLE),
            "beside": (ItemState.AVAILABLE, HashState.PINNED),
            "outside": (ItemState.REFUSED, HashState.UNAVAILABLE),
            "changed": (ItemState.CORRUPTED, HashState.MISMATCH),
        }
        assert opened.read("board-minutes") == content
        assert bundle.citable_names()["Board: minutes"] == "board-minutes"
        failure = opened.load_failure()
        assert failure is not None
        assert failure.details["available_items"] == ["board-minutes", "beside"]


@pytest.mark.parametrize(
    ("matter", "code"),
    [
        (b"# No front matter at all\n", "no-front-matter"),
        (b"---\ntitle: x\n---\nbody", "no-tezit"),
        (b"---\ntezit: 1.2\ncontext: {scope: full, item_count: 4}\n---\nbody", "no-items"),
        (b"---\ntezit: [unclosed\n---\nbody", "front-matter"),
        (b"---\na: &x [1]\nb: *x\n---\nbody", "front-matter"),
        (b"---\na: " + b"[" * 100_000 + b"\n---\nbody", "front-matter"),
        (b"---\n- a list\n---\nbody", "front-matter"),
        (b"---\ntitle: !!bool foo\n---\nbody", "front-matter"),
        (b"---\ntitle: !!timestamp foo\n---\nbody", "front-matter"),
        (b"---\ntitle: one\ntitle: two\n---\nbody", "front-matter"),
        (b"---\na:\n" + b"- x\n" * 120_000 + b"---\nbody", "front-matter"),
        (b"---\ntezit: .inf\nversion: 0x" + b"f" * 5000 + b"\n---\nbody", "wrong-type"),
        (b"---\ntezit: 1.2\ninterrogation: {required_features: [x]}\n---\nb", "unknown-feature"),
    ],
)
def test_odd_front_matter_is_a_finding(matter: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.md"
    path.write_bytes(matter)
    with open_bundle(path) as opened:
        assert code in codes(opened)


def test_two_embedded_items_with_one_file_name_keep_their_own_bytes(tmp_path: Path) -> None:
    path = tmp_path / "twins.md"
    path.write_bytes(
        inline(
            "context:\n"
            "  - {label: One, file: same.md, content_b64: MQ==}\n"
            "  - {label: Two, file: same.md, content_b64: Mg==}\n"
            "  - {label: Three, file: ../../same.md, content_b64: Mw==}\n"
        )
    )
    with open_bundle(path) as opened:
        assert [opened.read(name) for name in ("one", "two", "three")] == [b"1", b"2", b"3"]


MANIFEST_ODDITIES: list[tuple[dict[str, Any], str]] = [
    ({"tezit_version": "3.0"}, "tezit-version"),
    ({"id": "Not An Id!"}, "odd-id"),
    ({"version": "one"}, "wrong-type"),
    ({"creator": 7}, "wrong-type"),
    ({"permissions": []}, "wrong-type"),
    ({"interrogation": {"tip_version": "1.7"}}, "tip-version-ahead"),
    ({"interrogation": {"tip_version": "soon"}}, "tip-version"),
    ({"interrogation": {"required_features": ["telepathy"]}}, "unknown-feature"),
    ({"conversation": {"sharing": "everything"}}, "conversation-sharing"),
    ({"conversation": {"sharing": "full"}}, "conversation-missing"),
    ({"privacy": {"retention_days": -3}}, "wrong-type"),
]


@pytest.mark.parametrize(("change", "code"), MANIFEST_ODDITIES)
def test_an_odd_manifest_opens_with_a_finding(
    change: dict[str, Any], code: str, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": b"The sky is blue.\n"}
    with open_bundle(make_bundle(items, manifest=manifest_of(items, **change))) as opened:
        assert code in codes(opened)
        assert opened.read("notes") == items["notes.md"]


ITEM_ODDITIES: list[tuple[dict[str, Any], str, ItemState]] = [
    ({"type": "transcript"}, "unknown-type", ItemState.AVAILABLE),
    ({"hash": None}, "no-hash", ItemState.AVAILABLE),
    ({"hash": "sha256:" + "0" * 64}, "hash-mismatch", ItemState.CORRUPTED),
    ({"hash": "md5:abc"}, "bad-hash", ItemState.CORRUPTED),
    ({"size_bytes": 3}, "size-differs", ItemState.AVAILABLE),
    ({"mime_type": "application/pdf"}, "media-type-differs", ItemState.AVAILABLE),
    ({"id": "Odd Id"}, "odd-id", ItemState.AVAILABLE),
    ({"id": None}, "no-id", ItemState.AVAILABLE),
    ({"file": "context/none.md"}, "missing-file", ItemState.MISSING),
    ({"file": None}, "no-file", ItemState.MISSING),
    ({"file": None, "external_uri": "https://example.com"}, "external", ItemState.EXTERNAL),
    ({"file": "../../etc/passwd"}, "unsafe-name", ItemState.REFUSED),
    ({"file": "/etc/passwd"}, "unsafe-name", ItemState.REFUSED),
    ({"file": "context/\u0000.md"}, "unsafe-name", ItemState.REFUSED),
    ({"file": "context"}, "refused-file", ItemState.REFUSED),
]


@pytest.mark.parametrize(("change", "code", "state"), ITEM_ODDITIES)
def test_an_odd_item_is_listed_and_flagged(
    change: dict[str, Any], code: str, state: ItemState, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": b"The sky is blue.\n", "other.md": b"other"}
    manifest = manifest_of(items)
    manifest["context"]["items"][0] |= change
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        assert code in codes(opened)
        assert opened.bundle.items[0].state is state
        assert len(opened.bundle.items) == 2
        failure = opened.load_failure()
        if state is not ItemState.AVAILABLE:
            assert failure is not None
            assert failure.details["failed_items"][0]["suggestion"]


def test_findings_carry_json_pointers(make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x", "other.md": b"y"}
    manifest = manifest_of(items)
    manifest["context"]["items"][1]["hash"] = "sha256:" + "0" * 64
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        (finding,) = opened.findings
        assert finding.where == "manifest.json#/context/items/1/hash"


def test_the_second_of_two_equal_ids_is_renamed_and_flagged(make_bundle: BundleMaker) -> None:
    items = {"a.md": b"first", "b.md": b"second"}
    manifest = manifest_of(items)
    manifest["context"]["items"][1]["id"] = "a"
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        assert [item.id for item in opened.bundle.items] == ["a", "a-2"]
        assert (opened.read("a"), opened.read("a-2")) == (b"first", b"second")
        assert "duplicate-id" in codes(opened)


def test_a_renamed_item_takes_no_name_that_another_has(make_bundle: BundleMaker) -> None:
    items = {"a.md": b"first", "b.md": b"second", "a-2.md": b"third"}
    manifest = manifest_of(items)
    manifest["context"]["items"][1]["id"] = "a"
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        assert [item.id for item in opened.bundle.items] == ["a", "a-3", "a-2"]
        assert opened.read("a-2") == b"third"


def test_a_dot_before_a_file_name_is_no_other_file(make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x"}
    manifest = manifest_of(items)
    manifest["context"]["items"][0]["file"] = "./context//notes.md"
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        assert opened.bundle.items[0].file == "context/notes.md"
        assert opened.read("notes") == b"x"


def test_a_document_that_a_link_names_is_opened(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_bytes(inline("context: []\n"))
    (tmp_path / "link.md").symlink_to(tmp_path / "real.md")
    with open_bundle(tmp_path / "link.md") as opened:
        assert opened.bundle.title == "An inline tez"


def test_too_many_items_are_refused(make_bundle: BundleMaker, tmp_path: Path) -> None:
    folder = make_bundle({f"{number}.md": b"x" for number in range(6)})
    with pytest.raises(BundleUnusable, match="6 context items, more than the 5"):
        open_bundle(folder, settings=Settings(max_items=5))
    (folder / "manifest.json").unlink()
    with pytest.raises(BundleUnusable, match="6 files"):
        open_bundle(folder, settings=Settings(max_items=5))


def test_a_file_over_the_limit_is_listed_but_not_read(make_bundle: BundleMaker) -> None:
    folder = make_bundle({"large.md": b"x" * 2000, "small.md": b"y"})
    with open_bundle(folder, settings=Settings(max_file_bytes=1000)) as opened:
        assert [item.state for item in opened.bundle.items] == [
            ItemState.REFUSED,
            ItemState.AVAILABLE,
        ]


def test_links_that_lead_out_and_pipes_are_refused(
    make_bundle: BundleMaker, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    items = {"out.md": b"", "pipe.md": b"", "in.md": b""}
    folder = make_bundle(items)
    for name in items:
        (folder / "context" / name).unlink()
    (folder / "context" / "out.md").symlink_to(secret)
    os.mkfifo(folder / "context" / "pipe.md")
    (folder / "context" / "in.md").symlink_to(folder / "tez.md")
    with open_bundle(folder) as opened:
        states = {item.id: item.state for item in opened.bundle.items}
        assert states["out"] is ItemState.REFUSED
        assert states["pipe"] is ItemState.REFUSED
        assert states["in"] is ItemState.CORRUPTED


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"null",
        b"[1, 2]",
        b"{",
        b'{"id": "a", "id": "b"}',
        b'{"a": NaN}',
        b'{"a":' * 100_000,
        b"[" * 200 + b"]" * 200,
        b'{"a": ' + b"9" * 5000 + b"}",
        b"\xff\xfe\x00",
    ],
)
def test_a_manifest_that_cannot_be_read_is_one_sentence(
    manifest: bytes, make_bundle: BundleMaker
) -> None:
    with pytest.raises(BundleUnusable, match=r"manifest\.json cannot be read"):
        open_bundle(make_bundle(manifest=manifest))


def test_a_number_beyond_all_numbers_is_a_finding(make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x"}
    manifest = json.dumps(manifest_of(items, version=4711)).replace("4711", "1e400").encode()
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        assert codes(opened) == {"wrong-type"}
        assert opened.bundle.version == 1


def test_a_manifest_in_utf16_with_lone_surrogates_opens(make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x"}
    manifest = json.dumps(manifest_of(items)).replace("Notes", "No\\ud800tes").encode("utf-16")
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        opened.bundle.items[0].title.encode("utf-8")


@pytest.mark.parametrize("version", ["2.0", "v2.0", "2.x", "2.0-beta", "10000.0", 3, 2.5])
def test_a_major_version_beyond_ours_is_refused(version: Any, make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x"}
    manifest = manifest_of(items, interrogation={"tip_version": version})
    with pytest.raises(VersionMismatch) as refusal:
        open_bundle(make_bundle(items, manifest=manifest))
    assert refusal.value.to_wire()["error"]["supported_version"] == "1.0"


@pytest.mark.parametrize("folder", ["empty", "only-empty-files", "manifest-only"])
def test_nothing_to_interrogate_is_a_refusal(folder: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "only-empty-files").mkdir()
    (tmp_path / "only-empty-files" / "a.bin").touch()
    (tmp_path / "manifest-only").mkdir()
    (tmp_path / "manifest-only" / "manifest.json").write_text("{}")
    with pytest.raises(BundleUnusable, match="nothing to interrogate"):
        open_bundle(tmp_path / folder)


def test_a_path_that_is_no_bundle_says_what_one_is(tmp_path: Path) -> None:
    with pytest.raises(BundleUnusable, match="There is no bundle at"):
        open_bundle(tmp_path / "nowhere")
    (tmp_path / "x.bin").write_bytes(b"\x00\x01")
    with pytest.raises(BundleUnusable, match="is not a bundle"):
        open_bundle(tmp_path / "x.bin")


def test_a_missing_synthesis_is_a_finding(make_bundle: BundleMaker) -> None:
    with open_bundle(make_bundle(synthesis=None)) as opened:
        assert opened.bundle.synthesis is None
        assert "no-synthesis" in codes(opened)


def test_a_file_that_changes_after_opening_is_not_served(make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    with open_bundle(folder) as opened:
        (folder / "context" / "notes.md").write_bytes(b"The sky is green.\n")
        with pytest.raises(ContextPartlyLoaded):
            opened.read("notes")
        with pytest.raises(NotFound):
            opened.read("nothing")


def test_a_file_that_the_manifest_does_not_list_is_no_context(make_bundle: BundleMaker) -> None:
    folder = make_bundle(extra={"context/stray.md": b"stray", "test-queries.json": b"[]"})
    with open_bundle(folder) as opened:
        assert [item.id for item in opened.bundle.items] == ["notes"]
        (finding,) = opened.findings
        assert (finding.code, "context/stray.md" in finding.message) == ("undeclared-file", True)


ACCESS: list[tuple[Any, AccessType, AccessLevel]] = [
    (None, AccessType.PUBLIC, AccessLevel.FULL),
    ("full", AccessType.PUBLIC, AccessLevel.FULL),
    ("interrogation_only", AccessType.PUBLIC, AccessLevel.INTERROGATION_ONLY),
    ("summary_only", AccessType.PUBLIC, AccessLevel.SUMMARY_ONLY),
    ({"type": "creator_only"}, AccessType.CREATOR_ONLY, AccessLevel.FULL),
    (
        {"type": "fga", "level": "interrogation_only"},
        AccessType.FGA,
        AccessLevel.INTERROGATION_ONLY,
    ),
    ({"level": "nonsense"}, AccessType.PUBLIC, AccessLevel.INTERROGATION_ONLY),
    ("nonsense", AccessType.CREATOR_ONLY, AccessLevel.FULL),
    ({"type": "nonsense"}, AccessType.CREATOR_ONLY, AccessLevel.FULL),
    (7, AccessType.CREATOR_ONLY, AccessLevel.FULL),
]


@pytest.mark.parametrize(("declared", "kind", "level"), ACCESS)
def test_both_shapes_of_access_are_read_and_doubt_closes(
    declared: Any, kind: AccessType, level: AccessLevel, make_bundle: BundleMaker
) -> None:
    items = {"notes.md": b"x"}
    manifest = manifest_of(items)
    manifest["context"]["items"][0]["access"] = declared
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        access = opened.bundle.items[0].access
        assert (access.type, access.level) == (kind, level)


def test_fga_attributes_reach_the_authorizer(make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x"}
    manifest = manifest_of(items)
    rule = {"type": "fga", "object": "document:notes", "relation": "can_read"}
    manifest["context"]["items"][0]["access"] = rule
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        attributes = opened.bundle.items[0].access.attributes
        assert attributes == {"object": "document:notes", "relation": "can_read"}


def test_the_senders_terms_are_read(make_bundle: BundleMaker) -> None:
    items = {"notes.md": b"x"}
    manifest = manifest_of(
        items,
        sharing={
            "hosting": "dual",
            "hosting_limits": {"rate_limit_per_minute": 10, "expires_at": "2026-06-01T00:00:00Z"},
            "sender_hosted": {"url": "https://x", "limits": {"interrogations_per_recipient": 5}},
            "portable": {"allow_download": True},
        },
        privacy={"query_logging": "opt_in", "data_residency": {"regions": ["eu-west"]}},
        tip_config={"recommended_top_k": 15},
        permissions={"interrogate": False},
        future_field={"kept": True},
    )
    with open_bundle(make_bundle(items, manifest=manifest)) as opened:
        bundle = opened.bundle
        assert bundle.hosting.limits.interrogations_per_recipient == 5
        assert bundle.hosting.limits.rate_limit_per_minute == 10
        assert bundle.hosting.limits.expires_at == "2026-06-01T00:00:00Z"
        assert bundle.hosting.allow_download is True
        assert bundle.privacy.query_logging == "opt_in"
        assert bundle.privacy.data_residency == {"regions": ["eu-west"]}
        assert bundle.tip_config == {"recommended_top_k": 15}
        assert bundle.permissions.interrogate is False
        assert bundle.manifest["future_field"] == {"kept": True}
