"""What a killed server left of a publication: all of it, or nothing."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import manifest_of
from tests.hosting.conftest import (
    SENDER,
    SETTINGS,
    Hosted,
    TezMaker,
    blobs,
)
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records, open_records

KILLED = textwrap.dedent(
    """
    import asyncio, os, signal, sys
    from pathlib import Path
    from tests.hosting.conftest import SENDER, SETTINGS
    from tipstaff.hosting import tezits as module
    from tipstaff.records.database import open_records

    folder, tez, moment = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    async def endless():
        yield tez.read_bytes()[:100]
        die()

    async def run():
        records = await open_records(folder / "records.sqlite")
        tezits = module.Tezits(records, settings=SETTINGS, data_folder=folder)
        content = tez
        if moment == "while it arrives":
            content = endless()
        elif moment == "before it has its name":
            tezits._blobs.keep = die
        elif moment == "before it is entered":
            kept = tezits._blobs.keep
            tezits._blobs.keep = lambda *words: (kept(*words), die())
        elif moment == "before it is indexed":
            module.prepared = die
        await tezits.publish(SENDER, content)

    asyncio.run(run())
    """
)


@pytest.mark.parametrize(
    ("moment", "is_there"),
    [
        ("while it arrives", False),
        ("before it has its name", False),
        ("before it is entered", False),
        ("before it is indexed", True),
    ],
)
def test_a_server_killed_while_publishing_has_all_of_it_or_nothing(
    own_folder: Path, make_tez: TezMaker, moment: str, is_there: bool
) -> None:
    own_folder.mkdir()
    first = make_tez(
        name="first", manifest=manifest_of({"notes.md": b"The sky is blue.\n"}, id="first-tez")
    )
    tez = make_tez()

    async def started() -> tuple[list[tuple[str, str]], list[str]]:
        records = await open_records(own_folder / "records.sqlite")
        tezits = Tezits(records, settings=SETTINGS, data_folder=own_folder)
        try:
            await tezits.start()
            await tezits.publish(SENDER, first)
            for one in await tezits.list(SENDER):
                await tezits.publish(SENDER, {"first-tez": first, "small-tez": tez}[one.tez_id])
                await tezits.opened("acme", one.tez_id, one.version)
            return [(one.tez_id, str(one.state)) for one in await tezits.list(SENDER)], blobs(
                own_folder
            )
        finally:
            await tezits.aclose()
            await records.aclose()

    asyncio.run(started())
    done = subprocess.run(
        [sys.executable, "-c", KILLED, own_folder, tez, moment],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    there, kept = asyncio.run(started())
    expected = [("first-tez", "ready"), *([("small-tez", "ready")] if is_there else [])]
    assert there == expected
    assert len(kept) == len(expected)
    for name in kept:
        content = next(own_folder.glob(f"tenants/*/blobs/{name}")).read_bytes()
        assert hashlib.sha256(content).hexdigest() == name.removesuffix(".tez")


def test_bytes_of_a_tenant_whose_first_tez_never_arrived_are_dropped(
    hosted: Hosted, own_folder: Path
) -> None:
    folder = own_folder / "tenants" / "nobody" / "blobs"
    folder.mkdir(parents=True)
    old, young = folder / f"{'0' * 64}.tez", folder / f"{'1' * 64}.tez"
    for path in (old, young):
        path.write_bytes(b"left behind")
    os.utime(old, (0, 0))

    async def started(_: Tezits, __: Records) -> None:
        """Starting is all."""

    hosted(started)
    assert blobs(own_folder) == [young.name]
