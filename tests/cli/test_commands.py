"""The commands as a person or a program meets them: streams, exit codes, JSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MERIDIAN, ROOT, BundleMaker, manifest_of

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
PUBLISHED = ROOT.parent / "shared" / "bundles" / "tip-compliance"


@pytest.mark.parametrize("bundle", [MERIDIAN, MERIDIAN.with_suffix(".tez")])
def test_inspect_lists_ten_items_with_verified_hashes(bundle: Path, tip: Tip) -> None:
    done = tip("inspect", "--json", bundle)
    assert done.returncode == 0
    shown = json.loads(done.stdout)
    assert shown["id"] == "meridian-corp-2025-11"
    assert len(shown["items"]) == 10
    assert {item["hash_state"] for item in shown["items"]} == {"verified"}
    assert {item["state"] for item in shown["items"]} == {"available"}
    assert shown["load_failure"] is None
    assert all(item["indexed"] for item in shown["items"])
    (finding,) = shown["findings"]
    assert (finding["code"], finding["where"]) == ("hidden-text", "budget-spreadsheet")


def test_inspect_for_a_person_is_plain_when_piped(tip: Tip) -> None:
    done = tip("inspect", MERIDIAN)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "financial-report" in done.stdout
    assert "10 of 10 hashes verified" in done.stdout
    assert done.stderr.splitlines() == [
        "note: budget-spreadsheet: Hidden text: hidden sheet 'Assumptions' (433 characters)."
    ]


def test_inspect_reports_what_failed_in_the_shape_of_section_14_1(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    folder = make_bundle({"a.md": b"a", "b.md": b"b"})
    (folder / "context" / "b.md").unlink()
    done = tip("inspect", folder, "--json")
    assert done.returncode == 0
    failure = json.loads(done.stdout)["load_failure"]
    assert failure["type"] == "context_loading_partial_failure"
    assert [item["item_id"] for item in failure["failed_items"]] == ["b"]
    assert failure["available_items"] == ["a"]
    assert "missing: b: The file is not in the bundle." in tip("inspect", folder).stdout


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published bundle is not beside this clone")
def test_the_published_bundle_opens_with_warnings(tip: Tip) -> None:
    done = tip("validate", PUBLISHED, "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["counts"]["error"] == 0
    assert {finding["code"] for finding in report["findings"]} == {
        "no-hash",
        "unknown-type",
        "broken-citation",
    }
    assert tip("validate", PUBLISHED, "--strict").returncode == 9


def test_validate_fails_with_9_on_an_error(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    (folder / "context" / "notes.md").write_bytes(b"changed")
    done = tip("validate", folder)
    assert done.returncode == 9
    assert "manifest.json#/context/items/0/hash" in done.stdout
    assert "not valid" in done.stdout


def test_validate_finds_citations_to_nothing(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle(synthesis=b"# S\n\nTrue [[notes:L1]]. Made up [[ghost:p4]].\n")
    report = json.loads(tip("validate", folder, "--json").stdout)
    (finding,) = report["findings"]
    assert (finding["code"], finding["where"]) == ("broken-citation", "tez.md:L3")


def test_a_citation_of_something_unreadable_is_said_to_be_unchecked(
    tip: Tip, make_bundle: BundleMaker
) -> None:
    folder = make_bundle(
        {"locked.pdf": b"%PDF-1.4 no more"}, synthesis=b"So it says [[locked:p1]].\n"
    )
    report = json.loads(tip("validate", folder, "--json").stdout)
    (finding,) = [f for f in report["findings"] if f["code"] == "broken-citation"]
    assert "cannot be checked" in finding["message"]


def test_pack_import_export_import(tip: Tip, tmp_path: Path) -> None:
    tez, folder = tmp_path / "x.tez", tmp_path / "folder"
    document, again = tmp_path / "doc" / "x.md", tmp_path / "again"
    assert tip("pack", MERIDIAN, "-o", tez).returncode == 0
    assert tip("import", tez, "-o", folder).returncode == 0
    assert tip("export", folder, "--inline", "--with-files", "-o", document).returncode == 0
    assert tip("import", document, "-o", again).returncode == 0
    for path in sorted((MERIDIAN / "context").iterdir()):
        assert (again / "context" / path.name).read_bytes() == path.read_bytes()
    assert (again / "tez.md").read_bytes() == (MERIDIAN / "tez.md").read_bytes()
    shown = json.loads(tip("inspect", again, "--json").stdout)
    assert {item["hash_state"] for item in shown["items"]} == {"verified"}


def test_export_says_what_it_leaves_out(tip: Tip, tmp_path: Path) -> None:
    done = tip("export", MERIDIAN, "--inline", "-o", tmp_path / "x.md")
    assert done.returncode == 0
    for left_out in ("conversation.json", "params.json", "test-queries.json", "financial-report"):
        assert left_out in done.stderr


def test_writing_over_something_needs_force(
    tip: Tip, tmp_path: Path, make_bundle: BundleMaker
) -> None:
    folder, target = make_bundle(), tmp_path / "x.tez"
    target.write_text("mine")
    done = tip("pack", folder, "-o", target)
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert target.read_text() == "mine"
    assert tip("pack", folder, "-o", target, "--force").returncode == 0


def test_restricted_items_are_pointed_out_when_packed(
    tip: Tip, tmp_path: Path, make_bundle: BundleMaker
) -> None:
    manifest = manifest_of({"notes.md": b"x"})
    manifest["context"]["items"][0]["access"] = "interrogation_only"
    folder = make_bundle({"notes.md": b"x"}, manifest=manifest)
    done = tip("pack", folder, "-o", tmp_path / "x.tez")
    assert "interrogation_only" in done.stderr


def test_a_failure_with_json_is_json_on_stdout(tip: Tip, tmp_path: Path) -> None:
    done = tip("inspect", tmp_path / "nowhere.tez", "--json")
    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]["type"] == "context_loading_total_failure"
    assert done.stderr.startswith("error: There is no bundle at")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["inspct", "x"], "Did you mean 'tip inspect'?"),
        (["inspect"], "required: BUNDLE"),
        (["inspect", "x", "--set", "nosense=1"], "no setting 'nosense'"),
        (["inspect", "x", "--set", "nosense"], "--set takes NAME=VALUE"),
        (["export", "x", "-o", "y"], "--inline"),
        (["pack", "x"], "-o/--output"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_do(words: list[str], said: str, tip: Tip) -> None:
    done = tip(*words)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_help_and_version(tip: Tip) -> None:
    assert tip("--version").stdout.startswith("tip ")
    assert "inspect" in tip("--help").stdout
    assert "--strict" in tip("validate", "--help").stdout
    assert tip().returncode == 2


def test_a_hostile_title_cannot_drive_the_terminal(tip: Tip, make_bundle: BundleMaker) -> None:
    manifest = manifest_of({"notes.md": b"x"})
    manifest["context"]["items"][0]["title"] = "\x1b[2J\x1b]0;owned\x07Fine\u202etxt"
    manifest["synthesis"]["title"] = "Title\x1b[31m"
    done = tip("inspect", make_bundle({"notes.md": b"x"}, manifest=manifest))
    assert "\x1b" not in done.stdout + done.stderr
    assert "\u202e" not in done.stdout + done.stderr
    assert "Fine" in done.stdout


def test_a_title_cannot_forge_lines_of_the_report(tip: Tip, make_bundle: BundleMaker) -> None:
    manifest = manifest_of({"notes.md": b"x"})
    manifest["synthesis"]["title"] = "Title\n\n10 of 10 hashes verified."
    done = tip("inspect", make_bundle({"notes.md": b"x"}, manifest=manifest))
    assert done.stdout.splitlines()[0] == "Title 10 of 10 hashes verified."


def test_a_text_of_a_million_words_is_described(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle({"long.txt": b"word and word \n" * 120_000})
    shown = json.loads(tip("inspect", folder, "--json").stdout)
    assert shown["items"][0]["tokens"] > 300_000
    assert shown["loading_strategy"] == "rag"


def test_output_that_cannot_be_written_is_one_sentence(make_bundle: BundleMaker) -> None:
    for command in ("inspect --json", "validate", "--version"):
        words = f"{sys.executable} -m tipstaff {command}"
        bundle = str(MERIDIAN) if command != "--version" else ""
        for target, code in ((">/dev/full", 1), (">&-", 0)):
            done = subprocess.run(
                ["bash", "-c", f"{words} {bundle} {target}"],
                capture_output=True,
                text=True,
                check=False,
            )
            assert "Traceback" not in done.stderr
            assert done.returncode == code


def test_a_polite_request_to_stop_leaves_nothing(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys, tipstaff.cli.inspect as command\n"
        "from tipstaff.cli.main import main\n"
        "command.examine = lambda *a, **k: os.kill(os.getpid(), signal.SIGTERM)\n"
        f"sys.exit(main(['inspect', {str(MERIDIAN.with_suffix('.tez'))!r}]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        check=False,
        capture_output=True,
    )
    assert done.returncode == 143
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_is_not_packed_into_itself(tip: Tip, make_bundle: BundleMaker) -> None:
    folder = make_bundle()
    done = tip("pack", folder, "-o", folder / "x.tez")
    assert done.returncode == 2
    assert "inside the folder" in done.stderr


def test_a_closed_pipe_is_no_error(make_bundle: BundleMaker) -> None:
    tip_command = shutil.which("tip", path=str(ROOT / ".venv" / "bin")) or "tip"
    command = f"{tip_command} inspect {MERIDIAN} --json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
