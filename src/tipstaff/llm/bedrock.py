"""Models on Amazon Bedrock, by its Converse API.

The SDK knows no asyncio: each answer is read by a thread of its own. Closing shuts the socket for
reading, which ends the thread's wait; the thread then closes the connection. Before an answer has
begun nobody but the SDK has the socket: then the wait ends with the time that the answer had.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import closing, suppress
from typing import Any

from tipstaff.errors import ModelUnavailable, UsageError
from tipstaff.llm.environment import place_in, sendable_key
from tipstaff.llm.failures import ServiceFailure, failing_as, retry_after_s, transport_failure
from tipstaff.llm.hosted import Hosted, Request, needed
from tipstaff.llm.known_models import known_model
from tipstaff.llm.model import Delta, Finished, Piece, Reason, UsageReport

_CONNECT_S = 10
PLACES = ("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "AWS_ENDPOINT_URL")
_SECRETS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_BEARER_TOKEN_BEDROCK",
)

_REASONS: dict[str, Reason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "refused",
    "content_filtered": "refused",
}
# Errors inside a stream come with a name only.
_STATUS = {
    "throttlingexception": 429,
    "internalserverexception": 500,
    "modelstreamerrorexception": 500,
    "serviceunavailableexception": 503,
}


def model(*, model: str) -> Hosted:
    needed("bedrock", package="boto3")
    place = next(filter(None, map(place_in, PLACES)), None)
    for variable in _SECRETS:
        sendable_key(variable, os.environ.get(variable, ""))
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError

    try:
        session = boto3.Session()
        # Now, not with the first request: the environment is this model's own.
        session.get_credentials()
    except BotoCoreError as problem:
        raise UsageError(f"Bedrock's SDK cannot be set up: {problem}") from problem
    region = os.environ.get("AWS_REGION", "").strip() or session.region_name
    if not region:
        raise ModelUnavailable(
            "Models of 'bedrock' need a region.",
            suggestion="Set the environment variable AWS_REGION, such as us-east-1.",
        )

    def made(silence_s: float) -> Any:
        # One attempt: whether and when there is another is decided in one place, not in two.
        config = Config(
            retries={"total_max_attempts": 1},
            connect_timeout=_CONNECT_S,
            read_timeout=silence_s,
            max_pool_connections=32,
        )
        return session.client(
            "bedrock-runtime", region_name=region, endpoint_url=place, config=config
        )

    name, known = known_model("bedrock", model, own_service=False)
    return Hosted(f"bedrock:{name}", known, Converse(name, made))


class Converse:
    key = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE or AWS_BEARER_TOKEN_BEDROCK"
    # The SDK's own, which signs with it and does not send it.
    secret = ""

    def __init__(self, model: str, made: Callable[[float], Any]) -> None:
        self._model = model
        self._clients = _Clients(made)

    def client(self) -> _Clients:
        """The SDK's clients serve any thread and know no event loop."""
        return self._clients

    async def close(self, client: _Clients) -> None:
        client.close()

    async def pieces(self, client: _Clients, request: Request) -> AsyncGenerator[Piece, None]:
        limits: dict[str, Any] = {"maxTokens": request.max_tokens}
        if request.temperature is not None:
            limits["temperature"] = request.temperature
        asked: dict[str, Any] = {
            "modelId": self._model,
            "messages": [
                {"role": said.role, "content": [{"text": said.content}]}
                for said in request.prompt.messages
            ],
            "inferenceConfig": limits,
        }
        if request.prompt.system:
            asked["system"] = [{"text": request.prompt.system}]
        reader = _Reader(
            lambda: client.patient_for(request.timeout_s).converse_stream(**asked)["stream"]
        )
        with failing_as(_failure), closing(reader):
            while (event := await reader.events.get()) is not None:
                if isinstance(event, Exception):
                    raise event
                if (piece := _piece(event)) is not None:
                    yield piece


class _Clients:
    """One client, made anew where an answer may take longer than any before it: how long it waits
    for a word is no matter of a request."""

    def __init__(self, made: Callable[[float], Any]) -> None:
        self._made = made
        self._client: Any = None
        self._silence_s = 0.0
        self._one = threading.Lock()

    def patient_for(self, seconds: float) -> Any:
        with self._one:
            if seconds > self._silence_s:
                self.close()
                self._client, self._silence_s = self._made(seconds), seconds
            return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()


class _Reader:
    """A thread that puts the events of one answer into a queue: then None, or what went wrong."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self.events: asyncio.Queue[dict[str, Any] | Exception | None] = asyncio.Queue()
        self._ask = ask
        self._loop = asyncio.get_running_loop()
        self._stream: Any = None
        self._closed = threading.Event()
        # A daemon: a service that says nothing must not keep the process from ending.
        threading.Thread(target=self._read, name="bedrock", daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        if self._stream is not None:
            # It may be at its end already, and its connection back in the pool.
            with suppress(AttributeError, OSError, RuntimeError, ValueError):
                self._stream._raw_stream.shutdown()

    def _read(self) -> None:
        try:
            self._stream = self._ask()
            with closing(self._stream):
                # Whoever closes sets the flag before looking for the stream: one of us sees it.
                if self._closed.is_set():
                    return
                for event in self._stream:
                    self._put(event)
                    if self._closed.is_set():
                        return
                self._put(None)
        except Exception as problem:
            self._put(problem)

    def _put(self, event: dict[str, Any] | Exception | None) -> None:
        # The loop may be over, if nobody waits for this answer any more.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.events.put_nowait, event)


def _piece(event: dict[str, Any]) -> Piece | None:
    if text := event.get("contentBlockDelta", {}).get("delta", {}).get("text"):
        return Delta(text)
    if "messageStop" in event:
        return Finished(_REASONS.get(event["messageStop"]["stopReason"], "other"))
    if usage := event.get("metadata", {}).get("usage"):
        return UsageReport(usage["inputTokens"], usage["outputTokens"])
    return None


def _failure(problem: Exception) -> ServiceFailure | None:
    from botocore import eventstream, exceptions

    if isinstance(problem, (exceptions.NoCredentialsError, exceptions.PartialCredentialsError)):
        return ServiceFailure("no credentials", status=401)
    if isinstance(problem, eventstream.ParserError):
        return ServiceFailure("no answer", no_answer=True)
    if isinstance(problem, exceptions.BotoCoreError):
        # What is no matter of the connection is one of the request, and stays wrong.
        lost = isinstance(problem, (exceptions.HTTPClientError, exceptions.ConnectionError))
        return ServiceFailure(str(problem), status=None if lost else 400)
    if not isinstance(problem, exceptions.ClientError):
        return transport_failure(problem)
    said = problem.response.get("Error", {})
    answer = problem.response.get("ResponseMetadata", {})
    code = str(said.get("Code", ""))
    return ServiceFailure(
        str(said.get("Message") or said.get("message") or code),
        status=_STATUS.get(code.lower()) or answer.get("HTTPStatusCode", 200),
        retry_after_s=retry_after_s(answer.get("HTTPHeaders")),
    )
