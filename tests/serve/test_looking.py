"""What auditors are told of looks and of checked statements: who, which, when, never what."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.hosting.conftest import make_tez, own_folder
from tests.serve.test_shares import SHARES, Clients, Work, with_clients
from tipstaff.audit.chain import AuditRecord
from tipstaff.audit.verifying import verify
from tipstaff.hosting.audit_retention import RETRIEVAL_KINDS
from tipstaff.hosting.look_records import LookRecords

__all__ = ["make_tez", "own_folder", "with_clients"]
CLAIM = "The budget for the roof is $4,200."
LOOKS = {
    "notes/content": ("content", ""),
    "plan/pages/1.png": ("page", "p1"),
    "notes/locate?citation=L1": ("passage", "L1"),
    "notes/view?citation=L1": ("view", ""),
    "notes/lines?first=1&last=9": ("lines", "1-9"),
    "notes/blocks": ("blocks", "1-200"),
}
Serving = Callable[[Work], None]


async def log_of(admin: httpx.AsyncClient, tenant: str) -> list[AuditRecord]:
    page = (await admin.get("/audit?limit=1000")).json()["records"]
    found = [AuditRecord(**one) for one in page]
    assert verify(found, tenant=tenant).is_whole
    return found


def bodies(found: list[AuditRecord], kind: str) -> list[dict[str, Any]]:
    return [dict(one.body or {}) for one in found if one.kind == kind]


async def session_of(client: httpx.AsyncClient, tez_id: str) -> str:
    begun = await client.post(f"/tez/{tez_id}/interrogate/init")
    return str(begun.json()["session_id"])


@pytest.mark.parametrize("look", LOOKS)
def test_whoever_looks_at_an_item_leaves_one_record(with_clients: Serving, look: str) -> None:
    async def work(clients: Clients) -> None:
        sender, address = clients["sender"], f"/tez/small-tez/items/{look}"
        session_id = await session_of(sender, "small-tez")
        for within in (None, session_id):
            also = {} if within is None else {"session": within}
            url = httpx.URL(address).copy_merge_params(also)
            assert (await sender.get(url)).status_code == 200
        first, second = bodies(await log_of(sender, "acme"), "item_viewed")
        shown, place = LOOKS[look]
        item_id = look.split("/", maxsplit=1)[0]
        assert first == {
            "user": "user:sender",
            "tez_id": "small-tez",
            "tez_version": 1,
            "session_id": None,
            "item_id": item_id,
            "shown": shown,
            "place": place,
            "salt": first["salt"],
        }
        assert second["session_id"] == session_id

    with_clients(work)


def test_what_was_not_shown_leaves_no_record(with_clients: Serving) -> None:
    async def work(clients: Clients) -> None:
        sender, items = clients["sender"], "/tez/small-tez/items"
        etag = (await sender.get(f"{items}/notes/content")).headers["ETag"]
        for path, headers, status in (
            ("notes/content", {"If-None-Match": etag}, 304),
            ("notes/content", {"Range": "bytes=9999-"}, 416),
            ("notes/content?session=tip-sess-none", {}, 404),
            ("secret/content", {}, 404),
            ("plan/pages/99.png", {}, 404),
            ("notes/locate?citation=L999", {}, 404),
            ("notes/rows?sheet=none", {}, 404),
        ):
            answer = await sender.get(f"{items}/{path}", headers=headers)
            assert answer.status_code == status, path
        part = await sender.get(f"{items}/notes/content", headers={"Range": "bytes=0-3"})
        assert part.status_code == 206
        whole, some = bodies(await log_of(sender, "acme"), "item_viewed")
        assert (whole["place"], some["place"]) == ("", part.headers["Content-Range"])

    with_clients(work)


def test_what_cannot_be_recorded_is_not_shown(
    with_clients: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    async def work(clients: Clients) -> None:
        monkeypatch.setattr(LookRecords, "_tell", broken)
        sender, tez = clients["sender"], "/tez/small-tez"
        answers = [await sender.get(f"{tez}/items/{look}") for look in LOOKS]
        answers.append(await sender.post(f"{tez}/verify", json={"statement": CLAIM}))
        answers.append(await sender.post(f"{tez}/audit"))
        for answer in answers:
            assert answer.status_code == 500
            assert answer.json()["error"]["type"] == "internal_error"
            assert "4,200" not in answer.text

    with_clients(work)


def test_a_checked_statement_is_told_without_its_words(with_clients: Serving) -> None:
    async def work(clients: Clients) -> None:
        sender = clients["sender"]
        session_id = await session_of(sender, "small-tez")
        for params in ({}, {"session": session_id}):
            body = {"statement": CLAIM}
            done = await sender.post("/tez/small-tez/verify", json=body, params=params)
            assert done.json()["verdict"] == "supported"
        found = await log_of(sender, "acme")
        first, second = bodies(found, "claim_checked")
        assert (first["user"], first["tez_id"]) == ("user:sender", "small-tez")
        assert (first["verdict"], first["cited"]) == ("supported", ["notes:L1"])
        assert first["filtered"] == []
        assert (first["session_id"], second["session_id"]) == (None, session_id)
        assert first["check_id"] != second["check_id"]
        said = json.dumps([one.to_wire() for one in found])
        assert "roof" not in said
        assert "4,200" not in said
        foreign = {"session": "tip-sess-none"}
        gone = await sender.post("/tez/small-tez/verify", json={"statement": CLAIM}, params=foreign)
        assert gone.status_code == 404

    with_clients(work)


def test_an_audited_synthesis_is_told_as_a_check_is(with_clients: Serving) -> None:
    async def work(clients: Clients) -> None:
        sender = clients["sender"]
        audit = (await sender.post("/tez/small-tez/audit")).json()
        (told,) = bodies(await log_of(sender, "acme"), "claim_checked")
        assert (told["user"], told["verdict"]) == ("user:sender", "synthesis audited")
        passages = [one for claim in audit["claims"] for one in claim["passages"]]
        assert passages
        assert {one["item_id"] for one in passages} == {one.split(":")[0] for one in told["cited"]}

    with_clients(work)


def test_a_sender_learns_that_another_tenant_looked_and_not_at_what(
    with_clients: Serving, own_folder: Path
) -> None:
    async def work(clients: Clients) -> None:
        made = await clients["sender"].post(SHARES, json={"to_tenant": "lawfirm"})
        share = made.json()["share"]["share_id"]
        lawyer = clients["lawyer"]
        assert (await lawyer.get(f"/tez/{share}/items/plan/pages/1.png")).status_code == 200
        body = {"statement": CLAIM}
        assert (await lawyer.post(f"/tez/{share}/verify", json=body)).status_code == 200
        theirs = await log_of(clients["partner"], "lawfirm")
        (look,), (check,) = (bodies(theirs, kind) for kind in ("item_viewed", "claim_checked"))
        assert (look["user"], look["tez_id"], look["item_id"]) == ("user:lawyer", share, "plan")
        assert (look["from_tenant"], look["external_tez_id"]) == ("acme", "small-tez")
        assert (check["cited"], "filtered" in check) == (["notes:L1"], False)
        ours = await log_of(clients["sender"], "acme")
        for kind in ("item_viewed", "claim_checked"):
            assert not bodies(ours, kind)
            (told,) = bodies(ours, f"external_{kind}")
            assert told["user"] == "user:external:lawfirm/lawyer"
            assert (told["tez_id"], told["by_tenant"]) == ("small-tez", "lawfirm")
            assert not {"item_id", "place", "cited"} & set(told)
            assert {kind, f"external_{kind}"} <= set(RETRIEVAL_KINDS)

    with_clients(work)


def test_a_check_that_a_limit_refuses_is_told_once_a_minute(with_clients: Serving) -> None:
    async def work(clients: Clients) -> None:
        sender = clients["sender"]
        said = {"statement": CLAIM}
        answers = [await sender.post("/tez/small-tez/verify", json=said) for _ in range(100)]
        refused = [one for one in answers if one.status_code == 429]
        assert len(refused) > 1
        found = await log_of(sender, "acme")
        (told,) = bodies(found, "limit")
        assert (told["user"], told["tez_id"]) == ("user:sender", "small-tez")
        assert told["error"] == "rate_limited"
        assert told["limit"]["scope"] == refused[0].json()["error"]["scope"]
        assert told["repeated"] == 0
        assert len(bodies(found, "claim_checked")) == len(answers) - len(refused)

    with_clients(work)
