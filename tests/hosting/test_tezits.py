"""Published tezits: for those who may know of them, until they are withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosting.conftest import (
    JANE,
    SENDER,
    Hosted,
    TezMaker,
    blobs,
    indexes,
    person,
)
from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import (
    AuthorizationDenied,
    NotFound,
    UsageError,
)
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records


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
