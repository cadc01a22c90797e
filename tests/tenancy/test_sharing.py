"""Tezits across tenants: asked at the sender's or as a copy, revoked at once, told to both."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import manifest_of
from tests.hosting.conftest import (
    SETTINGS,
    Clock,
    TezMaker,
    database_url,
    make_tez,
    own_folder,
    person,
    records_address,
    superuser_url,
)
from tipstaff.audit.chain import AuditRecord
from tipstaff.audit.verifying import verify
from tipstaff.domain.caller import Permission
from tipstaff.errors import AuthorizationDenied, NotFound, TipstaffError, UsageError
from tipstaff.hosting.cost_records import Period, cost_records
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.tezits import Tezits
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.records.audit_trail import every
from tipstaff.records.database import Records, open_records
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.sessions import Sessions
from tipstaff.tenancy.shared_tezits import SharedTez, SharedTezits
from tipstaff.tenancy.shares import Consent, OnRevoke, Strategy
from tipstaff.tenancy.sharing import Sharing

__all__ = ["database_url", "make_tez", "own_folder", "records_address", "superuser_url"]

SENDER = person("jane", Permission.PUBLISH, Permission.INTERROGATE)
# Of the same name as the sender, and somebody else.
LAWYER = person("jane", tenant="lawfirm")
PARTNER = person("partner", Permission.ADMIN, Permission.INTERROGATE, tenant="lawfirm")
STRANGER = person("jane", tenant="stranger")
STRANGERS_ADMIN = person("admin", Permission.ADMIN, tenant="stranger")
QUESTION = "What is the budget for the roof?"
FILES = {"notes.md": b"The budget for the roof is $4,200.\n", "draft.md": b"The canary sings.\n"}


@dataclass
class Platform:
    records: Records
    own: Tezits
    tezits: SharedTezits
    sharing: Sharing
    sessions: Sessions
    clock: Clock

    async def asked(self, who: Any, tez_id: str, session_id: str | None = None) -> Any:
        if session_id is None:
            session_id = (await self.sessions.init(who, tez_id)).session.session_id
        return await (await self.sessions.ask(who, tez_id, session_id, QUESTION)).envelope()

    async def log(self, tenant: str) -> list[AuditRecord]:
        found = [record async for record in every(self.records, tenant)]
        assert verify(found, tenant=tenant).is_whole
        return found

    async def bill(self, tenant: str) -> list[dict[str, Any]]:
        async with self.records.reading(tenant) as connection:
            return await cost_records(connection, Period(tenant=tenant, since=0, until=4e9))


@asynccontextmanager
async def platform(address: str | Path, folder: Path, clock: Clock) -> AsyncIterator[Platform]:
    records = await open_records(address)
    own = Tezits(records, settings=SETTINGS, data_folder=folder, now=clock)
    tezits = SharedTezits(own, records)
    sessions = Sessions(
        records,
        tezits,
        Ledger(records, now=clock),
        QueryLog(records, now=clock),
        Watermarks(records, key=b"of the tests", settings=SETTINGS, now=clock),
        settings=SessionSettings.of(SETTINGS),
        now=clock,
    )
    try:
        yield Platform(records, own, tezits, Sharing(records, own, now=clock), sessions, clock)
    finally:
        await sessions.stop(5)
        await own.aclose()
        await records.aclose()


def manifest(**sharing: Any) -> dict[str, Any]:
    content = manifest_of(FILES)
    content["context"]["items"][1]["access"] = {"type": "creator_only"}
    content["creator"] = {"name": "Jane", "email": "jane"}
    if sharing:
        content["sharing"] = sharing
    return content


def copies(folder: Path) -> int:
    """Files of tezits that lie with the receiver."""
    return len(list(folder.glob("tenants/lawfirm*/**/*.tez")))


Work = Callable[[Platform, str], Awaitable[None]]
OnPlatform = Callable[..., None]


@pytest.fixture
def on_platform(
    records_address: str | Path, own_folder: Path, make_tez: TezMaker
) -> Callable[..., None]:
    """`work(platform, tez_id)`, with one tez of the tenant `acme` published."""

    def run(work: Work, **sharing: Any) -> None:
        tez = make_tez(FILES, manifest=manifest(**sharing))

        async def on() -> None:
            async with platform(records_address, own_folder, Clock()) as there:
                published = await there.own.publish(SENDER, tez)
                await work(there, published.tez_id)

        asyncio.run(on())

    return run


def test_a_share_is_asked_in_the_senders_index_and_the_sender_pays(
    on_platform: OnPlatform, own_folder: Path
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        with pytest.raises(NotFound):
            await there.tezits.describe(LAWYER, tez_id)
        share = (await there.sharing.share(SENDER, tez_id, to_tenant="lawfirm")).share_id
        found = await there.tezits.describe(LAWYER, share)
        assert isinstance(found, SharedTez)
        assert [one.tez_id for one in await there.tezits.list(LAWYER)] == [share]
        assert (await there.tezits.opened("lawfirm", share, found.version)).tenant == "acme"
        for who, name in ((STRANGER, share), (LAWYER, tez_id), (SENDER, share)):
            with pytest.raises(NotFound):
                await there.tezits.describe(who, name)
        envelope = await there.asked(LAWYER, share)
        assert "4,200" in envelope.response.text
        # The lawyer is called Jane, too, and is not the creator.
        assert envelope.context_scope.accessible_items == 1
        assert copies(own_folder) == 0
        (record,) = await there.bill("acme")
        assert await there.bill("lawfirm") == []
        assert (record["tenant_id"], record["billed_to_tenant"]) == ("lawfirm", "acme")
        assert (record["tez_id"], record["hosting_mode"]) == (tez_id, "sender")

    on_platform(work)


def test_both_tenants_are_told_and_names_of_what_is_withheld_stay_at_home(
    on_platform: OnPlatform,
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        share = (await there.sharing.share(SENDER, tez_id, to_tenant="lawfirm")).share_id
        await there.asked(LAWYER, share)
        of_acme, of_lawfirm = await there.log("acme"), await there.log("lawfirm")
        assert [one.kind for one in of_acme] == [
            "published",
            "share_created",
            "external_session_started",
            "external_query",
        ]
        assert [one.kind for one in of_lawfirm] == ["share_created", "session_started", "query"]
        sent, got = of_acme[-1].body or {}, of_lawfirm[-1].body or {}
        assert (sent["user"], sent["tez_id"]) == ("user:external:lawfirm/jane", tez_id)
        assert [one["item_id"] for one in sent["filtered"]] == ["draft"]
        # A line of inquiry is for those whose it is.
        assert not {"cited", "retrieval"} & set(sent)
        assert got["cited"] == ["notes:L1"]
        assert got["retrieval"]
        assert (got["user"], got["from_tenant"]) == ("user:jane", "acme")
        assert (got["external_tez_id"], got["filtered_by_access"]) == (tez_id, {"creator_only": 1})
        said = json.dumps([one.to_wire() for one in of_lawfirm])
        assert '"draft"' not in said
        assert SENDER.user not in json.dumps(of_lawfirm[0].body or {})

    on_platform(work)


def test_a_revoked_share_is_gone_at_once_with_its_sessions(on_platform: OnPlatform) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        share = (await there.sharing.share(SENDER, tez_id, to_tenant="lawfirm")).share_id
        session_id = (await there.sessions.init(LAWYER, share)).session.session_id
        await there.asked(LAWYER, share, session_id)
        gone = await there.sharing.revoke(SENDER, tez_id, share)
        assert gone.revoked_at is not None
        attempts: list[Awaitable[Any]] = [
            there.tezits.describe(LAWYER, share),
            there.tezits.opened("lawfirm", share, 1),
            there.sessions.init(LAWYER, share),
            there.asked(LAWYER, share, session_id),
            there.sessions.describe(LAWYER, share, session_id),
            there.sessions.resume(LAWYER, share, session_id),
        ]
        for attempt in attempts:
            with pytest.raises(NotFound):
                await attempt
        assert await there.tezits.list(LAWYER) == []
        await there.sharing.revoke(SENDER, tez_id, share)
        for tenant in ("acme", "lawfirm"):
            kinds = [one.kind for one in await there.log(tenant)]
            assert kinds.count("share_revoked") == 1

    on_platform(work)


def test_a_snapshot_is_the_receivers_own_and_outlasts_share_and_source(
    on_platform: OnPlatform, own_folder: Path
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        given = await there.sharing.share(
            SENDER, tez_id, to_tenant="lawfirm", strategy=Strategy.SNAPSHOT
        )
        share = given.share_id
        assert copies(own_folder) == 1
        found = await there.tezits.describe(LAWYER, share)
        assert (await there.tezits.opened("lawfirm", share, found.version)).tenant == "lawfirm"
        await there.sharing.revoke(SENDER, tez_id, share)
        await there.own.withdraw(SENDER, tez_id)
        envelope = await there.asked(LAWYER, share)
        assert "4,200" in envelope.response.text
        assert envelope.context_scope.accessible_items == 1
        assert await there.bill("acme") == []
        (record,) = await there.bill("lawfirm")
        assert (record["billed_to_tenant"], record["hosting_mode"]) == ("lawfirm", "recipient")
        await there.tezits.withdraw(PARTNER, share)
        with pytest.raises(NotFound):
            await there.tezits.describe(LAWYER, share)

    on_platform(work)


def test_a_copy_that_was_lent_goes_with_its_share(
    on_platform: OnPlatform, own_folder: Path
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        given = await there.sharing.share(
            SENDER,
            tez_id,
            to_tenant="lawfirm",
            strategy=Strategy.SNAPSHOT,
            on_revoke=OnRevoke.WITHDRAW,
        )
        await there.sharing.revoke(SENDER, tez_id, given.share_id)
        with pytest.raises(NotFound):
            await there.tezits.describe(LAWYER, given.share_id)
        assert copies(own_folder) == 0

    on_platform(work)


def test_a_replica_follows_its_source_which_wins(
    on_platform: OnPlatform, make_tez: TezMaker
) -> None:
    changed = {**FILES, "notes.md": b"The budget for the roof is $9,900.\n"}

    async def work(there: Platform, tez_id: str) -> None:
        given = await there.sharing.share(
            SENDER,
            tez_id,
            to_tenant="lawfirm",
            strategy=Strategy.REPLICATED,
            sync_interval_s=600,
        )
        share = given.share_id

        async def told() -> dict[str, Any]:
            (one,) = await there.sharing.received(LAWYER)
            return one.to_wire(there.clock())

        assert (await told())["stale"] is False
        assert (await told())["conflict_resolution"] == "source_wins"
        newer = make_tez(changed, manifest=manifest_of(changed), name="newer")
        await there.own.publish(SENDER, newer, tez_id=tez_id)
        assert await there.sharing.sync() == 0
        assert "4,200" in (await there.asked(LAWYER, share)).response.text
        there.clock.now += 600
        assert await there.sharing.sync() == 1
        assert "9,900" in (await there.asked(LAWYER, share)).response.text
        # Somebody here publishes another version in its place; the source's comes back.
        mine = {**FILES, "notes.md": b"The budget for the roof is $1.\n"}
        forged = make_tez(mine, manifest={**manifest_of(mine), "id": tez_id}, name="forged")
        admin = person("admin", *Permission, tenant="lawfirm")
        await there.own.publish(admin, forged, tez_id=tez_id, under=share)
        there.clock.now += 600
        assert await there.sharing.sync() == 1
        assert "9,900" in (await there.asked(LAWYER, share)).response.text
        # Its source is gone: the copy stays, and is said to be stale after two intervals.
        await there.own.withdraw(SENDER, tez_id)
        there.clock.now += 1_300
        assert await there.sharing.sync() == 0
        assert (await told())["stale"] is True
        assert "9,900" in (await there.asked(LAWYER, share)).response.text
        await there.sharing.revoke(SENDER, tez_id, share)
        with pytest.raises(NotFound):
            await there.tezits.describe(LAWYER, share)

    on_platform(work)


@pytest.mark.parametrize("strategy", Strategy)
def test_what_its_receiver_is_asked_about_is_not_there_until_it_is_accepted(
    on_platform: OnPlatform, own_folder: Path, strategy: Strategy
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        asking = Sharing(there.records, there.own, accept_shares="ask", now=there.clock)
        given = await asking.share(SENDER, tez_id, to_tenant="lawfirm", strategy=strategy)
        share = given.share_id
        assert given.consent is Consent.ASKED
        # A round of synchronisation brings nothing that nobody took.
        assert await asking.sync() == 0
        await gone(there, share, own_folder)
        assert await asking.received(LAWYER) == []
        (offered,) = await asking.received(PARTNER)
        assert (offered.share_id, offered.consent) == (share, Consent.ASKED)
        for who in (LAWYER, STRANGER, SENDER, STRANGERS_ADMIN):
            with pytest.raises(NotFound):
                await asking.decide(who, share, Consent.ACCEPTED)
        for _ in range(2):
            taken = await asking.decide(PARTNER, share, Consent.ACCEPTED)
            assert taken.consent is Consent.ACCEPTED
            assert "4,200" in (await there.asked(LAWYER, share)).response.text
            assert copies(own_folder) == int(strategy.is_copy)
            # Twice is once; a mind may be changed, and changed again.
            await asking.decide(PARTNER, share, Consent.ACCEPTED)
            await asking.decide(PARTNER, share, Consent.DECLINED)
            await asking.sync()
            await gone(there, share, own_folder)
        (known,) = await asking.given(SENDER, tez_id)
        assert known.consent is Consent.DECLINED
        await told_to_both(there)
        await asking.revoke(SENDER, tez_id, share)
        with pytest.raises(NotFound):
            await asking.decide(PARTNER, share, Consent.ACCEPTED)
        await gone(there, share, own_folder)

    on_platform(work)


async def gone(there: Platform, share: str, folder: Path) -> None:
    for attempt in (there.tezits.describe(PARTNER, share), there.sessions.init(LAWYER, share)):
        with pytest.raises(NotFound):
            await attempt
    assert await there.tezits.list(PARTNER) == []
    assert copies(folder) == 0


async def told_to_both(there: Platform) -> None:
    """Enterprise §6.6; who of the receiver's people decided is not for the sender."""
    for tenant in ("acme", "lawfirm"):
        log = [one for one in await there.log(tenant) if one.kind.startswith("share_")]
        kinds = [one.kind for one in log if one.kind != "share_copied"]
        assert kinds == ["share_created", *["share_accepted", "share_declined"] * 2]
        assert (log[0].body or {})["consent"] == "asked"
        deciders = [
            one.body or {} for one in log if one.kind in ("share_accepted", "share_declined")
        ]
        users = {one.get("user") for one in deciders}
        assert users == ({PARTNER.user} if tenant == "lawfirm" else {None})


def test_a_copy_that_its_sender_no_longer_lets_go_cannot_be_accepted(
    on_platform: OnPlatform, own_folder: Path, make_tez: TezMaker
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        asking = Sharing(there.records, there.own, accept_shares="ask", now=there.clock)
        given = await asking.share(SENDER, tez_id, to_tenant="lawfirm", strategy=Strategy.SNAPSHOT)
        share = given.share_id
        locked = manifest(hosting="sender", portable={"allow_download": False})
        await there.own.publish(SENDER, make_tez(FILES, manifest=locked), tez_id=tez_id)
        with pytest.raises(AuthorizationDenied):
            await asking.decide(PARTNER, share, Consent.ACCEPTED)
        await gone(there, share, own_folder)

    on_platform(work)


def test_a_share_may_be_for_some_users_alone(on_platform: OnPlatform) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        given = await there.sharing.share(
            SENDER, tez_id, to_tenant="lawfirm", users=["user:partner"]
        )
        with pytest.raises(NotFound):
            await there.tezits.describe(LAWYER, given.share_id)
        assert await there.tezits.list(LAWYER) == []
        assert await there.tezits.describe(PARTNER, given.share_id)
        bound = person("partner", tenant="lawfirm", tezits=frozenset({"another"}))
        with pytest.raises(NotFound):
            await there.tezits.describe(bound, given.share_id)

    on_platform(work)


def test_only_its_sender_shares_and_revokes_and_on_terms_that_make_sense(
    on_platform: OnPlatform,
) -> None:
    async def work(there: Platform, tez_id: str) -> None:
        other = person("other", Permission.PUBLISH, Permission.INTERROGATE)
        share = there.sharing.share
        for attempt, refused in (
            (share(other, tez_id, to_tenant="lawfirm"), AuthorizationDenied),
            (share(SENDER, "nosuch", to_tenant="lawfirm"), NotFound),
            (share(SENDER, tez_id, to_tenant="acme"), UsageError),
            (share(SENDER, tez_id, to_tenant="lawfirm", sync_interval_s=60), UsageError),
            (share(SENDER, tez_id, to_tenant="lawfirm", on_revoke=OnRevoke.KEEP), UsageError),
            (
                share(SENDER, tez_id, to_tenant="lawfirm", strategy=Strategy.SNAPSHOT),
                AuthorizationDenied,
            ),
        ):
            with pytest.raises(refused):
                await attempt
        given = await share(SENDER, tez_id, to_tenant="lawfirm")
        for who in (other, LAWYER, PARTNER):
            with pytest.raises(TipstaffError):
                await there.sharing.revoke(who, tez_id, given.share_id)
        assert await there.tezits.describe(LAWYER, given.share_id)
        assert [one.share_id for one in await there.sharing.given(SENDER, tez_id)] == [
            given.share_id
        ]

    on_platform(work, hosting="sender", portable={"allow_download": False})
