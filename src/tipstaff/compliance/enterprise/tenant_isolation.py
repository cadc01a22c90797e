"""Tenant isolation: eight tests of Enterprise §6.2, §6.6 and §10.2, with two tenants."""

from __future__ import annotations

import re
from urllib.parse import quote

from tipstaff.compliance.enterprise.conversing import (
    STRANGER,
    everything,
    session_on,
    silent_on,
)
from tipstaff.compliance.enterprise.fixtures import (
    EVALUATED,
    FEE,
    HARBOUR,
    MOORING,
    OTHER_FEE,
    RESERVE,
    STRANGERS,
    filtered,
)
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import CannotBeJudged, Check, Verdict
from tipstaff.compliance.wire import OWNER, Exchange, WireSession
from tipstaff.compliance.world import World

CATEGORY = "Tenant isolation"
_INVENTED = "no-such-tez-anywhere"
_OWNERS_WORDS = ("harbour-report", "crane-offer", "storm-log", "Halvorsen", FEE)


def alike(what: str, one: Exchange, other: Exchange, *names: str) -> list[Check]:
    """What is somebody else's is answered as what nobody has."""
    told = f"{one.status} {one.told()} / {other.status} {other.told()}"
    same = _shape(one, names) == _shape(other, names)
    return [
        Check(f"{what} is refused", holds=one.status == 404, found=told),
        Check(f"{what} looks like nothing", holds=one.status == other.status and same, found=told),
    ]


def _shape(exchange: Exchange, names: tuple[str, ...]) -> str:
    """An answer without what the caller had written, and without ids of requests and times."""
    text = str(exchange.body)
    for name in names:
        text = text.replace(name, "…")
    return re.sub(r"[0-9a-f]{8,}|\d{4}-\d\d-\d\dT[\d:.]+Z?", "…", text)


async def owners(world: World) -> str:
    """A tez of the owner's that the stranger has none of that name of."""
    return quote(await world.tez(filtered(world).fixture), safe="")


@case(
    "enterprise-tenant-1", category=CATEGORY, section="6.2", title="Nobody's list has another's tez"
)
async def no_list_has_anothers(world: World) -> Verdict:
    tez_id = await owners(world)
    mine = await world.wire.send("GET", "/tez", who=OWNER)
    theirs = await world.wire.send("GET", "/tez", who=STRANGER)
    return Verdict.of(
        [
            Check("its owner has it", holds=tez_id in str(mine.object())),
            silent_on("the other tenant does not", theirs.object(), (tez_id, *_OWNERS_WORDS)),
        ]
    )


@case(
    "enterprise-tenant-2", category=CATEGORY, section="6.2", title="Another's tez cannot be asked"
)
async def anothers_tez_cannot_be_asked(world: World) -> Verdict:
    tez_id, checks = await owners(world), []
    for method, rest, body in (
        ("GET", "", None),
        ("POST", "/interrogate/init", {}),
        ("GET", "/costs", None),
        ("DELETE", "", None),
    ):
        one = await world.wire.send(method, f"/tez/{tez_id}{rest}", body=body, who=STRANGER)
        other = await world.wire.send(method, f"/tez/{_INVENTED}{rest}", body=body, who=STRANGER)
        checks += alike(f"{method} {rest or 'the tez'}", one, other, tez_id, _INVENTED)
    still = await world.wire.send("GET", f"/tez/{tez_id}", who=OWNER)
    return Verdict.of([*checks, Check("its owner still has it", holds=still.status == 200)])


@case(
    "enterprise-tenant-3", category=CATEGORY, section="6.2", title="Another's items cannot be read"
)
async def anothers_items_cannot_be_read(world: World) -> Verdict:
    tez_id, checks = await owners(world), []
    for rest in ("content", "locate?citation=harbour-report:L3", "pages/1.png"):
        one = await world.wire.send(
            "GET", f"/tez/{tez_id}/items/harbour-report/{rest}", who=STRANGER
        )
        other = await world.wire.send(
            "GET", f"/tez/{_INVENTED}/items/harbour-report/{rest}", who=STRANGER
        )
        checks += alike(rest, one, other, tez_id, _INVENTED)
    return Verdict.of(
        [*checks, silent_on("no word of them leaves", everything(world), ("Halvorsen", FEE))]
    )


@case(
    "enterprise-tenant-4",
    category=CATEGORY,
    section="8.3",
    title="Another's session cannot be read, asked or closed",
)
async def anothers_session_is_nobodys(world: World) -> Verdict:
    session = await session_on(world, HARBOUR)
    (await session.ask(MOORING)).object()
    invented = session.path.replace(session.id, "tip-sess-00000000-0000-0000-0000-000000000000")
    checks = []
    for method, rest, body in (
        ("GET", "", None),
        ("GET", "/events", None),
        ("POST", "/query", {"query": MOORING}),
        ("POST", "/resume", None),
        ("POST", "/close", None),
        ("DELETE", "", None),
    ):
        one = await world.wire.send(method, session.path + rest, body=body, who=STRANGER)
        other = await world.wire.send(method, invented + rest, body=body, who=STRANGER)
        checks += alike(f"{method} {rest}", one, other, session.id, invented.rsplit("/", 1)[1])
    goes_on = await session.ask(MOORING)
    return Verdict.of([*checks, Check("it goes on for its owner", holds=not goes_on.is_error)])


@case(
    "enterprise-tenant-5",
    category=CATEGORY,
    section="6.2",
    title="Two tenants may have a tez of one name, each its own",
)
async def one_name_is_two_tezits(world: World) -> Verdict:
    mine = await _fee(await session_on(world, HARBOUR))
    theirs = await _fee(await _strangers(world))
    again = await _fee(await session_on(world, HARBOUR))
    return Verdict.of(
        [
            Check("the owner is told the owner's", holds=FEE in mine, found=mine[:200]),
            Check("the stranger the stranger's", holds=OTHER_FEE in theirs, found=theirs[:200]),
            silent_on("and nothing of the owner's", theirs, (FEE, "harbour-report")),
            Check("the owner's is unchanged", holds=FEE in again and OTHER_FEE not in again),
        ]
    )


async def _strangers(world: World) -> WireSession:
    tez_id = await world.tez(STRANGERS.fixture, who=STRANGER)
    return await world.wire.open(tez_id, who=STRANGER)


async def _fee(session: WireSession) -> str:
    return str((await session.ask(MOORING)).object()["response"]["text"])


@case("enterprise-tenant-6", category=CATEGORY, section="6.6", title="Each tenant's log is its own")
async def each_log_is_its_own(world: World) -> Verdict:
    session = await session_on(world, EVALUATED)
    (await session.ask(MOORING)).object()
    await _fee(await _strangers(world))
    mine, theirs = await records_of(world, OWNER), await records_of(world, STRANGER)
    return Verdict.of(
        [
            Check("the owner's log has the session", holds=session.id in str(mine)),
            silent_on("the stranger's does not", theirs, (session.id, EVALUATED.tez_id)),
            silent_on("neither holds words of a query", [mine, theirs], (MOORING,)),
        ]
    )


async def records_of(world: World, who: str) -> list[object]:
    """The whole of a tenant's audit log, page by page."""
    found: list[object] = []
    after = 0
    while True:
        page = await world.wire.send("GET", f"/audit?limit=1000&after={after}", who=who)
        if page.status in (404, 501):
            raise CannotBeJudged("The server has no GET /audit to read a tenant's log by.")
        body = page.object()
        found += body.get("records", [])
        if not body.get("next"):
            return found
        after = int(body["next"])


@case(
    "enterprise-tenant-7",
    category=CATEGORY,
    section="6.2",
    title="No search finds what another tenant's index has",
)
async def no_search_finds_anothers(world: World) -> Verdict:
    await owners(world)
    session = await _strangers(world)
    words = (*_OWNERS_WORDS, "902,517", "vault-ledger")
    checks = []
    for query in (RESERVE, "Which firm repaired the north pier?", "How much does the crane cost?"):
        for strategy in ("single_pass", "multi_pass"):
            exchange = await session.stream(query, retrieval_strategy=strategy)
            events = [event.data for event in exchange.events]
            checks.append(silent_on(f"“{query}” ({strategy})", events, words))
            checks.append(Check("it is answered", holds=bool(events)))
    return Verdict.of(checks)


@case(
    "enterprise-tenant-8",
    category=CATEGORY,
    section="10.2",
    title="A tenant is what the token says, whatever else is said",
)
async def a_tenant_is_what_the_token_says(world: World) -> Verdict:
    tez_id = await owners(world)
    name = world.options.get("owner_tenant", "owner")
    claims = {"X-Tenant-ID": name, "X-Tenant": name, "X-Forwarded-User": "owner"}
    asked = f"/tez/{tez_id}/interrogate/init"
    checks = []
    for path in (asked, f"{asked}?tenant={name}", f"{asked}?tenant_id={name}"):
        one = await world.wire.send("POST", path, body={}, headers=claims, who=STRANGER)
        checks.append(Check(f"{path} is refused", holds=one.status == 404, found=one.told()))
    garbage = {"Authorization": "Bearer none-that-was-ever-issued"}
    for what, headers in (("no token", {}), ("a wrong token", garbage)):
        one = await world.wire.send("POST", asked, body={}, headers=headers, who=None)
        checks.append(
            Check(f"{what} opens nothing", holds=one.status == 401, found=str(one.status))
        )
    for strange in ("%2e%2e", "*", "%25", f"{name}%2F{tez_id}"):
        one = await world.wire.send("GET", f"/tez/{strange}", who=STRANGER)
        checks.append(
            Check(f"'{strange}' leads nowhere", holds=one.is_error, found=str(one.status))
        )
    return Verdict.of([*checks, silent_on("no word leaves", everything(world), _OWNERS_WORDS)])
