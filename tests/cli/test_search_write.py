"""`tip search --write`: the record of a search goes into the bundle, and nothing else moves."""

from __future__ import annotations

import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import ROOT, BundleMaker

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
OURS = "extensions/com.ragu.retrieval-transparency"
STANDARD = "extensions/tezit-retrieval-transparency"
RECORD = "retrieval-transparency.json"
SCHEMA = json.loads(
    (ROOT / "tests" / "retrieve" / "retrieval-transparency.schema.json").read_text(encoding="utf-8")
)


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_folder_gets_the_two_files_of_the_extension(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    before = files_of(folder)
    done = tip("search", folder, "sky", "--write", "--json")
    assert done.returncode == 0, done.stderr
    after = files_of(folder)
    assert set(after) - set(before) == {f"{OURS}/manifest.json", f"{OURS}/{RECORD}"}
    assert before.items() <= after.items()
    jsonschema.validate(json.loads(after[f"{OURS}/{RECORD}"]), SCHEMA)
    assert tip("validate", folder, "--strict").returncode == 0


def test_an_archive_keeps_every_other_byte(
    tip: Tip, make_bundle: BundleMaker, tmp_path: Path
) -> None:
    target = tmp_path / "small.tez"
    assert tip("pack", make_bundle(), "-o", target).returncode == 0
    with zipfile.ZipFile(target) as archive:
        before = {name: archive.read(name) for name in archive.namelist()}
    assert tip("search", target, "sky", "--write").returncode == 0
    with zipfile.ZipFile(target) as archive:
        after = {name: archive.read(name) for name in archive.namelist()}
    assert set(after) - set(before) == {f"{OURS}/manifest.json", f"{OURS}/{RECORD}"}
    assert before.items() <= after.items()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".small")] == []
    assert tip("validate", target, "--strict").returncode == 0


def test_the_standard_id_is_updated_where_the_bundle_has_it(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    folder = make_bundle(
        extra={f"{STANDARD}/manifest.json": b'{"theirs": true}', f"{STANDARD}/{RECORD}": b"{}"}
    )
    assert tip("search", folder, "sky", "--write").returncode == 0
    assert not (folder / OURS).exists()
    assert (folder / STANDARD / "manifest.json").read_bytes() == b'{"theirs": true}'
    jsonschema.validate(json.loads((folder / STANDARD / RECORD).read_bytes()), SCHEMA)


def test_a_second_search_replaces_the_record(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    strategies = []
    for strategy in ("single_pass", "exhaustive"):
        assert tip("search", folder, "sky", "--write", "--strategy", strategy).returncode == 0
        strategies.append(json.loads((folder / OURS / RECORD).read_bytes())["retrieval_strategy"])
    assert strategies == ["single_pass", "exhaustive"]


def test_a_bundle_with_both_ids_is_left_alone(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle(extra={f"{STANDARD}/{RECORD}": b"{}", f"{OURS}/{RECORD}": b"{}"})
    before = files_of(folder)
    assert tip("search", folder, "sky", "--write").returncode != 0
    assert files_of(folder) == before


@pytest.mark.parametrize("setting", ["none", "vector_score"])
def test_scores_that_may_not_be_shown_are_not_written(
    tip: Tip, make_bundle: BundleMaker, setting: str
) -> None:
    folder = make_bundle()
    done = tip("search", folder, "sky", "--write", "--set", f"transparency={setting}")
    assert done.returncode == 2
    assert not (folder / "extensions").exists()


def test_an_inline_document_cannot_hold_a_record(tip: Tip, tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    entry = "  - label: sky\n    content: The sky is blue.\n"
    text = f"---\ntezit: '1.2'\ntitle: Note\ncontext:\n{entry}---\nBlue.\n"
    path.write_text(text)
    assert tip("search", path, "sky", "--write").returncode == 2
    assert path.read_text() == text


@pytest.mark.parametrize("place", [OURS, STANDARD])
def test_inspect_says_that_a_record_is_there_under_either_id(
    tip: Tip, make_bundle: BundleMaker, place: str
) -> None:
    record = {"retrieval_strategy": "multi_pass", "similarity_scores": [{}, {}]}
    folder = make_bundle(extra={f"{place}/{RECORD}": json.dumps(record).encode()})
    assert "Retrieval record: multi_pass, 2 passages" in tip("inspect", folder).stdout
    shown = json.loads(tip("inspect", folder, "--json").stdout)["retrieval_transparency"]
    assert shown == [{"extension_id": place.removeprefix("extensions/"), "record": record}]


def test_inspect_survives_a_record_that_is_none(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle(extra={f"{OURS}/{RECORD}": b"[1, 2"})
    done = tip("inspect", folder)
    assert done.returncode == 0
    assert "cannot be read" in done.stdout
