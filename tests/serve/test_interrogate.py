"""Sessions over HTTP: Appendix C's bodies, streams, refusals."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import jsonschema
import pytest

from tests.serve.conftest import QUESTION, Asked
from tests.serve.parts import JANE, full, refuse_queries
from tipstaff.asking import Interrogation
from tipstaff.domain.caller import Caller
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.retrieval import RetrievalOptions
from tipstaff.domain.session import SessionStatus
from tipstaff.domain.wire import from_wire, to_wire
from tipstaff.errors import (
    AuthenticationRequired,
    BudgetExhausted,
    ContextPartlyLoaded,
    FailedItem,
    RateLimited,
    TipstaffError,
)
from tipstaff.serve.tickets import MOST_TICKETS, TICKET_S, Tickets
from tipstaff.server_sent import EventReader, Received

INTERROGATE = "/tez/small-tez/interrogate"
Serving = Callable[..., Any]


async def begun(client: httpx.AsyncClient, **body: Any) -> str:
    answer = await client.post(f"{INTERROGATE}/init", json=body)
    assert answer.status_code == 200, answer.text
    return f"{INTERROGATE}/{answer.json()['session_id']}"


def events_in(answer: httpx.Response) -> list[Received]:
    return EventReader().feed(answer.content)


def test_a_session_begins_with_the_fields_of_both_sections(serving: Serving) -> None:
    async def asking(asked: Asked) -> dict[str, Any]:
        async with asked.client() as client:
            answer = await client.post(f"{INTERROGATE}/init", headers={"X-TIP-Version": "1.7"})
            assert answer.headers["X-TIP-Version"] == "1.0"
            return dict(answer.json())

    body = serving(asking, settings={"queries_per_recipient": "10"})
    assert {"session_id", "tez_title", "context_summary", "limits"} <= set(body)  # §12.1.2
    assert {"tez_id", "tez_version", "tip_version", "created_at"} <= set(body)  # C.1
    summary = body["context_summary"]
    # The creator's own item does not exist for this recipient.
    assert summary["item_count"] == 4
    assert summary["types"] == ["document"]
    assert summary["total_size"].endswith(" B")
    assert summary["total_tokens"] > 0
    assert summary["loading_strategy"] == "full"
    assert body["limits"] == {
        "max_queries": 10,
        "max_tokens_per_query": 4_000,
        "session_timeout_minutes": 60,
    }
    assert body["hosting"]["cost_model"] == "sender_funded"
    assert body["privacy"]["query_logging"] == "none"


@pytest.mark.parametrize(
    ("version", "status"), [("1", 200), ("1.9", 200), ("2.0", 409), ("one", 400)]
)
def test_another_major_version_is_refused(serving: Serving, version: str, status: int) -> None:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client() as client:
            return await client.get("/tez", headers={"X-TIP-Version": version})

    answer = serving(asking)
    assert answer.status_code == status
    if status == 409:
        error = answer.json()["error"]
        assert error["type"] == "version_mismatch"
        assert error["supported_version"] == "1.0"


def test_a_query_is_answered_with_the_envelope_that_the_engine_made(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            answer = await client.post(f"{session}/query", json={"query": QUESTION})
            assert answer.status_code == 200
            body = answer.json()
            envelope = from_wire(ResponseEnvelope, body)
            assert to_wire(envelope) == body
            assert "$4,200" in envelope.response.text
            assert envelope.response.citations[0].verified
            assert body["session"]["tokens_used"] == body["session"]["total_tokens_used"]
            assert answer.headers["X-RateLimit-Limit"] == "10"
            assert answer.headers["X-RateLimit-Remaining"] == "9"
            assert answer.headers["X-RateLimit-Scope"] == "recipient"
            counted = asked.service.metrics.text().decode()
            assert 'tip_queries_total{classification="grounded"} 1.0' in counted

    serving(asking, settings={"rate_per_recipient": "10"})


def test_a_streamed_query_has_the_headers_and_the_order_of_the_addendum(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            answer = await client.post(
                f"{session}/query",
                json={"query": QUESTION},
                headers={"Accept": "text/event-stream"},
            )
            assert answer.headers["Content-Type"] == "text/event-stream"
            assert answer.headers["Cache-Control"] == "no-cache"
            assert answer.headers["X-Accel-Buffering"] == "no"
            assert answer.headers["Connection"] == "keep-alive"
            assert answer.headers["X-TIP-Query-Id"].startswith("query-")
            assert answer.text.startswith("retry: 1000\n\n")
            events = events_in(answer)
            assert [int(event.id) for event in events] == list(range(1, 1 + len(events)))
            names = [event.name for event in events]
            # Decision 12, item 3: the first query's stream begins with the session's own.
            assert names[:3] == ["tip.session.start", "tip.context.loaded", "tip.retrieval.start"]
            assert names[-1] == "tip.response.end"
            said = "".join(json.loads(e.data)["delta"] for e in events if e.name == "tip.token")
            assert said == json.loads(events[-1].data)["envelope"]["response"]["text"]

    serving(asking)


def test_the_sessions_stream_is_replayed_from_behind_the_last_event(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            await client.post(f"{session}/query", json={"query": QUESTION})
            await client.post(f"{session}/close")
            whole = events_in(await client.get(f"{session}/events"))
            assert [event.name for event in whole[:2]] == [
                "tip.session.start",
                "tip.context.loaded",
            ]
            assert whole[-1].name == "tip.session.end"
            for place in (1, len(whole) // 2, len(whole) - 1):
                by_header = await client.get(
                    f"{session}/events", headers={"Last-Event-ID": str(place)}
                )
                assert events_in(by_header) == whole[place:]
                by_query = await client.get(f"{session}/events?last_event_id={place}")
                assert events_in(by_query) == whole[place:]
            wrong = await client.get(f"{session}/events", headers={"Last-Event-ID": "x"})
            assert wrong.status_code == 400

    serving(asking)


def test_an_event_source_that_cannot_send_headers_opens_its_stream_with_a_ticket(
    serving: Serving,
) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session, other = await begun(client), await begun(client)
            for one in (session, other):
                await client.post(f"{one}/close")
            got = [(await client.post(f"{session}/ticket")).json()["ticket"] for _ in range(4)]
        async with asked.client(None) as client:

            async def status(path: str, ticket: str) -> int:
                return (await client.get(path, params={"ticket": ticket})).status_code

            assert (await client.get(f"{session}/events")).status_code == 401
            assert await status(f"{session}/events", got[0]) == 200
            # Once, on this stream alone, and not in place of a token.
            assert await status(f"{session}/events", got[0]) == 401
            assert await status(f"{other}/events", got[1]) == 401
            assert await status(session, got[2]) == 401
            assert await status(f"{session}/events", "jane") == 401
            asked.service.tickets.now = lambda: time.monotonic() + TICKET_S
            assert await status(f"{session}/events", got[3]) == 401

    serving(asking)


def test_a_ticket_is_worth_no_more_than_the_token_it_was_got_with(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            got = (await client.post(f"{session}/ticket")).json()["ticket"]
        async with asked.client("stranger") as client:
            assert (await client.post(f"{session}/ticket")).status_code == 404

        async def revoked(_: str | None) -> Caller:
            raise AuthenticationRequired("revoked in between")

        asked.service.authenticate = revoked
        async with asked.client(None) as client:
            answer = await client.get(f"{session}/events", params={"ticket": got})
            assert answer.status_code == 401

    serving(asking)


def test_tickets_do_not_pile_up() -> None:
    moment = 0.0

    async def issuing() -> None:
        nonlocal moment
        tickets = Tickets(now=lambda: moment)
        for _ in range(MOST_TICKETS):
            await tickets.issue("Bearer x", tez_id="t", session_id="s")
        with pytest.raises(RateLimited):
            await tickets.issue("Bearer x", tez_id="t", session_id="s")
        moment = TICKET_S
        assert await tickets.issue("Bearer x", tez_id="t", session_id="s")

    asyncio.run(issuing())


def test_the_single_query_form_tells_a_whole_session(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            path = "/api/v1/tez/small-tez/interrogate"
            one = await client.post(path, json={"query": QUESTION})
            assert one.json()["response"]["classification"] == "grounded"
            streamed = await client.post(f"{path}/stream", json={"query": QUESTION})
            names = [event.name for event in events_in(streamed)]
            assert names[0] == "tip.session.start"
            assert names[-2:] == ["tip.response.end", "tip.session.end"]
            entries = await asked.service.sessions.list(JANE, "small-tez")
            assert [one.session.status for one in entries] == [SessionStatus.CLOSED] * 2

    serving(asking)


def test_a_closed_session_has_the_summary_of_both_sections(serving: Serving) -> None:
    async def asking(asked: Asked) -> dict[str, Any]:
        async with asked.client() as client:
            return dict((await client.post(f"{await begun(client)}/close")).json())

    body = serving(asking)
    assert set(body) == {"session_id", "summary", "closed_at"}
    assert set(body["summary"]) == {
        "query_count",
        "total_tokens",
        "total_input_tokens",
        "total_output_tokens",
        "duration_minutes",
        "classifications",
        "unique_items_cited",
        "most_cited_item",
    }


def test_sessions_are_listed_named_shown_resumed_and_erased(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            assert (await client.patch(session, json={"title": "Roof"})).status_code == 204
            listed = (await client.get(INTERROGATE)).json()["sessions"]
            assert [one["title"] for one in listed] == ["Roof"]
            assert (await client.get(session)).json()["status"] == "active"
            resumed = await client.post(f"{session}/resume", json={"choice": "resume_old"})
            assert session.endswith(resumed.json()["session_id"])
            assert (await client.delete(session)).status_code == 204
            assert (await client.get(session)).status_code == 404

    serving(asking)


def test_what_is_unknown_and_what_is_forbidden_look_the_same(serving: Serving) -> None:
    async def asking(asked: Asked) -> set[tuple[int, str]]:
        async with asked.client() as client:
            session = await begun(client)
        async with asked.client("stranger") as other:
            answers = [
                await other.get("/tez/small-tez"),
                await other.get("/tez/no-such-tez"),
                await other.post(f"{INTERROGATE}/init"),
                await other.get(session),
                await other.get(f"{session}/events"),
                await other.post(f"{session}/query", json={"query": "x"}),
                await other.get("/tez/small-tez/items/notes/content"),
                await other.get("/no/such/route"),
            ]
        return {(one.status_code, one.text) for one in answers}

    ((status, body),) = serving(asking)
    assert status == 404
    assert json.loads(body)["error"]["type"] == "not_found"


@pytest.mark.parametrize("token", [None, "wrong"])
def test_without_a_good_token_nothing_is_answered(serving: Serving, token: str | None) -> None:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client(token) as client:
            return await client.post(f"{INTERROGATE}/init")

    answer = serving(asking)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("problem", "status"),
    [
        (
            BudgetExhausted(
                limit_type="query_count", limit_value=3, used=3, download_permitted=True
            ),
            429,
        ),
        (RateLimited(scope="tenant", limit="9 queries/minute", retry_after_seconds=7), 429),
        (full(), 503),
        (ContextPartlyLoaded([FailedItem("a", "broken", "ask")], ["b"]), 409),
    ],
)
def test_refusals_have_their_status_and_their_section_14_shape(
    serving: Serving, problem: TipstaffError, status: int
) -> None:
    async def asking(asked: Asked) -> tuple[httpx.Response, httpx.Response]:
        async with asked.client() as client:
            session = await begun(client)
            refuse_queries(asked.service, problem)
            plain = await client.post(f"{session}/query", json={"query": QUESTION})
            streamed = await client.post(
                f"{session}/query",
                json={"query": QUESTION},
                headers={"Accept": "text/event-stream"},
            )
            return plain, streamed

    plain, streamed = serving(asking)
    assert plain.status_code == streamed.status_code == status
    error = plain.json()["error"]
    (event,) = events_in(streamed)
    told = json.loads(event.data)
    assert event.name == "tip.error"
    assert told["error"] == error
    if isinstance(problem, RateLimited):
        assert plain.headers["Retry-After"] == "7"
        assert told["code"] == "RATE_LIMITED"
        assert told["scope"] == plain.headers["X-RateLimit-Scope"] == problem.details["scope"]
    if isinstance(problem, BudgetExhausted):
        assert set(error["options"]) == {"request_more", "download"}
        assert told["code"] == "BUDGET_EXHAUSTED"


def test_a_malformed_request_names_the_field_and_repeats_nothing(serving: Serving) -> None:
    async def asking(asked: Asked) -> list[httpx.Response]:
        async with asked.client() as client:
            session = await begun(client)
            return [
                await client.post(f"{session}/query", json={"query": ["canary"]}),
                await client.post(f"{session}/query", json={"canary": 1}),
                await client.post(f"{session}/query", content=b"{canary"),
            ]

    for answer in serving(asking):
        assert answer.status_code == 400
        assert "canary" not in answer.text
        assert answer.json()["error"]["type"] == "usage"


def test_a_form_is_not_read_and_says_what_to_send(serving: Serving) -> None:
    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            content = json.dumps({"query": QUESTION})
            answer = await client.post(f"{session}/query", content=content, headers=form)
            assert answer.status_code == 400
            assert "application/json" in answer.json()["error"]["suggestion"]

    serving(asking)


def test_an_empty_query_is_malformed(serving: Serving) -> None:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client() as client:
            return await client.post(f"{await begun(client)}/query", json={"query": "  "})

    answer = serving(asking)
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "malformed_query"


def test_wishes_for_retrieval_reach_the_engine(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    wished: list[RetrievalOptions | None] = []
    retrieve_with = Interrogation.retrieve_with

    def noted(self: Interrogation, options: RetrievalOptions | None) -> None:
        wished.append(options)
        retrieve_with(self, options)

    monkeypatch.setattr(Interrogation, "retrieve_with", noted)

    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            session = await begun(client)
            body = {
                "query": QUESTION,
                "retrieval_strategy": "multi_pass",
                "retrieval_options": {"max_sub_queries": 2, "top_k": 5_00},
            }
            assert (await client.post(f"{session}/query", json=body)).status_code == 200
            (options,) = wished
            assert options is not None
            assert (str(options.strategy), options.max_sub_queries) == ("multi_pass", 2)
            assert options.top_k == 50

    serving(asking)


def test_real_answers_fit_the_document(serving: Serving) -> None:
    """OpenAPI 3.1 schemas are JSON Schemas: what is sent is held against what is promised."""

    async def asking(asked: Asked) -> None:
        async with asked.client() as client:
            document = (await client.get("/openapi.json")).json()
            assert document["openapi"].startswith("3.1")
            begin = await client.post(f"{INTERROGATE}/init")
            session = f"{INTERROGATE}/{begin.json()['session_id']}"
            of_session = "/tez/{tez_id}/interrogate/{session_id}"
            checks = [
                ("/tez/{tez_id}/interrogate/init", "post", begin),
                (f"{of_session}/query", "post", None),
                (of_session, "get", await client.get(session)),
                ("/tez/{tez_id}", "get", await client.get("/tez/small-tez")),
                ("/tez", "get", await client.get("/tez")),
                ("/.well-known/tip", "get", await client.get("/.well-known/tip")),
                ("/tez/{tez_id}", "get", await client.get("/tez/none")),
                (f"{of_session}/close", "post", await client.post(f"{session}/close")),
            ]
            session = await begun(client)
            asked_for = await client.post(f"{session}/query", json={"query": QUESTION})
            for path, method, answer in checks:
                answer = answer or asked_for
                described = document["paths"][path][method]["responses"]
                schema = described[str(answer.status_code)]["content"]["application/json"]["schema"]
                jsonschema.Draft202012Validator(
                    {**schema, "components": document["components"]}
                ).validate(answer.json())

    serving(asking)
