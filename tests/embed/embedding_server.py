"""A small server that speaks the wire formats of three embedding services, on loopback.

It refuses what they refuse: no key, an empty text, a text that is too long. `script` holds
failures that it answers first, one a request.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from tests.embed.fakes import Honest

KEY = "a-secret-key"
SIZES = {"text-embedding-3-large": 3072, "text-embedding-3-small": 1536}
Failure = tuple[int, dict[str, str], dict[str, Any]]


@dataclass
class EmbeddingServer:
    url: str = ""
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    script: list[Failure] = field(default_factory=list)
    dimensions: int | None = None

    def answer(self, path: str, key: str, asked: dict[str, Any]) -> Failure:
        self.requests.append((path, asked))
        if self.script:
            return self.script.pop(0)
        if key != f"Bearer {KEY}":
            return 401, {}, {"message": f"invalid key {key}", "error": {"message": f"bad {key}"}}
        texts = asked["texts"] if path.endswith("/v2/embed") else asked["input"]
        if not all(text.strip() and len(text.encode()) <= 8192 for text in texts):
            return 400, {}, {"message": "refused text", "error": {"message": "refused text"}}
        size = asked.get("dimensions") or asked.get("output_dimension")
        size = self.dimensions or size or SIZES.get(asked["model"], 1024)
        rows = [vector(text, size) for text in texts]
        return 200, {}, _cohere(rows) if "texts" in asked else _listed(rows, asked)


def vector(text: str, size: int) -> list[float]:
    honest = Honest()
    honest.dimensions = size
    return [float(number) for number in honest.query(text)]


def _cohere(rows: list[list[float]]) -> dict[str, Any]:
    return {
        "id": "1",
        "response_type": "embeddings_by_type",
        "embeddings": {"float": rows},
        "texts": [],
        "meta": {"api_version": {"version": "2"}},
    }


def _listed(rows: list[list[float]], asked: dict[str, Any]) -> dict[str, Any]:
    packed = asked.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(np.array(row, np.float32).tobytes()).decode()
            if packed
            else row,
        }
        for index, row in enumerate(rows)
    ]
    # In no order: the index says which text a row belongs to.
    order = data if packed or "input_type" in asked else data[::-1]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": order, "model": asked["model"], "usage": usage}


@contextmanager
def running() -> Iterator[EmbeddingServer]:
    server = EmbeddingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, body = server.answer(
                self.path, self.headers.get("Authorization", ""), asked
            )
            raw = json.dumps(body).encode()
            self.send_response(status)
            fields = {"Content-Type": "application/json", "Content-Length": str(len(raw))}
            for name, value in (fields | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: object) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_port}"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()
