"""The worker of an instance: builds indexes that wait, its own and others', until it drains."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tipstaff.hosting.index_jobs import IndexJobs
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records, database_url
from tipstaff.serve.logs import log
from tipstaff.serve.service import Service


@asynccontextmanager
async def indexing_by_jobs(
    records: Records, tezits: Tezits, service: Service
) -> AsyncIterator[None]:
    """With records in a file, or without tables for jobs, an instance indexes what it publishes."""
    settings = service.settings
    missing = await records.jobs_missing()
    if missing is not None:
        if records.is_shared:
            log("indexing_alone", level=logging.WARNING, reason=missing)
        yield
        return
    jobs = IndexJobs(
        database_url(settings.records_url),
        tezits.indexing,
        lease_s=settings.lease_s,
        takes=settings.index_jobs == "take",
    )
    tezits.indexing.jobs = jobs
    await jobs.start()
    draining = asyncio.create_task(_stop_with_drain(service, jobs))
    try:
        yield
    finally:
        draining.cancel()
        await jobs.aclose()


async def _stop_with_drain(service: Service, jobs: IndexJobs) -> None:
    await service.draining.wait()
    jobs.stop()
