"""The parts of a real server, put together: records, tezits, budgets, sessions, tokens."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from tipstaff.access.authorization import Authorization
from tipstaff.access.bearer import Bearer
from tipstaff.access.jwt import verifier_from
from tipstaff.access.tokens import Tokens
from tipstaff.audit.search import AuditSearch
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.hosting.audit_retention import prune_every_tenant
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.limits import server_limits
from tipstaff.hosting.look_records import LookRecords
from tipstaff.hosting.query_log import QueryLog
from tipstaff.hosting.tezits import Tezits
from tipstaff.hosting.watermarks import Watermarks
from tipstaff.limits.scopes import server_rates
from tipstaff.records.audit_trail import page
from tipstaff.records.database import Pool, Records, open_records, records_address
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.indexing_worker import indexing_by_jobs
from tipstaff.serve.logs import log
from tipstaff.serve.others import instances
from tipstaff.serve.service import Service
from tipstaff.server_key import server_key
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.sessions import Sessions
from tipstaff.settings import Settings, data_directory
from tipstaff.tenancy.shared_tezits import SharedTezits
from tipstaff.tenancy.sharing import Sharing

# Whoever starts a server on their own computer gets a recipient's token, not the sender's.
LOCAL_RECIPIENT = "user:recipient"
_OWN_LABEL = "made by tip serve"
_SWEEP_S = 3_600
# How often it is looked which copies are due.
_SYNC_S = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    service: Service
    tezits: Tezits
    tokens: Tokens
    accepts_jwt: bool


@asynccontextmanager
async def composed(
    configuration: ServeConfiguration, settings: Settings, *, data_folder: Path | None = None
) -> AsyncIterator[Composed]:
    """Everything that a server needs, closed again behind it."""
    folder = data_folder or data_directory()
    async with AsyncExitStack() as stack:
        records = await open_records(records_address(settings, folder), pool=Pool.of(settings))
        stack.push_async_callback(records.aclose)
        others = await stack.enter_async_context(
            instances(settings, shared_records=records.is_shared)
        )
        tezits = Tezits(records, settings=settings, data_folder=folder)
        stack.push_async_callback(tezits.aclose)
        tokens = Tokens(records)
        verifier = verifier_from(settings)
        authorization = Authorization.from_settings(settings)
        stack.push_async_callback(authorization.aclose)
        query_log = QueryLog(records)
        ledger = Ledger(
            records,
            defaults=server_limits(settings),
            rates=server_rates(settings),
            limiter=others.limiter,
            holder=uuid.uuid4().hex,
        )
        key = server_key(settings.key_path(folder))
        watermarks = Watermarks(records, key=key, settings=settings)
        all_tezits = SharedTezits(tezits, records)
        sharing = Sharing(records, tezits, accept_shares=settings.accept_shares)
        sessions = Sessions(
            records,
            all_tezits,
            ledger,
            query_log,
            watermarks,
            settings=SessionSettings.of(settings),
            authorization=authorization,
            signals=others.signals,
            elsewhere=others.elsewhere,
            announcements=others.announcements,
        )
        others.bind(authorization=authorization, tezits=tezits)
        service = Service(
            tezits=all_tezits,
            sharing=sharing,
            watermarks=watermarks,
            look_records=LookRecords(records),
            sessions=sessions,
            ledger=ledger,
            query_log=query_log,
            authenticate=Bearer(tokens, jwt=verifier).authenticate,
            authorization=authorization,
            configuration=configuration,
            settings=settings,
            not_ready=_database_check(records),
            tokens=tokens,
            audit_records=partial(_records_of, records),
            metrics=others.metrics,
            tickets=others.tickets,
            announcements=others.announcements,
        )
        records.on_foreign_row = service.metrics.foreign_rows.inc
        sweeping = asyncio.create_task(_sweep(query_log, records, settings, key))
        stack.push_async_callback(_stopped, sweeping)
        await stack.enter_async_context(indexing_by_jobs(records, tezits, service))
        tezits.tell_of_asking(service.metrics.count_asked)
        await tezits.start()
        warming = asyncio.create_task(_warm(tezits))
        stack.push_async_callback(_stopped, warming)
        copying = asyncio.create_task(_sync(sharing))
        stack.push_async_callback(_stopped, copying)
        yield Composed(
            service=service, tezits=tezits, tokens=tokens, accepts_jwt=verifier is not None
        )


@asynccontextmanager
async def local_token(parts: Composed) -> AsyncIterator[str | None]:
    """INTERFACES: on loopback a token is made where none was configured, good for as long as the
    server runs. None where one was."""
    known = await parts.tokens.list(LOCAL_TENANT)
    configured = any(one.is_good(time.time()) and one.label != _OWN_LABEL for one in known)
    if parts.accepts_jwt or configured:
        yield None
        return
    secret, facts = await parts.tokens.issue(
        tenant=LOCAL_TENANT, user=LOCAL_RECIPIENT, label=_OWN_LABEL
    )
    try:
        yield secret
    finally:
        await parts.tokens.revoke(LOCAL_TENANT, facts.token_id)


def _database_check(records: Records) -> Callable[[], Awaitable[str | None]]:
    async def not_ready() -> str | None:
        try:
            async with asyncio.timeout(2):
                await records.answers()
        except (SQLAlchemyError, OSError, TimeoutError):
            return "the database does not answer"
        return None

    return not_ready


async def _records_of(records: Records, tenant: str, search: AuditSearch) -> list[dict[str, Any]]:
    async with records.reading(tenant) as connection:
        found = await page(connection, tenant, search)
    return [record.to_wire() for record in found]


async def _sweep(query_log: QueryLog, records: Records, settings: Settings, key: bytes) -> None:
    """TIP §13.1.2, Enterprise §4.5: what was kept for as long as was agreed is deleted."""
    while True:
        try:
            await query_log.sweep()
            await prune_every_tenant(records, settings=settings, key=key, now=time.time())
        except SQLAlchemyError as problem:
            log("sweep_failed", level=logging.ERROR, exception=type(problem).__name__)
        await asyncio.sleep(_SWEEP_S)


async def _sync(sharing: Sharing) -> None:
    """Enterprise §6.3.1: copies of replicated shares follow their sources."""
    while True:
        try:
            await sharing.sync()
        except SQLAlchemyError as problem:
            log("sync_failed", level=logging.ERROR, exception=type(problem).__name__)
        await asyncio.sleep(_SYNC_S)


async def _warm(tezits: Tezits) -> None:
    """Behind the start: who asks meanwhile does not wait for it."""
    try:
        await tezits.warm()
    except SQLAlchemyError as problem:
        log("warming_failed", level=logging.ERROR, exception=type(problem).__name__)


async def _stopped(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait((task,))
