"""What every language model is: a prompt in, pieces of text out as they are written (TIP §10.3).

A stream is zero or more `Delta`s, at most one `UsageReport`, then `Finished` exactly once. One
that breaks raises instead, so that half an answer never looks like a whole one (TIP §14.5).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

Role = Literal["user", "assistant"]
# Only `stop` is the end that the model meant: `length` was cut, `refused` was withheld by the
# service's own rules, `other` is something that is not known here.
Reason = Literal["stop", "length", "refused", "other"]

# TIP §10.3.4: models below 30B parameters are not recommended.
LEAST_PARAMETERS_B = 30.0


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """`system` is ours; `messages` begin with the user's and take turns. `repairs`: the last one
    returns statements that failed, and asks for better ones. `about` is what it asks about, the
    question or those statements, without the words around them."""

    system: str
    messages: tuple[Message, ...]
    repairs: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """Some more text, never empty and never half a character."""

    text: str


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What the service counted, in its own tokens."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Finished:
    reason: Reason


Piece = Delta | UsageReport | Finished


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens; some services ask more for prompts above a length."""

    input_usd: float
    output_usd: float
    above_tokens: int | None = None
    input_usd_above: float = 0.0
    output_usd_above: float = 0.0


@runtime_checkable
class Model(Protocol):
    """Errors of `stream` are `ModelUnavailable`, `RateLimited`, `QueryTimeout`, `GenerationFailed`,
    `TokenLimitExceeded`.

    `window_tokens` is what prompt and answer may have together; `parameters_b` and `price` are
    None where they are not known.
    """

    name: str
    window_tokens: int
    max_output_tokens: int
    parameters_b: float | None
    price: Price | None

    def stream(
        self, prompt: Prompt, *, max_tokens: int, timeout_s: float
    ) -> AsyncGenerator[Piece, None]:
        """The answer as it is written; `timeout_s` is for all of it. Closing it early
        (`contextlib.aclosing`) ends the request and frees its connection."""
        ...

    async def aclose(self) -> None:
        """Let go of connections; the model may be used again afterwards."""
        ...


def too_small(model: Model) -> bool:
    """TIP §10.3.4, for models whose size is known; the others are given the benefit of doubt."""
    return model.parameters_b is not None and model.parameters_b < LEAST_PARAMETERS_B


def estimated_cost_usd(model: Model, usage: UsageReport) -> float | None:
    """By list price; None where there is none."""
    price = model.price
    if price is None:
        return None
    above = price.above_tokens is not None and usage.input_tokens > price.above_tokens
    into = price.input_usd_above if above else price.input_usd
    out = price.output_usd_above if above else price.output_usd
    return (usage.input_tokens * into + usage.output_tokens * out) / 1_000_000
