"""Two tenants as alike as can be in one real server over PostgreSQL: whatever either tries with the
other's ids, nothing of the other's is in any body, header, log line, metric or trace (§6, §10.2).

`make canary` makes ten thousand calls at random; here are a few hundred, and every route twice.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections import Counter
from collections.abc import Iterator

import httpx
import pytest

from tests.records.conftest import empty_database
from tests.tenancy.strangers_calls import Call, Operation, Stranger, operations
from tests.tenancy.two_sides import QUESTION, SHARED, Side, World, all_canaries, clients, world

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.timeout(3_600)]
CALLS = int(os.environ.get("TIPSTAFF_CANARY_CALLS", "300"))
SEED = int(os.environ.get("TIPSTAFF_CANARY_SEED", "8"))
AT_ONCE = 6
_MOST_BYTES, _MOST_S = 300_000, 0.4


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory, superuser_url: str, database_url: str
) -> Iterator[World]:
    url = empty_database(superuser_url, database_url)
    with world(tmp_path_factory.mktemp("canary"), url) as made:
        yield made


Answer = tuple[int, dict[str, str], bytes]


async def sent(by: dict[str, httpx.AsyncClient], call: Call) -> Answer:
    """Status, headers, body; of a stream that stays open, what comes at first."""
    body = b""
    async with by[call.who].stream(
        call.operation.method,
        call.url,
        params=call.query,
        headers=call.headers,
        content=call.content,
        json=call.json,
    ) as answer:
        is_open = "event-stream" in answer.headers.get("content-type", "")
        try:
            async with asyncio.timeout(_MOST_S if is_open else 60):
                async for piece in answer.aiter_bytes():
                    body += piece
                    if len(body) > _MOST_BYTES:
                        break
        except TimeoutError:
            assert is_open
        return answer.status_code, dict(answer.headers), body


def told(answer: Answer) -> bytes:
    """Everything that has left the server."""
    status, headers, body = answer
    lines = [f"{name}: {value}" for name, value in headers.items()]
    return "\n".join([str(status), *lines]).encode() + b"\n" + body


def check(answer: Answer, call: Call, mine: Side, theirs: Side) -> None:
    where = (call.operation.method, call.url, dict(call.query), call.who, mine.tenant)
    everything = told(answer)
    assert not [one[:60] for one in all_canaries(theirs) if one in everything], where
    # What the caller has said themselves may be said back.
    for said in (theirs.own_tez, theirs.own_item):
        everything = everything.replace(said.encode(), b"")
    assert theirs.tenant.encode() not in everything, where
    # Whoever erases all their sessions while a query of theirs is answered has given it up.
    given_up = call.who == "spare" and b"generation_failed" in answer[2]
    assert answer[0] < 500 or given_up, (where, answer[2])


async def document_of(made: World) -> dict[str, object]:
    async with httpx.AsyncClient(base_url=made.server.url) as client:
        found: dict[str, object] = (await client.get("/openapi.json")).json()
        return found


def directions(made: World) -> list[tuple[Side, Side]]:
    one, other = made.sides
    return [(one, other), (other, one)]


def test_the_canaries_are_seen_by_their_own(both: World) -> None:
    """Else their absence elsewhere would say nothing."""

    async def work(mine: Side) -> None:
        session = f"/tez/{SHARED}/interrogate/{mine.sessions[0]}"
        async with mine.client(both.server.url) as client:
            seen = {
                path: (await client.get(path)).content
                for path in (
                    session,
                    f"/tez/{SHARED}/interrogate",
                    f"/tez/{SHARED}",
                    f"/tez/{SHARED}/items/notes/content",
                    "/privacy/logged-queries",
                )
            }
            replayed = await sent({"jane": client}, _events(session))
        assert mine.word.encode() in replayed[2]
        for path, body in seen.items():
            assert [one for one in mine.canaries() if one in body], path
        async with mine.client(both.server.url, "admin") as client:
            assert SHARED in (await client.get("/audit")).text

    for mine in both.sides:
        asyncio.run(work(mine))


def _events(session: str) -> Call:
    operation = Operation("GET", "", (), None, "", streams=True)
    return Call(operation, "jane", f"{session}/events")


def test_what_is_anothers_is_answered_as_what_nobody_has(both: World) -> None:
    """Every route with an id in it, both ways: the same status, headers and body."""
    compared: Counter[str] = Counter()

    async def work(mine: Side, theirs: Side) -> None:
        document = await document_of(both)
        stranger = Stranger(document, mine, theirs, random.Random(SEED))  # noqa: S311
        async with clients(both.server.url, mine) as by:
            for operation in operations(document):
                for forbidden, unknown in stranger.pairs(operation):
                    answers = [await sent(by, call) for call in (forbidden, unknown)]
                    for answer in answers:
                        check(answer, forbidden, mine, theirs)
                    first, second = (comparable(answer) for answer in answers)
                    assert first == second, (operation.method, forbidden.url, forbidden.who)
                    compared[operation.path] += 1

    for mine, theirs in directions(both):
        asyncio.run(work(mine, theirs))
    assert len(compared) >= 15


def comparable(answer: Answer) -> tuple[int, dict[str, str], bytes]:
    status, headers, body = answer
    left_out = ("x-request-id", "date")
    kept = {name: value for name, value in headers.items() if name not in left_out}
    return status, kept, re.sub(rb'"timestamp":"[^"]*"', b"", body)


def test_calls_at_random_show_nothing_of_the_other(both: World) -> None:
    statuses: Counter[int] = Counter()
    tried: Counter[str] = Counter()

    async def work(mine: Side, theirs: Side, seed: int) -> None:
        document = await document_of(both)
        stranger = Stranger(document, mine, theirs, random.Random(seed))  # noqa: S311
        known = operations(document)
        turns = iter(range(CALLS // 2))
        async with clients(both.server.url, mine) as by:

            async def caller() -> None:
                for turn in turns:
                    # Every operation in its turn, so that none is left to chance.
                    operation = known[turn % len(known)]
                    call = stranger.call(operation)
                    answer = await sent(by, call)
                    check(answer, call, mine, theirs)
                    statuses[answer[0]] += 1
                    tried[f"{operation.method} {operation.path}"] += 1

            await asyncio.gather(*(caller() for _ in range(AT_ONCE)))

    async def both_at_once() -> None:
        await asyncio.gather(
            *(work(*sides, SEED + turn) for turn, sides in enumerate(directions(both)))
        )

    asyncio.run(both_at_once())
    print(f"\n{sum(statuses.values())} calls, {len(tried)} operations, {dict(statuses)}")
    assert statuses[200] > CALLS / 10
    assert statuses[404] > CALLS / 10
    assert len(tried) == len(operations(asyncio.run(document_of(both))))


def test_commands_for_one_tenant_show_and_change_nothing_of_the_other(both: World) -> None:
    mine, theirs = both.sides
    listed = both.tip("token", "list", "--tenant", mine.tenant)
    assert mine.word in listed.stdout
    outputs = [listed, both.tip("token", "list", "--tenant", mine.tenant, "--json")]
    for token_id in theirs.token_ids[:1]:
        revoked = both.tip("token", "revoke", token_id, "--tenant", mine.tenant)
        unknown = both.tip("token", "revoke", "tok-0", "--tenant", mine.tenant)
        assert revoked.returncode == unknown.returncode != 0
        assert revoked.stderr.replace(token_id, "") == unknown.stderr.replace("tok-0", "")
        outputs.append(unknown)
    audited = both.tip("tenants", "audit")
    assert audited.returncode == 0, audited.stdout + audited.stderr
    for output in outputs:
        assert not [one for one in theirs.canaries() if one.decode() in output.stdout]
        assert theirs.word not in output.stderr
    # An operator's commands cross tenants, and still show no words.
    for output in (audited, both.tip("migrate", "--check")):
        assert not [side.word for side in both.sides if side.word in output.stdout + output.stderr]


def test_no_log_line_metric_or_trace_has_a_word_of_anybody(both: World) -> None:
    """Last, so that all that was tried above is in them."""

    async def metrics() -> str:
        async with both.sides[0].client(both.server.url, "admin") as client:
            return (await client.get("/metrics")).text

    counted = asyncio.run(metrics())
    logged, traced = both.server.errors.read_text(), both.traces.read_text()
    assert "tip_foreign_rows_total 0.0" in counted
    assert '"event": "request"' in logged
    assert "http.route" in traced
    for side in both.sides:
        secrets = [*side.tokens.values(), *(one.decode() for one in side.canaries())]
        for sink in (counted, logged, traced):
            assert not [one for one in secrets if one in sink]
        assert side.tenant not in counted + traced


def test_withdrawing_ones_own_leaves_the_others_of_the_same_name(both: World) -> None:
    """And after all that was tried, what is theirs is there as it was."""
    mine, theirs = both.sides

    async def work() -> None:
        async with mine.client(both.server.url, "sender") as client:
            assert (await client.delete(f"/tez/{SHARED}")).status_code == 204
            assert (await client.get(f"/tez/{SHARED}")).status_code == 404
        async with theirs.client(both.server.url) as client:
            path = f"/tez/{SHARED}/interrogate/{theirs.sessions[0]}"
            assert theirs.asked_word in (await client.get(path)).text
            asked = await client.post(f"{path}/query", json={"query": QUESTION})
            assert theirs.word in asked.json()["response"]["text"]
            assert (await client.get(f"/tez/{theirs.own_tez}")).status_code == 200

    asyncio.run(work())
    audited = both.tip("tenants", "audit")
    assert audited.returncode == 0, audited.stdout


def test_a_new_route_is_tried_by_itself() -> None:
    """A route that is new, with ids that nobody here has heard of, is tried with theirs."""
    thing = {"name": "thing_id", "in": "path", "required": True}
    told_of = {"paths": {"/things/{thing_id}": {"get": {"responses": {}, "parameters": [thing]}}}}
    theirs = Side("rival", sessions=["tip-sess-theirs"], query_ids=["tip-query-theirs"])
    stranger = Stranger(told_of, Side("acme"), theirs, random.Random(1))  # noqa: S311
    (operation,) = operations(told_of)
    urls = {stranger.call(operation).url for _ in range(30)}
    assert urls >= {"/things/tip-sess-theirs", "/things/tip-query-theirs"}
