"""What a test is given: the wire, the bundle that is asked about, and bundles made for a test.

A fixture is published over the API once, when a test first asks for it. A server that does not let
us publish is told with `--tez-id NAME=ID` under which id it has it; otherwise the test is
inconclusive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tipstaff.compliance.verdict import CannotBeJudged
from tipstaff.compliance.wire import OWNER, Wire

if TYPE_CHECKING:
    from tipstaff.compliance.subject import Subject

_READY = frozenset(("ready", "in_place"))
_WAITS = 240
_WAIT_S = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A bundle as a `.tez`: its own id, and how its bytes are made (only when they are needed)."""

    name: str
    tez_id: str
    build: Callable[[], bytes]


@dataclass(slots=True)
class Published:
    """Which fixtures the server has, by their name; shared by all runs."""

    ids: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`subject` is the bundle that the tests of a bundle ask about, read by ourselves; `discovery`
    what the server says of itself (`GET /.well-known/tip`), empty if it says nothing."""

    wire: Wire
    subject: Subject | None = None
    discovery: Mapping[str, Any] = field(default_factory=dict)
    published: Published = field(default_factory=Published)

    def for_one_run(self) -> World:
        return replace(self, wire=self.wire.recording())

    async def tez(self, fixture: Fixture, *, who: str = OWNER) -> str:
        """The id under which the server has a fixture, published now if it must be."""
        known = self.published
        async with known.lock:
            if fixture.name in known.refused:
                raise CannotBeJudged(known.refused[fixture.name])
            if fixture.name not in known.ids:
                try:
                    await publish(self.wire.recording(), fixture.tez_id, fixture.build(), who=who)
                except CannotBeJudged as problem:
                    known.refused[fixture.name] = (
                        f"{problem} Name the id under which the server has the fixture "
                        f"'{fixture.name}': --tez-id {fixture.name}=ID."
                    )
                    raise CannotBeJudged(known.refused[fixture.name]) from None
                known.ids[fixture.name] = fixture.tez_id
        return known.ids[fixture.name]


async def publish(wire: Wire, tez_id: str, content: bytes, *, who: str = OWNER) -> None:
    """`PUT /tez/{tez-id}`, and waited for until it can be asked."""
    path = f"/tez/{quote(tez_id, safe='')}"
    kind = {"Content-Type": "application/vnd.tezit+zip"}
    answer = await wire.send("PUT", path, content=content, headers=kind, who=who)
    if answer.is_error:
        raise CannotBeJudged(f"The server did not take a fixture ({answer.status}).")
    for _ in range(_WAITS):
        if not isinstance(answer.body, dict) or answer.body.get("state", "ready") in _READY:
            return
        await asyncio.sleep(_WAIT_S)
        answer = await wire.send("GET", path, who=who)
    raise CannotBeJudged("The server took a fixture and never had it ready to be asked.")
