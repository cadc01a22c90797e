"""How tests ask a model: in an event loop of their own, all pieces or the error."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from tipstaff.contracts.models import PROMPT
from tipstaff.errors import TipstaffError
from tipstaff.llm.model import Delta, Finished, Model, Piece, Prompt, UsageReport


def asked(
    model: Model, *, prompt: Prompt = PROMPT, max_tokens: int = 500, timeout_s: float = 30.0
) -> tuple[list[Piece], TipstaffError | None]:
    """What came, and what ended it if it was not its end."""

    async def ask() -> tuple[list[Piece], TipstaffError | None]:
        seen: list[Piece] = []
        stream = model.stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s)
        try:
            async with aclosing(stream):
                async for piece in stream:
                    seen.append(piece)  # noqa: PERF401 (what came before an error counts)
        except TipstaffError as problem:
            return seen, problem
        finally:
            await model.aclose()
        return seen, None

    return asyncio.run(ask())


def text_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Delta))


def usage_of(pieces: list[Piece]) -> list[UsageReport]:
    return [piece for piece in pieces if isinstance(piece, UsageReport)]


def ends_of(pieces: list[Piece]) -> list[str]:
    return [piece.reason for piece in pieces if isinstance(piece, Finished)]
