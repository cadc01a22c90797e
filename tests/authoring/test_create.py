"""`tip create`: a folder becomes a bundle that validates and stands up to its own audit."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tipstaff.engine import audit_synthesis, index_bundle, open_bundle
from tipstaff.settings import load_settings

Tip = Callable[..., "subprocess.CompletedProcess[str]"]
QUICK = load_settings({"reader": "none", "embedder": "static"})
KEY = "q7Zt93LmXw2Vb8Ns41KdRy60"
FILES = {
    "Board minutes.md": "# Minutes of the board\n\nThe board approved $48,200 for the roof on "
    "3 May 2025.\n\nThe depot in Leeds holds 4,200 pallets.\n",
    "notes/pump_test.txt": "The pumps were tested in June 2025 by Ada Byron.\n",
    "notes/access.txt": f'password = "{KEY}"\n\nAsk jane.doe@example.com about it, please.\n',
    "figures.csv": "Part,Amount\nRoof,48200\nWall,60000\n",
    ".hidden": "not this",
    "empty.txt": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "in" / "depot-papers"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def _manifest(out: Path) -> dict[str, object]:
    content: dict[str, object] = json.loads((out / "manifest.json").read_text())
    return content


def test_every_file_becomes_an_item_with_its_hash_and_a_title(
    tip: Tip, folder: Path, out: Path
) -> None:
    done = tip("create", folder, "-o", out, "--json", "--creator", "Ada Byron")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    items = {item["id"]: item for item in told["items"]}
    assert set(items) == {"board-minutes", "access", "pump_test", "figures"}
    assert items["board-minutes"]["title"] == "Minutes of the board"
    assert items["pump_test"]["title"] == "Pump test"
    assert items["figures"]["type"] in ("data", "spreadsheet")
    digest = hashlib.sha256((folder / "figures.csv").read_bytes()).hexdigest()
    assert items["figures"]["hash"] == f"sha256:{digest}"
    assert told["id"] == "depot-papers"
    assert any("empty.txt" in words for words in told["left_out"])
    valid = tip("validate", out, "--json")
    assert json.loads(valid.stdout)["counts"]["error"] == 0
    assert json.loads(valid.stdout)["level"] == 3


def test_the_drafted_synthesis_stands_up_to_its_audit(tip: Tip, folder: Path, out: Path) -> None:
    assert tip("create", folder, "-o", out, "--yes").returncode == 0
    with open_bundle(out, settings=QUICK) as opened:
        audit = audit_synthesis(index_bundle(opened, settings=QUICK))
    assert not audit.problems
    assert audit.counts["supported"] >= 3
    assert audit.score == 1.0


def test_secrets_and_personal_data_are_told_with_their_places_and_not_repeated(
    tip: Tip, folder: Path, out: Path
) -> None:
    done = tip("create", folder, "-o", out)
    assert "password or token in [[access:L1]] (q7Zt…)" in done.stderr
    assert "e-mail address in [[access:L3]] (jane…)" in done.stderr
    assert KEY not in done.stdout + done.stderr
    assert KEY not in (out / "tez.md").read_text()
    assert "jane.doe" not in (out / "tez.md").read_text()


def test_strict_writes_nothing_where_there_is_a_secret(tip: Tip, folder: Path, out: Path) -> None:
    assert tip("create", folder, "-o", out, "--strict").returncode == 9
    assert not out.exists()
    done = tip("create", folder, "-o", out, "--strict", "--exclude", "notes/access.txt")
    assert done.returncode == 0


def test_terms_are_written_as_they_were_given(tip: Tip, folder: Path, out: Path) -> None:
    (folder / "conversation.json").write_text('{"turns": []}')
    words = ["--access", "figures=interrogation_only", "--access", "access=creator_only"]
    words += ["--hosting", "sender", "--limit", "rate_limit_per_minute=5"]
    words += ["--expires", "2027-01-31", "--conversation", "full", "--title", "The Depot"]
    assert tip("create", folder, "-o", out, *words).returncode == 0
    with open_bundle(out) as opened:
        bundle = opened.bundle
        levels = {item.id: str(item.access) for item in bundle.items}
    assert (bundle.id, bundle.title) == ("the-depot", "The Depot")
    assert bundle.hosting.limits.rate_limit_per_minute == 5
    assert bundle.hosting.limits.expires_at == "2027-01-31"
    assert "interrogation_only" in levels["figures"]
    assert "creator_only" in levels["access"]
    assert bundle.conversation.sharing == "full"


def test_a_conversation_that_is_not_shared_does_not_go_along(
    tip: Tip, folder: Path, out: Path
) -> None:
    (folder / "conversation.json").write_text('{"turns": []}')
    assert tip("create", folder, "-o", out).returncode == 0
    assert not (out / "conversation.json").exists()
    assert "conversation" not in _manifest(out)


def test_what_not_everybody_may_read_is_not_quoted_to_everybody(
    tip: Tip, folder: Path, out: Path
) -> None:
    done = tip("create", folder, "-o", out, "--access", "pump_test=interrogation_only")
    assert done.returncode == 0
    assert "Ada Byron" not in (out / "tez.md").read_text()


def test_ones_own_synthesis_is_kept_to_the_letter(tip: Tip, folder: Path, out: Path) -> None:
    own = "# Mine\r\n\r\nThe roof [[board-minutes:L3]].\r\n"
    (folder / "tez.md").write_bytes(own.encode())
    assert tip("create", folder, "-o", out).returncode == 0
    assert (out / "tez.md").read_bytes() == own.encode()


def test_nothing_is_overwritten_without_force_and_force_can_be_undone(
    tip: Tip, folder: Path, out: Path
) -> None:
    assert tip("create", folder, "-o", out, "--title", "First").returncode == 0
    refused = tip("create", folder, "-o", out, "--title", "Second")
    assert (refused.returncode, "exists already" in refused.stderr) == (2, True)
    assert _manifest(out)["id"] == "first"
    assert tip("create", folder, "-o", out, "--title", "Second", "--force").returncode == 0
    assert _manifest(out)["id"] == "second"
    assert tip("create", "--undo", "-o", out).returncode == 0
    assert _manifest(out)["id"] == "first"


def test_force_replaces_nothing_that_is_no_bundle(tip: Tip, folder: Path, out: Path) -> None:
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    assert tip("create", folder, "-o", out, "--force").returncode == 2
    assert (out / "thesis.txt").read_text() == "years of work"


def test_one_file_is_written_where_one_is_named(tip: Tip, folder: Path, tmp_path: Path) -> None:
    epoch = {"SOURCE_DATE_EPOCH": "1700000000"}
    for name in ("a.tez", "b.tez"):
        assert tip("create", folder, "-o", tmp_path / name, env=epoch).returncode == 0
    assert (tmp_path / "a.tez").read_bytes() == (tmp_path / "b.tez").read_bytes()
    assert tip("validate", tmp_path / "a.tez").returncode == 0


def _wizard(folder: Path, out: Path, answers: str) -> subprocess.CompletedProcess[str]:
    words = ["create", str(folder), "-o", str(out), "--wizard"]
    return subprocess.run(
        [sys.executable, "-m", "tipstaff", *words],
        input=answers,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {},
    )


def test_the_wizard_asks_and_does_as_it_is_told(folder: Path, out: Path) -> None:
    answers = [
        "Depot 2025",
        "",
        "Ada",
        "-1, 2=summary_only",
        "",
        "sender",
        "10",
        "",
        "",
        "4",
        "",
        "y",
    ]
    done = _wizard(folder, out, "\n".join(answers) + "\n")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["id"], manifest["creator"]["name"]) == ("depot-2025", "Ada")
    assert len(manifest["context"]["items"]) == 3
    assert "summary_only" in [item.get("access") for item in manifest["context"]["items"]]
    assert manifest["sharing"]["hosting_limits"] == {
        "interrogations_per_recipient": 10,
        "rate_limit_per_minute": 4,
    }


def test_the_wizard_does_not_write_a_secret_by_default(folder: Path, out: Path) -> None:
    done = _wizard(folder, out, "")
    assert (done.returncode, "Nothing was written." in done.stderr) == (0, True)
    assert not out.exists()
