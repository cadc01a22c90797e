"""Everything that can go wrong, as one tree whose branches say who can mend it.

    TipstaffError
    ├── CallerError: the caller can mend it
    │   ├── UsageError: usage
    │   ├── MalformedQuery: malformed_query
    │   ├── NotFound: not_found
    │   ├── AuthenticationRequired: authentication_required
    │   ├── AuthorizationDenied: authorization_denied
    │   ├── SessionExpired: session_expired
    │   ├── TezUpdated: tez_updated
    │   ├── ContextTooLarge: context_too_large
    │   ├── RequestTooLarge: request_too_large
    │   └── MissingExtra: missing_extra
    ├── SenderError: the sender of the bundle can mend it
    │   ├── VersionMismatch: version_mismatch
    │   ├── BundleUnusable: context_loading_total_failure
    │   └── ContextPartlyLoaded: context_loading_partial_failure
    ├── LimitError: time or money mends it
    │   ├── TokenLimitExceeded: token_limit_exceeded
    │   ├── BudgetExhausted: budget_exhausted
    │   ├── RateLimited: rate_limited
    │   └── QueryTimeout: timeout
    ├── ServiceError: someone else's server must come back
    │   ├── ModelUnavailable: model_unavailable
    │   ├── GenerationFailed: generation_failed
    │   └── RetrievalFailed: retrieval_failed
    └── InternalError: internal_error

The word behind a leaf is its `type` on the wire (TIP §14). HTTP status, exit
code and stream code (Enterprise §2.3.9) each live in one table below; a test
compares this drawing and those tables with the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


class TipstaffError(Exception):
    """The root: a sentence for a person, a `type` for a program, details for both."""

    code: ClassVar[str] = ""

    def __init__(self, message: str, *, suggestion: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.details = {name: value for name, value in details.items() if value is not None}

    def to_wire(self) -> dict[str, Any]:
        """The TIP §14 object: `{"error": {"type", "message", …}}`."""
        error: dict[str, Any] = {"type": self.code, "message": self.message, **self.details}
        if self.suggestion is not None:
            error["suggestion"] = self.suggestion
        return {"error": error}


class CallerError(TipstaffError):
    """The caller can mend it."""


class UsageError(CallerError):
    """What was asked for is not possible in these words: an unknown option, a wrong value."""

    code = "usage"


class MalformedQuery(CallerError):
    """TIP §14.4: a query that cannot be processed; `reason` says why."""

    code = "malformed_query"

    def __init__(self, reason: str, *, suggestion: str) -> None:
        super().__init__("Your query could not be processed.", reason=reason, suggestion=suggestion)


class NotFound(CallerError):
    """What was named is not there, or the caller may not know of it: the two look the same."""

    code = "not_found"


class AuthenticationRequired(CallerError):
    """No token, or one that is not good (any more)."""

    code = "authentication_required"


class AuthorizationDenied(CallerError):
    """The caller may know of it, but not do this."""

    code = "authorization_denied"


class SessionExpired(CallerError):
    """The session was closed, or nobody asked for longer than it can be resumed (TIP §8.4)."""

    code = "session_expired"


class TezUpdated(CallerError):
    """TIP §8.4: the session has an older version; its recipient has to choose."""

    code = "tez_updated"

    def __init__(self, *, session_version: int, current_version: int) -> None:
        super().__init__(
            f"This Tez was updated to version {current_version} since the session was suspended.",
            session_version=session_version,
            current_version=current_version,
            options={
                "resume_old": f"Resume the session with version {session_version}.",
                "start_new": f"Start a new session with version {current_version}.",
            },
        )


class ContextTooLarge(CallerError):
    """Enterprise §5.2.3: an exhaustive read that the model's window cannot hold."""

    code = "context_too_large"


class RequestTooLarge(CallerError):
    """More bytes in the body of a request than are read."""

    code = "request_too_large"

    def __init__(self, *, max_bytes: int) -> None:
        super().__init__(f"The request is larger than {max_bytes:,} bytes.", max_bytes=max_bytes)


class MissingExtra(CallerError):
    """An optional package is not installed; the message names the extra that brings it."""

    code = "missing_extra"

    def __init__(self, needed_for: str, *, extra: str) -> None:
        super().__init__(
            f"{needed_for} needs the extra '{extra}', which is not installed.",
            suggestion=f"pip install 'tipstaff[{extra}]'",
            extra=extra,
        )


class SenderError(TipstaffError):
    """The sender of the bundle can mend it."""


class VersionMismatch(SenderError):
    """TIP §14.7: the bundle asks for a major version that is not spoken here."""

    code = "version_mismatch"

    def __init__(self, *, required_version: str, supported_version: str) -> None:
        super().__init__(
            f"This Tez requires TIP version {required_version}, but this implementation "
            f"supports up to {supported_version}.",
            required_version=required_version,
            supported_version=supported_version,
            suggestion=f"Update your interrogation client to support TIP {required_version}.",
        )


class BundleUnusable(SenderError):
    """TIP §14.8, second in rank: there is nothing here that could be interrogated."""

    code = "context_loading_total_failure"


@dataclass(frozen=True, slots=True)
class FailedItem:
    """One context item that could not be loaded, and what may be done about it (TIP §14.1)."""

    item_id: str
    reason: str
    suggestion: str


class ContextPartlyLoaded(SenderError):
    """TIP §14.1: some items failed; the recipient may go on, knowing which."""

    code = "context_loading_partial_failure"

    def __init__(self, failed: Sequence[FailedItem], available: Sequence[str]) -> None:
        total = len(failed) + len(available)
        super().__init__(
            f"{len(failed)} of {total} context items could not be loaded.",
            failed_items=[
                {"item_id": item.item_id, "reason": item.reason, "suggestion": item.suggestion}
                for item in failed
            ],
            available_items=list(available),
            proceed_available=bool(available),
        )


class LimitError(TipstaffError):
    """Time or money mends it."""


class TokenLimitExceeded(LimitError):
    """TIP §14.3: the question and what it needs do not fit into the model's window."""

    code = "token_limit_exceeded"

    def __init__(
        self, *, token_limit: int, tokens_required: int, mitigation: str, mitigated: bool
    ) -> None:
        super().__init__(
            "This query requires more context than can fit in a single model call.",
            token_limit=token_limit,
            tokens_required=tokens_required,
            mitigation=mitigation,
            mitigated=mitigated,
        )


class BudgetExhausted(LimitError):
    """TIP §14.6: the sender's limit of queries or tokens for this recipient is reached."""

    code = "budget_exhausted"

    def __init__(
        self,
        *,
        limit_type: str,
        limit_value: int | str,
        used: int | str,
        download_permitted: bool,
    ) -> None:
        options = {"request_more": "Contact the sender to request additional interrogation budget."}
        if download_permitted:
            options["download"] = "Download the Tez bundle for local interrogation."
        super().__init__(
            "You have reached the interrogation limit for this Tez.",
            limit_type=limit_type,
            limit_value=limit_value,
            used=used,
            options=options,
        )


class RateLimited(LimitError):
    """Enterprise §6.4: the message and the `scope` field name the level that was reached.

    `allowed` is how many it allows in a minute; `uncounted`: what was asked could not be counted.
    Both are for headers (§7.7), not part of the error."""

    code = "rate_limited"

    allowed: int | None = None
    uncounted = False

    def __init__(
        self,
        *,
        scope: str,
        limit: str,
        retry_after_seconds: int,
        allowed: int | None = None,
        uncounted: bool = False,
    ) -> None:
        self.allowed, self.uncounted = allowed, uncounted
        super().__init__(
            f"{scope.capitalize()} rate limit exceeded: {limit}",
            scope=scope,
            retry_after_seconds=retry_after_seconds,
        )


class QueryTimeout(LimitError):
    """TIP §14.5: no answer within the time that there is."""

    code = "timeout"

    def __init__(self, *, timeout_seconds: int) -> None:
        super().__init__(
            f"The query timed out after {timeout_seconds} seconds.",
            timeout_seconds=timeout_seconds,
            suggestion="Try a more specific question, or break it into smaller parts.",
        )


class ServiceError(TipstaffError):
    """Someone else's server must come back."""


class ModelUnavailable(ServiceError):
    """TIP §14.2: the model's service is out of reach, busy or broken. By then a fallback, where one
    is named, has been asked as well."""

    code = "model_unavailable"

    def __init__(
        self,
        message: str = "The AI model is temporarily unavailable. Please try again shortly.",
        *,
        retry_after_seconds: int | None = None,
        suggestion: str | None = None,
    ) -> None:
        super().__init__(
            message,
            suggestion=suggestion,
            retry_after_seconds=retry_after_seconds,
            fallback_available=False,
        )


class GenerationFailed(ServiceError):
    """The model began, and gave no answer that can be used."""

    code = "generation_failed"


class RetrievalFailed(ServiceError):
    """The index or its store cannot be read; what is damaged is built again where it can be."""

    code = "retrieval_failed"


class InternalError(TipstaffError):
    """Tipstaff itself is at fault.

    Please report it; `TIPSTAFF_DEBUG=1` shows where it happened.
    """

    code = "internal_error"


HTTP_STATUS: dict[str, int] = {
    "usage": 400,
    "malformed_query": 400,
    "not_found": 404,
    "authentication_required": 401,
    "authorization_denied": 403,
    "session_expired": 410,
    "tez_updated": 409,
    "context_too_large": 413,
    "request_too_large": 413,
    "missing_extra": 501,
    "version_mismatch": 409,
    "context_loading_total_failure": 422,
    "context_loading_partial_failure": 409,
    "token_limit_exceeded": 413,
    "budget_exhausted": 429,
    "rate_limited": 429,
    "timeout": 504,
    "model_unavailable": 503,
    "generation_failed": 502,
    "retrieval_failed": 503,
    "internal_error": 500,
}

EXIT_CODE: dict[str, int] = {
    "usage": 2,
    "malformed_query": 2,
    "not_found": 4,
    "authentication_required": 5,
    "authorization_denied": 5,
    "session_expired": 6,
    "tez_updated": 6,
    "context_too_large": 6,
    "request_too_large": 6,
    "missing_extra": 7,
    "version_mismatch": 4,
    "context_loading_total_failure": 4,
    "context_loading_partial_failure": 4,
    "token_limit_exceeded": 6,
    "budget_exhausted": 6,
    "rate_limited": 6,
    "timeout": 8,
    "model_unavailable": 7,
    "generation_failed": 7,
    "retrieval_failed": 7,
    "internal_error": 1,
}

# Outcomes that are not errors still end a command with a number of their own.
EXIT_ABSTENTION = 3
EXIT_CHECKS_FAILED = 9

# Enterprise §2.3.9, plus CONTEXT_TOO_LARGE from §5.2.3. A query that is malformed has no
# standard code; the table is open, so it keeps its own name.
STREAM_CODE: dict[str, str] = {
    "usage": "MALFORMED_QUERY",
    "malformed_query": "MALFORMED_QUERY",
    "not_found": "AUTHORIZATION_DENIED",
    "authentication_required": "AUTHORIZATION_DENIED",
    "authorization_denied": "AUTHORIZATION_DENIED",
    "session_expired": "SESSION_EXPIRED",
    "tez_updated": "SESSION_EXPIRED",
    "context_too_large": "CONTEXT_TOO_LARGE",
    "request_too_large": "MALFORMED_QUERY",
    "missing_extra": "INTERNAL_ERROR",
    "version_mismatch": "CONTEXT_LOAD_FAILED",
    "context_loading_total_failure": "CONTEXT_LOAD_FAILED",
    "context_loading_partial_failure": "CONTEXT_LOAD_FAILED",
    "token_limit_exceeded": "CONTEXT_TOO_LARGE",
    "budget_exhausted": "BUDGET_EXHAUSTED",
    "rate_limited": "RATE_LIMITED",
    "timeout": "GENERATION_FAILED",
    "model_unavailable": "GENERATION_FAILED",
    "generation_failed": "GENERATION_FAILED",
    "retrieval_failed": "RETRIEVAL_FAILED",
    "internal_error": "INTERNAL_ERROR",
}

# TIP §14.8, highest first. What the section does not rank comes after what it does,
# in the order of the tree.
PRIORITY: tuple[str, ...] = (
    "version_mismatch",
    "context_loading_total_failure",
    "model_unavailable",
    "token_limit_exceeded",
    "context_loading_partial_failure",
    "budget_exhausted",
    "timeout",
    "malformed_query",
)


def by_priority(errors: Iterable[TipstaffError]) -> list[TipstaffError]:
    """The errors in the order in which TIP §14.8 has them reported."""
    tree_order = list(HTTP_STATUS)

    def rank(error: TipstaffError) -> tuple[int, int]:
        ranked = PRIORITY.index(error.code) if error.code in PRIORITY else len(PRIORITY)
        return ranked, tree_order.index(error.code)

    return sorted(errors, key=rank)


def error_from_wire(error: Mapping[str, Any]) -> TipstaffError:
    """The error that `to_wire` made this of; a type that is not known here is nobody's fault
    but the server's."""
    known = {leaf.code: leaf for leaf in _leaves(TipstaffError)}
    kind = known.get(str(error.get("type")), InternalError)
    problem = kind.__new__(kind)
    details = {
        str(name): value
        for name, value in error.items()
        if name not in ("type", "message", "suggestion")
    }
    TipstaffError.__init__(
        problem,
        str(error.get("message", "The server gave no reason.")),
        suggestion=error.get("suggestion"),
    )
    problem.details = details
    return problem


def _leaves(kind: type[TipstaffError]) -> list[type[TipstaffError]]:
    children = kind.__subclasses__()
    return [leaf for child in children for leaf in _leaves(child)] if children else [kind]
