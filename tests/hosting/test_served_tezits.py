"""Tezits that are asked: opened once for all, in the version that is ready, from where they lie."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from tests.conftest import BundleMaker, manifest_of
from tests.hosting.conftest import (
    JANE,
    SENDER,
    Hosted,
    TezMaker,
    blobs,
    person,
)
from tipstaff.errors import (
    BundleUnusable,
    NotFound,
    RetrievalFailed,
    UsageError,
)
from tipstaff.hosting.tezits import Tezits
from tipstaff.indexing import IndexedBundle
from tipstaff.records.database import Records
from tipstaff.records.tables import TEZ

LOCAL = person("jane", tenant="local")


def test_a_server_that_moved_away_does_not_open_what_must_stay(
    hosted: Callable[..., Any], make_tez: TezMaker
) -> None:
    wanted = {"data_residency": {"regions": ["eu-west"]}}
    tez = make_tez(manifest=manifest_of({"notes.md": b"The sky is blue.\n"}, privacy=wanted))

    async def published(tezits: Tezits, _: Records) -> None:
        await tezits.publish(SENDER, tez)

    async def opened(tezits: Tezits, _: Records) -> None:
        with pytest.raises(BundleUnusable, match="us-east"):
            await tezits.opened("acme", "small-tez", 1)

    hosted(published, region="eu-west")
    hosted(opened, region="us-east")


def _is_folder(value: object) -> bool:
    return isinstance(value, str | Path) and Path(value).is_dir()


def test_an_open_tez_is_shared_and_closed_with_its_last_user(
    hosted: Callable[..., Any], make_tez: TezMaker
) -> None:
    tez = make_tez()
    others = [
        make_tez(
            name=f"tez-{n}",
            manifest=manifest_of({"notes.md": b"The sky is blue.\n"}, id=f"tez-{n}"),
        )
        for n in range(2)
    ]

    async def work(tezits: Tezits, _: Records) -> None:
        for path in (tez, *others):
            await tezits.publish(SENDER, path)
        opening = [tezits.opened("acme", "small-tez", 1) for _ in range(5)]
        together: list[IndexedBundle] = await asyncio.gather(*opening)
        one = together.pop()
        assert all(each is one for each in together)
        del together, opening
        unpacked = next(
            Path(value) for value in vars(one.opened.files).values() if _is_folder(value)
        )
        await tezits.opened("acme", "tez-0", 1)
        await tezits.opened("acme", "tez-1", 1)
        # Not kept any more, but still in use.
        assert one.opened.read("notes") == b"The sky is blue.\n"
        assert unpacked.exists()
        del one
        gc.collect()
        assert not unpacked.exists()

    hosted(work, open_tezits=1)


def test_a_new_version_is_served_only_when_it_is_indexed(
    hosted: Hosted, make_tez: TezMaker
) -> None:
    one = make_tez()
    other = make_tez({"notes.md": b"The sky is grey.\n"}, name="other")

    async def work(tezits: Tezits, records: Records) -> None:
        await tezits.publish(SENDER, one)
        await tezits.publish(SENDER, other)
        second = update(TEZ).where(TEZ.c.version == 2)
        async with records.writing("acme") as connection:
            await connection.execute(second.values(state="indexing", progress="Reading 1 of 2"))
        assert (await tezits.describe(JANE, "small-tez")).version == 1
        assert (await tezits.describe(JANE, "small-tez", 2)).progress == "Reading 1 of 2"
        with pytest.raises(RetrievalFailed, match="still being indexed"):
            await tezits.opened("acme", "small-tez", 2)
        async with records.writing("acme") as connection:
            await connection.execute(second.values(state="failed", progress="It is a trap."))
        with pytest.raises(BundleUnusable):
            await tezits.opened("acme", "small-tez", 2)
        # Sent again, it is tried again.
        assert (await tezits.publish(SENDER, other)).state == "ready"
        assert (await tezits.describe(JANE, "small-tez")).version == 2

    hosted(work)


def test_who_does_not_wait_can_watch(hosted: Hosted, make_tez: TezMaker) -> None:
    tez = make_tez()

    async def work(tezits: Tezits, _: Records) -> tuple[str, str]:
        published = await tezits.publish(SENDER, tez, wait=False)
        began = str(published.state)
        again = await tezits.publish(SENDER, tez)
        return began, str(again.state)

    assert hosted(work) == ("indexing", "ready")


def test_a_bundle_is_served_from_where_it_lies_and_versioned_by_its_content(
    hosted: Hosted, make_bundle: BundleMaker, own_folder: Path, tmp_path: Path
) -> None:
    folder = make_bundle()

    async def served(tezits: Tezits, _: Records) -> tuple[int, bytes]:
        tez = await tezits.add_local(folder)
        indexed = await tezits.opened("local", tez.tez_id, tez.version)
        assert [one.tez_id for one in await tezits.list(LOCAL)] == ["small-tez"]
        return tez.version, indexed.opened.read("notes")

    async def not_served(tezits: Tezits, _: Records) -> None:
        assert await tezits.list(LOCAL) == []
        with pytest.raises(NotFound):
            await tezits.opened("local", "small-tez", 1)

    assert hosted(served) == (1, b"The sky is blue.\n")
    assert hosted(served) == (1, b"The sky is blue.\n")
    hosted(not_served)
    make_bundle({"notes.md": b"The sky is grey.\n"})
    assert hosted(served) == (2, b"The sky is grey.\n")
    assert blobs(own_folder) == []


def test_what_is_served_in_place_is_the_local_tenants_alone(
    hosted: Hosted, make_bundle: BundleMaker, make_tez: TezMaker
) -> None:
    """A tez of the same id and version of another tenant is not that one."""
    folder = make_bundle()
    theirs = make_tez({"notes.md": b"The sky is green.\n"}, name="theirs")

    async def work(tezits: Tezits, _: Records) -> None:
        await tezits.add_local(folder)
        await tezits.publish(SENDER, theirs)
        indexed = await tezits.opened("acme", "small-tez", 1)
        assert indexed.opened.read("notes") == b"The sky is green.\n"
        await tezits.withdraw(SENDER, "small-tez")
        local = await tezits.opened("local", "small-tez", 1)
        assert local.opened.read("notes") == b"The sky is blue.\n"
        with pytest.raises(UsageError, match="Two of the bundles"):
            await tezits.add_local(folder)

    hosted(work)
