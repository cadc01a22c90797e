"""`tip cost`: what a tenant pays for, by tez, user, model, day or month (Enterprise §6.5)."""

from __future__ import annotations

import argparse
import asyncio
import csv
import datetime as dt
import io
from typing import TYPE_CHECKING, Any

from tipstaff.cli.server_data import add_server_data, server_records
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import UsageError

if TYPE_CHECKING:
    from tipstaff.hosting.cost_records import Period

_BY = ("tez", "user", "model", "tenant", "day", "month")
_DAY_S = 86_400


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tez", metavar="ID", help="of one tez")
    parser.add_argument("--user", metavar="USER", help="of one user: user:jane@example.com")
    parser.add_argument("--since", metavar="DAY", help="the first day (default: of this month)")
    parser.add_argument("--until", metavar="DAY", help="the last day (default: today)")
    parser.add_argument(
        "--by",
        action="append",
        choices=_BY,
        help="break down by this; may be repeated (default: tez and user)",
    )
    parser.add_argument("--records", action="store_true", help="every record, not sums")
    parser.add_argument("--csv", action="store_true", help="print CSV on stdout")
    add_server_data(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    asyncio.run(_report(arguments, terminal))
    return 0


async def _report(arguments: argparse.Namespace, terminal: Terminal) -> None:
    async with server_records(arguments) as records:
        from tipstaff.hosting.cost_records import By, cost_records, cost_totals

        period = _period(arguments)
        async with records.reading(arguments.tenant) as connection:
            if arguments.records:
                rows = await cost_records(connection, period)
                report: dict[str, Any] = {"cost_records": rows}
            else:
                by = [By(one) for one in arguments.by or ("tez", "user")]
                report = {"cost_report": await cost_totals(connection, period, by)}
                rows = report["cost_report"]["by"]
    if arguments.csv:
        terminal.release(_csv(rows))
    elif arguments.json:
        terminal.json(report)
    else:
        _tell(report, rows, terminal)


def _tell(report: dict[str, Any], rows: list[dict[str, Any]], terminal: Terminal) -> None:
    if not rows:
        terminal.answer("Nothing was asked.")
        return
    cells = [[_said(value) for value in row.values()] for row in rows]
    numbers = [name for name, value in rows[0].items() if isinstance(value, int | float)]
    terminal.answer(terminal.table(list(rows[0]), cells, right=" ".join(numbers)))
    total = report.get("cost_report")
    if total is not None:
        spent, queries = _said(total["estimated_cost_usd"]), total["queries"]
        terminal.answer(f"Together: {queries:,} queries, ${spent}.")


def _csv(rows: list[dict[str, Any]]) -> str:
    from tipstaff.hosting.cost_records import csv_rows

    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(csv_rows(rows))
    return out.getvalue()


def _said(value: object) -> str:
    return f"{value:.6f}" if isinstance(value, float) else str(value)


def _period(arguments: argparse.Namespace) -> Period:
    from tipstaff.hosting.cost_records import Period

    today = dt.datetime.now(dt.UTC).date()
    first = _day(arguments.since) or today.replace(day=1)
    last = _day(arguments.until) or today
    if last < first:
        raise UsageError("--until is a day before --since.")
    return Period(
        tenant=arguments.tenant,
        since=_midnight(first),
        until=_midnight(last) + _DAY_S,
        tez_id=arguments.tez,
        user_id=arguments.user,
    )


def _day(text: str | None) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise UsageError(f"'{text}' is no day.", suggestion="Write it as 2026-02-28.") from None


def _midnight(day: dt.date) -> float:
    return dt.datetime.combine(day, dt.time(), dt.UTC).timestamp()
