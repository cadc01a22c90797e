"""A perfect Enterprise server, scripted: it passes every test, and each fault is one change of it.

The whole server is a transport of httpx: no socket, no process. What a fault may change is a method
of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import httpx

from tests.compliance.servers.enterprise_answers import (
    NOW,
    Answer,
    Hit,
    answer,
    citation,
    summary,
)
from tests.compliance.servers.enterprise_state import (
    ALLOWED_USER,
    PEOPLE,
    Event,
    Memory,
    Person,
    Session,
    Share,
    Tez,
)

RATES = {"session": 2, "user": 4, "tez": 6, "tenant": 8, "global": 22}
Body = dict[str, Any]


class Refused(Exception):
    def __init__(self, status: int, kind: str, message: str, code: str = "", **more: Any) -> None:
        super().__init__(message)
        self.status, self.code = status, code or kind.upper()
        self.error = {"type": kind, "message": message, **more}


def unknown() -> Refused:
    return Refused(404, "not_found", "There is nothing here.")


@dataclass
class PerfectServer:
    """`limits` are the rates; None has none."""

    limits: Mapping[str, int] | None = None
    memory: Memory = field(default_factory=Memory)

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.handle)

    def handle(self, request: httpx.Request) -> httpx.Response:
        try:
            return self.route(request)
        except Refused as problem:
            if "text/event-stream" in request.headers.get("accept", ""):
                data = {**problem.error, "code": problem.code, "timestamp": NOW}
                return self.stream([("tip.error", data)], status=problem.status)
            return httpx.Response(problem.status, json={"error": problem.error})

    def route(self, request: httpx.Request) -> httpx.Response:
        path = unquote(request.url.path)
        if path == "/.well-known/tip":
            return httpx.Response(200, json={"limits": {"rates_per_minute": self.rates_told()}})
        person = self.person(request)
        if path == "/tez":
            return httpx.Response(200, json=self.listed(person))
        if path == "/shares":
            return httpx.Response(200, json={"shares": self.received(person)})
        if path == "/audit":
            return httpx.Response(200, json={"records": self.log_of(person)})
        match = re.fullmatch(r"/tez/([^/]+)(?:/(.*))?", path)
        if match is None:
            raise unknown()
        return self.of_a_tez(request, person, match[1], match[2] or "")

    def of_a_tez(
        self, request: httpx.Request, person: Person, tez_id: str, rest: str
    ) -> httpx.Response:
        if request.method == "PUT" and not rest:
            tez = Tez.of(request.content, tez_id=tez_id, person=person)
            self.memory.tezits[(person.tenant, tez_id)] = tez
            return httpx.Response(201, json={"tez_id": tez_id, "state": "ready"})
        tez = self.tez(person, tez_id)
        match rest.split("/"):
            case [""] if request.method == "GET":
                return httpx.Response(200, json=self.described(person, tez))
            case [""] if request.method == "DELETE":
                raise Refused(403, "forbidden", "Nothing is withdrawn here.")
            case ["costs"]:
                return httpx.Response(200, json=self.costs(person, tez))
            case ["shares", *which]:
                return self.sharing(request, person, tez, which)
            case ["items", item, "content" | "locate" | "pages", *_]:
                return self.item(person, tez, item, rest)
            case ["interrogate", "init"]:
                return httpx.Response(200, json=self.begun(person, tez, tez_id))
            case ["interrogate", session_id, *what]:
                session = self.session(person, session_id)
                return self.of_a_session(request, session, what[0] if what else "")
        raise unknown()

    # Who is asking, and what there is for them.

    def person(self, request: httpx.Request) -> Person:
        token = request.headers.get("authorization", "").removeprefix("Bearer token-")
        if token not in PEOPLE:
            raise Refused(401, "unauthorized", "A token is needed.")
        return PEOPLE[token]

    def tez(self, person: Person, tez_id: str) -> Tez:
        share = self.memory.shares.get(tez_id)
        if share is not None and self.share_holds(share, person):
            return share.tez
        found = self.memory.tezits.get((person.tenant, tez_id))
        if found is None:
            raise self.no_tez(person, tez_id)
        return found

    def no_tez(self, person: Person, tez_id: str) -> Refused:
        return unknown()

    def share_holds(self, share: Share, person: Person) -> bool:
        return share.to_tenant == person.tenant and not share.revoked

    def visible(self, person: Person, tez: Tez) -> list[str]:
        return [item["id"] for item in tez.items() if self.may_see(person, tez, item)]

    def may_see(self, person: Person, tez: Tez, item: Body) -> bool:
        if person.name == tez.publisher and person.tenant == tez.tenant:
            return True
        kind = item.get("access", {}).get("type", "public")
        if kind == "fga":
            return person.name == ALLOWED_USER
        return kind in ("public", "authenticated")

    def scope(self, person: Person, tez: Tez) -> Body:
        seen, every = self.visible(person, tez), len(tez.items())
        return {
            "total_items": every,
            "accessible_items": len(seen),
            "accessible_item_ids": seen,
            "restricted_items": every - len(seen),
            "scope_complete": len(seen) == every,
        }

    def listed(self, person: Person) -> Body:
        own = [tez for (tenant, _), tez in self.memory.tezits.items() if tenant == person.tenant]
        found: list[Body] = [{"tez_id": tez.tez_id} for tez in own]
        found += [{"tez_id": share["share_id"], "share": share} for share in self.received(person)]
        return {"tezits": found}

    def described(self, person: Person, tez: Tez) -> Body:
        seen = self.visible(person, tez)
        items = [
            {"id": one["id"], "title": one["title"]} for one in tez.items() if one["id"] in seen
        ]
        return {
            "tez_id": tez.tez_id,
            "items": items,
            "context_scope": self.scope(person, tez),
            "extensions": self.extensions(tez),
        }

    def extensions(self, tez: Tez) -> Body:
        return tez.extensions

    def item(self, person: Person, tez: Tez, item: str, rest: str) -> httpx.Response:
        if item not in self.visible(person, tez):
            raise self.no_item(tez, item)
        if "pages" in rest:
            raise unknown()
        return httpx.Response(200, content=tez.texts[item].encode())

    def no_item(self, tez: Tez, item: str) -> Refused:
        return unknown()

    # Shares, costs, logs.

    def sharing(
        self, request: httpx.Request, person: Person, tez: Tez, which: list[str]
    ) -> httpx.Response:
        if person.tenant != tez.tenant:
            raise unknown()
        if request.method == "POST":
            to = json.loads(request.content)["to_tenant"]
            share = Share(f"share-{len(self.memory.shares) + 1}-x", tez, to)
            self.memory.shares[share.id] = share
            return httpx.Response(201, json={"share": share.to_wire()})
        share = self.memory.shares[which[0]]
        share.revoked = True
        return httpx.Response(200, json={"share": share.to_wire()})

    def received(self, person: Person) -> list[Body]:
        shares = self.memory.shares.values()
        return [one.to_wire() for one in shares if self.share_holds(one, person)]

    def costs(self, person: Person, tez: Tez) -> Body:
        if person.tenant != tez.tenant:
            raise unknown()
        return {"cost_report": {"total_queries": self.memory.costs[f"{tez.tenant}/{tez.tez_id}"]}}

    def log_of(self, person: Person) -> list[Body]:
        return self.memory.logs.get(person.tenant, [])

    def recorded(self, session: Session) -> None:
        """Enterprise §6.6: what is asked across tenants is in both logs."""
        person, tez = session.person, session.tez
        common = {"kind": "query", "session_id": session.id, "user": person.name}
        if session.share is None:
            self.memory.record(person.tenant, **common, tez_id=tez.tez_id)
            return
        whose = f"external:{person.tenant}/{person.name}"
        self.memory.record(tez.tenant, **{**common, "user": whose}, tez_id=tez.tez_id)
        self.memory.record(person.tenant, **common, tez_id=session.share, from_tenant=tez.tenant)

    # Sessions.

    def begun(self, person: Person, tez: Tez, tez_id: str) -> Body:
        share = tez_id if tez_id in self.memory.shares else None
        session = Session(f"session-{len(self.memory.sessions) + 1}-x", person, tez, share)
        self.memory.sessions[session.id] = session
        seen = self.visible(person, tez)
        start = {"tez_id": tez_id, "session_id": session.id, "timestamp": NOW}
        loaded = {"item_count": len(seen), "indexed_items": seen, "timestamp": NOW}
        session.log += [("tip.session.start", start), ("tip.context.loaded", loaded)]
        return {"session_id": session.id, "tez_id": tez_id, "tip_version": "1.0"}

    def session(self, person: Person, session_id: str) -> Session:
        found = self.memory.sessions.get(session_id)
        if found is None or found.person != person:
            raise unknown()
        return found

    def of_a_session(self, request: httpx.Request, session: Session, what: str) -> httpx.Response:
        if session.share and not self.share_holds(
            self.memory.shares[session.share], session.person
        ):
            raise unknown()
        match request.method, what:
            case "POST", "query":
                return self.queried(request, session)
            case "GET", "events":
                after = int(request.headers.get("last-event-id", "0"))
                return self.stream(session.log[after:], first=after + 1)
            case "POST", "close":
                session.closed = True
                end = {"session_id": session.id, "total_queries": session.queries}
                session.log.append(("tip.session.end", {**end, "timestamp": NOW}))
                return httpx.Response(200, json={"session_id": session.id, "summary": {}})
            case "GET", "":
                return httpx.Response(200, json={"session_id": session.id})
        raise unknown()

    def queried(self, request: httpx.Request, session: Session) -> httpx.Response:
        body = json.loads(request.content)
        self.admit(session)
        found = self.answered(session, body)
        session.queries += 1
        self.memory.costs[f"{session.tez.tenant}/{session.tez.tez_id}"] += 1
        self.recorded(session)
        first = 0 if session.queries == 1 else len(session.log)
        session.log += self.events(session, found)
        if "text/event-stream" in request.headers.get("accept", ""):
            return self.stream(session.log[first:], first=first + 1)
        return httpx.Response(200, json=self.envelope(session, found))

    # Limits (Enterprise §6.4) and budgets.

    def rates_told(self) -> Mapping[str, int]:
        return self.limits or {}

    def admit(self, session: Session) -> None:
        most, whose = session.tez.limit(), (session.person.name, session.tez.tez_id)
        if most is not None and self.memory.spent[whose] >= most:
            message = "You have reached the limit for this tez."
            raise Refused(429, "budget_exhausted", message, limit_type="query_count")
        keys = self.scopes(session)
        for scope, most in (self.limits or {}).items():
            if self.memory.asked[(scope, keys[scope])] >= most:
                raise self.limited(scope, most)
        self.memory.spent[whose] += self.spends()
        for scope, key in keys.items():
            self.memory.asked[(scope, key)] += 1

    def spends(self) -> int:
        return 1

    def scopes(self, session: Session) -> dict[str, str]:
        tenant = session.person.tenant
        return {
            "session": session.id,
            "user": f"{tenant}/{session.person.name}",
            "tez": f"{session.tez.tenant}/{session.tez.tez_id}",
            "tenant": tenant,
            "global": "",
        }

    def limited(self, scope: str, most: int) -> Refused:
        message = f"{scope} rate limit exceeded: {most} queries/minute"
        return Refused(429, "rate_limited", message, scope=scope, retry_after_seconds=60)

    # Answers.

    def searched(self, session: Session) -> dict[str, str]:
        """Only what the recipient may see is searched at all (Enterprise §3.5, 1)."""
        seen = self.visible(session.person, session.tez)
        return {item: session.tez.texts[item] for item in seen}

    def answered(self, session: Session, body: Body) -> Answer:
        scope = self.scope(session.person, session.tez)
        notices = [] if scope["scope_complete"] else [self.notice(session, scope)]
        items = self.searched(session)
        return answer(items, body["query"], body, scope=scope, notices=notices)

    def notice(self, session: Session, scope: Body) -> dict[str, str]:
        seen, every = scope["accessible_items"], scope["total_items"]
        return {"kind": "reduced_scope", "text": f"Based on {seen} of {every} context items."}

    def citation(self, found: Answer, hit: Hit) -> Body:
        return citation(found, hit)

    def summary(self, found: Answer) -> Body:
        return summary(found)

    def told_scope(self, session: Session, found: Answer) -> Body:
        return found.scope

    def envelope(self, session: Session, found: Answer) -> Body:
        return {
            "response": {
                "text": found.text,
                "classification": found.classification,
                "confidence": "high",
                "citations": [self.citation(found, hit) for hit in found.hits],
            },
            "context_scope": self.told_scope(session, found),
            "retrieval_summary": self.summary(found),
            "notices": found.notices,
        }

    def search_events(self, found: Answer) -> list[Event]:
        start = {"query": found.query, "strategy": found.strategy, "timestamp": NOW}
        chunks: list[Event] = [
            (
                "tip.retrieval.chunk",
                {
                    "item_id": hit.item_id,
                    "chunk_id": f"{hit.item_id}#{hit.line}",
                    "score": hit.score,
                    "timestamp": NOW,
                },
            )
            for hit in found.ranked
        ]
        return [("tip.retrieval.start", start), *chunks]

    def words(self, found: Answer) -> list[Event]:
        told: list[Event] = []
        index = 0
        for text, hit in found.pieces:
            if hit is not None:
                index += 1
                data = {**self.citation(found, hit), "citation_index": index, "timestamp": NOW}
                told.append(("tip.citation", data))
            told.append(("tip.token", {"delta": text}))
        return told

    def end(self, session: Session, found: Answer) -> Event:
        data = {
            "classification": found.classification,
            "confidence": "high",
            "citation_count": len(found.hits),
            "retrieval_summary": self.summary(found),
            "context_scope": self.told_scope(session, found),
            "timestamp": NOW,
        }
        return ("tip.response.end", data)

    def events(self, session: Session, found: Answer) -> list[Event]:
        return [*self.search_events(found), *self.words(found), self.end(session, found)]

    def stream(self, events: list[Event], *, first: int = 1, status: int = 200) -> httpx.Response:
        text = "".join(
            f"id: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n"
            for number, (name, data) in enumerate(events, start=first)
        )
        return httpx.Response(status, content=text.encode(), headers=self.stream_headers())

    def stream_headers(self) -> dict[str, str]:
        return {"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
