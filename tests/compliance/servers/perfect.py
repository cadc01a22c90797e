"""A server that does everything right, from a script: what it says is in `script.py`.

A fault is a subclass that changes one method. It keeps what is published, opens sessions, answers,
counts and closes; nothing is computed that could go wrong by itself.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import zipfile
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.compliance.servers.script import BY_HEART, LOOKED_UP, Scripted
from tipstaff.citation.grammar import parse_citations

_TEXTS = (".md", ".txt", ".eml")


@dataclass(slots=True)
class StoredTez:
    """What a server keeps of a tez: the manifest, with its hashes, and the items' bytes."""

    id: str
    manifest: dict[str, Any]
    contents: dict[str, bytes]

    @property
    def items(self) -> list[dict[str, Any]]:
        return list(self.manifest["context"]["items"])

    def content(self, item_id: str) -> bytes | None:
        for item in self.items:
            if item["id"] == item_id:
                return self.contents.get(item["file"])
        return None


@dataclass(slots=True)
class OpenSession:
    id: str
    tez_id: str
    queries: list[str] = field(default_factory=list)


class PerfectServer:
    """The hooks that faults change are the methods without `_`."""

    def __init__(self) -> None:
        self.tezits: dict[str, StoredTez] = {}
        self.sessions: dict[str, OpenSession] = {}
        self.numbers = itertools.count(1)

    def app(self) -> Starlette:
        interrogate = "/tez/{tez}/interrogate"
        return Starlette(
            routes=[
                Route("/.well-known/tip", self._discover),
                Route("/tez/{tez}", self._publish, methods=["PUT"]),
                Route("/tez/{tez}", self._describe),
                Route("/tez/{tez}/items/{item}/content", self._content),
                Route(f"{interrogate}/init", self._init, methods=["POST"]),
                Route(f"{interrogate}/{{session}}/query", self._query, methods=["POST"]),
                Route(f"{interrogate}/{{session}}/close", self._close, methods=["POST"]),
            ]
        )

    def discovery(self) -> dict[str, Any]:
        return {
            "tip_version": "1.0",
            "implementation": {"name": "perfect", "version": "1"},
            "conformance": ["TIP-1.0", "TIP-Lite"],
        }

    def stored(self, tez_id: str, content: bytes) -> StoredTez:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        return StoredTez(tez_id, json.loads(files["manifest.json"]), files)

    def item_bytes(self, tez: StoredTez, item_id: str) -> bytes | None:
        return tez.content(item_id)

    def searched(self, tez: StoredTez) -> list[StoredTez]:
        """Where a line is looked up: in this tez, and in no other."""
        return [tez]

    def answer(self, session: OpenSession, query: str) -> Scripted:
        known = BY_HEART.get((session.tez_id, query))
        tez = self.tezits[session.tez_id]
        return known or self.looked_up(tez, query) or self.abstention(tez, query)

    def looked_up(self, tez: StoredTez, query: str) -> Scripted | None:
        words = LOOKED_UP.get(query)
        if words is None:
            return None
        for one in self.searched(tez):
            for item in one.items:
                if item["file"].endswith(_TEXTS):
                    lines = (self.item_bytes(one, item["id"]) or b"").decode().splitlines()
                    for number, line in enumerate(lines, start=1):
                        if words in line:
                            place = f"{item['id']}:L{number}"
                            return Scripted(
                                text=f"According to [[{place}]]: “{_around(line, words)}”"
                            )
        return None

    def abstention(self, tez: StoredTez, query: str) -> Scripted:
        item = tez.items[0]
        return Scripted(
            text=f"The bundled context does not contain information about this. The context "
            f"includes {item['title']} [[{item['id']}]]. You may want to ask the sender.",
            classification="abstention",
            gaps=(query,),
        )

    def citations(self, scripted: Scripted) -> list[dict[str, Any]]:
        cited = [one for mark in parse_citations(scripted.text) for one in mark.citations]
        return [
            {"item_id": one.item_id, "location": str(one.location), "verified": True}
            for one in dict.fromkeys(cited)
        ]

    def query_count(self, session: OpenSession) -> int:
        return len(session.queries)

    def envelope(self, session: OpenSession, scripted: Scripted) -> dict[str, Any]:
        return {
            "response_id": f"r-{next(self.numbers)}",
            "response": {
                "text": scripted.text,
                "classification": scripted.classification,
                "confidence": scripted.confidence,
                "citations": self.citations(scripted),
                "gaps": [{"topic": topic, "description": topic} for topic in scripted.gaps],
                "inferences": [],
            },
            "session": {"query_count": self.query_count(session)},
            "retrieval_summary": {"strategy": "script"},
            "model": "scripted",
        }

    async def _discover(self, _: Request) -> Response:
        return JSONResponse(self.discovery())

    async def _publish(self, request: Request) -> Response:
        tez_id = request.path_params["tez"]
        self.tezits[tez_id] = self.stored(tez_id, await request.body())
        return JSONResponse({"tez_id": tez_id, "state": "ready"}, 201)

    async def _describe(self, request: Request) -> Response:
        known = request.path_params["tez"] in self.tezits
        return JSONResponse({"state": "ready"}) if known else _missing()

    async def _content(self, request: Request) -> Response:
        tez = self.tezits.get(request.path_params["tez"])
        content = self.item_bytes(tez, request.path_params["item"]) if tez else None
        if content is None:
            return _missing()
        tag = hashlib.sha256(content).hexdigest()
        return Response(content, media_type="application/octet-stream", headers={"ETag": tag})

    async def _init(self, request: Request) -> Response:
        tez_id = request.path_params["tez"]
        if tez_id not in self.tezits:
            return _missing()
        session = OpenSession(f"s-{next(self.numbers)}", tez_id)
        self.sessions[session.id] = session
        return JSONResponse({"session_id": session.id, "tez_id": tez_id, "tip_version": "1.0"})

    async def _query(self, request: Request) -> Response:
        session = self.sessions[request.path_params["session"]]
        query = (await request.json())["query"]
        session.queries.append(query)
        return JSONResponse(self.envelope(session, self.answer(session, query)))

    async def _close(self, request: Request) -> Response:
        session = self.sessions.pop(request.path_params["session"])
        summary = {"query_count": self.query_count(session)}
        return JSONResponse({"session_id": session.id, "summary": summary})


def _around(line: str, words: str) -> str:
    """The sentence of a line that has the words."""
    whole = [part for part in line.replace(". ", ".\n").split("\n") if words in part]
    return (whole[0] if whole else words).strip()


def _missing() -> Response:
    return JSONResponse({"error": {"type": "not_found", "message": "There is none."}}, 404)
