"""`tip search` as someone uses it: what a recipient is told, and what is said when it fails."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BundleMaker, manifest_of
from tipstaff.audit.retrieval_log import RetrievalLog

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
ITEMS = {
    "lease.md": b"# The rent\n\nThe rent of the mill is $12,400 a month, due on the first day.\n",
    "memo.md": b"# Kingfisher plan\n\nThe kingfisher plan closes the mill in June.\n",
    "diary.md": b"# Quarrel\n\nA quarrel about the rent of the mill, and a zeppelin.\n",
    "notes.txt": b"Notes on the mill: the wheel turns.\n",
}
ACCESS = {
    "memo": {"type": "creator_only"},
    "diary": {"type": "public", "level": "summary_only"},
    "notes": "interrogation_only",
}
BOB = "user:bob@example.com"


def restricted(
    make_bundle: BundleMaker, names: tuple[str, ...] = tuple(ITEMS), *, name: str = "small"
) -> Path:
    items = {name: ITEMS[name] for name in names}
    manifest = manifest_of(items, id=name)
    for entry in manifest["context"]["items"]:
        if entry["id"] in ACCESS:
            entry["access"] = ACCESS[entry["id"]]
    return make_bundle(items, manifest=manifest, name=name)


def found(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


def records(data: Path) -> list[Mapping[str, Any]]:
    return list(RetrievalLog(data / "tenants" / "local" / "audit", keep_days=90).read())


@pytest.mark.parametrize("strategy", ["single_pass", "multi_pass", "iterative", "auto"])
def test_a_recipient_gets_what_a_bundle_of_their_own_would_give(
    tip: Tip, make_bundle: BundleMaker, strategy: str
) -> None:
    """A secret and an item of which only a summary may be had move nothing (TIP §13.4.2)."""
    words = ("Who pays the rent of the mill, and what is the zeppelin?", "--as", BOB, "--json")
    shown = []
    for number, names in enumerate([tuple(ITEMS), ("lease.md", "notes.txt")]):
        folder = restricted(make_bundle, names, name=f"tez-{number}")
        one = found(tip("search", folder, *words, "--strategy", strategy))
        one["retrieval_summary"].pop("retrieval_time_ms")
        shown.append(one)
    assert shown[0] == shown[1]
    assert {one["item_id"] for one in shown[0]["results"]} == {"lease", "notes"}


def test_neither_words_nor_headings_of_what_may_not_be_quoted_are_shown(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    text = "# Kingfisher closes\n\n" + ("The mill is sold in June. " * 12 + "\n\n") * 8
    items = {"notes.md": text.encode()}
    manifest = manifest_of(items)
    manifest["context"]["items"][0]["access"] = "interrogation_only"
    folder = make_bundle(items, manifest=manifest)
    for one in found(tip("search", folder, "mill", "--as", BOB, "--json"))["results"]:
        assert "not to be quoted" in one["text"]
        assert one["context"] == ""
    asked = tip("ask", folder, "When is the mill sold?", "--as", BOB, "--json", "--explain")
    assert all(one["context"] == "" for one in json.loads(asked.stdout)["retrieved"])
    assert "sold in June" not in json.dumps(json.loads(asked.stdout)["retrieved"])
    owner = found(tip("search", folder, "mill", "--json"))["results"]
    assert any("Kingfisher" in one["context"] for one in owner)


def test_an_item_that_is_hidden_is_refused_as_one_that_is_not_there(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    folder = restricted(make_bundle)
    refusals = []
    for name in ("memo", "diary", "nosuch"):
        done = tip("search", folder, "mill", "--item", name, "--as", BOB, "--json")
        assert done.returncode == 4
        refusals.append((done.stdout + done.stderr).replace(name, "…"))
    assert len(set(refusals)) == 1
    assert tip("search", folder, "mill", "--item", "memo").returncode == 0


def test_a_search_is_narrowed_by_type_and_by_what_else_is_known(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    folder = restricted(make_bundle)
    assert tip("search", folder, "mill", "--type", "spreadsheet").returncode == 4
    assert len(found(tip("search", folder, "mill", "--type", "document", "--json"))["results"]) == 4
    plain = found(tip("search", folder, "mill", "--where", "media_type=text/plain", "--json"))
    assert [one["item_id"] for one in plain["results"]] == ["notes"]
    assert tip("search", folder, "mill", "--where", "colour=red").returncode == 2


def test_items_that_could_not_be_read_are_named_to_those_who_may_know_of_them(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    items = {"lease.md": ITEMS["lease.md"], "blob.bin": b"\0\1\2", "secret.bin": b"\0\1\3"}
    manifest = manifest_of(items)
    manifest["context"]["items"][2]["access"] = {"type": "creator_only"}
    folder = make_bundle(items, manifest=manifest)
    done = tip("search", folder, "rent", "--as", BOB)
    assert "Not searched: blob." in done.stderr
    assert "secret" not in done.stderr + done.stdout
    assert found(tip("search", folder, "rent", "--json"))["unindexed"] == ["blob", "secret"]


def test_ceilings_are_options(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = restricted(make_bundle)
    words = ("search", folder, "What is the rent, what is the plan, and who turns the wheel?")
    several = found(tip(*words, "--strategy", "multi_pass", "--max-sub-queries", "2", "--json"))
    assert len(several["retrieval_summary"]["sub_queries"]) == 2
    rounds = found(tip(*words, "--strategy", "iterative", "--max-iterations", "1", "--json"))
    assert rounds["retrieval_summary"]["ceiling_reached"] == "max_iterations"
    most = found(tip(*words, "--strategy", "iterative", "--max-iterations", "9", "--json"))
    assert any("5 at most" in note for note in most["retrieval_summary"]["notes"])


def test_what_may_not_be_shown_is_not_printed_either(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = restricted(make_bundle)
    words = ("search", folder, "What is the rent and who turns the wheel?")
    multi = ("--strategy", "multi_pass", "--set")
    done = tip(*words, *multi, "transparency=none")
    assert "keyword" not in done.stdout
    assert "also searched" not in done.stderr
    done = tip(*words, *multi, "transparency=vector_score,sub_queries")
    assert " vector 0." in done.stdout
    assert "keyword" not in done.stdout
    assert "also searched" in done.stderr
    assert tip(*words, "--set", "transparency=vectorscore").returncode == 2
    asked = tip("ask", folder, "What is the rent?", "--json", "--set", "transparency=none")
    assert '"retrieval":' not in asked.stdout


def test_an_audit_record_says_who_was_kept_from_what_and_why(
    tip: Tip, make_bundle: BundleMaker, tmp_path: Path
) -> None:
    """Enterprise §3.8, item 4; and the words of a query are in no file (TIP §13.1.1)."""
    folder, data = restricted(make_bundle), tmp_path / "data"
    env = {"TIPSTAFF_DATA_DIR": str(data)}
    query = "What does the zeppelin cost and who pays the rent?"
    for words in (("--as", BOB), ("--as", BOB, "--set", "transparency=none"), ()):
        done = tip("search", folder, query, "--strategy", "multi_pass", *words, env=env)
        assert done.returncode == 0, done.stderr
    first, second, third = records(data)
    for record in (first, second):
        assert record["recipient"] == BOB
        assert record["filtered_items"] == [
            {"item_id": "memo", "access": "creator_only"},
            {"item_id": "diary", "access": "public, summary_only"},
        ]
    assert first["requested_strategy"] == first["retrieval_strategy"] == "multi_pass"
    assert "similarity_scores" not in second
    assert not third.keys() & {"recipient", "filtered_items"}
    kept = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    assert b"zeppelin cost" not in kept


@pytest.mark.parametrize("command", [("index",), ("search", "mill")])
def test_a_data_directory_that_cannot_be_used_is_said(
    tip: Tip, make_bundle: BundleMaker, tmp_path: Path, command: tuple[str, ...]
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    folder = restricted(make_bundle)
    done = tip(command[0], folder, *command[1:], "--json", env={"TIPSTAFF_DATA_DIR": str(blocked)})
    assert done.returncode == 7
    error = json.loads(done.stdout)["error"]
    assert error["type"] == "retrieval_failed"
    assert "data directory" in error["message"]
    assert str(blocked) not in done.stdout + done.stderr
