"""What retrieval did, kept for audit (Enterprise §4.5): one line of JSON a query, one file a day.

Senders do not allow queries to be logged by default (TIP §13.1.1), so a record holds the hash
of a query, never its words. Files older than the retention are removed.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_FILE = re.compile(r"retrieval-(\d{4}-\d{2}-\d{2})\.jsonl")


class RetrievalLog:
    """The log of one tenant."""

    def __init__(self, folder: Path, *, keep_days: int) -> None:
        self._folder = folder
        self._keep_days = keep_days

    def write(self, query: str, fields: Mapping[str, Any], *, now: dt.datetime) -> None:
        """Append one record; a record is whole or not there. A log that cannot be written is
        told to the caller: an audit must not be silently empty."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        record = {
            "timestamp": now.astimezone(dt.UTC).isoformat(timespec="milliseconds"),
            "query_sha256": hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest(),
            **fields,
        }
        line = json.dumps(record) + "\n"
        path = self._folder / f"retrieval-{now.astimezone(dt.UTC):%Y-%m-%d}.jsonl"
        with path.open("ab") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            _cut_torn_line(path)
            stream.write(line.encode())
        self._prune(now)

    def read(self) -> Iterator[dict[str, Any]]:
        """Every record that is kept, oldest first."""
        for path in sorted(self._folder.glob("retrieval-*.jsonl")):
            # By bytes: a torn line may end within a character, a record may hold U+2028.
            for line in path.read_bytes().split(b"\n"):
                with contextlib.suppress(json.JSONDecodeError, UnicodeDecodeError):
                    yield json.loads(line)

    def _prune(self, now: dt.datetime) -> None:
        """At every record, so that a shorter retention holds at once. Dates in this form are in
        the order of their letters."""
        days = min(self._keep_days, (now.date() - dt.date.min).days - 1)
        oldest = (now.astimezone(dt.UTC).date() - dt.timedelta(days=days)).isoformat()
        for path in self._folder.glob("retrieval-*.jsonl"):
            match = _FILE.fullmatch(path.name)
            if match and match[1] < oldest:
                path.unlink(missing_ok=True)


def _cut_torn_line(path: Path) -> None:
    """A killed writer may have left half a line; the next record starts on a line of its own."""
    with path.open("rb+") as stream:
        stream.seek(0, os.SEEK_END)
        size = stream.tell()
        if size == 0:
            return
        stream.seek(-1, os.SEEK_END)
        if stream.read(1) == b"\n":
            return
        stream.seek(max(size - 1_000_000, 0))
        tail = stream.read()
        stream.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
