"""Server-Sent Events as bytes, both ways (WHATWG HTML §9.2; Enterprise §2.2).

An event is written with its number as `id`, its name as `event` and JSON on one `data` line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MEDIA_TYPE = "text/event-stream"
# A comment: no event, but a sign of life to clients and to proxies between.
HEARTBEAT = b":\n\n"
# Carriage return, line feed or both end a line, and nothing else does: U+2028 is a letter here.
_LINE_END = re.compile(rb"\r\n|\n|\r")
# An event is a few kilobytes; a response whose lines never end must not fill the memory.
MAX_EVENT_BYTES = 64 * 1024 * 1024


def written(name: str, data: bytes, *, number: int | None = None) -> bytes:
    """One event; `data` is JSON, which has no line ends of its own."""
    place = b"" if number is None else b"id: %d\n" % number
    return b"%sevent: %s\ndata: %s\n\n" % (place, name.encode(), data)


def retry_after(milliseconds: int) -> bytes:
    """How long a client waits before it comes back."""
    return b"retry: %d\n\n" % milliseconds


@dataclass(frozen=True, slots=True)
class Received:
    """One event as it came; `id` is the last that was told, which may be an earlier event's."""

    name: str
    data: str
    id: str


@dataclass(slots=True)
class EventReader:
    """Bytes in whatever pieces → whole events."""

    last_id: str = ""
    retry_ms: int | None = None
    _rest: bytes = b""
    _id: str | None = None
    _name: str = ""
    _data: list[str] = field(default_factory=list)

    def feed(self, piece: bytes) -> list[Received]:
        """The events that these bytes complete."""
        text = self._rest + piece
        if len(text) > MAX_EVENT_BYTES:
            raise ValueError("an event is larger than may be")
        events, start = [], 0
        for end in _LINE_END.finditer(text):
            if end.end() == len(text) and end.group() == b"\r":
                break  # a line feed may follow in the next piece
            event = self._line(text[start : end.start()].decode("utf-8", "replace"))
            start = end.end()
            if event is not None:
                events.append(event)
        self._rest = text[start:]
        return events

    def restart(self) -> None:
        """A new connection: half an event of the one before is no part of it."""
        self._rest, self._id, self._name, self._data = b"", None, "", []

    def _line(self, line: str) -> Received | None:
        if not line:
            return self._dispatched()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_ms = int(value)
        return None

    def _dispatched(self) -> Received | None:
        # Only now: an event whose data did not come in whole is asked for again.
        if self._id is not None:
            self.last_id = self._id
        name, data = self._name or "message", self._data
        self._id, self._name, self._data = None, "", []
        return Received(name, "\n".join(data), self.last_id) if data else None
