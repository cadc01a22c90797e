"""Anthropic's models, by their Messages API."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from tipstaff.llm.environment import key_in, place_in
from tipstaff.llm.failures import api_failure, failing_as, must_be_a_stream
from tipstaff.llm.hosted import Hosted, Request, needed
from tipstaff.llm.known_models import known_model
from tipstaff.llm.model import Delta, Finished, Piece, Reason, UsageReport

KEY = "ANTHROPIC_API_KEY"
PLACE = "ANTHROPIC_BASE_URL"

_REASONS: dict[str | None, Reason] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


def model(*, model: str) -> Hosted:
    needed("anthropic", package="anthropic")
    key = key_in("anthropic", KEY)
    place = place_in(PLACE) or None
    name, known = known_model("anthropic", model, own_service=place is None)
    import anthropic

    return Hosted(f"anthropic:{name}", known, Messages(anthropic, name, key, place))


class Messages:
    key = KEY

    def __init__(self, sdk: Any, model: str, key: str, place: str | None) -> None:
        self._sdk = sdk
        self._model = model
        self.secret = key
        self._place = place

    def client(self) -> Any:
        return self._sdk.AsyncAnthropic(api_key=self.secret, base_url=self._place, max_retries=0)

    async def close(self, client: Any) -> None:
        await client.close()

    async def pieces(self, client: Any, request: Request) -> AsyncGenerator[Piece, None]:
        asked: dict[str, Any] = {
            "model": self._model,
            "messages": [
                {"role": said.role, "content": said.content} for said in request.prompt.messages
            ],
            "max_tokens": request.max_tokens,
            "timeout": request.timeout_s,
            "stream": True,
        }
        if request.prompt.system:
            asked["system"] = request.prompt.system
        if request.temperature is not None:
            # The SDK no longer names it; most models still take it.
            asked["extra_body"] = {"temperature": request.temperature}
        with failing_as(lambda problem: api_failure(problem, self._sdk.APIError)):
            async with (
                await client.messages.create(**asked) as events,
                aclosing(_pieces(events)) as pieces,
            ):
                heard = False
                async for piece in pieces:
                    heard = True
                    yield piece
                if not heard:
                    must_be_a_stream(events.response)


async def _pieces(events: Any) -> AsyncGenerator[Piece, None]:
    read = 0
    reason: str | None = None
    async for event in events:
        if event.type == "message_start":
            read = _input_tokens(event.message.usage)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            yield Delta(event.delta.text)
        elif event.type == "message_delta":
            reason = event.delta.stop_reason
            yield UsageReport(read, event.usage.output_tokens)
        elif event.type == "message_stop":
            yield Finished(_REASONS.get(reason, "other"))


def _input_tokens(usage: Any) -> int:
    """What came from the service's cache was read as well."""
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return int(usage.input_tokens) + cached
