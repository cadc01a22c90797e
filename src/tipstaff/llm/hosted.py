"""What models behind somebody's API have in common: one deadline, patience, whole characters.

Prompts leave this machine: that is why such a model must be chosen by name. A request is repeated
only if the service is busy, broken or out of reach, and only before the first word arrived: what
was heard cannot be taken back.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Protocol

from tipstaff.errors import ModelUnavailable, QueryTimeout, TokenLimitExceeded
from tipstaff.llm.failures import ServiceFailure, explained, required_tokens, too_many_tokens
from tipstaff.llm.known_models import KnownModel
from tipstaff.llm.model import Delta, Finished, Message, Piece, Prompt, Reason, UsageReport
from tipstaff.models import installed

# Before the second, third and fourth attempt, unless the service says how long; give or take half.
_PAUSES_S = (0.5, 1.0, 2.0)
# SDKs have timeouts of their own; ours, for the whole answer, shall come first.
SPARE_S = 5.0
_SMALLER_WINDOW = (
    "The service counts more tokens than were counted here. Say how many its window has, with "
    "NAME@TOKENS, or ask a shorter question."
)


@dataclass(frozen=True, slots=True)
class Request:
    prompt: Prompt
    max_tokens: int
    timeout_s: float
    # None: this model takes no temperature.
    temperature: float | None


class Service(Protocol):
    """One provider's SDK: what differs between them, and nothing else."""

    # What to check if the service refuses its caller, and what no message may repeat.
    key: str
    secret: str

    def client(self) -> Any:
        """A client with connections of its own, for one event loop."""
        ...

    async def close(self, client: Any) -> None: ...

    def pieces(self, client: Any, request: Request) -> AsyncGenerator[Piece, None]:
        """One attempt; whatever fails is a `ServiceFailure`. Closing it closes the response."""
        ...


class Hosted:
    def __init__(self, name: str, known: KnownModel, service: Service) -> None:
        self.name = name
        self.window_tokens = known.window_tokens
        self.max_output_tokens = known.max_output_tokens
        self.parameters_b = known.parameters_b
        self.price = known.price
        self.wait: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._service = service
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # The same question deserves the same answer.
        self._temperature: float | None = 0.0

    async def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        deadline = asyncio.get_running_loop().time() + timeout_s
        attempt = 0
        while True:
            request = Request(
                _sendable(prompt),
                min(max_tokens, self.max_output_tokens),
                timeout_s + SPARE_S,
                self._temperature,
            )
            heard = False
            try:
                async with aclosing(self._attempt(request, deadline)) as pieces:
                    async for piece in pieces:
                        heard = True
                        yield piece
                return
            except TimeoutError as problem:
                raise QueryTimeout(timeout_seconds=math.ceil(timeout_s)) from problem
            except ServiceFailure as failure:
                if heard:
                    failure.broke_off = True
                    raise self._explained(failure) from failure
                if not self._asks_too_much(failure):
                    await self._pause(failure, attempt, deadline)
                    attempt += 1

    async def aclose(self) -> None:
        client, self._client = self._client, None
        # Connections of an event loop that is over went with it.
        if client is not None and self._loop is asyncio.get_running_loop():
            await self._service.close(client)

    async def _attempt(self, request: Request, deadline: float) -> AsyncGenerator[Piece, None]:
        """Deltas of whole characters as they come; usage and the end, once it is the end."""
        usage: UsageReport | None = None
        reason: Reason | None = None
        held = ""
        async with aclosing(self._service.pieces(self._connected(), request)) as pieces:
            while (piece := await _before(deadline, pieces)) is not None:
                if isinstance(piece, Delta):
                    text, held = whole_characters(held + piece.text)
                    if text:
                        yield Delta(text)
                elif isinstance(piece, UsageReport):
                    usage = UsageReport(_count(piece.input_tokens), _count(piece.output_tokens))
                else:
                    reason = piece.reason
        if reason is None:
            raise ServiceFailure("the stream ended before the answer did", broke_off=True)
        if held:
            yield Delta("\ufffd")
        if usage is not None:
            yield usage
        yield Finished(reason)

    def _connected(self) -> Any:
        """One client for all requests, so that connections are used again."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            try:
                self._client, self._loop = self._service.client(), loop
            except Exception as problem:
                # Whatever an SDK does not like, mostly about the environment's proxies.
                failure = ServiceFailure(f"{type(problem).__name__}: {problem}")
                raise ModelUnavailable(
                    f"The client of the model '{self.name}' cannot be made: "
                    f"{failure.words_without(self._service.secret)}.",
                    suggestion="Check the address of the service, and the proxies in HTTP_PROXY, "
                    "HTTPS_PROXY and ALL_PROXY.",
                ) from problem
        return self._client

    def _asks_too_much(self, failure: ServiceFailure) -> bool:
        """Some models refuse any temperature; they are asked again without, from then on."""
        refused = failure.status == 400 and "temperature" in failure.words.lower()
        if not refused or self._temperature is None:
            return False
        self._temperature = None
        return True

    async def _pause(self, failure: ServiceFailure, attempt: int, deadline: float) -> None:
        if not failure.passing or attempt >= len(_PAUSES_S):
            raise self._explained(failure) from failure
        chance = random.random()  # noqa: S311 (so that callers do not come back all at once)
        if failure.retry_after_s is not None:
            pause = failure.retry_after_s + chance / 2
        else:
            pause = _PAUSES_S[attempt] * (0.5 + chance)
        if asyncio.get_running_loop().time() + pause >= deadline:
            raise self._explained(failure) from failure
        await self.wait(pause)

    def _explained(self, failure: ServiceFailure) -> Exception:
        if too_many_tokens(failure):
            return TokenLimitExceeded(
                token_limit=self.window_tokens,
                tokens_required=required_tokens(failure, self.window_tokens),
                mitigation=_SMALLER_WINDOW,
                mitigated=False,
            )
        return explained(self.name, failure, key=self._service.key, secret=self._service.secret)


def needed(provider: str, *, package: str) -> None:
    # Of `google.genai`, only the first part can be looked for without importing anything.
    parent = package.partition(".")[0]
    if not installed(parent) or not installed(package):
        raise ModelUnavailable(
            f"Models of '{provider}' need the extra '{provider}', which is not installed.",
            suggestion=f"pip install 'tipstaff[{provider}]'",
        )


def whole_characters(text: str) -> tuple[str, str]:
    """Text that can be passed on, and half a character (a JSON escape cut in two) that cannot."""
    half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
    body = text[:-1] if half else text
    if any("\ud800" <= char <= "\udfff" for char in body):
        body = body.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return body, half


async def _before(deadline: float, pieces: AsyncGenerator[Piece, None]) -> Piece | None:
    """The next piece. No timeout is ever open while the caller has the turn: it would strike
    whatever the caller awaits."""
    async with asyncio.timeout_at(deadline):
        try:
            return await anext(pieces, None)
        except (TypeError, AttributeError, LookupError) as problem:
            # An SDK that was sent something else than it knows.
            words = f"what it sends cannot be read ({type(problem).__name__})"
            raise ServiceFailure(words, broke_off=True) from problem


def _count(tokens: object) -> int:
    """Servers that are nearly compatible leave it out, or say null."""
    return tokens if isinstance(tokens, int) and tokens > 0 else 0


def _sendable(prompt: Prompt) -> Prompt:
    """Half a character, as damaged files have them, cannot be encoded: a mark stands for it."""
    return Prompt(
        _encodable(prompt.system),
        tuple(Message(said.role, _encodable(said.content)) for said in prompt.messages),
    )


def _encodable(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
