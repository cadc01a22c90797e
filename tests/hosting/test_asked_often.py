"""Enterprise §7.4: what is asked often stays open, and is open before it is asked again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert

from tests.conftest import manifest_of
from tests.hosting.conftest import SENDER, SETTINGS, Clock, Run, TezMaker
from tipstaff.hosting.asked_often import HALF_LIFE_S, AskedOften
from tipstaff.hosting.open_tezits import Key, OpenTezits
from tipstaff.hosting.tezits import Tezits
from tipstaff.records.database import Records
from tipstaff.records.tables import RESERVATION

ITEMS = {"notes.md": b"The sky is blue.\n"}


class Bundle:
    """Stands for an open bundle: nobody closes it here."""

    def __init__(self) -> None:
        self.opened = self

    def close_with_its_last_user(self) -> None:
        pass


def key(name: str) -> Key:
    return ("acme", name, 1)


async def asked(tezits: OpenTezits, names: str, made: list[str]) -> None:
    for name in names:

        def make(name: str = name) -> Any:
            made.append(name)
            return Bundle()

        await tezits.get(key(name), make)
        # The thread's end is told by the loop, behind whoever waits for it.
        await asyncio.sleep(0)


def test_what_is_asked_often_outlives_what_was_asked_last(clock: Clock) -> None:
    made: list[str] = []
    told: list[bool] = []

    async def work() -> None:
        tezits = OpenTezits(3, now=clock)
        tezits.on_asked = told.append
        await asked(tezits, "aaabbb" + "cdefg" + "ab", made)

    asyncio.run(work())
    assert made == list("abcdefg")
    assert told.count(True) == 2 + 2 + 2
    assert told[-2:] == [True, True]


def test_what_was_asked_often_long_ago_makes_room(clock: Clock) -> None:
    made: list[str] = []

    async def work() -> None:
        tezits = OpenTezits(2, now=clock)
        await asked(tezits, "aaaaaaaa", made)
        clock.now += 6 * HALF_LIFE_S
        await asked(tezits, "bc" + "b", made)
        await asked(tezits, "a", made)

    asyncio.run(work())
    assert made == list("abca")


def test_an_index_that_is_only_built_ahead_is_not_asked(clock: Clock) -> None:
    told: list[bool] = []

    async def work() -> None:
        tezits = OpenTezits(2, now=clock)
        tezits.on_asked = told.append
        await tezits.get(key("a"), Bundle, ahead=True)  # type: ignore[arg-type]
        assert tezits.asked.often(5) == []

    asyncio.run(work())
    assert told == []


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 40)), min_size=1, max_size=40),
)
def test_weights_are_sums_that_halve_with_time(asking: list[tuple[str, int]]) -> None:
    clock = Clock()
    counts = AskedOften(100, clock)
    sums = dict.fromkeys("abc", 0.0)
    for name, hours in asking:
        clock.now += hours * 3_600
        sums = {one: total * 0.5 ** (hours * 3_600 / HALF_LIFE_S) for one, total in sums.items()}
        sums[name] += 1
        counts.count(("acme", name))
    for name, total in sums.items():
        if total:
            weight = counts.weight(("acme", name)) - clock.now / HALF_LIFE_S
            assert 2**weight == pytest.approx(total, rel=1e-6)


def test_of_many_tezits_the_rarest_are_forgotten(clock: Clock) -> None:
    counts = AskedOften(10, clock)
    for number in range(500):
        counts.count(("acme", f"rare-{number}"))
        counts.count(("acme", "often"))
    assert counts.often(1) == [("acme", "often")]
    assert len(counts.often(1_000)) <= 20


def test_after_a_start_the_most_asked_are_open_before_they_are_asked(
    in_records: Run[Any], own_folder: Path, make_tez: TezMaker, clock: Clock
) -> None:
    """Counted in the records, whichever instance was asked; no more than may be open."""
    names = [f"tez-{number}" for number in range(4)]
    # The first was asked most of all, but two days ago.
    times = {"tez-0": (40, 7.9), "tez-1": (3, 0.0), "tez-2": (5, 0.0), "tez-3": (1, 0.0)}

    def reservations() -> list[dict[str, Any]]:
        return [
            {
                "tenant": "acme",
                "query_id": f"{name}-{number}",
                "tez_id": name,
                "user": "user:jane",
                "session_id": "s",
                "at": clock.now - halvings * HALF_LIFE_S - 1,
                "state": "settled",
            }
            for name, (count, halvings) in times.items()
            for number in range(count)
        ]

    async def work(records: Records) -> None:
        settings = SETTINGS.__class__(embedder="static", reader="none", open_tezits=2)
        first = Tezits(records, settings=settings, data_folder=own_folder, now=clock)
        for name in names:
            await first.publish(
                SENDER, make_tez(ITEMS, manifest=manifest_of(ITEMS, id=name), name=name)
            )
        await first.aclose()
        async with records.writing("acme") as connection:
            await connection.execute(insert(RESERVATION), reservations())
        second = Tezits(records, settings=settings, data_folder=own_folder, now=clock)
        told: list[bool] = []
        second.tell_of_asking(told.append)
        await second.start()
        await second.warm()
        for name in ("tez-2", "tez-1", "tez-0"):
            await second.opened("acme", name, 1)
        assert told == [True, True, False]
        await second.aclose()

    in_records(work)
