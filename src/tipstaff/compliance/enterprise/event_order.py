"""Streaming event ordering: eight tests of Enterprise §2.4, and of what each event must carry."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.compliance.enterprise.conversing import (
    ALLOWED,
    CHUNK,
    CITATION,
    END,
    ERROR,
    LOADED,
    NINE,
    SEARCH,
    SESSION_END,
    START,
    TOKEN,
    answered,
    has,
    is_count,
    is_moment,
    session_on,
    streamed,
)
from tipstaff.compliance.enterprise.fixtures import BOATS, HARBOUR, MOORING, ONE_QUERY
from tipstaff.compliance.enterprise.suite import case
from tipstaff.compliance.verdict import Check, Verdict
from tipstaff.compliance.wire import Exchange, StreamEvent
from tipstaff.compliance.world import World

CATEGORY = "Streaming event ordering"
_CLASSES = ("grounded", "inferred", "partial", "abstention")
_CONFIDENCES = ("high", "medium", "low")


def names(exchange: Exchange) -> list[str]:
    return [event.name for event in exchange.events]


def once_at(exchange: Exchange, name: str, place: int) -> list[Check]:
    """An event that comes exactly once, and where."""
    found = names(exchange)
    told = " → ".join(found[:6])
    return [
        Check(f"{name} comes once", holds=found.count(name) == 1, found=f"{found.count(name)}"),
        Check(
            f"{name} is event {place + 1}",
            holds=len(found) > place and found[place] == name,
            found=told,
        ),
    ]


def carried(events: Sequence[StreamEvent], fields: dict[str, type]) -> Check:
    wrong = sorted({name for event in events for name in has(event, fields)})
    what = f"{events[0].name if events else 'the event'} has {', '.join([*fields, 'timestamp'])}"
    return Check(what, holds=bool(events) and not wrong, found=", ".join(wrong) or "no event")


@case("enterprise-order-1", category=CATEGORY, section="2.2", title="A stream of named JSON events")
async def a_stream_of_json_events(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    headers = {name.casefold(): value.casefold() for name, value in exchange.headers.items()}
    kind, cache = headers.get("content-type", ""), headers.get("cache-control", "")
    strange = sorted(set(names(exchange)) - set(NINE))
    return Verdict.of(
        [
            Check(
                "it is text/event-stream", holds=kind.startswith("text/event-stream"), found=kind
            ),
            Check("nobody between keeps it", holds="no-cache" in cache, found=cache),
            Check("only the nine events come", holds=not strange, found=", ".join(strange)),
            Check(
                "each event's data is a JSON object",
                holds=all(isinstance(event.data, dict) for event in exchange.events),
            ),
        ]
    )


@case(
    "enterprise-order-2", category=CATEGORY, section="2.3.1", title="A session's start comes first"
)
async def the_start_comes_first(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    started = exchange.named(START)
    named = [event.data.get("tez_id") for event in started]
    return Verdict.of(
        [
            *once_at(exchange, START, 0),
            carried(started, {"tez_id": str, "session_id": str}),
            Check(
                "it names the tez",
                holds=named == [await world.tez(HARBOUR.fixture)],
                found=str(named),
            ),
        ]
    )


@case("enterprise-order-3", category=CATEGORY, section="2.3.2", title="The context comes second")
async def the_context_comes_second(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    loaded = exchange.named(LOADED)
    count = loaded[0].data.get("item_count") if loaded else None
    return Verdict.of(
        [
            *once_at(exchange, LOADED, 1),
            carried(loaded, {"item_count": int}),
            Check("every item is counted", holds=count == len(HARBOUR.items), found=str(count)),
        ]
    )


@case(
    "enterprise-order-4",
    category=CATEGORY,
    section="2.3.3",
    title="Each query begins with retrieval",
)
async def retrieval_comes_before_words(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    found = names(exchange)
    words = [at for at, name in enumerate(found) if name in (TOKEN, CITATION)]
    chunks = [at for at, name in enumerate(found) if name == CHUNK]
    checks = [
        *once_at(exchange, SEARCH, 2),
        carried(exchange.named(SEARCH), {"query": str}),
        Check(
            "passages come before words", holds=not chunks or max(chunks) < min(words, default=0)
        ),
    ]
    if chunks:
        checks.append(carried(exchange.named(CHUNK), {"item_id": str}))
    return Verdict.of(checks)


@case(
    "enterprise-order-5",
    category=CATEGORY,
    section="2.3.5",
    title="Words come between search and end",
)
async def words_come_in_between(world: World) -> Verdict:
    exchange = await streamed(world, HARBOUR, MOORING)
    found = names(exchange)
    words = [at for at, name in enumerate(found) if name in (TOKEN, CITATION)]
    deltas = [event.data.get("delta") for event in exchange.named(TOKEN)]
    texts = [delta for delta in deltas if isinstance(delta, str) and delta]
    return Verdict.of(
        [
            Check("there are words", holds=bool(texts)),
            Check("each token has its words", holds=len(texts) == len(deltas)),
            Check(
                "words come after the search and before the end",
                holds=bool(words)
                and found.index(SEARCH) < words[0]
                and words[-1] < found.index(END),
            ),
            Check(
                "words come in groups, not by single characters",
                holds=sum(map(len, texts)) > 2 * len(texts),
                found=f"{sum(map(len, texts))} characters in {len(texts)} events",
            ),
        ]
    )


@case(
    "enterprise-order-6", category=CATEGORY, section="2.5", title="A whole session, and its replay"
)
async def a_whole_session_and_its_replay(world: World) -> Verdict:
    session = await session_on(world, HARBOUR)
    for query in (MOORING, BOATS):
        answered(await session.stream(query))
    (await session.close()).object()
    whole = await session.events()
    found, ids = names(whole), [event.id for event in whole.events]
    middle = len(ids) // 2
    rest = await session.events(after=ids[middle]) if ids and ids[middle] else None
    told = [(event.id, event.name) for event in whole.events[middle + 1 :]]
    replayed = [(event.id, event.name) for event in rest.events] if rest is not None else []
    return Verdict.of(
        [
            Check("the session's end comes once, and last", holds=_is_last(found, SESSION_END)),
            carried(whole.named(SESSION_END), {"session_id": str, "total_queries": int}),
            Check(
                "it counts both queries",
                holds=[one.data.get("total_queries") for one in whole.named(SESSION_END)] == [2],
            ),
            Check(
                "one search and one end a query", holds=found.count(SEARCH) == 2 == found.count(END)
            ),
            Check(
                "start and context come once a session",
                holds=found[:2] == [START, LOADED]
                and found.count(START) == 1 == found.count(LOADED),
            ),
            Check("each event has an id of its own", holds=all(ids) and len(set(ids)) == len(ids)),
            Check("missed events are sent again", holds=bool(told) and replayed == told),
        ]
    )


def _is_last(found: list[str], name: str) -> bool:
    return found.count(name) == 1 and found[-1] == name


@case("enterprise-order-7", category=CATEGORY, section="2.3.7", title="Each response has one end")
async def each_response_has_one_end(world: World) -> Verdict:
    session = await session_on(world, HARBOUR)
    first = answered(await session.stream(MOORING))
    second = answered(await session.stream("What is the harbour's share price?"))
    checks = []
    for exchange in (first, second):
        data = exchange.named(END)[0].data
        checks += [
            Check("the end comes once, and last", holds=_is_last(names(exchange), END)),
            Check("it has a class", holds=data.get("classification") in _CLASSES),
            Check("it has a confidence", holds=data.get("confidence") in _CONFIDENCES),
            Check("it counts citations", holds=is_count(data.get("citation_count"))),
            Check("it has a time", holds=is_moment(data.get("timestamp"))),
        ]
    started = [name for name in names(second) if name in (START, LOADED)]
    checks.append(Check("a second query begins no second session", holds=not started))
    return Verdict.of(checks)


@case(
    "enterprise-order-8",
    category=CATEGORY,
    section="2.3.9",
    title="What goes wrong ends the stream",
)
async def what_goes_wrong_ends_the_stream(world: World) -> Verdict:
    """A budget of one query: the second is refused, whatever the server is made of."""
    session = await session_on(world, ONE_QUERY, who=ALLOWED)
    spent = await session.stream(MOORING)
    if not spent.named(ERROR) and not spent.is_error:
        spent = await session.stream(BOATS)
    failed = spent.named(ERROR)
    words = spent.named(TOKEN) or spent.named(END)
    if not failed:
        # Refused before there is a stream: TIP §14's error in its place.
        error = spent.body.get("error", {}) if isinstance(spent.body, dict) else {}
        refused = spent.is_error and bool(error.get("type")) and bool(error.get("message"))
        told = f"{spent.status}: {spent.told()}"
        return Verdict.of([Check("the second query is refused", holds=refused, found=told)])
    data = failed[0].data
    return Verdict.of(
        [
            carried(failed, {"code": str, "message": str}),
            Check("the error is the last event", holds=_is_last(names(spent), ERROR)),
            Check("nothing is said with it", holds=not words),
            Check(
                "its code is the one for budgets",
                holds=data.get("code") == "BUDGET_EXHAUSTED",
                found=str(data.get("code")),
            ),
        ]
    )
