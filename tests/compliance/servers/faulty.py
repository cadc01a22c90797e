"""A server that is perfect but for one thing, and the test that is meant for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.compliance.servers.enterprise import Body, PerfectServer


@dataclass(frozen=True, slots=True)
class Fault:
    name: str
    caught_by: str
    server: type[PerfectServer]


FAULTS: list[Fault] = []


def caught_by(case: str) -> Callable[[type[PerfectServer]], type[PerfectServer]]:
    def entered(server: type[PerfectServer]) -> type[PerfectServer]:
        FAULTS.append(Fault(server.__name__, case, server))
        return server

    return entered


def without(data: Body, *names: str) -> Body:
    return {name: value for name, value in data.items() if name not in names}
