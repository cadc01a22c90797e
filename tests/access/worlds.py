"""One small world for each authorizer: documents, who may read them, and ways to fail.

All of them are set up by settings, as an operator would. `memo` is the item that is held back.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import regopy

from tests.access.http_server import JsonService, serving
from tests.access.openfga_server import STORE, OpenFgaServer
from tipstaff.access.authorizer import ALLOWED, DENIED, AccessCheck, Decision, check_of
from tipstaff.domain.access import Access, AccessType
from tipstaff.settings import Settings, load_settings

POLICY = """package tez.item_access

default allow := false

allow if {
    some entry in data.readers
    entry.user == input.user
    entry.document == input.document
    entry.tenant == input.tenant
}
"""
CEDAR = """
permit (principal, action == Action::"can_read", resource)
when { context.tenant == "TENANT" && resource has readers && principal in resource.readers };
"""


class World:
    """`access` is what a sender writes on an item; the rest is what an operator does."""

    type: AccessType
    settings: Mapping[str, str]

    def access(self, document: str) -> dict[str, Any]:
        raise NotImplementedError

    def allow(self, user: str, document: str) -> None:
        raise NotImplementedError

    def forbid(self, user: str, document: str) -> None:
        raise NotImplementedError

    def break_down(self) -> None:
        raise NotImplementedError

    def stall(self) -> None:
        raise NotImplementedError

    def in_force(self, **also: str) -> Settings:
        return load_settings({**self.settings, **also}, environment={})

    def check(self, user: str, document: str, *, tenant: str = "acme") -> AccessCheck:
        written = self.access(document)
        attributes = {name: value for name, value in written.items() if name != "type"}
        access = Access(type=AccessType(written["type"]), attributes=attributes)
        return check_of(access, tenant=tenant, recipient=user, item=f"item:tez/{document}")


class FgaWorld(World):
    type = AccessType.FGA

    def __init__(self) -> None:
        self.server = OpenFgaServer()

    @property
    def settings(self) -> Mapping[str, str]:  # type: ignore[override]
        return {"fga_url": self.server.url, "fga_store": STORE}

    def access(self, document: str) -> dict[str, Any]:
        return {"type": "fga", "object": f"document:{document}", "relation": "can_read"}

    def allow(self, user: str, document: str) -> None:
        self.server.write(user, "viewer", f"document:{document}")

    def forbid(self, user: str, document: str) -> None:
        self.server.delete(user, "viewer", f"document:{document}")

    def break_down(self) -> None:
        self.server.broken = True

    def stall(self) -> None:
        self.server.stall()


class ReadersFile:
    """Who may read what, as data beside Rego policies."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.readers = folder, set[tuple[str, str]]()
        folder.mkdir()
        (folder / "item_access.rego").write_text(POLICY, encoding="utf-8")
        self.write()

    def write(self) -> None:
        rows = [
            {"user": user, "document": document, "tenant": "acme"}
            for user, document in sorted(self.readers)
        ]
        content = json.dumps({"readers": rows})
        (self.folder / "data.json").write_text(content, encoding="utf-8")


class RegoWorld(World):
    type = AccessType.OPA

    def __init__(self, folder: Path) -> None:
        self.files = ReadersFile(folder)
        self.settings: Mapping[str, str] = {"opa_policies": str(folder)}

    def access(self, document: str) -> dict[str, Any]:
        return {"type": "opa", "policy": "tez/item_access", "input": {"document": document}}

    def allow(self, user: str, document: str) -> None:
        self.files.readers.add((user, document))
        self.files.write()

    def forbid(self, user: str, document: str) -> None:
        self.files.readers.discard((user, document))
        self.files.write()

    def break_down(self) -> None:
        (self.files.folder / "broken.rego").write_text("package tez\nallow if {", encoding="utf-8")


class OpaServer(JsonService):
    """OPA's data API over a real Rego engine."""

    def __init__(self, files: ReadersFile) -> None:
        super().__init__()
        self.files = files
        self._turn = threading.Lock()

    def answer(
        self,
        method: str,
        path: str,
        query: dict[str, str],  # noqa: ARG002
        body: Any,
    ) -> tuple[int, dict[str, Any]]:
        if method != "POST" or not path.startswith("/v1/data/"):
            return 404, {"code": "resource_not_found", "message": "no such resource"}
        with self._turn:
            engine = regopy.Interpreter()
            for file in sorted(self.files.folder.glob("*.rego")):
                engine.add_module(file.name, file.read_text(encoding="utf-8"))
            engine.add_data_json((self.files.folder / "data.json").read_text(encoding="utf-8"))
            engine.set_input(body["input"])
            done = engine.query("data." + path.removeprefix("/v1/data/").replace("/", "."))
            found = done.results[0].expressions if done.ok() and done.results else []
        # OPA leaves `result` out where a document is undefined.
        return 200, {"result": found[0]} if found else {}


class OpaWorld(RegoWorld):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = OpaServer(self.files)

    @property
    def settings(self) -> Mapping[str, str]:
        return {"opa_url": self.server.url}

    @settings.setter
    def settings(self, _: Mapping[str, str]) -> None:
        """The address is the server's."""

    def break_down(self) -> None:
        self.server.broken = True

    def stall(self) -> None:
        self.server.stall()


class CedarWorld(World):
    type = AccessType.CEDAR

    def __init__(self, folder: Path, *, tenant: str = "acme") -> None:
        self.folder, self.readers = folder, dict[str, set[str]]()
        folder.mkdir()
        (folder / "documents.cedar").write_text(CEDAR.replace("TENANT", tenant), encoding="utf-8")
        self._write()
        self.settings: Mapping[str, str] = {"cedar_policies": str(folder)}

    def access(self, document: str) -> dict[str, Any]:
        return {"type": "cedar", "object": f"Document:{document}", "relation": "can_read"}

    def allow(self, user: str, document: str) -> None:
        self.readers.setdefault(document, set()).add(user.removeprefix("user:"))
        self._write()

    def forbid(self, user: str, document: str) -> None:
        self.readers.get(document, set()).discard(user.removeprefix("user:"))
        self._write()

    def break_down(self) -> None:
        (self.folder / "broken.cedar").write_text("permit (principal,", encoding="utf-8")

    def _write(self) -> None:
        entities = [
            {
                "uid": {"type": "Document", "id": document},
                "attrs": {
                    "readers": [
                        {"__entity": {"type": "User", "id": user}} for user in sorted(users)
                    ]
                },
                "parents": [],
            }
            for document, users in sorted(self.readers.items())
        ]
        content = json.dumps(entities)
        (self.folder / "entities.json").write_text(content, encoding="utf-8")


class Provider:
    """Somebody's own authorizer: a list, and a counter as its change token."""

    def __init__(self) -> None:
        self.readers: set[tuple[str, str]] = set()
        self.changes = 0
        self.broken = False
        self.stalled = False

    def from_settings(self, settings: Settings) -> Provider:  # noqa: ARG002
        return self

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        if self.stalled:
            await asyncio.Event().wait()
        if self.broken:
            raise ConnectionError("out of order")
        return [
            ALLOWED if (one.recipient, one.attributes.get("document")) in self.readers else DENIED
            for one in requests
        ]

    async def change_token(self, tenant: str) -> str | None:  # noqa: ARG002
        return str(self.changes)

    async def aclose(self) -> None:
        """Nothing is held."""


class CustomWorld(World):
    type = AccessType.CUSTOM
    settings: Mapping[str, str] = {"custom_providers": "com.acme.internal-authz"}

    def __init__(self) -> None:
        self.provider = Provider()

    # What `importlib.metadata` would find of an installed provider.
    name = "com.acme.internal-authz"

    def load(self) -> Provider:
        return self.provider

    def access(self, document: str) -> dict[str, Any]:
        return {"type": "custom", "provider": self.name, "document": document}

    def allow(self, user: str, document: str) -> None:
        self.provider.readers.add((user, document))
        self.provider.changes += 1

    def forbid(self, user: str, document: str) -> None:
        self.provider.readers.discard((user, document))
        self.provider.changes += 1

    def break_down(self) -> None:
        self.provider.broken = True

    def stall(self) -> None:
        self.provider.stalled = True


WORLDS = ("fga", "opa", "rego", "cedar", "custom")


@contextmanager
def world_of(name: str, folder: Path, monkeypatch: Any) -> Iterator[World]:
    match name:
        case "fga":
            fga = FgaWorld()
            with serving(fga.server):
                yield fga
        case "opa":
            opa = OpaWorld(folder / "opa")
            with serving(opa.server):
                yield opa
        case "rego":
            yield RegoWorld(folder / "rego")
        case "cedar":
            yield CedarWorld(folder / "cedar")
        case "custom":
            custom = CustomWorld()
            monkeypatch.setattr("tipstaff.access.custom.entry_points", lambda **_: [custom])
            yield custom
