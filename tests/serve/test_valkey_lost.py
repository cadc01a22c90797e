"""A real server whose Valkey is killed: refused or degraded, and always said."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.conftest import BundleMaker
from tests.instances.conftest import mortal_valkey
from tests.instances.valkey_server import OwnValkey
from tests.serve.long_answers import FOLLOW_UP, long_bundle
from tests.serve.processes import served

__all__ = ["mortal_valkey"]
pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.mark.parametrize(
    ("when_lost", "status", "header"), [("refuse", 503, "refused"), ("degrade", 200, "instance")]
)
def test_limits_that_cannot_be_counted_are_said_by_header_metric_and_log(  # noqa: PLR0917
    make_bundle: BundleMaker,
    tmp_path: Path,
    mortal_valkey: OwnValkey,
    when_lost: str,
    status: int,
    header: str,
) -> None:
    words = ("--set", f"valkey_url={mortal_valkey.url}", "--set", f"valkey_lost={when_lost}")
    with served(tmp_path, long_bundle(make_bundle), *words) as server:
        client = httpx.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {server.token}"}, timeout=60
        )
        with client:
            session = client.post("/tez/small-tez/interrogate/init").json()["session_id"]
            path = f"/tez/small-tez/interrogate/{session}/query"

            def asked() -> httpx.Response:
                return client.post(path, json={"query": FOLLOW_UP})

            before = asked()
            assert before.status_code == 200
            assert before.headers["X-RateLimit-Remaining"] == "9"
            assert "X-RateLimit-Degraded" not in before.headers
            mortal_valkey.stop()
            without = asked()
            assert (without.status_code, without.headers["X-RateLimit-Degraded"]) == (
                status,
                header,
            )
            if status == 503:
                assert without.headers["Retry-After"] == "5"
                assert without.json()["error"]["type"] == "rate_limited"
            else:
                assert without.headers["X-RateLimit-Remaining"] == "8"
            counted = client.get("/metrics").text
            assert f'tip_uncounted_queries_total{{outcome="{when_lost}"}} 1.0' in counted
            assert "tip_valkey_lost 1.0" in counted
    assert "Valkey is out of reach" in (tmp_path / "stderr").read_text()
