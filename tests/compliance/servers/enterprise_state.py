"""What the scripted Enterprise server remembers: people, tezits, sessions, shares, logs, rates."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

ALLOWED_USER = "allowed"
Event = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    tenant: str


# The names of the suite's roles, each with its tenant; a token is `token-NAME`.
PEOPLE = {
    name: Person(name, tenant)
    for tenant, names in {
        "owner": ("owner", "allowed", "denied"),
        "stranger": ("stranger",),
        "third": ("third",),
        "one": ("one-a",),
        "two": ("two-a",),
        "three": ("three-a", "three-b"),
        "four": ("four-a", "four-b", "four-c"),
    }.items()
    for name in names
}
TOKENS = {name: f"token-{name}" for name in PEOPLE}


@dataclass(slots=True)
class Tez:
    tez_id: str
    tenant: str
    publisher: str
    manifest: dict[str, Any]
    texts: dict[str, str]
    synthesis: str
    extensions: dict[str, Any]

    @classmethod
    def of(cls, content: bytes, *, tez_id: str, person: Person) -> Tez:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = {name: archive.read(name).decode() for name in archive.namelist()}
        manifest = json.loads(files["manifest.json"])
        texts = {item["id"]: files[item["file"]] for item in manifest["context"]["items"]}
        evaluation = files.get("extensions/tezit-eval/tezit-eval.json")
        return cls(
            tez_id=tez_id,
            tenant=person.tenant,
            publisher=person.name,
            manifest=manifest,
            texts=texts,
            synthesis=files["tez.md"],
            extensions={} if evaluation is None else {"tezit-eval": json.loads(evaluation)},
        )

    def items(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.manifest["context"]["items"]
        return found

    def limit(self) -> int | None:
        limits = self.manifest.get("sharing", {}).get("hosting_limits", {})
        found: int | None = limits.get("interrogations_per_recipient")
        return found


@dataclass(slots=True)
class Session:
    id: str
    person: Person
    tez: Tez
    share: str | None = None
    log: list[Event] = field(default_factory=list)
    queries: int = 0
    closed: bool = False


@dataclass(slots=True)
class Share:
    id: str
    tez: Tez
    to_tenant: str
    revoked: bool = False

    def to_wire(self) -> dict[str, Any]:
        return {
            "share_id": self.id,
            "strategy": "accept_dependency",
            "from_tenant": self.tez.tenant,
            "to_tenant": self.to_tenant,
        }


@dataclass(slots=True)
class Memory:
    tezits: dict[tuple[str, str], Tez] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    shares: dict[str, Share] = field(default_factory=dict)
    logs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    spent: Counter[tuple[str, str]] = field(default_factory=Counter)
    costs: Counter[str] = field(default_factory=Counter)

    def record(self, tenant: str, **what: Any) -> None:
        log = self.logs.setdefault(tenant, [])
        log.append({"number": len(log) + 1, **what})
