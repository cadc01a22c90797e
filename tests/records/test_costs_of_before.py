"""What was settled before there were cost records is on the bill all the same."""

from __future__ import annotations

import asyncio

from sqlalchemy import Connection, insert

from tests.records.test_migrating import Address, before_there_were_steps, migrated, on
from tipstaff.hosting.cost_records import Period, cost_records
from tipstaff.records.database import open_records
from tipstaff.records.tables import RESERVATION


def test_a_settled_reservation_of_before_becomes_a_cost_record(records_address: Address) -> None:
    before_there_were_steps(records_address)

    def settled(connection: Connection) -> None:
        for state in ("settled", "returned"):
            values = {"query_id": state, "tez_id": "plan", "user": "user:jane", "session_id": "s"}
            also = {"at": 5.0, "input_tokens": 7, "output_tokens": 2, "cost_usd": 0.042}
            row = {"tenant": "acme", "state": state, "model": "m", **values, **also}
            connection.execute(insert(RESERVATION).values(**row))

    on(records_address, settled)
    migrated(records_address)

    async def bill() -> None:
        records = await open_records(records_address)
        try:
            async with records.reading("acme") as connection:
                period = Period(tenant="acme", since=0.0, until=10.0)
                (record,) = await cost_records(connection, period)
            assert (record["estimated_cost_usd"], record["prompt_tokens"]) == (0.042, 7)
            assert record["billed_to_tenant"] == "acme"
        finally:
            await records.aclose()

    asyncio.run(bill())
