"""Calls that a stranger could make, out of the server's own description: every route that is in
/openapi.json is tried, also one that is added tomorrow.

Ids in a call are mostly the other tenant's. What would destroy the caller's own things is only
tried on what is not theirs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.tenancy.two_sides import QUESTION, SHARED, Side

UNKNOWN = {
    "tez_id": "only-nobody",
    "session_id": "tip-sess-00000000-0000-4000-8000-000000000000",
    "item_id": "memo-nobody",
}
_STREAM = "text/event-stream"


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    parameters: tuple[Mapping[str, Any], ...]
    body: Mapping[str, Any] | None
    media: str
    streams: bool

    @property
    def path_ids(self) -> list[str]:
        return [one["name"] for one in self.parameters if one["in"] == "path"]

    @property
    def destroys(self) -> bool:
        return self.method == "DELETE" or self.path.endswith("/close") or self.method == "PATCH"


@dataclass(frozen=True)
class Call:
    operation: Operation
    who: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    json: Any = None


def operations(document: Mapping[str, Any]) -> list[Operation]:
    found = []
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            content = told.get("requestBody", {}).get("content", {})
            media, described = next(iter(content.items()), ("", None))
            answers = told["responses"].get("200", {}).get("content", {})
            found.append(
                Operation(
                    method=method.upper(),
                    path=path,
                    parameters=tuple(told.get("parameters", ())),
                    body=None if described is None else described["schema"],
                    media=media,
                    streams=_STREAM in answers,
                )
            )
    return found


@dataclass
class Stranger:
    """Somebody of `mine` who tries what is of `theirs`."""

    document: Mapping[str, Any]
    mine: Side
    theirs: Side
    chance: random.Random

    def call(self, operation: Operation) -> Call:
        """One at random."""
        ids = {name: self._id(name, operation) for name in operation.path_ids}
        who = self.chance.choice(("jane", "sender", "admin", "spare", "nobody"))
        if operation.destroys and not ids:
            who = "spare"
        return self.made(operation, ids, who, optional=True)

    def pairs(self, operation: Operation) -> Iterator[tuple[Call, Call]]:
        """The same call with an id of theirs and with one that nobody has."""
        theirs = {
            "tez_id": self.theirs.own_tez,
            "session_id": self.theirs.sessions[0],
            "item_id": self.theirs.own_item,
        }
        own = {"tez_id": SHARED, "session_id": self.mine.sessions[0], "item_id": "notes"}
        for name in operation.path_ids:
            if name not in theirs:
                continue
            for who in ("jane", "admin"):
                if operation.method == "PUT" and who != "jane":
                    continue  # that would be a tez of their own
                rest = {one: own.get(one, "1") for one in operation.path_ids}
                yield tuple(  # type: ignore[misc]
                    self.made(operation, {**rest, name: value}, who)
                    for value in (theirs[name], UNKNOWN[name])
                )

    def made(
        self, operation: Operation, ids: Mapping[str, str], who: str, *, optional: bool = False
    ) -> Call:
        url = operation.path
        for name, value in ids.items():
            url = url.replace(f"{{{name}}}", value)
        query = {
            one["name"]: self._value(one)
            for one in operation.parameters
            if one["in"] == "query"
            and (one.get("required") or (optional and self.chance.random() < 0.2))
        }
        headers = {}
        if operation.streams and optional and self.chance.random() < 0.5:
            headers["Accept"] = _STREAM
        if operation.media == "application/octet-stream":
            content = self.mine.tezits[SHARED]
            return Call(operation, who, url, headers, query, content=content)
        body = None if operation.body is None else self._body(operation.body)
        return Call(operation, who, url, headers, query, json=body)

    def _id(self, name: str, operation: Operation) -> str:
        known: dict[str, list[str]] = {
            "tez_id": [self.theirs.own_tez, self.theirs.own_tez, UNKNOWN["tez_id"]],
            "session_id": [*self.theirs.sessions, UNKNOWN["session_id"]],
            "item_id": [self.theirs.own_item, "notes", "page", UNKNOWN["item_id"]],
            "number": ["1"],
        }
        # A name that is not known here is a new route's: anything of theirs is tried.
        choices = known.get(name, [*self.theirs.sessions, *self.theirs.query_ids, "1"])
        last = operation.path_ids[-1]
        if name == "tez_id" and (operation.method != "DELETE" or last != "tez_id"):
            choices = [*choices, SHARED, SHARED, SHARED]
        if name == "session_id" and not operation.destroys:
            choices = [*choices, *self.mine.sessions[:2]]
        return self.chance.choice(choices)

    def _value(self, parameter: Mapping[str, Any]) -> str:
        named = {
            "citation": ["notes:L3", "page:p1", f"{self.theirs.own_item}:L1"],
            "query_id": self.theirs.query_ids,
            "ticket": ["no-ticket"],
        }
        if parameter["name"] in named:
            return self.chance.choice(named[parameter["name"]])
        return str(self._sample(parameter.get("schema", {})))

    def _body(self, schema: Mapping[str, Any]) -> Any:
        return self._sample(schema)

    def _sample(self, schema: Mapping[str, Any], name: str = "") -> Any:
        """Something that the schema takes; what is optional is left out."""
        if "$ref" in schema:
            target = schema["$ref"].rsplit("/", 1)[-1]
            return self._sample(self.document["components"]["schemas"][target], name)
        if "anyOf" in schema:
            return self._sample(schema["anyOf"][0], name)
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object":
            wanted = schema.get("required", ())
            return {one: self._sample(schema["properties"][one], one) for one in wanted}
        if kind == "array":
            return []
        if kind == "boolean":
            return self.chance.random() < 0.5
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        if schema.get("format") == "date":
            return "2026-01-01"
        return QUESTION if name == "query" else self.theirs.own_tez
