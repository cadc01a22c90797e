"""OpenAI's models, or those of any server that speaks its language (`OPENAI_BASE_URL`).

Ollama, vLLM, llama.cpp and LM Studio do. Such a server on this machine needs no key.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

from tipstaff.llm.environment import key_in, place_in, sendable_key
from tipstaff.llm.failures import api_failure, failing_as, must_be_a_stream
from tipstaff.llm.hosted import Hosted, Request, needed
from tipstaff.llm.known_models import known_model
from tipstaff.llm.model import Delta, Finished, Piece, Reason, UsageReport

KEY = "OPENAI_API_KEY"
PLACE = "OPENAI_BASE_URL"
_OWN_HOST = "api.openai.com"

_REASONS: dict[str, Reason] = {"stop": "stop", "length": "length", "content_filter": "refused"}


def model(*, model: str) -> Hosted:
    needed("openai", package="openai")
    place = place_in(PLACE)
    own = not place or urlsplit(place).hostname == _OWN_HOST
    if is_loopback(place):
        # The SDK insists on a key; a server of one's own seldom does.
        key = sendable_key(KEY, os.environ.get(KEY, "").strip()) or "none"
    else:
        key = key_in("openai", KEY, hint="" if own else " (any word, if that server asks for none)")
    name, known = known_model("openai", model, own_service=own)
    import openai

    return Hosted(f"openai:{name}", known, ChatCompletions(openai, name, key, place, own=own))


class ChatCompletions:
    """The one interface that every compatible server has."""

    key = KEY

    def __init__(self, sdk: Any, model: str, key: str, place: str, *, own: bool) -> None:
        self._sdk = sdk
        self._model = model
        self.secret = key
        self._place = place
        # OpenAI's newer models refuse the old name; other servers know no other.
        self._limit = "max_completion_tokens" if own else "max_tokens"

    def client(self) -> Any:
        # What is meant for this machine must not leave it by way of the environment's proxy.
        here = is_loopback(self._place)
        return self._sdk.AsyncOpenAI(
            api_key=self.secret,
            base_url=self._place or None,
            max_retries=0,
            http_client=self._sdk.DefaultAsyncHttpxClient(trust_env=False) if here else None,
        )

    async def close(self, client: Any) -> None:
        await client.close()

    async def pieces(self, client: Any, request: Request) -> AsyncGenerator[Piece, None]:
        prompt = request.prompt
        system = [{"role": "system", "content": prompt.system}] if prompt.system else []
        asked: dict[str, Any] = {
            "model": self._model,
            "messages": system
            + [{"role": said.role, "content": said.content} for said in prompt.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "timeout": request.timeout_s,
            self._limit: request.max_tokens,
        }
        if request.temperature is not None:
            asked["temperature"] = request.temperature
        with failing_as(lambda problem: api_failure(problem, self._sdk.APIError)):
            async with (
                await client.chat.completions.create(**asked) as chunks,
                aclosing(_pieces(chunks)) as pieces,
            ):
                heard = False
                async for piece in pieces:
                    heard = True
                    yield piece
                if not heard:
                    must_be_a_stream(chunks.response)


def is_loopback(place: str) -> bool:
    host = urlsplit(place).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _pieces(chunks: Any) -> AsyncGenerator[Piece, None]:
    """Usage comes in a chunk of its own, behind the end; some servers leave it out."""
    async for chunk in chunks:
        if chunk.usage is not None:
            yield UsageReport(chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        for choice in chunk.choices or ():
            if choice.delta is not None and choice.delta.content:
                yield Delta(choice.delta.content)
            if choice.finish_reason is not None:
                yield Finished(_REASONS.get(choice.finish_reason, "other"))
