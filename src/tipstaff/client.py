"""`tipstaff.Client`: a server's tezits over HTTP, with the response objects of `tipstaff.ask`.

async with tipstaff.Client("https://tez.example.com", token) as client:
    async with await client.init("q3-review") as session:
        response = await session.ask("What was the revenue?")
        async for event in session.stream("And the margin?"):
            ...

A stream that breaks off is taken up again where it was (Enterprise §2.5): every event comes once.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from tipstaff.domain.events import Event, ResponseEnd, SessionEnd, StreamError, event_from_wire
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.wire import from_wire
from tipstaff.errors import GenerationFailed, MissingExtra, RetrievalFailed, error_from_wire
from tipstaff.server_sent import MEDIA_TYPE, EventReader

if TYPE_CHECKING:
    import httpx

TIP_VERSION = "1.0"
_MOST_TRIES = 8
_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 10.0
_UNREADABLE = "The server's answer could not be read: {}."
_GONE = "The connection to the server broke off: {}."
_ENDS = (ResponseEnd, StreamError)


class Client:
    """`transport` is httpx's, for tests and proxies; `timeout_s` bounds the wait for bytes."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout_s: float = 90.0,
        verify: Any = True,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingExtra("tipstaff.Client", extra="serve") from None
        self.http = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}", "X-TIP-Version": TIP_VERSION},
            timeout=timeout_s,
            verify=verify,
            transport=transport,
        )
        self.sleep = sleep

    async def tezits(self) -> list[dict[str, Any]]:
        """What this token may ask."""
        found = await self.call("GET", "/tez")
        return list(found["tezits"])

    async def init(self, tez_id: str, **wishes: Any) -> RemoteSession:
        """TIP §8.1.1. `wishes` are the fields of C.1's body: `preferences`, `consent`,
        `proceed_with_partial`."""
        path = f"/tez/{quote(tez_id, safe='')}/interrogate"
        opened = await self.call("POST", f"{path}/init", wishes)
        return RemoteSession(
            client=self, path=f"{path}/{quote(opened['session_id'], safe='')}", opened=opened
        )

    async def ask(self, tez_id: str, query: str, **options: Any) -> ResponseEnvelope:
        """One query without a session of its own."""
        path = f"/api/v1/tez/{quote(tez_id, safe='')}/interrogate"
        return _envelope(await self.call("POST", path, {"query": query, **options}))

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """One request, one JSON object; what the server refuses is raised as it was there."""
        import httpx

        try:
            answer = await self.http.request(method, path, json=body)
        except httpx.TransportError as problem:
            raise RetrievalFailed(_GONE.format(type(problem).__name__)) from problem
        if answer.is_error:
            raise _refusal(answer.status_code, answer.text)
        return answer.json() if answer.content else None

    async def aclose(self) -> None:
        """Give back connections; `async with` does it."""
        await self.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


@dataclass(slots=True, kw_only=True)
class RemoteSession:
    """One session on a server. `opened` is the body of its init (TIP C.1)."""

    client: Client
    path: str
    opened: Mapping[str, Any]
    closed: bool = False
    _tries: int = field(default=0)

    @property
    def session_id(self) -> str:
        return str(self.opened["session_id"])

    async def ask(self, query: str, **options: Any) -> ResponseEnvelope:
        """One response; an abstention is one, an error is raised."""
        found = await self.client.call("POST", f"{self.path}/query", {"query": query, **options})
        return _envelope(found)

    async def stream(self, query: str, **options: Any) -> AsyncGenerator[Event, None]:
        """The events of one query, each once; what goes wrong is the last of them."""
        reader, query_id = EventReader(), ""
        request = self.client.http.build_request(
            "POST",
            f"{self.path}/query",
            json={"query": query, **options},
            headers={"Accept": MEDIA_TYPE},
        )
        while True:
            async with aclosing(self._received(request, reader)) as received:
                async for one in received:
                    if isinstance(one, str):
                        query_id = one
                        continue
                    yield one
                    if isinstance(one, _ENDS):
                        return
            if not query_id:
                # Whether it was begun is not known; asked again, it might be paid for twice.
                raise RetrievalFailed(_GONE.format("before the query was taken up"))
            await self._wait(reader)
            request = self._following(reader, query_id=query_id)

    async def events(self, *, after: int = 0) -> AsyncGenerator[Event, None]:
        """The session's own stream, all queries, until it ends."""
        reader = EventReader(last_id=str(after) if after else "")
        while True:
            async with aclosing(self._received(self._following(reader), reader)) as received:
                async for one in received:
                    if isinstance(one, str):
                        continue
                    yield one
                    if isinstance(one, SessionEnd):
                        return
            await self._wait(reader)

    async def close(self) -> dict[str, Any]:
        """TIP C.3: the summary."""
        found = await self.client.call("POST", f"{self.path}/close")
        self.closed = True
        return dict(found)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and not self.closed:
            await self.close()

    def _following(self, reader: EventReader, *, query_id: str = "") -> httpx.Request:
        return self.client.http.build_request(
            "GET",
            f"{self.path}/events",
            params={"query_id": query_id} if query_id else None,
            headers={"Accept": MEDIA_TYPE}
            | ({"Last-Event-ID": reader.last_id} if reader.last_id else {}),
        )

    async def _received(
        self, request: httpx.Request, reader: EventReader
    ) -> AsyncGenerator[Event | str, None]:
        """The id of the query, then its events; ends where the connection does."""
        import httpx

        reader.restart()
        try:
            answer = await self.client.http.send(request, stream=True)
        except httpx.TransportError:
            return
        try:
            if answer.is_error:
                await answer.aread()
                raise _refusal(answer.status_code, answer.text)
            if query_id := answer.headers.get("X-TIP-Query-Id"):
                reader.last_id = _before(answer.headers.get("X-TIP-First-Event", ""))
                yield query_id
            async for piece in answer.aiter_bytes():
                for one in reader.feed(piece):
                    self._tries = 0
                    event = _event(one.name, one.data)
                    if event is not None:
                        yield event
        except httpx.TransportError:
            return
        finally:
            await answer.aclose()

    async def _wait(self, reader: EventReader) -> None:
        """Longer each time nothing came; not for ever."""
        self._tries += 1
        if self._tries > _MOST_TRIES:
            self._tries = 0
            raise RetrievalFailed(_GONE.format(f"{_MOST_TRIES} times in a row"))
        first = _FIRST_WAIT_S if reader.retry_ms is None else reader.retry_ms / 1_000
        await self.client.sleep(min(first * 2 ** (self._tries - 1), _LONGEST_WAIT_S))


def _before(first_event: str) -> str:
    """The place before a query's first event, for a stream that breaks off before it."""
    return str(int(first_event) - 1) if first_event.isascii() and first_event.isdigit() else ""


def _event(name: str, data: str) -> Event | None:
    try:
        return event_from_wire(name, json.loads(data))
    except ValueError as problem:
        raise GenerationFailed(_UNREADABLE.format(problem)) from None


def _envelope(value: Any) -> ResponseEnvelope:
    try:
        return from_wire(ResponseEnvelope, value)
    except ValueError as problem:
        raise GenerationFailed(_UNREADABLE.format(problem)) from None


def _refusal(status: int, text: str) -> Exception:
    """The error of TIP §14 that a body holds, as JSON or as the one event of a stream."""
    if text.lstrip().startswith(("event:", "id:", ":", "retry:")):
        events = EventReader().feed(text.encode() + b"\n\n")
        text = next((one.data for one in events if one.name == StreamError.name), "")
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        return error_from_wire(body["error"])
    return RetrievalFailed(f"The server answered with status {status}.")
