"""Google's Gemini models, by the Gemini API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from tipstaff.llm.environment import key_in, place_in
from tipstaff.llm.failures import ServiceFailure, failing_as, retry_after_s, transport_failure
from tipstaff.llm.hosted import Hosted, Request, needed
from tipstaff.llm.known_models import known_model
from tipstaff.llm.model import Delta, Finished, Piece, Reason, UsageReport

KEYS = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
PLACE = "GOOGLE_GEMINI_BASE_URL"

_REASONS: dict[str, Reason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "refused",
    "RECITATION": "refused",
    "BLOCKLIST": "refused",
    "PROHIBITED_CONTENT": "refused",
    "SPII": "refused",
}


def model(*, model: str) -> Hosted:
    needed("google", package="google.genai")
    key = key_in("google", *KEYS)
    place = place_in(PLACE) or None
    name, known = known_model("google", model, own_service=place is None)
    from google import genai

    return Hosted(f"google:{name}", known, GenerateContent(genai, name, key, place))


class GenerateContent:
    key = " or ".join(KEYS)

    def __init__(self, sdk: Any, model: str, key: str, place: str | None) -> None:
        self._sdk = sdk
        self._model = model
        self.secret = key
        self._place = place

    def client(self) -> Any:
        types = self._sdk.types
        # One attempt: whether and when there is another is decided in one place, not in two.
        options = types.HttpOptions(
            base_url=self._place, retry_options=types.HttpRetryOptions(attempts=1)
        )
        return self._sdk.Client(api_key=self.secret, vertexai=False, http_options=options)

    async def close(self, client: Any) -> None:
        await client.aio.aclose()
        client.close()

    async def pieces(self, client: Any, request: Request) -> AsyncGenerator[Piece, None]:
        asked = self._asked(request)
        answers: asyncio.Queue[Any] = asyncio.Queue()

        async def read() -> None:
            """Into the queue: answers, then None or what went wrong."""
            try:
                async for answer in await client.aio.models.generate_content_stream(**asked):
                    answers.put_nowait(answer)
                answers.put_nowait(None)
            except Exception as problem:
                answers.put_nowait(problem)

        # The SDK's generators do not pass on that they are closed, and leave the connection open;
        # a cancellation reaches the innermost of them, for a task of its own is always reading.
        reading = asyncio.create_task(read())
        try:
            with failing_as(_failure):
                while (answer := await answers.get()) is not None:
                    if isinstance(answer, Exception):
                        raise answer
                    for piece in _pieces(answer):
                        yield piece
        finally:
            reading.cancel()
            await asyncio.wait([reading])

    def _asked(self, request: Request) -> dict[str, Any]:
        types = self._sdk.types
        config = types.GenerateContentConfig(
            system_instruction=request.prompt.system or None,
            max_output_tokens=request.max_tokens,
            temperature=request.temperature,
            http_options=types.HttpOptions(timeout=int(request.timeout_s * 1_000)),
        )
        contents = [
            types.Content(
                role="model" if said.role == "assistant" else "user",
                parts=[types.Part(text=said.content)],
            )
            for said in request.prompt.messages
        ]
        return {"model": self._model, "contents": contents, "config": config}


def _pieces(answer: Any) -> Iterator[Piece]:
    if (counted := answer.usage_metadata) is not None:
        # Thoughts are written, and paid for, without being shown.
        written = (counted.candidates_token_count or 0) + (counted.thoughts_token_count or 0)
        yield UsageReport(counted.prompt_token_count or 0, written)
    if answer.prompt_feedback is not None and answer.prompt_feedback.block_reason is not None:
        yield Finished("refused")
    for candidate in answer.candidates or ():
        for part in (candidate.content and candidate.content.parts) or ():
            if part.text and not part.thought:
                yield Delta(part.text)
        if candidate.finish_reason is not None:
            yield Finished(_REASONS.get(candidate.finish_reason.name, "other"))


def _failure(problem: Exception) -> ServiceFailure | None:
    from google.genai import errors

    if isinstance(problem, errors.UnknownApiResponseError):
        return ServiceFailure("no answer", no_answer=True)
    if not isinstance(problem, errors.APIError):
        return transport_failure(problem)
    return ServiceFailure(
        problem.message or str(problem.status),
        # A wrong key is a bad request to Google.
        status=401 if "API_KEY_INVALID" in str(problem.details) else problem.code,
        retry_after_s=_asked_pause(problem),
    )


def _asked_pause(problem: Any) -> float | None:
    """A header, or a `RetryInfo` inside the body: `{"retryDelay": "17s"}`."""
    asked = retry_after_s(getattr(problem.response, "headers", None))
    if asked is not None or not isinstance(problem.details, dict):
        return asked
    for detail in problem.details.get("error", {}).get("details") or ():
        delay = str(detail.get("retryDelay", "")).removesuffix("s")
        if delay.replace(".", "", 1).isdecimal():
            return float(delay)
    return None
