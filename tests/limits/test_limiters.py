"""Enterprise §6.4, §7.7: every scope counts for itself, all are taken or none, in memory and in a
real Valkey alike."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.instances.valkey_server import OwnValkey
from tipstaff.errors import RateLimited
from tipstaff.limits.limiter import Algorithm, Limiter, Standing
from tipstaff.limits.memory import MemoryLimiter
from tipstaff.limits.scopes import Asking, Level, Rates
from tipstaff.limits.valkey_limiter import ValkeyLimiter

BOTH = list(Algorithm)
RATES: Rates = ((Level.SESSION, 2), (Level.USER, 3), (Level.TEZ, 4), (Level.GLOBAL, 5))


@dataclass
class Clock:
    now: float = 1_760_000_000.0

    def __call__(self) -> float:
        return self.now


def asking(user: str = "jane", tez: str = "a", session: str = "s1", tenant: str = "acme") -> Asking:
    return Asking(tenant=tenant, user=user, tez_id=tez, session_id=session)


def name() -> str:
    return uuid.uuid4().hex


@asynccontextmanager
async def shared(
    valkey: OwnValkey, algorithm: Algorithm, clock: Clock | None = None, *, prefix: str = ""
) -> AsyncIterator[ValkeyLimiter]:
    connection = valkey.connected(prefix or name())
    try:
        yield ValkeyLimiter(connection, algorithm, now=clock)
    finally:
        await connection.aclose()


def with_each(
    valkey: OwnValkey, algorithm: Algorithm, work: Callable[[Limiter, Clock], Awaitable[None]]
) -> None:
    """The same in memory and in Valkey."""

    async def run() -> None:
        clock = Clock()
        await work(MemoryLimiter(algorithm, now=clock), clock)
        clock = Clock()
        async with shared(valkey, algorithm, clock) as limiter:
            await work(limiter, clock)

    asyncio.run(run())


async def outcome(limiter: Limiter, who: Asking, rates: Rates = RATES) -> str:
    try:
        await limiter.take(who, rates, name=name())
    except RateLimited as problem:
        return str(problem.details["scope"])
    return "taken"


@pytest.mark.parametrize("algorithm", BOTH)
def test_the_scope_that_is_full_is_named_and_the_others_lose_nothing(
    valkey: OwnValkey, algorithm: Algorithm
) -> None:
    async def work(limiter: Limiter, _: Clock) -> None:
        assert [await outcome(limiter, asking()) for _ in range(3)] == ["taken", "taken", "session"]
        # The refused one took no place of the user's either.
        assert await outcome(limiter, asking(session="s2")) == "taken"
        assert await outcome(limiter, asking(session="s3")) == "user"
        assert await outcome(limiter, asking("joe", session="s4")) == "taken"
        assert await outcome(limiter, asking("ann", session="s5")) == "tez"
        assert await outcome(limiter, asking("ann", "b", "s5")) == "taken"
        assert await outcome(limiter, asking("max", "c", "s6", "beta")) == "global"

    with_each(valkey, algorithm, work)


@pytest.mark.parametrize("algorithm", BOTH)
def test_equal_names_of_two_tenants_are_not_counted_together(
    valkey: OwnValkey, algorithm: Algorithm
) -> None:
    rates: Rates = ((Level.SESSION, 1), (Level.USER, 1), (Level.TEZ, 1), (Level.TENANT, 1))

    async def work(limiter: Limiter, _: Clock) -> None:
        assert await outcome(limiter, asking(tenant="acme"), rates) == "taken"
        assert await outcome(limiter, asking(tenant="beta"), rates) == "taken"
        assert await outcome(limiter, asking(tenant="beta"), rates) != "taken"

    with_each(valkey, algorithm, work)


def test_a_window_lets_one_in_as_one_leaves(valkey: OwnValkey) -> None:
    rates: Rates = ((Level.USER, 2),)

    async def work(limiter: Limiter, clock: Clock) -> None:
        began = clock.now
        await limiter.take(asking(), rates, name=name())
        clock.now += 20
        await limiter.take(asking(), rates, name=name())
        with pytest.raises(RateLimited) as caught:
            await limiter.take(asking(), rates, name=name())
        assert caught.value.details["retry_after_seconds"] == 40
        assert caught.value.allowed == 2
        clock.now = began + 60
        assert await outcome(limiter, asking(), rates) == "taken"
        assert await outcome(limiter, asking(), rates) == "user"

    with_each(valkey, Algorithm.SLIDING_WINDOW, work)


def test_a_bucket_fills_steadily(valkey: OwnValkey) -> None:
    rates: Rates = ((Level.USER, 6),)

    async def work(limiter: Limiter, clock: Clock) -> None:
        assert [await outcome(limiter, asking(), rates) for _ in range(7)] == ["taken"] * 6 + [
            "user"
        ]
        with pytest.raises(RateLimited) as caught:
            await limiter.take(asking(), rates, name=name())
        assert caught.value.details["retry_after_seconds"] == 10
        clock.now += 10
        assert [await outcome(limiter, asking(), rates) for _ in range(2)] == ["taken", "user"]
        clock.now += 3_600
        standing = await limiter.look(asking(), rates)
        assert [(rate.used, rate.resets_at) for rate in standing.rates] == [(0, clock.now)]

    with_each(valkey, Algorithm.TOKEN_BUCKET, work)


@pytest.mark.parametrize("algorithm", BOTH)
def test_a_limit_of_nothing_lets_nobody_in(valkey: OwnValkey, algorithm: Algorithm) -> None:
    async def work(limiter: Limiter, _: Clock) -> None:
        with pytest.raises(RateLimited) as caught:
            await limiter.take(asking(), ((Level.RECIPIENT, 0),), name=name())
        assert caught.value.details["retry_after_seconds"] == 60

    with_each(valkey, algorithm, work)


STEPS = st.lists(
    st.tuples(
        st.integers(0, 120),  # quarters of a second that pass
        st.sampled_from("xy"),
        st.sampled_from("ab"),
        st.sampled_from("12"),
    ),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize("algorithm", BOTH)
@settings(max_examples=40)
@given(steps=STEPS, limits=st.lists(st.integers(0, 7), min_size=4, max_size=4))
def test_valkey_counts_as_memory_does(
    valkey: OwnValkey,
    algorithm: Algorithm,
    steps: list[tuple[int, str, str, str]],
    limits: list[int],
) -> None:
    """Whatever is asked when: the same is let in, and the same is told of it."""
    levels = (Level.SESSION, Level.USER, Level.TEZ, Level.GLOBAL)
    rates = tuple(zip(levels, sorted(limits), strict=True))

    async def run() -> None:
        clock = Clock()
        memory = MemoryLimiter(algorithm, now=clock)
        async with shared(valkey, algorithm, clock) as limiter:
            for quarters, user, tez, session in steps:
                clock.now += quarters / 4
                who = asking(user, tez, session)
                told = [await taken(one, who, rates) for one in (memory, limiter)]
                assert told[0] == told[1]

    asyncio.run(run())


async def taken(limiter: Limiter, who: Asking, rates: Rates) -> object:
    """In numbers that can be compared: Valkey tells times in microseconds."""
    try:
        standing: Standing = await limiter.take(who, rates, name=name())
    except RateLimited as problem:
        return problem.details
    return [(one.level, one.used, round(one.resets_at, 3)) for one in standing.rates]


async def race(limiters: list[Limiter], racers: list[Asking], rates: Rates) -> int:
    """How many of those who all ask at once get in."""
    tasks = [
        outcome(limiters[number % len(limiters)], who, rates) for number, who in enumerate(racers)
    ]
    return (await asyncio.gather(*tasks)).count("taken")


@pytest.mark.parametrize("algorithm", BOTH)
@settings(max_examples=15)
@given(racers=st.integers(1, 120), places=st.integers(0, 40), wider=st.integers(0, 40))
def test_racers_through_two_clients_of_one_valkey_get_exactly_the_places_there_are(
    valkey: OwnValkey, algorithm: Algorithm, racers: int, places: int, wider: int
) -> None:
    """By Valkey's own clock; but a bucket gains places while a race lasts, unless time stands."""
    rates: Rates = ((Level.USER, places), (Level.GLOBAL, wider))

    async def run() -> int:
        prefix = name()
        clock = Clock() if algorithm is Algorithm.TOKEN_BUCKET else None
        async with (
            shared(valkey, algorithm, clock, prefix=prefix) as one,
            shared(valkey, algorithm, clock, prefix=prefix) as other,
        ):
            return await race([one, other], [asking()] * racers, rates)

    assert asyncio.run(run()) == min(racers, places, wider)


@pytest.mark.parametrize("algorithm", BOTH)
@settings(max_examples=15)
@given(racers=st.integers(1, 120), places=st.integers(0, 40), wider=st.integers(0, 40))
def test_racers_in_one_process_get_exactly_the_places_there_are(
    algorithm: Algorithm, racers: int, places: int, wider: int
) -> None:
    rates: Rates = ((Level.USER, places), (Level.GLOBAL, wider))
    limiter = MemoryLimiter(algorithm, now=Clock())
    got = asyncio.run(race([limiter], [asking()] * racers, rates))
    assert got == min(racers, places, wider)


def test_a_query_that_is_counted_again_takes_no_second_place(valkey: OwnValkey) -> None:
    """As when its answer was lost on the way."""

    async def run() -> list[int]:
        async with shared(valkey, Algorithm.SLIDING_WINDOW) as limiter:
            standings = [await limiter.take(asking(), RATES, name="q1") for _ in range(3)]
            return [one.rates[0].used for one in standings]

    assert asyncio.run(run()) == [1, 1, 1]


def test_counts_that_are_over_are_not_held(valkey: OwnValkey) -> None:
    async def run() -> None:
        clock = Clock()
        memory = MemoryLimiter(now=clock)
        for number in range(50):
            await memory.take(asking(session=f"s{number}"), RATES[:1], name=name())
        assert len(memory) == 50
        clock.now += 61
        await memory.take(asking(session="s"), RATES[:1], name=name())
        assert len(memory) == 1
        prefix = name()
        async with shared(valkey, Algorithm.SLIDING_WINDOW, prefix=prefix) as limiter:
            await limiter.take(asking(), RATES, name=name())
        connection = valkey.connected()
        keys = await connection.client.keys(f"*{prefix}*")
        lives = [await connection.client.pttl(key) for key in keys]
        await connection.aclose()
        assert len(lives) == len(RATES)
        assert all(0 < one <= 61_000 for one in lives)

    asyncio.run(run())
