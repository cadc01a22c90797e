"""What auditors are told of items that were looked at and of statements that were held against a
tez, beside queries (Enterprise §3.8, §6.6): who, which, when, in which session.

Not the statement, as no query is in the log (decision 17, 5); and not to a sender of another tenant
which items its recipients look at.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tipstaff.audit.both_sides import Bodies, of_both
from tipstaff.domain.caller import Caller
from tipstaff.errors import LimitError
from tipstaff.hosting.limit_notes import LimitNotes
from tipstaff.hosting.published import Published
from tipstaff.records.audit_trail import append_to
from tipstaff.records.database import Records

ITEM_VIEWED, CLAIM_CHECKED = "item_viewed", "claim_checked"
_Body = Mapping[str, Any]


class LookRecords:
    def __init__(self, records: Records, *, now: Callable[[], float] = time.time) -> None:
        self._records, self._now = records, now
        self._limits = LimitNotes()

    async def viewed(
        self,
        caller: Caller,
        tez: Published,
        *,
        session_id: str,
        item_id: str,
        shown: str,
        place: str = "",
    ) -> None:
        """`shown` is the way (content, page, lines …), `place` which part of the item."""
        told = {**_whose(caller, tez, session_id), "shown": shown}
        which = {"item_id": item_id, "place": place}
        await self._tell(caller, _both(ITEM_VIEWED, caller, tez, told, inquiry=which))

    async def checked(
        self,
        caller: Caller,
        tez: Published,
        *,
        session_id: str,
        check_id: str,
        verdict: str,
        cited: Sequence[str],
        filtered: Sequence[Mapping[str, str]],
    ) -> None:
        told = {
            **_whose(caller, tez, session_id),
            "check_id": check_id,
            "verdict": verdict,
            "filtered_by_access": dict(Counter(one["access"] for one in filtered)),
        }
        found, withheld = {"cited": list(cited)}, {"filtered": list(filtered)}
        bodies = _both(CLAIM_CHECKED, caller, tez, told, inquiry=found, senders=withheld)
        await self._tell(caller, bodies)

    async def limited(
        self, caller: Caller, tez: Published, problem: LimitError, *, session_id: str
    ) -> None:
        """A statement that was not checked, because of a limit."""
        reached = self._limits.due(problem, self._now(), caller.tenant, caller.user, tez.tez_id)
        if reached is not None:
            told = {**_whose(caller, tez, session_id), **reached}
            await self._tell(caller, _both("limit", caller, tez, told, inquiry={}))

    async def _tell(self, caller: Caller, bodies: Bodies) -> None:
        async with self._records.writing(caller.tenant) as connection:
            await append_to(connection, bodies, now=self._now())


def _whose(caller: Caller, tez: Published, session_id: str) -> dict[str, Any]:
    return {
        "user": caller.user,
        "tez_id": tez.tez_id,
        "tez_version": tez.version,
        "session_id": session_id or None,
    }


def _both(
    kind: str,
    caller: Caller,
    tez: Published,
    told: _Body,
    *,
    inquiry: _Body,
    senders: _Body | None = None,
) -> Bodies:
    """`inquiry` is for the log of the asker's tenant alone, `senders` for that of the tez's."""
    of_sender = senders or {}
    return of_both(
        (kind, {**told, **inquiry}),
        (f"external_{kind}", {**told, **of_sender}),
        tenant=caller.tenant,
        user=caller.user,
        tez_id=tez.tez_id,
        origin=tez.origin,
        own={**told, **inquiry, **of_sender},
    )
