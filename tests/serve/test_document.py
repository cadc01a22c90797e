"""/openapi.json is true: whatever a stranger sends, no answer is 5xx or undescribed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.serve.processes import Server, served, without_limits

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.timeout(600)]
EXAMPLES = int(os.environ.get("TIPSTAFF_SCHEMA_EXAMPLES", "5"))
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
# Streams of sessions that stay open end soon here.
QUICKLY = ("--set", "idle_timeout_s=1", "--set", "heartbeat_s=1")


def all_powerful(data: Path) -> str:
    """A token for everything, so that no route stops at 403."""
    command = [sys.executable, "-m", "tipstaff", "token", "issue", "jane@example.com"]
    command += ["--every-tez", "--data", str(data)]
    command += [word for one in ("interrogate", "publish", "admin") for word in ("--scope", one)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return next(word for word in told.split() if word.startswith("tts_"))


def explored(server: Server, token: str, folder: Path, known: dict[str, str]) -> None:
    """Schemathesis, with what is in `known` wherever a path names it."""
    configuration = folder / "schemathesis.toml"
    lines = [f'"path.{name}" = "{value}"' for name, value in known.items()]
    configuration.write_text("\n".join(["[parameters]", *lines, ""]))
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(configuration)]
    command += ["run", f"{server.url}/openapi.json", "-H", f"Authorization: Bearer {token}"]
    command += ["--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing"]
    command += ["-n", str(EXAMPLES), "--continue-on-failure", "--request-timeout", "60"]
    command += ["--suppress-health-check", "all", "--no-color"]
    if known:
        # What would end the session or the tez that is known is left to strangers' ids.
        command += ["--exclude-method", "DELETE", "--exclude-path-regex", "/close$"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


@pytest.mark.parametrize("ids", ["any", "known"])
def test_whatever_is_sent_the_answer_is_one_that_the_document_has(
    folder: Path, tmp_path: Path, ids: str
) -> None:
    with served(tmp_path, folder, *without_limits(), *QUICKLY) as server:
        token = all_powerful(tmp_path / "data")
        known: dict[str, str] = {}
        if ids == "known":
            headers = {"Authorization": f"Bearer {token}"}
            with httpx.Client(base_url=server.url, headers=headers) as client:
                opened = client.post("/tez/small-tez/interrogate/init").json()
            known = {
                "tez_id": "small-tez",
                "session_id": opened["session_id"],
                "item_id": "notes",
            }
        explored(server, token, tmp_path, known)
    assert "Traceback" not in server.errors.read_text()
