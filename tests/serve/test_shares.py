"""Shares, audit and costs through the routes of a whole service, with two tenants."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tests.conftest import manifest_of
from tests.hosting.conftest import TezMaker, make_tez, own_folder
from tipstaff.audit.chain import AuditRecord
from tipstaff.audit.verifying import verify
from tipstaff.domain.caller import Permission
from tipstaff.serve.app import create_app
from tipstaff.serve.composing import composed
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.settings import Settings

__all__ = ["make_tez", "own_folder"]

QUESTION = {"query": "What is the budget for the roof?"}
SHARES = "/tez/small-tez/shares"
Clients = dict[str, httpx.AsyncClient]
Tip = Callable[..., subprocess.CompletedProcess[str]]
Work = Callable[[Clients], Awaitable[None]]
PEOPLE = {
    "sender": ("acme", frozenset(Permission)),
    "lawyer": ("lawfirm", frozenset({Permission.INTERROGATE})),
    "partner": ("lawfirm", frozenset(Permission)),
    "stranger": ("stranger", frozenset(Permission)),
}


def one_page() -> bytes:
    out = BytesIO()
    canvas = Canvas(out, pagesize=(420, 595))
    for line in range(20):
        canvas.drawString(40, 550 - 20 * line, "The roof is planned to be made of slate.")
    canvas.save()
    return out.getvalue()


@pytest.fixture
def with_clients(own_folder: Path, make_tez: TezMaker) -> Callable[[Work], None]:
    """A client for each person, and one tez of acme's."""
    files = {"notes.md": b"The budget for the roof is $4,200.\n", "plan.pdf": one_page()}
    manifest = {**manifest_of(files), "sharing": {"watermark": True}}
    tez = make_tez(files, manifest=manifest)

    async def run(work: Work) -> None:
        settings = Settings(embedder="static", reader="none")
        async with composed(ServeConfiguration(), settings, data_folder=own_folder) as parts:
            app = create_app(parts.service)
            clients: Clients = {}
            for name, (tenant, permissions) in PEOPLE.items():
                secret, _ = await parts.tokens.issue(
                    tenant=tenant, user=f"user:{name}", permissions=permissions
                )
                clients[name] = httpx.AsyncClient(
                    transport=httpx.ASGITransport(app),
                    base_url="http://tip.test",
                    headers={"Authorization": f"Bearer {secret}"},
                )
            content = tez.read_bytes()
            put = await clients["sender"].put("/tez/small-tez", content=content)
            assert put.status_code == 201
            try:
                await work(clients)
            finally:
                for client in clients.values():
                    await client.aclose()
                await parts.service.stop()

    return lambda work: asyncio.run(run(work))


async def asked(client: httpx.AsyncClient, tez_id: str) -> dict[str, Any]:
    begun = await client.post(f"/tez/{tez_id}/interrogate/init")
    assert begun.status_code == 200, begun.text
    session = f"/tez/{tez_id}/interrogate/{begun.json()['session_id']}"
    answer: dict[str, Any] = (await client.post(f"{session}/query", json=QUESTION)).json()
    return answer


def test_a_tez_is_shared_asked_paid_for_and_revoked(
    with_clients: Callable[[Work], None],
) -> None:
    async def work(clients: Clients) -> None:
        sender, lawyer = clients["sender"], clients["lawyer"]
        made = await sender.post(SHARES, json={"to_tenant": "lawfirm"})
        assert made.status_code == 201
        share = made.json()["share"]["share_id"]
        (listed,) = (await lawyer.get("/tez")).json()["tezits"]
        assert (listed["tez_id"], listed["published_by"]) == (share, "tenant:acme")
        assert listed["share"]["strategy"] == "accept_dependency"
        described = (await lawyer.get(f"/tez/{share}")).json()
        assert [one["id"] for one in described["items"]] == ["notes", "plan"]
        (received,) = (await lawyer.get("/shares")).json()["shares"]
        assert received["from_tenant"] == "acme"
        assert "4,200" in (await asked(lawyer, share))["response"]["text"]
        costs = (await sender.get("/tez/small-tez/costs")).json()["cost_report"]
        (recipient,) = costs["by_recipient"]
        assert (recipient["recipient"], recipient["queries"]) == ("user:external:lawfirm/lawyer", 1)
        assert (await clients["partner"].get(f"/tez/{share}/costs")).status_code == 404
        assert (await lawyer.delete(f"{SHARES}/{share}")).status_code == 404
        gone = await sender.delete(f"{SHARES}/{share}")
        assert gone.json()["share"]["revoked_at"]
        assert (await lawyer.get(f"/tez/{share}")).status_code == 404
        assert (await lawyer.get("/shares")).json() == {"shares": []}
        (known,) = (await sender.get(SHARES)).json()["shares"]
        assert known["revoked_at"]

    with_clients(work)


def test_a_receivers_admin_declines_and_accepts(
    with_clients: Callable[[Work], None], own_folder: Path, tip: Tip
) -> None:
    async def work(clients: Clients) -> None:
        lawyer, partner = clients["lawyer"], clients["partner"]
        made = (await clients["sender"].post(SHARES, json={"to_tenant": "lawfirm"})).json()["share"]
        assert made["consent"] == "accepted"
        share = made["share_id"]
        for who, status in (("lawyer", 403), ("sender", 404), ("stranger", 404)):
            assert (await clients[who].post(f"/shares/{share}/decline")).status_code == status
        assert (await lawyer.get(f"/tez/{share}")).status_code == 200
        declined = await partner.post(f"/shares/{share}/decline")
        assert declined.json()["share"]["consent"] == "declined"
        assert (await lawyer.get(f"/tez/{share}")).status_code == 404
        assert (await lawyer.get("/shares")).json() == {"shares": []}
        (known,) = (await clients["sender"].get(SHARES)).json()["shares"]
        assert known["consent"] == "declined"
        assert (await partner.post(f"/shares/{share}/accept")).status_code == 200
        assert (await lawyer.get(f"/tez/{share}")).status_code == 200

    with_clients(work)
    of = ("--data", own_folder, "--set", "accept_shares=ask")
    made = tip("share", "create", "small-tez", "lawfirm", "--tenant", "acme", *of)
    assert "is asked to accept" in made.stderr
    share = made.stdout.strip()
    asked_for = tip("share", "list", "--tenant", "lawfirm", *of).stdout
    assert "asked" in next(line for line in asked_for.splitlines() if share in line)
    done = tip("share", "accept", share, "--tenant", "lawfirm", *of, "--json")
    assert json.loads(done.stdout)["share"]["consent"] == "accepted"
    done = tip("share", "decline", share, "--tenant", "lawfirm", *of)
    assert done.stdout == f"{share} is declined.\n"


def test_each_tenant_exports_its_own_chain_and_nothing_of_the_other(
    with_clients: Callable[[Work], None],
) -> None:
    async def work(clients: Clients) -> None:
        made = await clients["sender"].post(SHARES, json={"to_tenant": "lawfirm"})
        await asked(clients["lawyer"], made.json()["share"]["share_id"])
        for name, tenant in (("sender", "acme"), ("partner", "lawfirm"), ("stranger", "stranger")):
            page = (await clients[name].get("/audit?limit=1000")).json()["records"]
            found = [AuditRecord(**one) for one in page]
            assert verify(found, tenant=tenant).is_whole
            kinds = {one.kind for one in found}
            assert ("external_query" in kinds) == (tenant == "acme")
            assert ("query" in kinds) == (tenant == "lawfirm")
        assert (await clients["lawyer"].get("/audit")).status_code == 403

    with_clients(work)


def test_a_page_tells_whom_it_was_shown_to_and_its_senders_own_does_not(
    with_clients: Callable[[Work], None], own_folder: Path, tip: Tip, tmp_path: Path
) -> None:
    pages: dict[str, bytes] = {}
    tags = set()

    async def work(clients: Clients) -> None:
        made = await clients["sender"].post(SHARES, json={"to_tenant": "lawfirm"})
        share = made.json()["share"]["share_id"]
        for name, tez_id in (("sender", "small-tez"), ("lawyer", share), ("partner", share)):
            page = await clients[name].get(f"/tez/{tez_id}/items/plan/pages/1.png")
            assert page.status_code == 200
            pages[name] = page.content
            tags.add(page.headers["ETag"])
        begun = (await clients["lawyer"].post(f"/tez/{share}/interrogate/init")).json()
        assert [one["kind"] for one in begun["warnings"]] == ["watermark"]

    with_clients(work)
    assert len(tags) == 3
    for name, whose in (
        ("sender", []),
        ("lawyer", ["user:external:lawfirm/lawyer"]),
        ("partner", ["user:external:lawfirm/partner"]),
    ):
        file = tmp_path / "page.jpg"
        Image.open(BytesIO(pages[name])).convert("RGB").save(file, quality=70)
        done = tip("trace", file, "--tenant", "acme", "--data", own_folder, "--json")
        assert [one["recipient"] for one in json.loads(done.stdout)["traced"]] == whose


def test_a_page_that_was_looked_at_in_a_session_is_traced_to_it(
    with_clients: Callable[[Work], None], own_folder: Path, tip: Tip, tmp_path: Path
) -> None:
    pages: dict[str, bytes] = {}

    async def work(clients: Clients) -> None:
        made = await clients["sender"].post(SHARES, json={"to_tenant": "lawfirm"})
        share = made.json()["share"]["share_id"]
        page = f"/tez/{share}/items/plan/pages/1.png"
        for _ in range(2):
            begun = (await clients["lawyer"].post(f"/tez/{share}/interrogate/init")).json()
            seen = await clients["lawyer"].get(page, params={"session": begun["session_id"]})
            assert seen.status_code == 200
            pages[begun["session_id"]] = seen.content
        pages[""] = (await clients["lawyer"].get(page)).content
        # Whoever names another's session is told what whoever names none that ever was is told.
        foreign = [
            await clients["partner"].get(page, params={"session": one})
            for one in (begun["session_id"], "tip-sess-none")
        ]
        assert [one.status_code for one in foreign] == [404, 404]
        assert foreign[0].json() == foreign[1].json()

    with_clients(work)
    assert len(set(pages.values())) == 3
    file = tmp_path / "page.png"
    for session_id, content in pages.items():
        file.write_bytes(content)
        of = ("trace", file, "--tenant", "acme", "--data", own_folder)
        (one,) = json.loads(tip(*of, "--json").stdout)["traced"]
        assert one["recipient"] == "user:external:lawfirm/lawyer"
        assert (one["session_id"], one["tez_id"]) == (session_id or None, "small-tez")
        where = f"session {session_id}" if session_id else "outside any session"
        assert f"user:external:lawfirm/lawyer, {where}, tez small-tez" in tip(*of).stdout


def test_what_is_shared_wrongly_is_refused(with_clients: Callable[[Work], None]) -> None:
    async def work(clients: Clients) -> None:
        sender = clients["sender"]
        for body, status in (
            ({}, 400),
            ({"to_tenant": "acme"}, 400),
            ({"to_tenant": "lawfirm", "strategy": "nosuch"}, 400),
            ({"to_tenant": "lawfirm", "sync_interval_s": 60}, 400),
        ):
            assert (await sender.post(SHARES, json=body)).status_code == status
        to = {"to_tenant": "stranger"}
        assert (await clients["lawyer"].post(SHARES, json=to)).status_code == 403
        assert (await clients["partner"].post(SHARES, json=to)).status_code == 404
        assert (await clients["partner"].get(SHARES)).status_code == 404

    with_clients(work)
