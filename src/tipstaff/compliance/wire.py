"""A server as anybody sees it: requests out, answers in, each kept with its time.

Nothing here knows how a server works. Who asks is a name (`OWNER`, or one that the suite needs)
that stands for a bearer token; tokens are never kept with what was said.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tipstaff.compliance.verdict import CannotBeJudged
from tipstaff.server_sent import MEDIA_TYPE, EventReader

if TYPE_CHECKING:
    import httpx

TIP_VERSION = "1.0"
# Whoever published what is asked; `--token`.
OWNER = "owner"


class WireFailure(Exception):
    """The server could not be spoken to, or did not say what the protocol has it say."""


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event, `at_s` after its request was sent; `data` is JSON where it is JSON."""

    name: str
    data: Any
    id: str
    at_s: float


@dataclass(slots=True, kw_only=True)
class Exchange:
    """One request and what came back: `raw` as bytes, `body` as JSON where it is JSON."""

    method: str
    path: str
    who: str | None
    request: Any = None
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    raw: bytes = field(default=b"", repr=False)
    events: list[StreamEvent] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_error(self) -> bool:
        return self.status >= 400

    def object(self) -> dict[str, Any]:
        """The answer as a JSON object; anything else is the server's failure."""
        if self.is_error:
            raise WireFailure(f"{self.method} {self.path} answered {self.status}: {self.told()}")
        if not isinstance(self.body, dict):
            raise WireFailure(f"{self.method} {self.path} answered no JSON object: {self.told()}")
        return self.body

    def told(self) -> str:
        """The beginning of what came back, for a report."""
        if isinstance(self.body, bytes):
            return f"{len(self.body)} bytes"
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return text[:300]

    def named(self, name: str) -> list[StreamEvent]:
        return [event for event in self.events if event.name == name]


@dataclass(slots=True, kw_only=True)
class Wire:
    """`exchanges` is the record of one run; `recording()` begins another on the same connection."""

    client: httpx.AsyncClient
    tokens: Mapping[str, str]
    exchanges: list[Exchange] = field(default_factory=list)

    @classmethod
    def to(
        cls,
        url: str,
        tokens: Mapping[str, str],
        *,
        timeout_s: float = 120.0,
        verify: Any = True,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> Wire:
        import httpx

        client = httpx.AsyncClient(
            base_url=url.rstrip("/"), timeout=timeout_s, verify=verify, transport=transport
        )
        return cls(client=client, tokens=dict(tokens))

    def recording(self) -> Wire:
        return Wire(client=self.client, tokens=self.tokens)

    def knows(self, who: str) -> bool:
        return who in self.tokens

    async def send(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        who: str | None = OWNER,
        timeout_s: float | None = None,
    ) -> Exchange:
        """One request, one answer; what the server refuses is an answer, too."""
        exchange, started = self._begun(method, path, body, who), time.perf_counter()
        sent: dict[str, Any] = {"content": content} if content is not None else {}
        if body is not None:
            sent["json"] = body
        if timeout_s is not None:
            sent["timeout"] = timeout_s
        try:
            answer = await self.client.request(
                method, path, headers=self._headers(who, headers), **sent
            )
        except self._broken() as problem:
            raise WireFailure(f"{method} {path}: {type(problem).__name__} {problem}") from problem
        _fill(exchange, answer.status_code, answer.headers, answer.content)
        exchange.seconds = time.perf_counter() - started
        return exchange

    async def stream(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        who: str | None = OWNER,
        until: Callable[[Sequence[StreamEvent]], bool] | None = None,
    ) -> Exchange:
        """A request whose answer is a stream, read to its end or `until` enough has come."""
        exchange = self._begun(method, path, body, who)
        started = time.perf_counter()
        try:
            async with aclosing(
                self._events(exchange, started, self._headers(who, headers))
            ) as events:
                async for event in events:
                    exchange.events.append(event)
                    if until is not None and until(exchange.events):
                        break
        except self._broken() as problem:
            raise WireFailure(f"{method} {path}: {type(problem).__name__} {problem}") from problem
        exchange.seconds = time.perf_counter() - started
        return exchange

    async def _events(
        self, exchange: Exchange, started: float, headers: dict[str, str]
    ) -> AsyncGenerator[StreamEvent, None]:
        reader = EventReader()
        async with self.client.stream(
            exchange.method,
            exchange.path,
            json=exchange.request,
            headers={"Accept": MEDIA_TYPE} | headers,
        ) as answer:
            if not answer.headers.get("content-type", "").startswith(MEDIA_TYPE):
                _fill(exchange, answer.status_code, answer.headers, await answer.aread())
                return
            exchange.status, exchange.headers = answer.status_code, dict(answer.headers)
            async for piece in answer.aiter_bytes():
                for one in reader.feed(piece):
                    at_s = time.perf_counter() - started
                    yield StreamEvent(one.name, _read(one.data), one.id, at_s)

    async def open(self, tez_id: str, *, who: str = OWNER, **wishes: Any) -> WireSession:
        """TIP C.1: a session; a server that opens none fails the test."""
        path = f"/tez/{quote(tez_id, safe='')}/interrogate"
        opened = (await self.send("POST", f"{path}/init", body=wishes, who=who)).object()
        if not isinstance(opened.get("session_id"), str):
            raise WireFailure("The server opened a session without a `session_id`.")
        place = f"{path}/{quote(opened['session_id'], safe='')}"
        return WireSession(wire=self, who=who, path=place, opened=opened)

    def _begun(self, method: str, path: str, body: Any, who: str | None) -> Exchange:
        exchange = Exchange(method=method, path=path, who=who, request=body)
        self.exchanges.append(exchange)
        return exchange

    def _headers(self, who: str | None, more: Mapping[str, str] | None) -> dict[str, str]:
        headers = {"X-TIP-Version": TIP_VERSION}
        if who is not None:
            if who not in self.tokens:
                raise CannotBeJudged(f"There is no token for '{who}' (--token-for {who}=TOKEN).")
            headers["Authorization"] = f"Bearer {self.tokens[who]}"
        return headers | dict(more or {})

    @staticmethod
    def _broken() -> tuple[type[Exception], ...]:
        import httpx

        return httpx.HTTPError, httpx.InvalidURL, ValueError

    async def aclose(self) -> None:
        await self.client.aclose()


@dataclass(frozen=True, slots=True, kw_only=True)
class WireSession:
    """One session; `opened` is what its init answered (TIP C.1)."""

    wire: Wire
    who: str
    path: str
    opened: Mapping[str, Any]

    @property
    def id(self) -> str:
        return str(self.opened["session_id"])

    async def ask(self, query: str, **options: Any) -> Exchange:
        """TIP C.2."""
        body = {"query": query, **options}
        return await self.wire.send("POST", f"{self.path}/query", body=body, who=self.who)

    async def stream(
        self,
        query: str,
        *,
        until: Callable[[Sequence[StreamEvent]], bool] | None = None,
        **options: Any,
    ) -> Exchange:
        """The same as a stream (Enterprise §2.2)."""
        body = {"query": query, **options}
        return await self.wire.stream(
            "POST", f"{self.path}/query", body=body, who=self.who, until=until
        )

    async def events(
        self,
        *,
        after: str | None = None,
        until: Callable[[Sequence[StreamEvent]], bool] | None = None,
    ) -> Exchange:
        """The session's own stream, from after an event (Enterprise §2.5)."""
        headers = {} if after is None else {"Last-Event-ID": after}
        return await self.wire.stream(
            "GET", f"{self.path}/events", headers=headers, who=self.who, until=until
        )

    async def close(self) -> Exchange:
        """TIP C.3."""
        return await self.wire.send("POST", f"{self.path}/close", who=self.who)


def _fill(exchange: Exchange, status: int, headers: Mapping[str, str], content: bytes) -> None:
    exchange.status, exchange.headers, exchange.raw = status, dict(headers), content
    kind = exchange.headers.get("content-type", "")
    is_json = kind.split(";")[0].strip().endswith("json")
    exchange.body = _read(content.decode("utf-8", "replace")) if is_json else content


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
