"""A small server that speaks the wire formats of four model services, on loopback.

It streams `answer` piece by piece, in chunks that cut characters in two, and refuses a wrong key.
`script` holds failures that it answers first, one a request; `ending` says how streams end.
"""

from __future__ import annotations

import json
import select
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal
from zlib import crc32

KEY = "a-secret-key"
ANSWER = ("The sky ", "is blue", " – «bleu», 青い, 🏗️", " [[notes:L1]].")
Ending = Literal[
    "whole", "silent", "page", "truncated", "cut", "stalled", "error", "odd usage", "odd event"
]


@dataclass
class Failure:
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)


@dataclass
class ModelServer:
    """`truncated` closes in good order, but too early; `cut` in the middle of a chunk; `stalled`
    says nothing more until the client hangs up; `silent` says nothing at all; `page` is what a
    server of something else has at every address; `error` says that something went wrong."""

    url: str = ""
    key: str = KEY
    answer: tuple[str, ...] = ANSWER
    reason: str = "stop"
    ending: Ending = "whole"
    script: list[Failure] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    connections: set[Any] = field(default_factory=set)
    hung_up: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def failure(self, key: str, asked: dict[str, Any]) -> Failure | None:
        self.requests.append(asked)
        if self.script:
            return self.script.pop(0)
        if self.key not in key:
            words = f"the key {key} is invalid"
            return Failure(401, {}, {"error": {"message": words}, "message": words})
        return None


def frames(path: str, server: ModelServer) -> list[bytes]:
    """The stream of an answer, in the format that belongs to a path."""
    if path.endswith("/chat/completions"):
        return _openai(server)
    if path.endswith("/v1/messages"):
        return _anthropic(server)
    if ":streamGenerateContent" in path:
        return _google(server)
    return _bedrock(server)


def _sse(body: dict[str, Any], event: str = "", *, ascii_only: bool = False) -> bytes:
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {json.dumps(body, ensure_ascii=ascii_only)}\n\n".encode()


def _openai(server: ModelServer) -> list[bytes]:
    def chunk(delta: dict[str, str], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        surrogates = any("\ud800" <= char <= "\udfff" for char in delta.get("content", ""))
        return _sse(_CHUNK | {"choices": [choice]}, ascii_only=surrogates)

    usage: Any = {"prompt_tokens": 21, "completion_tokens": 13, "total_tokens": 34}
    if server.ending == "odd usage":
        usage = {"prompt_tokens": 21, "completion_tokens": None}
    deltas = [chunk({"role": "assistant", "content": ""})]
    deltas += [chunk({"content": text}) for text in server.answer]
    if server.ending == "error":
        return [*deltas, _sse({"error": {"message": "the engine died"}})]
    if server.ending == "odd event":
        return [*deltas, b'data: "thinking"\n\n']
    if server.ending not in ("whole", "odd usage"):
        return deltas
    end = [chunk({}, server.reason), _sse(_CHUNK | {"choices": [], "usage": usage})]
    return [*deltas, *end, b"data: [DONE]\n\n"]


_CHUNK = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}


def _anthropic(server: ModelServer) -> list[bytes]:
    def event(kind: str, **fields: Any) -> bytes:
        return _sse({"type": kind, **fields}, kind)

    message = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": []}
    start = message | {"stop_reason": None, "usage": {"input_tokens": 21, "output_tokens": 1}}
    block = {"type": "text", "text": ""}
    deltas = [
        event("message_start", message=start),
        event("content_block_start", index=0, content_block=block),
        event("ping"),
    ]
    for text in server.answer:
        delta = {"type": "text_delta", "text": text}
        deltas.append(event("content_block_delta", index=0, delta=delta))
    if server.ending == "error":
        return [*deltas, event("error", error={"type": "overloaded_error", "message": "too busy"})]
    if server.ending != "whole":
        return deltas
    reason = {"stop": "end_turn", "length": "max_tokens", "filtered": "refusal"}[server.reason]
    end = {"stop_reason": reason, "stop_sequence": None}
    return [
        *deltas,
        event("content_block_stop", index=0),
        event("message_delta", delta=end, usage={"output_tokens": 13}),
        event("message_stop"),
    ]


def _google(server: ModelServer) -> list[bytes]:
    def part(text: str, **more: Any) -> bytes:
        content = {"parts": [{"text": text}], "role": "model"}
        return _sse({"candidates": [{"content": content, "index": 0, **more}]})

    deltas = [part(text) for text in server.answer]
    if server.ending == "error":
        error = {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}
        return [*deltas, _sse({"error": error})]
    if server.ending != "whole":
        return deltas
    reason = {"stop": "STOP", "length": "MAX_TOKENS", "filtered": "SAFETY"}[server.reason]
    usage = {"promptTokenCount": 21, "candidatesTokenCount": 9, "thoughtsTokenCount": 4}
    end = {"candidates": [{"finishReason": reason, "index": 0}], "usageMetadata": usage}
    return [*deltas, _sse(end)]


def _bedrock(server: ModelServer) -> list[bytes]:
    deltas = [_event("messageStart", {"role": "assistant"})]
    for text in server.answer:
        body = {"contentBlockIndex": 0, "delta": {"text": text}}
        deltas.append(_event("contentBlockDelta", body))
    if server.ending == "error":
        words = {"message": "the engine died"}
        return [*deltas, _event("modelStreamErrorException", words, kind="exception")]
    if server.ending != "whole":
        return deltas
    reasons = {"stop": "end_turn", "length": "max_tokens", "filtered": "content_filtered"}
    usage = {"inputTokens": 21, "outputTokens": 13, "totalTokens": 34}
    return [
        *deltas,
        _event("contentBlockStop", {"contentBlockIndex": 0}),
        _event("messageStop", {"stopReason": reasons[server.reason]}),
        _event("metadata", {"usage": usage, "metrics": {"latencyMs": 1}}),
    ]


def _event(name: str, body: dict[str, Any], *, kind: str = "event") -> bytes:
    """AWS's binary frame: lengths, their checksum, headers, a payload, a checksum of it all."""
    fields = {
        f":{kind}-type": name,
        ":content-type": "application/json",
        ":message-type": kind,
    }
    headers = b"".join(
        struct.pack("!B", len(key))
        + key.encode()
        + b"\x07"
        + struct.pack("!H", len(value))
        + value.encode()
        for key, value in fields.items()
    )
    payload = json.dumps(body, ensure_ascii=False).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack("!I", crc32(prelude)) + headers + payload
    return message + struct.pack("!I", crc32(message))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model_server: ModelServer

    def do_POST(self) -> None:
        server = self.model_server
        server.connections.add(self.client_address)
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = "".join(
            self.headers.get(name, "") for name in ("Authorization", "x-api-key", "x-goog-api-key")
        )
        failure = server.failure(key, {"path": self.path, **asked})
        if failure is not None:
            raw = json.dumps(failure.body).encode()
            fields = {"Content-Type": "application/json", "Content-Length": str(len(raw))}
            self._head(failure.status, fields | failure.headers)
            self.wfile.write(raw)
            return
        if server.ending == "silent":
            self._until_hung_up()
            return
        if server.ending == "page":
            page = b"<html><body>Welcome to this server.</body></html>"
            self._head(200, {"Content-Type": "text/html", "Content-Length": str(len(page))})
            self.wfile.write(page)
            return
        binary = "/converse-stream" in self.path
        kind = "application/vnd.amazon.eventstream" if binary else "text/event-stream"
        self._head(200, {"Content-Type": kind, "Transfer-Encoding": "chunked"})
        try:
            self._body(b"".join(frames(self.path, server)))
        except ConnectionError:
            server.hung_up.set()
            self.close_connection = True

    def _body(self, content: bytes) -> None:
        """Seven bytes at a time: every character of several bytes is cut somewhere."""
        for start in range(0, len(content), 7):
            piece = content[start : start + 7]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        server = self.model_server
        if server.ending == "stalled":
            self._until_hung_up()
        elif server.ending == "cut":
            self.wfile.write(b"ff\r\nhalf a chu")
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _until_hung_up(self) -> None:
        """A connection that can be read and has nothing in it was closed at the other end."""
        self.close_connection = True
        while not self.model_server.over.is_set():
            if select.select([self.connection], [], [], 0.05)[0]:
                with suppress(ConnectionError):
                    if self.connection.recv(1):
                        continue
                self.model_server.hung_up.set()
                return

    def _head(self, status: int, fields: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def running() -> Iterator[ModelServer]:
    server = ModelServer()
    handler = type("Handler", (_Handler,), {"model_server": server})
    listener = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_port}"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        listener.shutdown()
        thread.join()
        listener.server_close()
