"""Errors as an agent can act on them: what went wrong, who can mend it, what to do next.

The branches of the tree in `errors.py` answer the second question; nothing is classed anew here.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolResult, TextContent
from pydantic import ValidationError

from tipstaff.errors import (
    AuthenticationRequired,
    AuthorizationDenied,
    CallerError,
    InternalError,
    LimitError,
    MissingExtra,
    NotFound,
    SenderError,
    ServiceError,
    SessionExpired,
    TipstaffError,
    UsageError,
)
from tipstaff.serve.logs import log, where_it_failed

# Unknown and forbidden are one, letter by letter (decision 12, item 8).
NOWHERE = "There is no such tez, item or session here."
# By branch, the nearest class first.
NEXT: tuple[tuple[type[TipstaffError], str, str], ...] = (
    (MissingExtra, "user", "Tell the user what to install."),
    (AuthenticationRequired, "user", "Tell the user that another token is needed."),
    (AuthorizationDenied, "user", "Do not try again: tell the user what is not allowed."),
    (SessionExpired, "agent", "Leave session_id out to begin a new session."),
    (NotFound, "agent", "Look at list_tezits and inspect_tez for what there is."),
    (CallerError, "agent", "Change the arguments as the message says, then call again."),
    (SenderError, "sender", "Tell the user: only the sender of the tez can mend it."),
    (LimitError, "time", "Wait for retry_after_seconds if it is given; else tell the user."),
    (ServiceError, "service", "Try again shortly; tell the user if it stays so."),
)


def error_body(problem: TipstaffError) -> dict[str, Any]:
    """TIP §14's object with `mended_by` and `next_step`."""
    who, step = next(
        ((who, step) for kind, who, step in NEXT if isinstance(problem, kind)),
        ("nobody", "Tell the user that something went wrong inside the server."),
    )
    error = problem.to_wire()["error"]
    return {"error": {**error, "mended_by": who, "next_step": step}}


def tool_failure(problem: Exception) -> CallToolResult:
    """An error is a result that says so: the agent, not the protocol, has to deal with it."""
    body = error_body(_typed(problem))
    text = json.dumps(body, ensure_ascii=False)
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=body, is_error=True
    )


def protocol_failure(problem: Exception) -> MCPError:
    """Resources have no results that are errors."""
    typed = _typed(problem)
    mendable = isinstance(typed, CallerError)
    code = INVALID_PARAMS if mendable else INTERNAL_ERROR
    return MCPError(code=code, message=typed.message, data=error_body(typed)["error"])


def _typed(problem: Exception) -> TipstaffError:
    if isinstance(problem, NotFound) and problem.suggestion is None:
        return NotFound(NOWHERE)
    if isinstance(problem, TipstaffError):
        return problem
    if isinstance(problem, ValidationError):
        wrong = "; ".join(
            f"{'.'.join(str(part) for part in one['loc']) or 'arguments'}: {one['msg']}"
            for one in problem.errors()
        )
        return UsageError(f"The arguments do not fit: {wrong}.")
    # Not its words, here or in the log: they may be those of an item that is withheld.
    log("tool_failed", level=logging.ERROR, **where_it_failed(problem))
    return InternalError("Something went wrong inside the server.")
