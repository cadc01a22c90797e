"""Budgets: exact, whoever races, whatever is restarted, in SQLite and in PostgreSQL."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hosting.conftest import JANE, SENDER, Clock, Run, person
from tipstaff.domain.bundle import HostingLimits
from tipstaff.domain.caller import Caller, Permission
from tipstaff.domain.response import Usage
from tipstaff.errors import BudgetExhausted, LimitError, NotFound, RateLimited, UsageError
from tipstaff.hosting.ledger import Ledger
from tipstaff.hosting.limits import Limits, Remaining, expiry, server_limits
from tipstaff.limits.scopes import Level, server_rates
from tipstaff.records.database import Records, open_records
from tipstaff.records.tables import TEZ
from tipstaff.settings import Settings


async def reserve(
    ledger: Ledger, number: object, limits: HostingLimits, caller: Caller = JANE, **changes: Any
) -> Remaining:
    where = {"tez_id": "tez", "session_id": f"session of {caller.user}"} | changes
    return await ledger.reserve(caller, query_id=f"q{number}", limits=limits, **where)


async def settle(
    records: Records, ledger: Ledger, number: object, *, tokens: int = 0, cost: float = 0.0
) -> None:
    usage = Usage(input_tokens=tokens, output_tokens=0, estimated_cost_usd=cost)
    async with records.writing("acme") as connection:
        await ledger.settle(
            connection,
            f"q{number}",
            tenant="acme",
            usage=usage,
            model="extractive",
            classification="grounded",
        )


async def got(ledger: Ledger, number: int, limits: HostingLimits) -> bool:
    try:
        await reserve(ledger, number, limits)
    except LimitError:
        return False
    return True


def test_racers_for_a_budget_get_exactly_what_is_in_it(records_address: str | Path) -> None:
    """From two servers at once, some of whose queries fail and give their place back."""

    async def race() -> tuple[int, int]:
        one, other = await open_records(records_address), await open_records(records_address)
        ledgers = (Ledger(one), Ledger(other))
        limits = HostingLimits(interrogations_per_recipient=7)
        try:
            first = await asyncio.gather(*(got(ledgers[n % 2], n, limits) for n in range(30)))
            given_back = [n for n in range(30) if first[n]][:3]
            await asyncio.gather(*(ledgers[n % 2].give_back("acme", f"q{n}") for n in given_back))
            again = await asyncio.gather(*(got(ledgers[n % 2], 100 + n, limits) for n in range(30)))
            return sum(first), sum(again)
        finally:
            await one.aclose()
            await other.aclose()

    assert asyncio.run(race()) == (7, 3)


@settings(max_examples=15)
@given(racers=st.integers(1, 25), places=st.integers(0, 12), failing=st.integers(0, 12))
def test_however_many_race_no_more_are_answered_than_were_allowed(
    tmp_path_factory: pytest.TempPathFactory, racers: int, places: int, failing: int
) -> None:
    """Those who fail make room; all who can be answered are."""

    async def race() -> int:
        path = tmp_path_factory.mktemp("race") / "records.sqlite"
        servers = [await open_records(path), await open_records(path)]
        limits = HostingLimits(interrogations_per_recipient=places)
        fails = set(range(min(failing, racers)))

        async def ask(number: int) -> bool:
            records = servers[number % 2]
            ledger = Ledger(records)
            if not await got(ledger, number, limits):
                return False
            if number in fails:
                await ledger.give_back("acme", f"q{number}")
                return False
            await settle(records, ledger, number)
            return True

        try:
            answered = sum(await asyncio.gather(*(ask(n) for n in range(racers))))
            # Whoever was refused while another's place was only held may ask again.
            for number in range(racers, 2 * racers):
                answered += await ask(number)
            return answered
        finally:
            for records in servers:
                await records.aclose()

    answered = asyncio.run(race())
    honest = racers - min(failing, racers)
    assert answered == min(places, honest + racers)


def test_racers_in_processes_of_their_own_get_exactly_what_is_in_it(
    tmp_path: Path, clock: Clock
) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from tests.hosting.conftest import JANE
        from tests.hosting.test_ledger import got
        from tipstaff.domain.bundle import HostingLimits
        from tipstaff.hosting.ledger import Ledger
        from tipstaff.records.database import open_records

        async def race():
            records = await open_records(Path(sys.argv[1]))
            limits = HostingLimits(interrogations_per_recipient=9)
            start = int(sys.argv[2])
            ledger = Ledger(records)
            print(sum(await asyncio.gather(*(got(ledger, start + n, limits) for n in range(10)))))
            await records.aclose()

        asyncio.run(race())
        """
    )
    file = tmp_path / "records.sqlite"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(file), str(100 * n)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(3)
    ]
    assert sum(int(racer.communicate(timeout=60)[0]) for racer in racers) == 9


def test_what_was_used_is_known_after_a_restart(in_records: Run[Any]) -> None:
    limits = HostingLimits(interrogations_per_recipient=2)

    async def before(records: Records) -> None:
        await reserve(Ledger(records), 1, limits)
        await settle(records, Ledger(records), 1)
        await reserve(Ledger(records, holder="killed"), 2, limits)

    async def after(records: Records) -> None:
        ledger = Ledger(records)
        with pytest.raises(BudgetExhausted):
            await reserve(ledger, 3, limits)
        held = await ledger.held()
        assert [(one.query_id, one.holder) for one in held] == [("q2", "killed")]
        await ledger.give_back(held[0].tenant, held[0].query_id)
        assert (await reserve(ledger, 3, limits)).queries == 0

    in_records(before)
    in_records(after)


def test_an_exhausted_budget_says_which_and_what_can_be_done(in_records: Run[Any]) -> None:
    async def run(records: Records) -> list[dict[str, Any]]:
        ledger = Ledger(records)
        limits = HostingLimits(interrogations_per_recipient=1)
        await reserve(ledger, 1, limits)
        told = []
        for permitted in (True, False):
            with pytest.raises(BudgetExhausted) as caught:
                await reserve(ledger, 2, limits, download_permitted=permitted)
            told.append(caught.value.to_wire()["error"])
        return told

    with_download, without = in_records(run)
    assert with_download == {
        "type": "budget_exhausted",
        "message": "You have reached the interrogation limit for this Tez.",
        "limit_type": "query_count",
        "limit_value": 1,
        "used": 1,
        "options": {
            "request_more": "Contact the sender to request additional interrogation budget.",
            "download": "Download the Tez bundle for local interrogation.",
        },
    }
    assert "download" not in without["options"]


def test_tokens_that_are_held_are_nobody_elses(in_records: Run[Any]) -> None:
    limits = HostingLimits(max_total_tokens_per_recipient=10_000, max_tokens_per_query=4_000)

    async def run(records: Records) -> None:
        ledger = Ledger(records)
        granted = [(await reserve(ledger, n, limits)).granted_tokens for n in range(3)]
        assert granted == [4_000, 4_000, 2_000]
        with pytest.raises(BudgetExhausted) as caught:
            await reserve(ledger, 3, limits)
        assert caught.value.details["limit_type"] == "token_count"
        await settle(records, ledger, 0, tokens=500)
        await ledger.give_back("acme", "q2")
        left = await ledger.remaining(JANE, "tez", limits)
        assert (left.tokens, left.queries) == (10_000 - 500 - 4_000, None)

    in_records(run)


def test_a_query_is_settled_or_given_back_once(in_records: Run[Any]) -> None:
    limits = HostingLimits(max_total_tokens_per_recipient=100)

    async def run(records: Records) -> int | None:
        ledger = Ledger(records)
        await reserve(ledger, 1, limits)
        await settle(records, ledger, 1, tokens=30)
        await ledger.give_back("acme", "q1")
        await settle(records, ledger, 1, tokens=99)
        return (await ledger.remaining(JANE, "tez", limits)).tokens

    assert in_records(run) == 70


def test_budgets_of_others_and_of_other_tezits_are_their_own(in_records: Run[Any]) -> None:
    limits = HostingLimits(interrogations_per_recipient=1)

    async def run(records: Records) -> None:
        ledger = Ledger(records)
        await reserve(ledger, 1, limits)
        await reserve(ledger, 2, limits, person("joe"))
        await reserve(ledger, 3, limits, tez_id="another")
        await reserve(ledger, 4, limits, person("jane", tenant="beta"))
        with pytest.raises(BudgetExhausted):
            await reserve(ledger, 5, limits)

    in_records(run)


def test_a_tez_expires_at_its_moment(in_records: Run[Any], clock: Clock) -> None:
    limits = HostingLimits(expires_at="2027-01-15T08:00:00Z")
    end = expiry(limits.expires_at)
    assert end == 1_800_000_000.0

    async def run(records: Records) -> dict[str, Any]:
        ledger = Ledger(records, now=clock)
        clock.now = end - 1
        await reserve(ledger, 1, limits)
        clock.now = end
        with pytest.raises(BudgetExhausted) as caught:
            await reserve(ledger, 2, limits)
        return caught.value.details

    told = in_records(run)
    assert (told["limit_type"], told["limit_value"]) == ("expiration", "2027-01-15T08:00:00Z")


def test_a_date_ends_with_its_day_and_what_is_no_date_is_over() -> None:
    assert expiry("2027-01-15") == expiry("2027-01-16T00:00:00Z")
    assert expiry("2027-01-15T08:00:00") == expiry("2027-01-15T09:00:00+01:00")
    assert expiry("9999-12-31") == (expiry("9999-12-31T00:00:00Z") or 0) + 86_400
    assert expiry("when the deal is done") == 0.0
    assert expiry(None) is None


RATES = (
    (Level.SESSION, 2),
    (Level.USER, 4),
    (Level.TEZ, 5),
    (Level.TENANT, 6),
    (Level.GLOBAL, 7),
)


def test_every_level_has_a_rate_of_its_own_and_is_named(in_records: Run[Any], clock: Clock) -> None:
    limits = HostingLimits(rate_limit_per_minute=3)
    jane, joe = JANE, person("joe")
    # Who asks, which tez, which session; and the level that stops them.
    asked: list[tuple[Caller, str, str, str | None]] = [
        (jane, "a", "s1", None),
        (jane, "a", "s1", None),
        (jane, "a", "s1", "session"),
        (jane, "a", "s2", None),
        (jane, "a", "s2", "recipient"),
        (jane, "b", "s3", None),
        (jane, "b", "s3", "user"),
        (joe, "a", "s4", None),
        (joe, "a", "s4", None),
        (person("ann"), "a", "s5", "tez"),
        (person("ann"), "b", "s6", "tenant"),
        (person("ann", tenant="beta"), "b", "s6", None),
        (person("max", tenant="beta"), "c", "s7", "global"),
    ]

    async def run(records: Records) -> list[str | None]:
        ledger = Ledger(records, rates=RATES, now=clock)
        stopped: list[str | None] = []
        for number, (caller, tez_id, session_id, level) in enumerate(asked):
            where = {"tez_id": tez_id, "session_id": session_id}
            if level is None:
                await reserve(ledger, number, limits, caller, **where)
                continue
            with pytest.raises(RateLimited, match=f"^{level.capitalize()} rate limit") as caught:
                await reserve(ledger, number, limits, caller, **where)
            assert caught.value.details["retry_after_seconds"] == 60
            stopped.append(caught.value.details["scope"])
        return stopped

    assert in_records(run) == [level for *_, level in asked if level]


def test_a_minute_later_one_may_ask_again(in_records: Run[Any], clock: Clock) -> None:
    limits = HostingLimits(rate_limit_per_minute=2)

    async def run(records: Records) -> None:
        ledger = Ledger(records, now=clock)
        began = clock.now
        first = await reserve(ledger, 1, limits)
        assert (first.per_minute_limit, first.per_minute, first.scope) == (2, 1, "recipient")
        assert first.resets_at == began + 60
        clock.now += 20
        await reserve(ledger, 2, limits)
        # One that fails was asked all the same.
        await ledger.give_back("acme", "q2")
        with pytest.raises(RateLimited) as caught:
            await reserve(ledger, 3, limits)
        assert caught.value.details["retry_after_seconds"] == 40
        clock.now = began + 60
        assert (await reserve(ledger, 3, limits)).per_minute == 0

    in_records(run)


def test_the_servers_limits_hold_where_the_sender_sets_none() -> None:
    configured = Settings(queries_per_recipient=3, tokens_per_recipient=0, rate_per_recipient=5)
    limits = server_limits(configured)
    assert limits.interrogations_per_recipient == 3
    assert limits.max_total_tokens_per_recipient is None
    assert limits.rate_limit_per_minute == 5
    assert dict(server_rates(Settings()))[Level.SESSION] == 10


def test_the_senders_limit_wins_also_if_it_is_nothing(in_records: Run[Any]) -> None:
    async def run(records: Records) -> None:
        server = HostingLimits(interrogations_per_recipient=5)
        ledger = Ledger(records, defaults=server)
        assert (await reserve(ledger, 1, HostingLimits())).queries == 4
        more = HostingLimits(interrogations_per_recipient=9)
        assert (await ledger.remaining(JANE, "tez", more)).queries == 8
        with pytest.raises(BudgetExhausted):
            await reserve(ledger, 2, HostingLimits(interrogations_per_recipient=0))

    in_records(run)


def test_a_senders_rate_does_not_exceed_what_the_server_allows_in_wider_scopes() -> None:
    for wished, allowed in ((3, 3), (50, 4)):
        sender = HostingLimits(rate_limit_per_minute=wished)
        limits = Limits.of(sender, HostingLimits(), RATES)
        assert dict(limits.rates)[Level.RECIPIENT] == allowed
    alone = Limits.of(HostingLimits(rate_limit_per_minute=50), HostingLimits())
    assert alone.rates == ((Level.RECIPIENT, 50),)


def test_a_narrower_rate_may_not_exceed_a_wider_one() -> None:
    with pytest.raises(UsageError, match="rate per user"):
        server_rates(Settings(rate_per_user=700, rate_per_tez=600))


async def published_by(records: Records, user: str) -> None:
    async with records.writing("acme") as connection:
        await connection.execute(
            TEZ.insert().values(
                tenant="acme",
                tez_id="tez",
                version=1,
                digest="0" * 64,
                title="A tez",
                state="ready",
                progress="",
                published_at=0.0,
                published_by=user,
            )
        )


def test_costs_are_told_day_by_day_and_empty_days_are_there(
    in_records: Run[Any], clock: Clock
) -> None:
    first = expiry("2026-02-27T00:00:00Z") or 0.0
    end = expiry("2026-03-02T00:00:00Z") or 0.0
    day = 86_400

    async def run(records: Records) -> list[dict[str, Any]]:
        await published_by(records, SENDER.user)
        ledger = Ledger(records, now=clock)
        for number, clock.now in enumerate((first, first + day - 0.01, end - 1, end, first - 1)):
            await reserve(ledger, number, HostingLimits(), JANE, session_id="s1")
            await settle(records, ledger, number, tokens=10, cost=0.5)
        return await ledger.cost_by_day(SENDER, first, end)

    found = in_records(run)
    assert [(one["date"], one["queries"]) for one in found] == [
        ("2026-02-27", 2),
        ("2026-02-28", 0),
        ("2026-03-01", 1),
    ]
    assert found[0] == {"date": "2026-02-27", "queries": 2, "tokens": 20, "cost_usd": 1.0}


def test_the_cost_report_has_the_shape_of_the_specification(
    in_records: Run[Any], clock: Clock
) -> None:
    february = expiry("2026-02-01T00:00:00Z") or 0.0
    march = expiry("2026-03-01T00:00:00Z") or 0.0

    async def run(records: Records) -> dict[str, Any]:
        await published_by(records, SENDER.user)
        ledger = Ledger(records, now=clock)
        legal = person("legal@lawfirm.com")
        asked = [
            (legal, "s1", february, 100, 0.5),
            (legal, "s2", march - 1, 50, 0.25),
            (JANE, "s3", february + 5, 10, 0.0),
            (JANE, "s4", march, 1_000, 9.0),
        ]
        for number, (caller, session_id, clock.now, tokens, cost) in enumerate(asked):
            await reserve(ledger, number, HostingLimits(), caller, session_id=session_id)
            await settle(records, ledger, number, tokens=tokens, cost=cost)
        clock.now = february
        await reserve(ledger, "held", HostingLimits())
        return await ledger.cost_report(SENDER, "tez", february, march)

    assert in_records(run) == {
        "cost_report": {
            "tez_id": "tez",
            "period": "2026-02-01 to 2026-02-28",
            "total_sessions": 3,
            "total_queries": 3,
            "total_tokens": 160,
            "estimated_cost_usd": 0.75,
            "by_recipient": [
                {
                    "recipient": "user:jane",
                    "sessions": 1,
                    "queries": 1,
                    "tokens": 10,
                    "cost_usd": 0.0,
                },
                {
                    "recipient": "user:legal@lawfirm.com",
                    "sessions": 2,
                    "queries": 2,
                    "tokens": 150,
                    "cost_usd": 0.75,
                },
            ],
        }
    }


def test_only_the_sender_and_admins_know_what_it_cost(in_records: Run[Any]) -> None:
    async def run(records: Records) -> None:
        await published_by(records, SENDER.user)
        ledger = Ledger(records)
        for caller in (SENDER, person("boss", Permission.ADMIN)):
            await ledger.cost_report(caller, "tez", 0.0, 1.0)
        strangers = [
            JANE,
            person("rival", Permission.PUBLISH),
            person("boss", Permission.ADMIN, tenant="beta"),
            person("sender", Permission.PUBLISH, tezits=frozenset({"other"})),
        ]
        for caller in strangers:
            with pytest.raises(NotFound):
                await ledger.cost_report(caller, "tez", 0.0, 1.0)
        with pytest.raises(NotFound):
            await ledger.cost_report(SENDER, "nosuch", 0.0, 1.0)

    in_records(run)
