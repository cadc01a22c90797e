"""A model that says what a file has it say: for tests, demonstrations and reproducing faults.

It is played as it is written, delays and faults included; only the timeout is ours. Nothing leaves
the machine.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path

from tipstaff.errors import (
    GenerationFailed,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    TipstaffError,
)
from tipstaff.llm.failures import RETRY_AFTER_S
from tipstaff.llm.known_models import DEFAULT_OUTPUT_TOKENS, DEFAULT_WINDOW_TOKENS
from tipstaff.llm.model import Delta, Finished, Piece, Price, Prompt, UsageReport
from tipstaff.llm.script_file import Answer, Fault, Pause, Script, read_script
from tipstaff.tokens import count_tokens


def model(*, model: str) -> Scripted:
    return Scripted(f"scripted:{model}", read_script(Path(model).expanduser()))


class Scripted:
    def __init__(self, name: str, script: Script) -> None:
        self.name = name
        self.window_tokens = script.window_tokens or DEFAULT_WINDOW_TOKENS
        self.max_output_tokens = script.max_output_tokens or DEFAULT_OUTPUT_TOKENS
        self.parameters_b = script.parameters_b
        self.price: Price | None = Price(0.0, 0.0)
        self._script = script
        self._given: Counter[str] = Counter()

    async def stream(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,  # noqa: ARG002 (a script is played as it is written)
        timeout_s: float,
    ) -> AsyncGenerator[Piece, None]:
        deadline = asyncio.get_running_loop().time() + timeout_s
        usage: UsageReport | None = None
        end = Finished("stop")
        said = ""
        for step in self._answer(prompt):
            await self._until(deadline, step.seconds if isinstance(step, Pause) else 0, timeout_s)
            if isinstance(step, Fault):
                raise self._fault(step.code, timeout_s)
            if isinstance(step, Delta) and step.text:
                said += step.text
                yield step
            elif isinstance(step, UsageReport):
                usage = step
            elif isinstance(step, Finished):
                end = step
        yield usage or UsageReport(_length(prompt), count_tokens(said))
        yield end

    async def aclose(self) -> None:
        """There is nothing to let go of."""

    def _answer(self, prompt: Prompt) -> Answer:
        """By the longest text that the question has in it; nothing is said twice by accident."""
        question = prompt.about or (prompt.messages[-1].content if prompt.messages else "")
        # The text that is in every question stands for questions, not for what failed of them.
        fitting = [
            query
            for query in self._script.by_query
            if query in question and (query or not prompt.repairs)
        ]
        if not fitting:
            raise GenerationFailed(f"The script '{self.name}' has no answer to this question.")
        query = max(fitting, key=len)
        answers = self._script.by_query[query]
        turn = self._given[query] if len(answers) > 1 else 0
        if turn >= len(answers):
            raise GenerationFailed(f"The script '{self.name}' has no more answers.")
        self._given[query] += 1
        return answers[turn]

    async def _until(self, deadline: float, pause_s: float, timeout_s: float) -> None:
        try:
            async with asyncio.timeout_at(deadline):
                await asyncio.sleep(pause_s)
        except TimeoutError as problem:
            raise QueryTimeout(timeout_seconds=math.ceil(timeout_s)) from problem

    def _fault(self, code: str, timeout_s: float) -> TipstaffError:
        wait_s = math.ceil(RETRY_AFTER_S)
        if code == "timeout":
            return QueryTimeout(timeout_seconds=math.ceil(timeout_s))
        if code == "rate_limited":
            return RateLimited(
                scope="provider", limit=f"'{self.name}' says so", retry_after_seconds=wait_s
            )
        if code == "model_unavailable":
            return ModelUnavailable(retry_after_seconds=wait_s)
        return GenerationFailed(
            f"The answer of the model '{self.name}' broke off.", suggestion="Ask again."
        )


def _length(prompt: Prompt) -> int:
    return sum(map(count_tokens, [prompt.system, *(said.content for said in prompt.messages)]))
