"""What a test is given: the wire, the bundle that is asked about, and bundles made for a test.

A fixture is published over the API once, when a test first asks for it. A server that does not let
us publish is told with `--tez-id NAME=ID` under which id it has it; otherwise the test is
inconclusive.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tipstaff.compliance.verdict import CannotBeJudged
from tipstaff.compliance.wire import OWNER, Exchange, Wire, WireFailure, WireSession

if TYPE_CHECKING:
    from tipstaff.compliance.evidence import Evidence

# What the two bundles with queries are called among the fixtures.
SUBJECT, REFERENCE = "bundle", "reference"
NAME_ITS_ID = "Name the id under which the server has it: --tez-id {}=ID."
_READY = frozenset(("ready", "in_place"))
_WAITS = 240
_WAIT_S = 0.5
# A large bundle may be indexed before its upload is answered.
_PUBLISHED_S = 1_200.0
_TOO_MANY = 429
_PARTLY_LOADED = "context_loading_partial_failure"
_LONGEST_WAIT_S = 90.0
_TRIES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A bundle as a `.tez`: its own id, and how its bytes are made (only when they are needed)."""

    name: str
    tez_id: str
    build: Callable[[], bytes]


@dataclass(slots=True)
class Shared:
    """What all runs have in common: which fixtures the server has, by their name (or why it does
    not), and what was read of them here. `stack` closes it."""

    ids: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    built: dict[str, bytes] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stack: ExitStack = field(default_factory=ExitStack)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`evidence` is the bundle that is judged by its own queries, read by ourselves; `reference`
    the one that has those of TIP §11 (often the same); `discovery` what the server says of itself
    (`GET /.well-known/tip`), empty if nothing."""

    wire: Wire
    evidence: Evidence | None = None
    reference: Evidence | None = None
    discovery: Mapping[str, Any] = field(default_factory=dict)
    # What the suite must be told beside tokens: the type of access, the stranger's tenant.
    options: Mapping[str, str] = field(default_factory=dict)
    # A server whose limits are small enough to be reached, if it is another one.
    limited: Wire | None = None
    shared: Shared = field(default_factory=Shared)

    def for_one_run(self) -> World:
        return replace(self, wire=self.wire.recording())

    async def tez(self, fixture: Fixture, *, who: str = OWNER) -> str:
        """The id under which the server has a fixture, published now if it must be."""
        known = self.shared
        async with known.lock:
            if fixture.name in known.refused:
                raise CannotBeJudged(known.refused[fixture.name])
            if fixture.name not in known.ids:
                try:
                    content = self._content(fixture)
                    await publish(self.wire.recording(), fixture.tez_id, content, who=who)
                except CannotBeJudged as problem:
                    known.refused[fixture.name] = f"{problem} {NAME_ITS_ID.format(fixture.name)}"
                    raise CannotBeJudged(known.refused[fixture.name]) from None
                known.ids[fixture.name] = fixture.tez_id
        return known.ids[fixture.name]

    async def open(self, tez_id: str, *, who: str = OWNER) -> WireSession:
        """A session; where items could not be loaded (TIP §14.1), with those that were."""
        try:
            return await self.wire.open(tez_id, who=who)
        except WireFailure:
            said = self.wire.exchanges[-1].body
            error = said.get("error") if isinstance(said, dict) else None
            if not isinstance(error, dict) or error.get("type") != _PARTLY_LOADED:
                raise
            return await self.wire.open(tez_id, who=who, proceed_with_partial=True)

    def evidence_of(self, fixture: Fixture) -> Evidence:
        """A fixture as it is read here, once."""
        from tipstaff.compliance.evidence import Evidence
        from tipstaff.compliance.subject import opened_subject

        known = self.shared
        if fixture.name not in known.evidence:
            folder = Path(known.stack.enter_context(tempfile.TemporaryDirectory()))
            path = folder / "fixture.tez"
            path.write_bytes(self._content(fixture))
            subject = known.stack.enter_context(opened_subject(path))
            known.evidence[fixture.name] = Evidence(subject=subject)
        return known.evidence[fixture.name]

    def _content(self, fixture: Fixture) -> bytes:
        if fixture.name not in self.shared.built:
            self.shared.built[fixture.name] = fixture.build()
        return self.shared.built[fixture.name]

    def judged(self) -> Evidence:
        """The bundle of this suite; without one a test of a bundle cannot be run."""
        if self.evidence is None:
            raise CannotBeJudged("There is no bundle to ask about (--bundle BUNDLE).")
        self._refused(SUBJECT)
        return self.evidence

    def of_section_11(self) -> Evidence:
        """The bundle whose queries are those of TIP §11."""
        if self.reference is None:
            raise CannotBeJudged("There is no bundle with the queries of TIP §11.")
        self._refused(SUBJECT if self.reference is self.evidence else REFERENCE)
        return self.reference

    def _refused(self, name: str) -> None:
        if name in self.shared.refused:
            raise CannotBeJudged(self.shared.refused[name])


async def publish(wire: Wire, tez_id: str, content: bytes, *, who: str = OWNER) -> None:
    """`PUT /tez/{tez-id}`, and waited for until it can be asked."""
    path = f"/tez/{quote(tez_id, safe='')}"
    kind = {"Content-Type": "application/vnd.tezit+zip"}
    answer = await wire.send(
        "PUT", path, content=content, headers=kind, who=who, timeout_s=_PUBLISHED_S
    )
    if answer.is_error:
        raise CannotBeJudged(f"The server did not take a fixture ({answer.status}).")
    for _ in range(_WAITS):
        if not isinstance(answer.body, dict) or answer.body.get("state", "ready") in _READY:
            return
        await asyncio.sleep(_WAIT_S)
        answer = await wire.send("GET", path, who=who)
    raise CannotBeJudged("The server took a fixture and never had it ready to be asked.")


async def patiently(session: WireSession, query: str) -> Exchange:
    """One query; a server that is asked too fast (TIP §14.5) is asked again when it says so."""
    for _ in range(_TRIES):
        exchange = await session.ask(query)
        if exchange.status != _TOO_MANY:
            break
        await asyncio.sleep(min(_seconds(exchange.headers.get("retry-after")), _LONGEST_WAIT_S))
    return exchange


def _seconds(said: str | None) -> float:
    return float(said) if said and said.isascii() and said.isdigit() else 1.0
