"""`tip token`: a secret once, a list without secrets, a revocation that holds at once."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tipstaff.access.tokens import Tokens
from tipstaff.domain.caller import Caller
from tipstaff.records.database import open_records

Tip = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def caller_of(data: Path, secret: str) -> Caller | None:
    async def look() -> Caller | None:
        records = await open_records(data / "records.sqlite")
        try:
            return await Tokens(records).caller_of(secret)
        finally:
            await records.aclose()

    return asyncio.run(look())


def shown(tip: Tip, data: Path, *words: str) -> Any:
    done = tip("token", *words, "--data", data, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_token_is_issued_listed_and_revoked(tip: Tip, data: Path) -> None:
    words = ["issue", "jane@example.com", "--tez", "a-tez", "--tez", "b-tez", "--expires", "12h"]
    done = tip("token", *words, "--label", "review", "--tenant", "acme", "--data", data)
    secret = done.stdout.strip()
    assert done.returncode == 0
    assert secret.startswith("tts_")
    assert secret not in done.stderr
    caller = caller_of(data, secret)
    assert caller is not None
    assert (caller.tenant, caller.user) == ("acme", "user:jane@example.com")
    assert caller.tezits == frozenset({"a-tez", "b-tez"})
    assert sorted(caller.permissions) == ["interrogate"]

    listed = shown(tip, data, "list", "--tenant", "acme")["tokens"]
    assert [one["label"] for one in listed] == ["review"]
    assert secret not in json.dumps(listed)
    assert listed[0]["revoked_at"] is None
    assert shown(tip, data, "list")["tokens"] == []

    token_id = listed[0]["token_id"]
    assert tip("token", "revoke", token_id, "--data", data).returncode == 4
    assert caller_of(data, secret) is not None
    assert shown(tip, data, "revoke", token_id, "--tenant", "acme") == {"revoked": token_id}
    assert caller_of(data, secret) is None
    plain = tip("token", "list", "--tenant", "acme", "--data", data).stdout
    assert "revoked" in plain
    assert token_id in plain


def test_scopes_and_every_tez_have_to_be_said(tip: Tip, data: Path) -> None:
    words = ["issue", "sender", "--scope", "publish", "--scope", "admin"]
    assert tip("token", *words, "--data", data).returncode == 2
    issued = shown(tip, data, *words, "--every-tez", "--expires", "never")
    assert (issued["scopes"], issued["tezits"]) == (["admin", "publish"], None)
    assert issued["expires_at"] is None
    assert caller_of(data, issued["token"]) is not None


@pytest.mark.parametrize(
    "words",
    [
        ["issue", "two words", "--every-tez"],
        ["issue", "jane", "--every-tez", "--expires", "soon"],
        ["issue", "jane", "--every-tez", "--expires", "0d"],
        ["issue", "jane", "--every-tez", "--scope", "everything"],
        ["issue", "jane", "--every-tez", "--tez", "one"],
        [],
    ],
)
def test_what_is_not_understood_issues_nothing(tip: Tip, data: Path, words: list[str]) -> None:
    done = tip("token", *words, *(["--data", str(data)] if words else []))
    assert done.returncode == 2
    assert done.stdout == ""
    assert shown(tip, data, "list")["tokens"] == []
