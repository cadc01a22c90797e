"""A server that is killed: asks itself queries in several sessions until it dies.

Started once; for every line on its input it forks a server, which prints `ready PID` and then
`done SESSION QUERY` behind every answer that it has given.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import tipstaff.generating
import tipstaff.parse.pool
import tipstaff.reading  # noqa: F401
from tests.session.stand_ins import BUDGET, FUND, JANE, TEZ, Clock, Service, serving
from tipstaff.llm.registry import model_named
from tipstaff.tokens import count_tokens

SESSIONS = 3
# So far apart are the lives of the servers that each takes the one before it for dead.
_LIFE_S = 1_000


async def live(orders: dict[str, str], life: int) -> None:
    address = orders["address"]
    async with serving(
        address if "://" in address else Path(address),
        Path(orders["tez"]),
        model=orders["model"],
        clock=Clock(1_760_000_000 + life * _LIFE_S),
        timeout_s=1e9,
        resume_s=1e9,
        disconnect_grace_s=60,
    ) as service:
        listed = await service.sessions.list(JANE, TEZ)
        known = [entry.session.session_id for entry in listed]
        while len(known) < SESSIONS:
            known.append(await service.begun())
        say(f"ready {os.getpid()}")
        await asyncio.gather(*(asking(service, session_id) for session_id in known))


async def asking(service: Service, session_id: str) -> None:
    while True:
        for query in (FUND, BUDGET):
            run = await service.sessions.ask(JANE, TEZ, session_id, query)
            await run.envelope()
            say(f"done {session_id} {run.query_id}")


def say(words: str) -> None:
    # One write: what is killed prints a line or none.
    os.write(1, f"{words}\n".encode())


def main() -> None:
    orders = json.loads(sys.argv[1])
    # What every server needs is there before the first is born.
    count_tokens("warm")
    model_named(orders["model"])
    for life, _ in enumerate(sys.stdin, start=1):
        child = os.fork()
        if child == 0:
            asyncio.run(live(orders, life))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say(f"dead {status}")


if __name__ == "__main__":
    main()
