"""Indexes built by whichever instance is free (Enterprise §7.3): jobs in PostgreSQL.

The row of a tez comes first and is what counts; its job comes behind it and holds its ids alone.
A row that waits without a job (its instance was killed in between) gets one from whoever starts or
sweeps; a job that was taken and not renewed within a lease goes to another instance. A job whose
row no longer waits has nothing to do. Two that build one index build the same one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from typing import Any

from sqlalchemy.engine import URL

from tipstaff.hosting.indexing_ahead import IndexingAhead
from tipstaff.hosting.open_tezits import Key
from tipstaff.records.job_schema import SCHEMA

_LOG = logging.getLogger("tipstaff.hosting")
QUEUE = "index"
_TASK = "tipstaff.index"
_RENEWALS = 3
# A server that is killed by what it indexes is not restarted for it for ever.
MOST_ATTEMPTS = 3
# Rows without a job are rare, and looking for them reads every tenant's.
_LOOK_EVERY_S = 60
_CONNECTIONS = 3


class IndexJobs:
    def __init__(
        self, address: URL, indexing: IndexingAhead, *, lease_s: float, takes: bool = True
    ) -> None:
        from procrastinate import App, PsycopgConnector

        self._indexing = indexing
        self._lease_s = lease_s
        self._takes = takes
        connector = PsycopgConnector(
            kwargs=connection_words(address), min_size=1, max_size=_CONNECTIONS
        )
        self._app = App(connector=connector)
        self._app.task(name=_TASK, queue=QUEUE)(self._run)
        self._tasks: list[asyncio.Task[None]] = []
        self._looked_at = float("-inf")
        self._is_stopping = False

    async def start(self) -> None:
        await self._app.open_async()
        work = [self._sweep(), *([self._work()] if self._takes else [])]
        self._tasks = [asyncio.create_task(one) for one in work]

    def stop(self) -> None:
        """Takes no more; what was taken is finished (`aclose` waits for it)."""
        # Cancelled a second time, the worker would not wait for what it has begun.
        if not self._is_stopping:
            self._is_stopping = True
            for task in self._tasks:
                task.cancel()

    async def aclose(self) -> None:
        self.stop()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._app.close_async()

    async def defer(self, key: Key) -> None:
        """Behind the row. If it fails, whoever sweeps next does it."""
        from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

        tenant, tez_id, version = key
        job = self._app.configure_task(
            _TASK, queue=QUEUE, lock=_name(key), queueing_lock=_name(key)
        )
        try:
            await job.defer_async(tenant=tenant, tez_id=tez_id, version=version)
        except AlreadyEnqueued:
            return
        except ConnectorException as problem:
            _LOG.error("a job was not written down: %s", type(problem).__name__)

    async def _run(self, tenant: str, tez_id: str, version: int) -> None:
        await self._indexing.index((tenant, tez_id, version))

    async def _work(self) -> None:
        """One job at a time. A worker taken for dead, or without a database, begins anew."""
        while True:
            try:
                await self._app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=1,
                    install_signal_handlers=False,
                    delete_jobs="always",
                    fetch_job_polling_interval=self._lease_s / _RENEWALS,
                    update_heartbeat_interval=self._lease_s / _RENEWALS,
                    stalled_worker_timeout=self._lease_s,
                )
            except Exception as problem:
                _LOG.error("the worker ended: %s", type(problem).__name__)
            await asyncio.sleep(self._lease_s / _RENEWALS)

    async def _sweep(self) -> None:
        while True:
            try:
                await self._take_from_the_dead()
                if time.monotonic() - self._looked_at > _LOOK_EVERY_S:
                    await self._defer_missing()
                    self._looked_at = time.monotonic()
            except Exception as problem:
                # The database is out of reach, or another instance was quicker.
                _LOG.warning("jobs were not swept: %s", type(problem).__name__)
            await asyncio.sleep(self._lease_s / _RENEWALS)

    async def _take_from_the_dead(self) -> None:
        from procrastinate.exceptions import ConnectorException, UniqueViolation
        from procrastinate.jobs import Status

        manager = self._app.job_manager
        silent = await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=self._lease_s)
        for job in silent:
            try:
                if job.attempts + 1 < MOST_ATTEMPTS:
                    await manager.retry_job(job)
                    continue
                await self._indexing.give_up(_key(job.task_kwargs))
            except UniqueViolation:
                # Another one for the same waits in line already, behind this one.
                pass
            except ConnectorException:
                # Another instance was quicker.
                continue
            await manager.finish_job(job, status=Status.FAILED, delete_job=True)

    async def _defer_missing(self) -> None:
        waiting = await self._indexing.waiting()
        # What has ended is removed: these wait in line or are under way.
        names = {job.lock for job in await self._app.job_manager.list_jobs_async(queue=QUEUE)}
        for key in waiting:
            if _name(key) not in names:
                await self.defer(key)


def connection_words(address: URL) -> dict[str, Any]:
    """The address of the records as libpq wants it; asyncpg's own words have no meaning there."""
    query = {
        name: one if isinstance(one, str) else ",".join(one) for name, one in address.query.items()
    }
    words = {
        "host": address.host or query.get("host"),
        "port": address.port or query.get("port"),
        "user": address.username or query.get("user"),
        "password": address.password or query.get("password"),
        "dbname": address.database or query.get("database"),
        "sslmode": query.get("ssl") or query.get("sslmode"),
        "options": f"-c search_path={SCHEMA}",
        "application_name": "tipstaff-jobs",
    }
    return {name: value for name, value in words.items() if value}


def _name(key: Key) -> str:
    return json.dumps(key)


def _key(arguments: dict[str, Any]) -> Key:
    return arguments["tenant"], arguments["tez_id"], arguments["version"]
