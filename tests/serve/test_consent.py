"""Consent to a log of queries (TIP §13.1.2) over HTTP: of a tez whose sender asks for it, at a
server that allows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import BundleMaker
from tests.serve.conftest import ITEMS, QUESTION, Asked, manifest
from tests.serve.test_interrogate import begun

Serving = Callable[..., Any]
ALLOWED = {"query_logging": "opt_in"}


@pytest.fixture
def folder(make_bundle: BundleMaker) -> Path:
    return make_bundle(ITEMS, manifest={**manifest(), "privacy": {"query_logging": "opt_in"}})


async def logged(client: httpx.AsyncClient) -> list[str]:
    """The sessions whose queries are logged."""
    told = (await client.get("/privacy/logged-queries")).json()["logged_queries"]
    return [one["session_id"] for one in told]


def test_only_what_was_consented_to_is_logged(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        said = (None, {"query_logging": False}, {"query_logging": True})
        async with asked.client() as client:
            sessions = [await begun(client, consent=one) for one in said]
            for session in sessions:
                await client.post(f"{session}/query", json={"query": QUESTION})
            assert await logged(client) == [sessions[2].rsplit("/", 1)[1]]

    serving(asking, settings=ALLOWED)


def test_consent_is_taken_back_by_whoever_gave_it(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client, asked.client("stranger") as other:
            session = await begun(client, consent={"query_logging": True})
            await client.post(f"{session}/query", json={"query": QUESTION})
            assert (await other.delete(f"{session}/consent")).status_code == 404
            assert len(await logged(client)) == 1
            assert (await client.delete(f"{session}/consent")).status_code == 204
            assert await logged(client) == []

    serving(asking, settings=ALLOWED)
