"""A small HTTP server on loopback that can be told to fail or to hang."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


class JsonService:
    """`answer` is the service; `asked` has every request that came, with its body."""

    def __init__(self) -> None:
        self.url = ""
        self.broken = False
        self.flowing = threading.Event()
        self.flowing.set()
        self.asked: list[tuple[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    def answer(
        self, method: str, path: str, query: dict[str, str], body: Any
    ) -> tuple[int, dict[str, Any]]:
        raise NotImplementedError

    def stall(self) -> None:
        """From now on requests are taken and not answered."""
        self.flowing.clear()


@contextmanager
def serving(service: JsonService) -> Iterator[None]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(None)

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            self._answer(json.loads(self.rfile.read(length)))

        def _answer(self, body: Any) -> None:
            parts = urlsplit(self.path)
            service.asked.append((parts.path, body))
            service.headers.append(dict(self.headers))
            service.flowing.wait(30)
            status, answer = 500, {"code": "internal_error", "message": "it is broken"}
            if not service.broken:
                query = dict(parse_qsl(parts.query))
                status, answer = service.answer(self.command, parts.path, query, body)
            content = json.dumps(answer).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                # Whoever asked has not waited for it.
                self.close_connection = True

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield
    finally:
        service.flowing.set()
        server.shutdown()
        server.server_close()
