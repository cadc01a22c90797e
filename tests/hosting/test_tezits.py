"""Publishing: whole or not at all, by content, in versions, for those who may know of it."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import update

from tests.conftest import BundleMaker, manifest_of
from tests.hosting.conftest import JANE, SENDER, SETTINGS, Run, TezMaker, person, pieces
from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import (
    AuthorizationDenied,
    BundleUnusable,
    ContextPartlyLoaded,
    ContextTooLarge,
    NotFound,
    RetrievalFailed,
    TipstaffError,
    UsageError,
)
from tipstaff.hosting.published import Published
from tipstaff.hosting.tezits import Tezits
from tipstaff.indexing import IndexedBundle
from tipstaff.records.database import Records, open_records
from tipstaff.records.tables import TEZ
from tipstaff.settings import Settings

T = TypeVar("T")
Hosted = Callable[[Callable[[Tezits, Records], Awaitable[Any]]], Any]
LOCAL = person("jane", tenant="local")


@pytest.fixture
def hosted(in_records: Run[Any], own_folder: Path) -> Hosted:
    """Tezits on a server of its own, in both databases; called again, it is started again."""

    def run(work: Callable[[Tezits, Records], Awaitable[Any]], **changes: Any) -> Any:
        async def served(records: Records) -> Any:
            settings = Settings(embedder="static", reader="none", **changes)
            tezits = Tezits(records, settings=settings, data_folder=own_folder)
            await tezits.start()
            try:
                return await work(tezits, records)
            finally:
                await tezits.aclose()

        return in_records(served)

    return run


def blobs(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("tenants/*/blobs/*"))


def indexes(folder: Path) -> list[Path]:
    return list(folder.glob("tenants/*/tez/*/*.index"))


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


def test_unknown_forbidden_and_withdrawn_look_the_same(hosted: Hosted, make_tez: TezMaker) -> None:
    tez = make_tez()

    async def work(tezits: Tezits, _: Records) -> set[str]:
        await tezits.publish(SENDER, tez)
        looks = set()
        strangers = [
            person("jane", tezits=frozenset({"other"})),
            person("jane", tenant="beta"),
            person("rival", Permission.PUBLISH),
            person("admin", Permission.ADMIN, tenant="beta"),
        ]
        for caller in strangers:
            assert await tezits.list(caller) == []
            with pytest.raises(NotFound) as caught:
                await tezits.describe(caller, "small-tez")
            looks.add(str(caught.value.to_wire()))
            with pytest.raises(NotFound):
                await tezits.withdraw(caller, "small-tez")
        assert [one.tez_id for one in await tezits.list(JANE)] == ["small-tez"]
        granted = person("joe", tezits=frozenset({"small-tez"}))
        assert (await tezits.describe(granted, "small-tez")).version == 1
        for tez_id, version in (("nosuch", None), ("small-tez", 2)):
            with pytest.raises(NotFound) as caught:
                await tezits.describe(JANE, tez_id, version)
            looks.add(str(caught.value.to_wire()))
        await tezits.withdraw(SENDER, "small-tez")
        with pytest.raises(NotFound) as caught:
            await tezits.describe(JANE, "small-tez")
        looks.add(str(caught.value.to_wire()))
        return looks

    assert len(hosted(work)) == 1


def test_a_withdrawn_tez_is_gone(hosted: Hosted, make_tez: TezMaker, own_folder: Path) -> None:
    one = make_tez()
    other = make_tez({"notes.md": b"The sky is grey.\n"}, name="other")

    async def work(tezits: Tezits, _: Records) -> int:
        for path in (one, other):
            await tezits.publish(SENDER, path)
        held = await tezits.opened("acme", "small-tez", 1)
        with pytest.raises(AuthorizationDenied):
            await tezits.withdraw(JANE, "small-tez")
        await tezits.withdraw(SENDER, "small-tez")
        assert blobs(own_folder) == []
        assert indexes(own_folder) == []
        assert await tezits.list(SENDER) == []
        # Whoever has it open reads on; nobody else gets to it.
        assert held.opened.read("notes") == b"The sky is blue.\n"
        for version in (1, 2):
            with pytest.raises(NotFound):
                await tezits.opened("acme", "small-tez", version)
        with pytest.raises(NotFound):
            await tezits.withdraw(SENDER, "small-tez")
        return (await tezits.publish(SENDER, one)).version

    assert hosted(work) == 3


def test_bytes_that_another_tez_needs_stay(
    hosted: Hosted, make_tez: TezMaker, own_folder: Path, tmp_path: Path
) -> None:
    """A bundle without an id of its own can be published under two names."""
    import zipfile

    informal = tmp_path / "papers.zip"
    with zipfile.ZipFile(informal, "w") as archive:
        archive.writestr("tez.md", "# Findings\n")
        archive.writestr("notes.txt", "The sky is blue.\n")

    async def work(tezits: Tezits, _: Records) -> None:
        with pytest.raises(UsageError, match="no id of its own"):
            await tezits.publish(SENDER, informal)
        for name in ("first-papers", "second-papers"):
            published = await tezits.publish(SENDER, informal, tez_id=name)
            assert (published.tez_id, published.title) == (name, name)
        assert len(blobs(own_folder)) == 1
        await tezits.withdraw(SENDER, "first-papers")
        assert len(blobs(own_folder)) == 1
        assert (await tezits.opened("acme", "second-papers", 1)).opened.bundle.items
        await tezits.withdraw(SENDER, "second-papers")
        assert blobs(own_folder) == []

    hosted(work)


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


def _is_folder(value: object) -> bool:
    return isinstance(value, str | Path) and Path(value).is_dir()


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


def test_a_publisher_without_the_right_to_ask_sees_what_is_their_own(
    hosted: Hosted, make_tez: TezMaker
) -> None:
    tez = make_tez()

    async def work(tezits: Tezits, _: Records) -> list[Caller]:
        await tezits.publish(SENDER, tez)
        callers = [
            SENDER,
            JANE,
            person("rival", Permission.PUBLISH),
            person("boss", Permission.ADMIN),
        ]
        return [caller for caller in callers if await tezits.list(caller)]

    assert [caller.user for caller in hosted(work)] == ["user:sender", "user:jane", "user:boss"]
