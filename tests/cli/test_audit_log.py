"""`tip audit-log`: exported, checked, pruned; whoever tampers is found out."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Tip = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tip: Tip, tmp_path: Path) -> Path:
    """A server's data with three records: two tokens, one of them revoked."""
    folder = tmp_path / "data"
    for user in ("jane@example.com", "joe@example.com"):
        assert tip("token", "issue", user, "--every-tez", "--data", folder).returncode == 0
    listed = json.loads(tip("token", "list", "--json", "--data", folder).stdout)["tokens"]
    tip("token", "revoke", listed[0]["token_id"], "--data", folder)
    return folder


def checked(tip: Tip, data: Path, *words: object) -> tuple[int, dict[str, Any]]:
    done = tip("audit-log", "verify", *words, "--data", data, "--json")
    return done.returncode, json.loads(done.stdout)


def test_what_is_exported_is_whole_and_has_an_anchor(tip: Tip, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    done = tip("audit-log", "export", "-o", file, "--data", data, "--json")
    anchor = json.loads(done.stdout)["anchor"]
    assert anchor in done.stderr
    lines = file.read_bytes().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == [
        "token_issued",
        "token_issued",
        "token_revoked",
    ]
    assert b"tts_" not in file.read_bytes()
    assert tip("audit-log", "export", "--data", data).stdout.encode() == file.read_bytes()
    code, told = checked(tip, data, file, "--anchor", anchor)
    assert (code, told["whole"], told["records"], told["anchor"]) == (0, True, 3, anchor)
    file.write_bytes(b"\n".join(lines[:2]) + b"\n")
    assert checked(tip, data, file)[0] == 0
    assert checked(tip, data, file, "--anchor", anchor)[0] == 9
    file.write_bytes(lines[0].replace(b"jane", b"june") + b"\n")
    assert checked(tip, data, file)[0] == 9
    file.write_text("no log")
    assert tip("audit-log", "verify", file, "--data", data).returncode == 2


def test_another_tenants_log_is_empty_not_shown(tip: Tip, data: Path) -> None:
    done = tip("audit-log", "export", "--tenant", "other", "--data", data)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("UPDATE audit SET body = replace(body, 'jane', 'june') WHERE number = 1", 1),
        ("DELETE FROM audit WHERE number = 2", 3),
        ("DELETE FROM audit WHERE number = 3", 3),
        ("UPDATE audit SET body = NULL WHERE number = 2", 2),
    ],
)
def test_whoever_writes_into_the_database_is_found_out(
    tip: Tip, data: Path, statement: str, number: int
) -> None:
    with sqlite3.connect(data / "records.sqlite") as database:
        database.execute("DROP TRIGGER audit_kept")
        database.execute("DROP TRIGGER audit_unchanged")
        database.execute(statement)
    database.close()
    code, told = checked(tip, data)
    assert code == 9
    assert [one["number"] for one in told["findings"]] == [number]


def test_nothing_is_pruned_before_its_time(tip: Tip, data: Path) -> None:
    done = tip("audit-log", "prune", "--data", data, "--json")
    assert json.loads(done.stdout) == {"pruned": 0, "older_than_days": 90}
