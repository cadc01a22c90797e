"""Who may see the vault of the suite's fixture, told to the server that is judged locally.

One user is allowed one object; everything else is denied. It speaks OpenFGA's checks and OPA's data
API, on loopback, for as long as a local server runs: what is judged is the server, not this.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

STORE = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
MODEL = "01ARZ3NDEKTSV4RRFFQ69G5FB0"
OBJECT, RELATION = "document:comply-vault", "can_read"
OPA_ITEM = "comply-vault"


class _Decisions(BaseHTTPRequestHandler):
    allowed_user = ""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.path.endswith("/batch-check"):
            self._answer(
                {"result": {one["correlation_id"]: self._check(one) for one in body["checks"]}}
            )
        elif self.path.endswith("/check"):
            self._answer(self._check(body))
        else:
            asked = body.get("input", {})
            right = asked.get("user") == self.allowed_user and asked.get("item") == OPA_ITEM
            self._answer({"result": right})

    def do_GET(self) -> None:
        if "/authorization-models" in self.path:
            model = {"id": MODEL, "schema_version": "1.1", "type_definitions": []}
            self._answer({"authorization_models": [model], "continuation_token": ""})
        else:
            self._answer({"changes": [], "continuation_token": ""})

    def _check(self, body: dict[str, Any]) -> dict[str, bool]:
        key = body["tuple_key"]
        asked = (key["user"], key["relation"], key["object"])
        return {"allowed": asked == (self.allowed_user, RELATION, OBJECT)}

    def _answer(self, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the library's name)
        """Nothing is logged."""


@contextlib.contextmanager
def deciding(allowed_user: str) -> Iterator[str]:
    """The address of a service that allows one user the vault."""
    handler = type("_ForOne", (_Decisions,), {"allowed_user": allowed_user})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
