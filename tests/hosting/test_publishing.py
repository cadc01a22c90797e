"""Publishing: whole or not at all, by content, in versions, by those who may."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import manifest_of
from tests.hosting.conftest import (
    JANE,
    SENDER,
    SETTINGS,
    Hosted,
    TezMaker,
    blobs,
    indexes,
    person,
    pieces,
)
from tipstaff.domain.caller import Permission
from tipstaff.errors import (
    AuthorizationDenied,
    BundleUnusable,
    ContextPartlyLoaded,
    ContextTooLarge,
    TipstaffError,
)
from tipstaff.hosting.published import Published
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records, open_records


def test_a_published_tez_is_kept_by_its_hash_and_indexed_before_anybody_asks(
    hosted: Hosted, make_tez: TezMaker, own_folder: Path
) -> None:
    tez = make_tez()
    told: list[str] = []

    async def work(tezits: Tezits, _: Records) -> Published:
        content = pieces(tez.read_bytes())
        return await tezits.publish(SENDER, content, tez_id="small-tez", progress=told.append)

    published = hosted(work)
    digest = hashlib.sha256(tez.read_bytes()).hexdigest()
    assert (published.tez_id, published.version, published.digest) == ("small-tez", 1, digest)
    assert (published.state, published.title, published.published_by) == (
        "ready",
        "A small tez",
        "user:sender",
    )
    assert blobs(own_folder) == [f"{digest}.tez"]
    assert indexes(own_folder)
    assert told


def test_equal_bytes_are_the_same_version_and_others_the_next(
    hosted: Hosted, make_tez: TezMaker
) -> None:
    one = make_tez()
    other = make_tez({"notes.md": b"The sky is grey.\n"}, name="other")

    async def work(tezits: Tezits, _: Records) -> tuple[list[int], list[int], int]:
        sent = [one, one, other, one]
        versions = [(await tezits.publish(SENDER, path)).version for path in sent]
        there = [each.version for each in await tezits.versions(JANE, "small-tez")]
        return versions, there, (await tezits.describe(JANE, "small-tez")).version

    assert hosted(work) == ([1, 1, 2, 3], [3, 2, 1], 3)


def test_the_senders_own_version_number_is_used(hosted: Hosted, make_tez: TezMaker) -> None:
    items = {"notes.md": b"The sky is blue.\n"}
    numbers = [4, 4, 9, 10**12]
    files = [
        make_tez(items, name=f"v{n}", manifest=manifest_of(items, version=version, profile=str(n)))
        for n, version in enumerate(numbers)
    ]

    async def work(tezits: Tezits, _: Records) -> list[int]:
        return [(await tezits.publish(SENDER, path)).version for path in files]

    assert hosted(work) == [4, 5, 9, 10]


def test_only_publishers_publish_and_only_senders_replace(
    hosted: Hosted, make_tez: TezMaker
) -> None:
    one = make_tez()
    other = make_tez({"notes.md": b"The sky is grey.\n"}, name="other")
    limited = person("sender", Permission.PUBLISH, tezits=frozenset({"another-tez"}))

    async def work(tezits: Tezits, _: Records) -> None:
        for caller, tez_id in ((JANE, None), (limited, None), (limited, "small-tez")):
            with pytest.raises(AuthorizationDenied):
                await tezits.publish(caller, one, tez_id=tez_id)
        await tezits.publish(SENDER, one)
        with pytest.raises(AuthorizationDenied):
            await tezits.publish(person("rival", Permission.PUBLISH), other)
        boss = person("boss", Permission.PUBLISH, Permission.ADMIN)
        assert (await tezits.publish(boss, other)).version == 2

    hosted(work)


def test_what_cannot_be_interrogated_is_refused_and_leaves_nothing(
    hosted: Hosted, make_tez: TezMaker, own_folder: Path, tmp_path: Path
) -> None:
    tez = make_tez()
    broken = tmp_path / "broken.tez"
    broken.write_bytes(tez.read_bytes()[:-40])
    future = make_tez(
        name="future",
        manifest=manifest_of(
            {"notes.md": b"The sky is blue.\n"}, interrogation={"tip_version": "9.0"}
        ),
    )

    async def work(tezits: Tezits, _: Records) -> list[str]:
        messages = []
        for path, tez_id in ((broken, None), (future, None), (tez, "other-name"), (tez, "Bad Id")):
            with pytest.raises(TipstaffError) as caught:
                await tezits.publish(SENDER, path, tez_id=tez_id)
            messages.append(caught.value.message)
        assert await tezits.list(SENDER) == []
        return messages

    messages = hosted(work)
    assert blobs(own_folder) == []
    assert not any(".writing-" in message or str(own_folder) in message for message in messages)


def test_a_tez_that_is_too_large_is_refused_as_it_arrives(
    hosted: Callable[..., Any], make_tez: TezMaker, own_folder: Path
) -> None:
    taken = 0

    async def endless() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield b"x" * 400

    async def work(tezits: Tezits, _: Records) -> None:
        with pytest.raises(ContextTooLarge):
            await tezits.publish(SENDER, endless())

    hosted(work, max_tez_bytes=1_000)
    assert taken == 3
    assert blobs(own_folder) == []


def test_items_that_are_not_as_declared_are_published_only_knowingly(
    hosted: Hosted, make_tez: TezMaker
) -> None:
    items = {"notes.md": b"The sky is blue.\n", "plan.md": b"We will look up.\n"}
    manifest = manifest_of(items | {"plan.md": b"Something else.\n"})
    tez = make_tez(items, manifest=manifest)

    async def work(tezits: Tezits, _: Records) -> Published:
        with pytest.raises(ContextPartlyLoaded) as caught:
            await tezits.publish(SENDER, tez)
        assert [one["item_id"] for one in caught.value.details["failed_items"]] == ["plan"]
        return await tezits.publish(SENDER, tez, proceed=True)

    assert hosted(work).state == "ready"


def test_data_residency_is_checked_before_anything_is_kept(
    hosted: Callable[..., Any], make_tez: TezMaker
) -> None:
    wanted = {"data_residency": {"regions": ["eu-west"]}}
    tez = make_tez(manifest=manifest_of({"notes.md": b"The sky is blue.\n"}, privacy=wanted))

    async def refused(tezits: Tezits, _: Records) -> None:
        with pytest.raises(BundleUnusable, match="eu-west"):
            await tezits.publish(SENDER, tez)
        assert await tezits.list(SENDER) == []

    async def taken(tezits: Tezits, _: Records) -> str:
        return str((await tezits.publish(SENDER, tez)).state)

    hosted(refused)
    hosted(refused, region="us-east")
    assert hosted(taken, region="eu-west") == "ready"


def test_publishers_who_race_with_equal_bytes_get_one_version(
    records_address: str | Path, own_folder: Path, make_tez: TezMaker
) -> None:
    tez = make_tez()
    others = [
        make_tez({"notes.md": f"The sky has {n} stars.\n".encode()}, name=f"n{n}") for n in range(4)
    ]

    async def race() -> tuple[set[int], list[int]]:
        servers = [await open_records(records_address) for _ in range(2)]
        hosts = [Tezits(one, settings=SETTINGS, data_folder=own_folder) for one in servers]
        try:
            same = [hosts[n % 2].publish(SENDER, tez, wait=False) for n in range(6)]
            versions = {one.version for one in await asyncio.gather(*same)}
            new = [hosts[n % 2].publish(SENDER, path) for n, path in enumerate(others)]
            return versions, sorted(one.version for one in await asyncio.gather(*new))
        finally:
            for host in hosts:
                await host.aclose()
            for records in servers:
                await records.aclose()

    assert asyncio.run(race()) == ({1}, [2, 3, 4, 5])
