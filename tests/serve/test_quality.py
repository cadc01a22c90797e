"""The quality of a tez over time, for its sender and for admins of its tenant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.serve.test_shares import SHARES, Clients, Work, make_tez, own_folder, with_clients
from tipstaff.eval.history import QualityHistory
from tipstaff.eval.history_entry import HistoryEntry
from tipstaff.eval.report import schema

__all__ = ["make_tez", "own_folder", "with_clients"]
QUALITY = "/tez/small-tez/quality"


def evaluated(day: int, relevance: float) -> HistoryEntry:
    return HistoryEntry(
        evaluated_at=f"2026-02-{day:02}T10:00:00Z",
        model="extractive",
        metrics={"relevance": relevance, "faithfulness": 1.0},
        query_count=30,
        methodology="automated_heuristic",
        query_set="set",
    )


@pytest.fixture
def history(own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> QualityHistory:
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(own_folder))
    return QualityHistory(tenant="acme", tez_id="small-tez")


@pytest.mark.usefixtures("history")
def test_a_tez_that_was_never_evaluated_has_no_metrics(
    with_clients: Callable[[Work], None],
) -> None:
    async def work(clients: Clients) -> None:
        told = (await clients["sender"].get(QUALITY)).json()
        assert told == {"tez_id": "small-tez", "extensions": {}, "alerts": []}

    with_clients(work)


def test_evaluations_are_told_with_what_became_worse(
    with_clients: Callable[[Work], None], history: QualityHistory
) -> None:
    history.add(evaluated(1, 0.95))
    history.add(evaluated(2, 0.82))

    async def work(clients: Clients) -> None:
        told = (await clients["sender"].get(QUALITY)).json()
        report = told["extensions"]["tezit-eval"]
        jsonschema.validate(report, schema())
        assert report["metrics"]["relevance"] == 0.82
        assert [one["metrics"]["relevance"] for one in report["history"]] == [0.95, 0.82]
        assert told["alerts"] == [
            "relevance declined by 14%, from 0.95 to 0.82, since 2026-02-01T10:00:00Z."
        ]

    with_clients(work)


def test_nobody_else_is_told(with_clients: Callable[[Work], None], history: QualityHistory) -> None:
    history.add(evaluated(1, 0.95))

    async def work(clients: Clients) -> None:
        made = await clients["sender"].post(SHARES, json={"to_tenant": "lawfirm"})
        share = made.json()["share"]["share_id"]
        unknown = (await clients["partner"].get("/tez/no-such-tez/quality")).json()
        for who in ("lawyer", "partner", "stranger"):
            for path in (QUALITY, f"/tez/{share}/quality"):
                refused = await clients[who].get(path)
                assert refused.status_code == 404
                assert refused.json()["error"]["message"] == unknown["error"]["message"]

    with_clients(work)


@pytest.mark.usefixtures("history")
def test_what_the_sender_wrote_into_the_bundle_is_told_too(
    with_clients: Callable[[Work], None], make_tez: Callable[..., Path]
) -> None:
    declared: dict[str, Any] = {
        "version": "1.0",
        "metrics": {"relevance": 0.9},
        "evaluated_at": "2026-02-05T10:00:00Z",
        "model_evaluated": "m",
    }
    document = {"extensions": {"tezit-eval": declared}}
    tez = make_tez(extra={"extensions/tezit-eval/tezit-eval.json": json.dumps(document).encode()})

    async def work(clients: Clients) -> None:
        put = await clients["sender"].put("/tez/small-tez", content=tez.read_bytes())
        assert put.status_code == 201, put.text
        report = (await clients["sender"].get(QUALITY)).json()["extensions"]["tezit-eval"]
        jsonschema.validate(report, schema())
        assert report["metrics"] == {"relevance": 0.9}
        assert report["model_evaluated"] == "m"

    with_clients(work)
