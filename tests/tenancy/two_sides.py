"""Two tenants in one real server over PostgreSQL, as alike as can be: the same tez, items, titles
and people. What only one of them has are its canaries: whatever the other is told, none of them
may be in it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import subprocess
import sys
import uuid
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path

import httpx

from tests.conftest import manifest_of
from tests.parse.pdf_files import pdf, saying
from tests.serve.processes import QUICK, Server, without_limits
from tipstaff.access.tokens import Tokens
from tipstaff.domain.caller import Permission
from tipstaff.records.database import open_records

ROOT = Path(__file__).resolve().parents[2]
SHARED = "plan"
QUESTION = "What is the code word of the plan?"
_PEOPLE = {
    "jane": (Permission.INTERROGATE,),
    "sender": (Permission.INTERROGATE, Permission.PUBLISH),
    "admin": tuple(Permission),
    # Whose things may be erased without taking anything from the others.
    "spare": (Permission.INTERROGATE,),
}
_SETTINGS = {"idle_timeout_s": 1, "heartbeat_s": 1, "query_logging": "opt_in", "parse_workers": 1}


@dataclass
class Side:
    """One of the two, with what it has and what only it may ever see."""

    tenant: str
    word: str = field(default_factory=lambda: f"canary{uuid.uuid4().hex[:12]}")
    tokens: dict[str, str] = field(default_factory=dict)
    token_ids: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    query_ids: list[str] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    page: bytes = b""

    @property
    def own_tez(self) -> str:
        return f"only-{self.tenant}"

    @property
    def own_item(self) -> str:
        return f"memo-{self.tenant}"

    @property
    def asked_word(self) -> str:
        """Of its queries and the names of its sessions."""
        return f"asked{self.word}"

    def canaries(self) -> list[bytes]:
        ids = (*self.sessions, *self.query_ids, *self.digests, *self.token_ids)
        return [one.encode() for one in (self.word, *ids)]

    @cached_property
    def tezits(self) -> dict[str, bytes]:
        """Made once: bytes that are sent again are the version that is there."""
        texts = {
            "notes.md": f"# Notes\n\nThe code word of the plan is {self.word}.\n".encode(),
            "page.pdf": pdf(saying(f"The code word is {self.word}.")),
        }
        own = {f"{self.own_item}.md": f"The code word of the memo is {self.word}.\n".encode()}
        return {SHARED: packed(SHARED, texts), self.own_tez: packed(self.own_tez, own)}

    def client(self, url: str, who: str | None = "jane") -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        return httpx.AsyncClient(base_url=url, headers=headers, timeout=60)


def packed(tez_id: str, items: dict[str, bytes]) -> bytes:
    privacy = {"query_logging": "opt_in", "logging_scope": "queries_and_responses"}
    manifest = manifest_of(items, id=tez_id, privacy=privacy)
    content, first = BytesIO(), next(iter(items))
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("tez.md", f"# The plan\n\nThere is a word [[{Path(first).stem}]].\n")
        for name, data in items.items():
            archive.writestr(f"context/{name}", data)
    return content.getvalue()


@dataclass(frozen=True)
class World:
    server: Server
    sides: tuple[Side, Side]
    traces: Path
    data: Path
    records_url: str

    def tip(self, *words: str) -> subprocess.CompletedProcess[str]:
        """An admin's command on the same records."""
        where = ["--data", str(self.data), "--set", f"records_url={self.records_url}"]
        command = [sys.executable, "-m", "tipstaff", *words, *where]
        environment = os.environ | {"TIPSTAFF_DATA_DIR": str(self.data)}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@contextmanager
def world(folder: Path, records_url: str) -> Iterator[World]:
    """A server with both sides set up: published, asked, logged, named."""
    data, traces, errors = folder / "data", folder / "traces", folder / "stderr"
    traces.touch()
    configuration = folder / "serve.toml"
    configuration.write_text('[serve]\nlog_level = "debug"\n')
    words = ["serve", *QUICK, *without_limits(), "--port", "0", "--config", str(configuration)]
    words += [f"--set={name}={value}" for name, value in _SETTINGS.items()]
    words += ["--set", f"records_url={records_url}"]
    with errors.open("a") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.tenancy.traced_server", str(traces), *words],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=ROOT,
            env=os.environ | {"TIPSTAFF_DATA_DIR": str(data)},
        )
        try:
            server = Server(process, errors)
            sides = (Side("acme"), Side("rival"))
            asyncio.run(_set_up(server.url, records_url, sides))
            yield World(server, sides, traces, data, records_url)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


async def _set_up(url: str, records_url: str, sides: tuple[Side, Side]) -> None:
    records = await open_records(records_url)
    try:
        tokens = Tokens(records)
        for side in sides:
            for who, permissions in _PEOPLE.items():
                secret, facts = await tokens.issue(
                    tenant=side.tenant,
                    user=f"user:{who}@example.com",
                    permissions=permissions,
                    label=side.word,
                )
                side.tokens[who] = secret
                side.token_ids.append(facts.token_id)
    finally:
        await records.aclose()
    for side in sides:
        await _published(url, side)
        for who in ("jane", "spare"):
            await _asked(url, side, who)


async def _published(url: str, side: Side) -> None:
    async with side.client(url, "sender") as client:
        for tez_id, content in side.tezits.items():
            done = await client.put(f"/tez/{tez_id}", content=content)
            assert done.status_code == 201, done.text
            side.digests.append(hashlib.sha256(content).hexdigest())


async def _asked(url: str, side: Side, who: str) -> None:
    consent = {"query_logging": True}
    async with side.client(url, who) as client:
        page = await client.get(f"/tez/{SHARED}/items/page/pages/1.png")
        assert page.status_code == 200, page.text
        side.page = page.content
        for tez_id in (SHARED, side.own_tez):
            path = f"/tez/{tez_id}/interrogate"
            begun = (await client.post(f"{path}/init", json={"consent": consent})).json()
            session = str(begun["session_id"])
            side.sessions.append(session)
            for query in (QUESTION, f"Does {side.asked_word} say anything about the plan?"):
                told = await client.post(f"{path}/{session}/query", json={"query": query})
                assert told.status_code == 200, told.text
                side.query_ids.append(told.json()["query_id"])
            await client.patch(f"{path}/{session}", json={"title": side.asked_word})


@asynccontextmanager
async def clients(url: str, side: Side) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """One for each of its people, and one for nobody."""
    made: dict[str, httpx.AsyncClient] = {who: side.client(url, who) for who in _PEOPLE}
    made["nobody"] = side.client(url, None)
    try:
        yield made
    finally:
        for client in made.values():
            await client.aclose()


def all_canaries(side: Side) -> list[bytes]:
    return [*side.canaries(), *([side.page] if side.page else [])]
