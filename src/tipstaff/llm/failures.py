"""What services say when they fail → errors of our tree, with what helps.

Each provider turns its SDK's exceptions into a `ServiceFailure`; what is repeated and what is
said to people is decided here, once for all of them.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any

from tipstaff.errors import GenerationFailed, ModelUnavailable, RateLimited, TipstaffError

# TIP §14.2 wants a retry interval suggested; this one if the service names none.
RETRY_AFTER_S = 30.0
# SDKs raise what their transports raise, and change transports between versions.
_TRANSPORTS = {"aiohttp", "botocore", "httpcore", "httpcore2", "httpx", "httpx2", "urllib3"}


_TOO_LONG = re.compile(
    r"\bcontext (?:length|window|size|limit)|\bmaximum context\b|\bprompt is too long\b|"
    r"\btoo many (?:input )?tokens\b|\binput (?:is )?too long\b|"
    r"\btokens?\b.{0,40}\bexceeds?\b|\bexceeds?\b.{0,60}\btokens?\b",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"(\d[\d,]{2,10}) (?:\w+ )?tokens?\b|\btokens?\b\D{0,10}?(\d[\d,]{2,10})\b")
# A prompt is not a hundred times as long as a window.
_MOST_WINDOWS = 100
_MOST_WORDS = 200
# A short key is any word, and stands for nothing.
_LEAST_SECRET = 8


class ServiceFailure(Exception):
    """`status` is HTTP's, or None if there was no answer; `broke_off`: it ended before its end;
    `no_answer`: what came is none, as of a service that is another one."""

    def __init__(
        self,
        words: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        spent: bool = False,
        broke_off: bool = False,
        no_answer: bool = False,
    ) -> None:
        super().__init__(words)
        self._said = words
        self.status = status
        self.retry_after_s = retry_after_s
        self.spent = spent
        self.broke_off = broke_off
        self.no_answer = no_answer

    @property
    def words(self) -> str:
        return self.words_without("")

    def words_without(self, secret: str) -> str:
        """What was said, on one line and not too long."""
        said = self._said.replace(secret, "…") if len(secret) >= _LEAST_SECRET else self._said
        return " ".join(said.split())[:_MOST_WORDS].rstrip(". ")

    @property
    def passing(self) -> bool:
        """Too many requests, unless nothing is left to spend; a broken server or connection."""
        if self.no_answer:
            return False
        if self.status == 429:
            return not self.spent
        # An error inside a stream comes with the status of its good beginning.
        return self.status is None or self.status < 400 or self.status >= 500


@contextmanager
def failing_as(failure_of: Callable[[Exception], ServiceFailure | None]) -> Iterator[None]:
    """Around all calls of an SDK; what its provider does not know stays as it is: a bug."""
    try:
        yield
    except Exception as problem:
        failure = failure_of(problem)
        if failure is None:
            raise
        raise failure from problem


def transport_failure(problem: Exception) -> ServiceFailure | None:
    """The connection failed, or what came over it cannot be read."""
    while isinstance(problem, ExceptionGroup):
        # Whoever tries several addresses at once has several reasons.
        problem = problem.exceptions[0]
    packages = {kind.__module__.partition(".")[0] for kind in type(problem).__mro__}
    if isinstance(problem, (OSError, EOFError, ValueError)) or packages & _TRANSPORTS:
        return ServiceFailure(f"{type(problem).__name__}: {problem}")
    return None


def api_failure(problem: Exception, api_error: type[Exception]) -> ServiceFailure | None:
    """For the SDKs of Anthropic and OpenAI, which are made by the same generator."""
    if not isinstance(problem, api_error):
        return transport_failure(problem)
    body = getattr(problem, "body", None)
    # "Connection error." is all that they say of a connection themselves.
    cause = problem.__cause__
    said = problem if cause is None else f"{type(cause).__name__}: {cause}"
    # An error that comes inside a stream has words and no status.
    status = getattr(problem, "status_code", None if body is None else 200)
    return ServiceFailure(
        words_of(body, said),
        status=status,
        retry_after_s=retry_after_s(getattr(getattr(problem, "response", None), "headers", None)),
        spent=getattr(problem, "code", None) == "insufficient_quota",
    )


def must_be_a_stream(response: Any) -> None:
    """For a response in which no event came: a page or a document is no answer of a model."""
    kind = str(response.headers.get("content-type", "")).lower()
    if "event-stream" not in kind:
        raise ServiceFailure("no answer", no_answer=True)


def retry_after_s(headers: Any) -> float | None:
    """Seconds or a date (RFC 9110 §10.2.3), or OpenAI's milliseconds."""
    fields = {str(name).lower(): str(value) for name, value in dict(headers or {}).items()}
    try:
        if "retry-after-ms" in fields:
            return _sane(float(fields["retry-after-ms"]) / 1_000)
        if "retry-after" not in fields:
            return None
        asked = fields["retry-after"].strip()
        if asked[:1].isalpha():
            return _sane(parsedate_to_datetime(asked).timestamp() - time.time())
        return _sane(float(asked))
    except ValueError:
        return None


def words_of(body: object, otherwise: object) -> str:
    """The sentence inside a JSON error body, however deep services hide it."""
    while isinstance(body, Mapping):
        inner = body.get("message") or body.get("error")
        if isinstance(inner, str):
            return inner
        body = inner
    return str(otherwise)


def explained(name: str, failure: ServiceFailure, *, key: str, secret: str = "") -> TipstaffError:
    """The error for a person: who can mend it, and how."""
    status, words = failure.status, failure.words_without(secret)
    wait_s = math.ceil(failure.retry_after_s or RETRY_AFTER_S)
    if failure.broke_off:
        return GenerationFailed(
            f"The answer of the model '{name}' broke off: {words}.", suggestion="Ask again."
        )
    if failure.no_answer:
        return ModelUnavailable(
            f"The service of the model '{name}' sent no answer.",
            suggestion="Check the address of the service.",
        )
    if status == 401:
        # The service's own words may repeat a part of the key.
        return ModelUnavailable(
            f"The service of the model '{name}' refused the key.", suggestion=f"Check {key}."
        )
    if status == 403:
        return ModelUnavailable(
            f"The service of the model '{name}' denied access: {words}.",
            suggestion=f"Check what {key} may use.",
        )
    if status == 404:
        return ModelUnavailable(
            f"The service does not have the model '{name}': {words}.",
            suggestion="Check its name and the address of the service.",
        )
    if status == 429 and not failure.spent:
        return RateLimited(
            scope="provider",
            limit=f"the service of '{name}' takes no more requests for now",
            retry_after_seconds=wait_s,
        )
    if status is None or status < 400:
        how = "cannot be reached" if status is None else "failed"
        return ModelUnavailable(
            f"The service of the model '{name}' {how}: {words}.",
            retry_after_seconds=wait_s,
        )
    if status >= 500 or failure.spent:
        return ModelUnavailable(
            f"The service of the model '{name}' answered {status}: {words}.",
            retry_after_seconds=None if failure.spent else wait_s,
        )
    return GenerationFailed(
        f"The service of the model '{name}' refused the request: {words} ({status})."
    )


def too_many_tokens(failure: ServiceFailure) -> bool:
    """TIP §14.3: services refuse a prompt that is too long each in words of its own."""
    return failure.status in (400, 413, 422) and bool(_TOO_LONG.search(failure.words))


def required_tokens(failure: ServiceFailure, limit: int) -> int:
    """What the service says it would take, if it says so."""
    told = [
        int(figure.replace(",", ""))
        for figures in _TOKENS.findall(failure.words)
        for figure in figures
        if figure
    ]
    return max([limit + 1, *(figure for figure in told if figure <= _MOST_WINDOWS * limit)])


def _sane(seconds: float) -> float | None:
    return max(seconds, 0.0) if math.isfinite(seconds) else None
