"""What queries cost: the specification's record, sums that are the ledger's, who pays."""

from __future__ import annotations

import asyncio
import csv
import datetime as dt
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from tests.hosting.conftest import JANE, Clock, Run, person
from tests.hosting.test_ledger import reserve, settle
from tipstaff.domain.bundle import HostingLimits
from tipstaff.domain.response import Usage
from tipstaff.hosting.cost_records import (
    FIELDS,
    By,
    Period,
    cost_records,
    cost_totals,
    csv_rows,
    nano_usd,
    usd,
)
from tipstaff.hosting.ledger import Ledger
from tipstaff.records.database import Records, open_records
from tipstaff.records.tables import RECEIVED_SHARE, RESERVATION

NO_LIMITS = HostingLimits()
FEBRUARY = dt.datetime(2026, 2, 5, 14, 30, 5, tzinfo=dt.UTC).timestamp()
EVER = Period(tenant="acme", since=0.0, until=4e9)
Tip = Callable[..., subprocess.CompletedProcess[str]]


async def totals(records: Records, period: Period = EVER, *by: By) -> dict[str, Any]:
    async with records.reading(period.tenant) as connection:
        return await cost_totals(connection, period, by)


def test_a_settled_query_leaves_the_record_of_the_specification(
    in_records: Run[Any], clock: Clock
) -> None:
    async def work(records: Records) -> list[dict[str, Any]]:
        clock.now = FEBRUARY
        ledger = Ledger(records, now=clock)
        await reserve(ledger, 1, NO_LIMITS, tez_id="acme-analysis-2026-01", session_id="sess_1")
        usage = Usage(input_tokens=12_400, output_tokens=850, estimated_cost_usd=0.042)
        async with records.writing("acme") as connection:
            await ledger.settle(
                connection,
                "q1",
                tenant="acme",
                usage=usage,
                model="claude-sonnet-4",
                classification="grounded",
                embedding_tokens=7,
            )
        async with records.reading("acme") as connection:
            return await cost_records(connection, EVER)

    assert in_records(work) == [
        {
            "tenant_id": "acme",
            "tez_id": "acme-analysis-2026-01",
            "session_id": "sess_1",
            "user_id": "user:jane",
            "model": "claude-sonnet-4",
            "prompt_tokens": 12_400,
            "completion_tokens": 850,
            "embedding_tokens": 7,
            "estimated_cost_usd": 0.042,
            "hosting_mode": "sender",
            "billed_to_tenant": "acme",
            "timestamp": "2026-02-05T14:30:05Z",
        }
    ]


def test_sums_are_the_ledgers_whoever_races(records_address: str | Path) -> None:
    """Two servers; some queries are given back, some settled twice."""

    async def race() -> None:
        servers = [await open_records(records_address), await open_records(records_address)]
        people = [person(f"user{n}") for n in range(4)]

        async def one(number: int) -> None:
            records = servers[number % 2]
            ledger = Ledger(records)
            await reserve(ledger, number, NO_LIMITS, people[number % 4], tez_id=f"t{number % 3}")
            if number % 7 == 0:
                await ledger.give_back("acme", f"q{number}")
            await settle(records, ledger, number, tokens=number, cost=0.1 + number / 1000)
            if number % 5 == 0:
                await settle(servers[0], ledger, number, tokens=9_999, cost=99.0)

        try:
            await asyncio.gather(*(one(n) for n in range(60)))
            numbers = [n for n in range(60) if n % 7]
            report = await totals(servers[1], EVER, By.TEZ, By.USER)
            exact = sum(100_000_000 + n * 1_000_000 for n in numbers)
            assert nano_usd(report["estimated_cost_usd"]) == exact
            assert (report["queries"], report["prompt_tokens"]) == (len(numbers), sum(numbers))
            for name in ("queries", "prompt_tokens"):
                assert sum(part[name] for part in report["by"]) == report[name]
            parts = sum(nano_usd(part["estimated_cost_usd"]) for part in report["by"])
            assert parts == exact
            async with servers[0].reading("acme") as connection:
                held = select(func.count(), func.sum(RESERVATION.c.input_tokens)).where(
                    RESERVATION.c.state == "settled"
                )
                assert (await connection.execute(held)).one() == (len(numbers), sum(numbers))
        finally:
            for records in servers:
                await records.aclose()

    asyncio.run(race())


@pytest.mark.parametrize(
    ("strategy", "payer", "mode"),
    [("accept_dependency", "acme", "sender"), ("snapshot", "lawfirm", "recipient")],
)
def test_the_sender_pays_for_what_is_asked_at_the_senders(
    in_records: Run[Any], strategy: str, payer: str, mode: str
) -> None:
    """Enterprise §6.5; a copy is asked, and paid for, where it lies."""
    lawyer = person("jane", tenant="lawfirm")

    async def work(records: Records) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        async with records.writing("lawfirm") as connection:
            await connection.execute(
                RECEIVED_SHARE.insert().values(
                    tenant="lawfirm",
                    share_id="share-1",
                    from_tenant="acme",
                    tez_id="analysis",
                    on_revoke="",
                    created_at=0.0,
                    strategy=strategy,
                )
            )
        ledger = Ledger(records)
        await reserve(ledger, 1, NO_LIMITS, lawyer, tez_id="share-1")
        async with records.writing("lawfirm") as connection:
            await ledger.settle(
                connection,
                "q1",
                tenant="lawfirm",
                usage=Usage(input_tokens=5),
                model="m",
                classification="grounded",
            )
        found = []
        for tenant in ("acme", "lawfirm"):
            async with records.reading(tenant) as connection:
                period = Period(tenant=tenant, since=0.0, until=4e9)
                found.append(await cost_records(connection, period))
        return found[0], found[1]

    of_acme, of_lawfirm = in_records(work)
    (record,) = of_acme or of_lawfirm
    assert not (of_acme and of_lawfirm)
    assert (record["billed_to_tenant"], record["hosting_mode"]) == (payer, mode)
    assert record["tenant_id"] == "lawfirm"
    sender_side = ("analysis", "user:external:lawfirm/jane")
    assert (record["tez_id"], record["user_id"]) == (
        sender_side if payer == "acme" else ("share-1", "user:jane")
    )


def test_a_report_is_of_its_period_tez_and_user(in_records: Run[Any], clock: Clock) -> None:
    async def work(records: Records) -> None:
        ledger = Ledger(records, now=clock)
        january = dt.datetime(2026, 1, 31, 23, 59, 59, tzinfo=dt.UTC).timestamp()
        for number, (clock.now, who, tez) in enumerate(
            [
                (january, JANE, "tez-a"),
                (january + 1, JANE, "tez-a"),
                (january + 2, person("joe"), "tez-b"),
                (january + 2, person("joe", tenant="other"), "tez-b"),
            ]
        ):
            await reserve(ledger, number, NO_LIMITS, who, tez_id=tez)
            await settle(records, ledger, number, tokens=1)
        by_month = await totals(records, EVER, By.MONTH)
        assert [(one["month"], one["queries"]) for one in by_month["by"]] == [
            ("2026-01", 1),
            ("2026-02", 2),
        ]
        by_day = await totals(records, EVER, By.DAY, By.TEZ)
        assert [(one["day"], one["tez"]) for one in by_day["by"]] == [
            ("2026-01-31", "tez-a"),
            ("2026-02-01", "tez-a"),
            ("2026-02-01", "tez-b"),
        ]
        february = Period(tenant="acme", since=january + 1, until=4e9, user_id="user:jane")
        assert (await totals(records, february))["queries"] == 1
        assert (await totals(records, Period(tenant="acme", since=0, until=4e9, tez_id="tez-b")))[
            "queries"
        ] == 1
        assert (await totals(records, Period(tenant="nobody", since=0, until=4e9)))["queries"] == 0

    in_records(work)


@given(st.integers(0, 10**15))
def test_money_is_exact_to_the_billionth(nano: int) -> None:
    assert nano_usd(usd(nano)) == nano


def test_a_name_that_looks_like_a_formula_stays_a_name() -> None:
    rows = list(csv_rows([{"user": "=HYPERLINK(1)", "estimated_cost_usd": 0.5, "queries": 1}]))
    assert rows == [["user", "estimated_cost_usd", "queries"], ["'=HYPERLINK(1)", "0.5", "1"]]


def test_the_command_tells_it_in_json_csv_and_words(tip: Tip, tmp_path: Path) -> None:
    async def asked() -> None:
        records = await open_records(tmp_path / "records.sqlite")
        ledger = Ledger(records)
        for number in range(3):
            await reserve(ledger, number, NO_LIMITS, JANE, tez_id=f"tez-{number % 2}")
            await settle(records, ledger, number, tokens=10, cost=0.25)
        await records.aclose()

    asyncio.run(asked())
    of = ("cost", "--tenant", "acme", "--data", tmp_path)
    report = json.loads(tip(*of, "--json").stdout)["cost_report"]
    assert (report["queries"], report["estimated_cost_usd"]) == (3, 0.75)
    assert [(one["tez"], one["queries"]) for one in report["by"]] == [("tez-0", 2), ("tez-1", 1)]
    table = list(csv.reader(io.StringIO(tip(*of, "--csv", "--records").stdout)))
    assert table[0] == list(FIELDS)
    assert len(table) == 4
    assert "Together: 3 queries, $0.750000." in tip(*of).stdout
    assert tip("cost", "--data", tmp_path).stdout == "Nothing was asked.\n"
    assert tip(*of, "--since", "yesterday").returncode == 2
    assert tip(*of, "--since", "2026-02-02", "--until", "2026-02-01").returncode == 2
