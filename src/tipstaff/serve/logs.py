"""Logs as one JSON object a line, on stderr.

What is logged is chosen field by field; there is no field for a query, an answer, a path or an
exception's words (TIP §13.1.1). Other libraries' lines keep their level and logger alone unless
they are known to say nothing of requests.
"""

from __future__ import annotations

import contextvars
import datetime as dt
import json
import logging
import sys
import traceback
from types import TracebackType
from typing import Any

REQUEST_ID: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")
_LOG = logging.getLogger("tipstaff.serve")
_OWN = "tipstaff.serve"
# Loggers whose words come from their own source code, not from requests.
_PLAIN = ("uvicorn.error",)
# What crosses tenants is said (Enterprise §10.2): as facts, like all that is ours.
_RECORDS = "tipstaff.records"


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(
                timespec="milliseconds"
            ),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.name == _OWN:
            line["event"] = record.msg
        elif record.name in _PLAIN and record.exc_info is None:
            line["message"] = record.getMessage()
        line |= getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1] is not None:
            line |= where_it_failed(record.exc_info[1])
        return json.dumps(line, ensure_ascii=True)


def where_it_failed(problem: BaseException) -> dict[str, Any]:
    """The kind of an exception and the lines of code it went through; never its words, which may
    quote a query."""
    return {
        "exception": type(problem).__name__,
        "frames": [
            f"{frame.name} ({frame.filename.rsplit('/', 1)[-1]}:{frame.lineno})"
            for frame in _frames(problem.__traceback__)[-12:]
        ],
    }


def _frames(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(trace))


def log(event: str, *, level: int = logging.INFO, **facts: Any) -> None:
    """One line; `event` is a word of ours, facts are numbers, ids and names of kinds."""
    if request_id := REQUEST_ID.get():
        facts["request_id"] = request_id
    _LOG.log(level, event, extra={"facts": facts})


def set_up_logs(level: str) -> None:
    """For a server's process: everything goes to stderr as JSON, whoever says it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Below warnings, other libraries tell of SQL, requests and prompts.
    root.setLevel(logging.WARNING)
    chosen = getattr(logging, level.upper())
    for name in (_OWN, _RECORDS, *_PLAIN):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True
        logger.setLevel(chosen)
    for name in ("uvicorn", "uvicorn.access"):
        logging.getLogger(name).handlers[:] = []
    logging.getLogger("uvicorn.access").disabled = True
