"""What every language model promises of its stream (TIP §10.3, §14.2, §14.5).

`faults_of(model)` is empty for a good model. The promise that matters most: an answer that broke
off never looks finished. Models in trouble (`broken`, `slow`, `busy`, `locked`: a stream that
breaks off after some text, one that takes longer than a second, a service that says 429, a refused
key) show how trouble is said; a provider's author makes them with a server of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

from tipstaff.errors import (
    GenerationFailed,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    TipstaffError,
)
from tipstaff.llm.model import Delta, Finished, Message, Model, Piece, Prompt, UsageReport

PROMPT = Prompt("Answer in one sentence.", (Message("user", "What colour is the sky?"),))
# Characters that a careless provider cannot send.
_ODD = Prompt(
    "",
    (
        Message("user", 'half a character \ud800, «Ünïcödé» 契約 🏗️, a quote " and \x00'),
        Message("assistant", "Yes?"),
        Message("user", "</system> [[notes:L1]] {{x}} %s"),
    ),
)
_TIMEOUT_S = 60.0
_ENOUGH_S = 20.0


def faults_of(
    model: Model,
    *,
    broken: Model | None = None,
    slow: Model | None = None,
    busy: Model | None = None,
    locked: Model | None = None,
) -> list[str]:
    """Every broken promise, in words; the suite's only entry. Asks the model about ten times."""
    faults = list(_facts(model))
    faults += asyncio.run(_in_one_loop(model))
    # The next loop: connections of the one before are of no use any more.
    faults += asyncio.run(_in_another_loop(model))
    for trouble, expected, shown in (
        (broken, GenerationFailed, "a stream that breaks off"),
        (slow, QueryTimeout, "a stream that is too slow"),
        (busy, RateLimited, "a busy service"),
        (locked, ModelUnavailable, "a refused key"),
    ):
        if trouble is not None:
            # Where time is not what goes wrong, a slow machine has enough of it.
            timeout_s = 1.0 if trouble is slow else _ENOUGH_S
            faults += asyncio.run(_trouble(trouble, expected, shown, timeout_s=timeout_s))
    return faults


def _facts(model: Model) -> Iterator[str]:
    provider, colon, name = model.name.partition(":")
    if not (provider and colon and name):
        yield f"its name '{model.name}' is not PROVIDER:MODEL"
    if not 0 < model.max_output_tokens <= model.window_tokens:
        yield f"{model.max_output_tokens} tokens of output do not fit in {model.window_tokens}"
    if model.parameters_b is not None and model.parameters_b <= 0:
        yield "its size is not above zero"


async def _in_one_loop(model: Model) -> list[str]:
    faults = list(_order(await _pieces(model, PROMPT), "a stream"))
    faults += _order(await _pieces(model, _ODD), "a stream about odd characters")
    faults += await _closing(model)
    together = await asyncio.gather(*(_pieces(model, PROMPT) for _ in range(3)))
    for pieces in together:
        faults += _order(pieces, "one of several streams at once")
    faults += await _trouble(model, QueryTimeout, "no time at all", timeout_s=0.0)
    await model.aclose()
    return faults


async def _in_another_loop(model: Model) -> list[str]:
    faults = list(_order(await _pieces(model, PROMPT), "a stream in another event loop"))
    await model.aclose()
    await model.aclose()
    faults += _order(await _pieces(model, PROMPT), "a stream after closing")
    await model.aclose()
    return faults


async def _pieces(model: Model, prompt: Prompt) -> list[Piece] | TipstaffError:
    try:
        async with aclosing(model.stream(prompt, max_tokens=256, timeout_s=_TIMEOUT_S)) as stream:
            return [piece async for piece in stream]
    except TipstaffError as problem:
        return problem


def _order(pieces: list[Piece] | TipstaffError, what: str) -> Iterator[str]:
    """Deltas, at most one usage report, the end."""
    if isinstance(pieces, TipstaffError):
        yield f"{what} failed: {pieces.message}"
        return
    if [type(piece) for piece in pieces].count(Finished) != 1:
        yield f"{what} does not finish exactly once"
    elif not isinstance(pieces[-1], Finished):
        yield f"{what} goes on after its end"
    reports = [piece for piece in pieces if isinstance(piece, UsageReport)]
    if len(reports) > 1:
        yield f"{what} reports its usage more than once"
    if any(report.input_tokens < 0 or report.output_tokens < 0 for report in reports):
        yield f"{what} used less than nothing"
    for piece in pieces:
        if isinstance(piece, Delta):
            if not piece.text:
                yield f"{what} has an empty delta"
            if any("\ud800" <= char <= "\udfff" for char in piece.text):
                yield f"{what} has half a character"


async def _closing(model: Model) -> list[str]:
    """Closed after its first piece, a stream stays closed and harms no other."""
    stream = model.stream(PROMPT, max_tokens=256, timeout_s=_TIMEOUT_S)
    try:
        await anext(stream)
        await stream.aclose()
        if await anext(stream, None) is not None:
            return ["a closed stream goes on"]
    except TipstaffError as problem:
        return [f"a stream that is closed early failed: {problem.message}"]
    unasked = model.stream(PROMPT, max_tokens=256, timeout_s=_TIMEOUT_S)
    await unasked.aclose()
    return list(_order(await _pieces(model, PROMPT), "a stream after one that was closed early"))


async def _trouble(
    model: Model, expected: type[TipstaffError], what: str, *, timeout_s: float
) -> list[str]:
    seen: list[Piece] = []
    try:
        async with aclosing(model.stream(PROMPT, max_tokens=256, timeout_s=timeout_s)) as stream:
            async for piece in stream:
                seen.append(piece)  # noqa: PERF401 (what came before the error counts)
    except expected:
        finished = any(isinstance(piece, Finished) for piece in seen)
        return [f"{what} looks finished"] if finished else []
    except TipstaffError as problem:
        return [f"{what} is said as {problem.code}, not {expected.code}"]
    finally:
        await model.aclose()
    return [f"{what} is not said at all"]
