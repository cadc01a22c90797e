"""Rate limiting: five tests of Enterprise §6.4, one a scope.

A limit is found by reaching it, so the server that is asked here should have small ones: it may be
another one than the rest of the suite asks (`--limited-url`). Each test has tenants of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from tipstaff.compliance.enterprise.conversing import ERROR
from tipstaff.compliance.enterprise.fixtures import HARBOUR, MOORING
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import CannotBeJudged, Check, Verdict
from tipstaff.compliance.wire import Exchange, Wire, WireSession
from tipstaff.compliance.world import World, publish

CATEGORY = "Rate limiting"
SCOPES = ("session", "user", "tez", "tenant", "global")
# Who asks in which test: the tenant is what stands before the dash.
PEOPLE = {
    "session": ("one-a",),
    "user": ("two-a",),
    "tez": ("three-a", "three-b"),
    "tenant": ("four-a", "four-b", "four-c"),
    "global": ("one-a", "two-a", "three-a", "three-b", "four-a", "four-b", "four-c"),
}
_MOST_QUERIES = 200
_TEZITS = ("comply-harbour", "comply-harbour-2", "comply-harbour-3")


class Limited:
    """The server with small limits, and what is asked of it: each query in a session that has
    room, unless it is the session's own limit that is sought."""

    def __init__(self, world: World, rates: dict[str, int]) -> None:
        wire = world.limited or world.wire
        self.wire: Wire = replace(wire, exchanges=world.wire.exchanges)
        self.rates = rates
        self._sessions: dict[tuple[str, str], tuple[WireSession, int]] = {}

    async def ask(self, who: str, tez_id: str) -> Exchange:
        key = (who, tez_id)
        session, used = self._sessions.get(key, (None, 0))
        if session is None or used >= self.rates["session"]:
            session, used = await self.begin(who, tez_id), 0
        self._sessions[key] = (session, used + 1)
        return await session.stream(MOORING)

    async def begin(self, who: str, tez_id: str) -> WireSession:
        held = await self.wire.send("GET", f"/tez/{quote(tez_id, safe='')}", who=who)
        if held.is_error:
            bundle = replace(HARBOUR, tez_id=tez_id)
            await publish(self.wire, tez_id, bundle.as_tez(), who=who)
        return await self.wire.open(tez_id, who=who)


async def limited(world: World) -> Limited:
    wire = world.limited or world.wire
    said = await wire.recording().send("GET", "/.well-known/tip", who=None)
    body = said.body if isinstance(said.body, dict) else {}
    rates = body.get("limits", {}).get("rates_per_minute", {})
    if not all(isinstance(rates.get(scope), int) and rates[scope] > 0 for scope in SCOPES):
        raise CannotBeJudged("The server does not tell its limits (`limits.rates_per_minute`).")
    if rates["global"] > _MOST_QUERIES:
        raise CannotBeJudged(
            f"Its limits are too high to be reached ({rates}); name a server with lower ones: "
            "--limited-url."
        )
    return Limited(world, rates)


def refusal(exchange: Exchange) -> dict[str, Any] | None:
    """The error of a refused query: an event of the stream, or TIP §14's in its place."""
    told = exchange.named(ERROR)
    if told:
        data: dict[str, Any] = told[0].data
        inner = data.get("error") if isinstance(data.get("error"), dict) else {}
        return {**(inner or {}), **data}
    if exchange.is_error and isinstance(exchange.body, dict):
        error: dict[str, Any] = exchange.body.get("error", {})
        return {"code": str(error.get("type", "")).upper(), **error}
    return None


async def reached(server: Limited, asking: Iterable[tuple[str, str]]) -> list[Exchange]:
    """Queries until one is refused, that one among them."""
    done = []
    for who, tez_id in asking:
        done.append(await server.ask(who, tez_id))
        if refusal(done[-1]) is not None:
            break
    return done


def judged(scope: str, server: Limited, done: list[Exchange], *, expected: int | None) -> Verdict:
    """The limit is where the server says, and its refusal says which it is."""
    error = refusal(done[-1]) or {}
    answered = len(done) - 1 if error else len(done)
    rates = [server.rates[one] for one in SCOPES]
    checks = [
        Check("a query is refused", holds=bool(error), found=f"{answered} were answered"),
        Check("by the code for it", holds=error.get("code") == "RATE_LIMITED", found=str(error)),
        Check("which names the scope", holds=error.get("scope") == scope, found=str(error)),
        Check(
            "and says when to come again",
            holds=isinstance(error.get("retry_after_seconds"), int | float),
        ),
        Check("no scope has more than a wider one", holds=rates == sorted(rates), found=str(rates)),
    ]
    if expected is not None:
        told = f"{answered} of {expected} were answered"
        checks.append(Check("neither sooner nor later", holds=answered == expected, found=told))
    return Verdict.of(checks)


def _round(scope: str, times: int, *tezits: str) -> list[tuple[str, str]]:
    """Each of a test's people in turn, each as often as a user may."""
    return [(who, tez_id) for who in PEOPLE[scope] for tez_id in tezits for _ in range(times)]


@case("enterprise-rates-1", category=CATEGORY, section="6.4", title="A session has a limit")
async def a_session_has_a_limit(world: World) -> Verdict:
    server = await limited(world)
    (who,) = PEOPLE["session"]
    session = await server.begin(who, _TEZITS[0])
    done = []
    for _ in range(server.rates["session"] + 1):
        done.append(await session.stream(MOORING))
        if refusal(done[-1]) is not None:
            break
    other = await (await server.begin(who, _TEZITS[0])).stream(MOORING)
    verdict = judged("session", server, done, expected=server.rates["session"])
    free = Check("another session is not held up", holds=refusal(other) is None, found=other.told())
    return Verdict.of([*verdict.checks, free])


@case(
    "enterprise-rates-2",
    category=CATEGORY,
    section="6.4",
    title="A user has a limit over all sessions",
)
async def a_user_has_a_limit(world: World) -> Verdict:
    server = await limited(world)
    most = server.rates["user"]
    done = await reached(server, _round("user", most + 1, _TEZITS[0]))
    return judged("user", server, done, expected=most)


@case(
    "enterprise-rates-3", category=CATEGORY, section="6.4", title="A tez has a limit over all users"
)
async def a_tez_has_a_limit(world: World) -> Verdict:
    server = await limited(world)
    done = await reached(server, _round("tez", server.rates["user"], _TEZITS[0]))
    return judged("tez", server, done, expected=server.rates["tez"])


@case(
    "enterprise-rates-4",
    category=CATEGORY,
    section="6.4",
    title="A tenant has a limit over all tezits",
)
async def a_tenant_has_a_limit(world: World) -> Verdict:
    server = await limited(world)
    each = server.rates["user"]
    asking = [
        (who, tez_id)
        for who, tez_id in zip(PEOPLE["tenant"], _TEZITS, strict=True)
        for _ in range(each)
    ]
    done = await reached(server, asking)
    return judged("tenant", server, done, expected=server.rates["tenant"])


@case("enterprise-rates-5", category=CATEGORY, section="6.4", title="The whole server has a limit")
async def the_whole_server_has_a_limit(world: World) -> Verdict:
    """Whoever was refused for a narrower reason makes room for the next."""
    server = await limited(world)
    done: list[Exchange] = []
    for who in PEOPLE["global"]:
        for tez_id in _TEZITS:
            asked = [(who, tez_id)] * server.rates["user"]
            done += await reached(server, asked)
            if (refusal(done[-1]) or {}).get("scope") == "global":
                return judged("global", server, done, expected=None)
    return judged("global", server, done, expected=None)
