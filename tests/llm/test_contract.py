"""The shipped suite finds what it looks for: each model here breaks one promise."""

# ruff: noqa: ARG002 (models take what they are given, whether they need it or not)
from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from tipstaff.contracts.models import faults_of
from tipstaff.errors import GenerationFailed, QueryTimeout, TipstaffError, UsageError
from tipstaff.llm.model import Delta, Finished, Piece, Price, Prompt, UsageReport

GOOD: tuple[Piece, ...] = (Delta("Blue."), UsageReport(3, 1), Finished("stop"))


class Told:
    """A model that gives the pieces it was told to, then the error if there is one."""

    name = "told:so"
    window_tokens = 1_000
    max_output_tokens = 100
    parameters_b: float | None = None
    price: Price | None = None

    def __init__(self, *pieces: Piece, then: TipstaffError | None = None) -> None:
        self.pieces = pieces or GOOD
        self.then = then

    async def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        if timeout_s == 0:
            raise QueryTimeout(timeout_seconds=0)
        for piece in self.pieces:
            await asyncio.sleep(0)
            yield piece
        if self.then is not None:
            raise self.then

    async def aclose(self) -> None:
        pass


class Patient(Told):
    async def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        for piece in self.pieces:
            yield piece


class OneLoop(Told):
    """Keeps to the event loop in which it was first used, as careless clients do."""

    loop: asyncio.AbstractEventLoop | None = None

    async def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        self.loop = self.loop or asyncio.get_running_loop()
        if self.loop is not asyncio.get_running_loop():
            raise GenerationFailed("Event loop is closed")
        async for piece in super().stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s):
            yield piece


class Careless(Told):
    """Encodes what cannot be encoded."""

    async def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        if "\ud800" in prompt.messages[0].content:
            raise GenerationFailed("surrogates not allowed")
        async for piece in super().stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s):
            yield piece


class Nameless(Told):
    name = "told"


class Boastful(Told):
    max_output_tokens = 2_000


def test_a_good_model_has_no_faults() -> None:
    assert faults_of(Told()) == []


@pytest.mark.parametrize(
    ("model", "fault"),
    [
        (Told(Delta("Blue.")), "does not finish exactly once"),
        (Told(*GOOD, Finished("stop")), "does not finish exactly once"),
        (Told(Finished("stop"), Delta("Blue.")), "goes on after its end"),
        (Told(UsageReport(1, 1), *GOOD), "usage more than once"),
        (Told(Delta("x"), UsageReport(-1, 1), Finished("stop")), "less than nothing"),
        (Told(Delta(""), *GOOD), "an empty delta"),
        (Told(Delta("\ud83c"), Delta("\udfd7"), Finished("stop")), "half a character"),
        (Told(then=UsageError("no")), "a stream failed: no"),
        (Patient(), "no time at all is not said"),
        (OneLoop(), "in another event loop failed"),
        (Careless(), "odd characters failed"),
        (Nameless(), "is not PROVIDER:MODEL"),
        (Boastful(), "do not fit"),
    ],
)
def test_each_broken_promise_is_found(model: Told, fault: str) -> None:
    assert any(fault in found for found in faults_of(model))


@pytest.mark.parametrize("trouble", ["broken", "slow", "busy", "locked"])
def test_trouble_that_is_said_wrongly_is_found(trouble: str) -> None:
    unsaid = faults_of(Told(), **{trouble: Told()})
    assert len(unsaid) == 1
    assert "not said at all" in unsaid[0]
    wrongly = faults_of(Told(), **{trouble: Told(then=UsageError("no"))})
    assert "is said as usage" in wrongly[0]


def test_half_an_answer_that_looks_finished_is_found() -> None:
    broken = Told(*GOOD, then=GenerationFailed("broke off"))
    assert faults_of(Told(), broken=broken) == ["a stream that breaks off looks finished"]
