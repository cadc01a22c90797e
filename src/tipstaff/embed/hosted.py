"""What embedders behind somebody's API have in common: portions, patience, plain words.

Texts leave this machine: that is why such an embedder must be chosen by name. A request is
repeated only if the service says that it is busy or broken, never if it says no.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

import numpy as np

from tipstaff.embed.embedder import Vector, mean_of, unit
from tipstaff.embed.text_windows import by_bytes
from tipstaff.errors import MissingExtra, RetrievalFailed, UsageError
from tipstaff.models import installed

Role = Literal["passage", "query"]
Send = Callable[[list[str], Role], Sequence[Sequence[float]]]

# Fewer than any of the services takes: texts of a request, and tokens of one and of all.
_TEXTS = 64
_WINDOW_BYTES = 8_000
_REQUEST_BYTES = 100_000
# Before the second, third, … attempt, unless the service says how long.
_PAUSES_S = (1.0, 2.0, 4.0, 8.0)
_LONGEST_PAUSE_S = 60.0
TIMEOUT_S = 60.0


class Hosted:
    """`send` posts one request; `failures` are what its SDK raises; `key` names the variable."""

    def __init__(
        self,
        *,
        name: str,
        model: str,
        dimensions: int,
        key: str,
        place: str,
        send: Send,
        failures: tuple[type[Exception], ...],
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        # Another server may have another model under the same name.
        self.fingerprint = f"{name} {model} {dimensions} {_WINDOW_BYTES} mean {place}".rstrip()
        self._key = key
        self._model = model
        self._send = send
        self._failures = failures
        self.wait = wait

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        for start in range(0, len(texts), _TEXTS):
            yield from self._embedded(texts[start : start + _TEXTS], "passage")

    def query(self, text: str) -> Vector:
        (vector,) = self._embedded([text], "query")
        return vector

    def _embedded(self, texts: Sequence[str], role: Role) -> Iterator[Vector]:
        """Services refuse blank texts, so the vector of nothing is made here."""
        windows = [by_bytes(text, max_bytes=_WINDOW_BYTES) for text in texts]
        made = (
            vector
            for portion in _portions([window for each in windows for window in each])
            for vector in self._answered(portion, role)
        )
        for each in windows:
            vectors = list(islice(made, len(each)))
            yield mean_of(vectors) if vectors else np.zeros(self.dimensions, np.float32)

    def _answered(self, texts: list[str], role: Role) -> list[Vector]:
        for pause in (*_PAUSES_S, None):
            try:
                rows = self._send(texts, role)
            except self._failures as problem:
                if pause is None or not _passing(problem):
                    raise self._explained(problem) from problem
                self.wait(min(_asked_pause(problem) or pause, _LONGEST_PAUSE_S))
                continue
            return self._checked(rows, len(texts))
        raise AssertionError("the last attempt returns or raises")

    def _checked(self, rows: Sequence[Sequence[float]], count: int) -> list[Vector]:
        """TIP §10.1.4 asks for dimensions that are known, and an index for equal ones."""
        vectors = [unit(row) for row in rows]
        if len(vectors) != count or any(vector.shape != (self.dimensions,) for vector in vectors):
            sizes = ", ".join(sorted({str(len(row)) for row in rows})) or "no"
            raise UsageError(
                f"'{self._model}' answered {count} texts with {len(vectors)} vectors of {sizes} "
                f"dimensions; {self.dimensions} were expected.",
                suggestion=f"Name them: --set embedder={self.name}:{self._model}@DIMENSIONS.",
            )
        if not all(np.isfinite(vector).all() for vector in vectors):
            raise RetrievalFailed(f"'{self._model}' answered with numbers that are none.")
        return vectors

    def _explained(self, problem: Exception) -> UsageError | RetrievalFailed:
        status = _status(problem)
        if status in (401, 403):
            # The service's own words may repeat a part of the key.
            return UsageError(
                f"The embedder '{self.name}': the service refused the key.",
                suggestion=f"Check {self._key}.",
            )
        if status is not None and status < 500 and status != 429:
            return UsageError(f"The embedder '{self.name}': {_words(problem)} ({status}).")
        how = f"answered {status}: {_words(problem)}" if status else "cannot be reached"
        return RetrievalFailed(
            f"The service of the embedder '{self.name}' {how}.",
            suggestion="Try again later; what was embedded so far is kept.",
        )


def ready(name: str, *, package: str, key: str) -> str:
    """The key of a service, once its SDK is found to be installed; it is not imported for it."""
    if not installed(package):
        raise MissingExtra(f"The embedder '{name}'", extra=name)
    value = os.environ.get(key, "").strip()
    if not value:
        raise UsageError(
            f"The embedder '{name}' needs a key.",
            suggestion=f"Set the environment variable {key}, or use --set embedder=minilm, "
            "which needs none.",
        )
    return value


def model_and_dimensions(
    name: str, chosen: str, *, known: Mapping[str, int], default: str
) -> tuple[str, int]:
    """`text-embedding-3-small`, or `some-model@1024` where the dimensions are not known here."""
    model, _, size = (chosen or default).partition("@")
    if size.isdecimal() and int(size) > 0:
        return model, int(size)
    if size or model not in known:
        raise UsageError(
            f"How many dimensions '{model}' has is not known.",
            suggestion=f"Name them: --set embedder={name}:{model}@1024.",
        )
    return model, known[model]


def _portions(texts: Sequence[str]) -> Iterator[list[str]]:
    portion: list[str] = []
    size = 0
    for text in texts:
        length = len(text.encode())
        if portion and (len(portion) == _TEXTS or size + length > _REQUEST_BYTES):
            yield portion
            portion, size = [], 0
        portion.append(text)
        size += length
    if portion:
        yield portion


def _status(problem: Exception) -> int | None:
    """The SDKs agree on what happened and not on what to call it."""
    status = getattr(problem, "status_code", None) or getattr(problem, "http_status", None)
    return status if isinstance(status, int) else None


def _passing(problem: Exception) -> bool:
    """Too many requests, unless it means that nothing is left to spend; a broken server."""
    status = _status(problem)
    spent = getattr(problem, "code", None) == "insufficient_quota"
    return status is not None and (status >= 500 or (status == 429 and not spent))


def _asked_pause(problem: Exception) -> float | None:
    headers: Any = getattr(problem, "headers", None)
    if headers is None:
        headers = getattr(getattr(problem, "response", None), "headers", None)
    fields = {str(name).lower(): value for name, value in dict(headers or {}).items()}
    try:
        return max(float(fields["retry-after"]), 0.0)
    except (KeyError, TypeError, ValueError):
        return None


def _words(problem: Exception) -> str:
    body = getattr(problem, "body", None)
    said = body.get("message") if isinstance(body, Mapping) else None
    return str(said or problem)[:200].rstrip(". ")
