"""An instance that only builds indexes, as a process that can be killed.

    python -m tests.hosting.one_worker RECORDS_URL DATA_FOLDER LEASE_S MARKER [stands-still]

It writes the marker when it has begun to build one; `stands-still` never gets further than that.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from tests.hosting.conftest import SETTINGS
from tipstaff.hosting import tezits as tezits_module
from tipstaff.hosting.index_jobs import IndexJobs
from tipstaff.hosting.preparing import prepared
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import database_url, open_records


async def work(address: str, folder: Path, lease_s: float) -> None:
    records = await open_records(address)
    tezits = Tezits(records, settings=SETTINGS, data_folder=folder)
    jobs = IndexJobs(database_url(address), tezits.indexing, lease_s=lease_s)
    tezits.indexing.jobs = jobs
    await jobs.start()
    await asyncio.Event().wait()


def main(address: str, folder: str, lease_s: str, marker: str, *how: str) -> None:
    def marked(*words: Any, **options: Any) -> Any:
        Path(marker).touch()
        if how:
            time.sleep(600)
        return prepared(*words, **options)

    setattr(tezits_module, "prepared", marked)  # noqa: B010 (it is not exported)
    asyncio.run(work(address, Path(folder), float(lease_s)))


if __name__ == "__main__":
    main(*sys.argv[1:])
