"""Asking and reading for the tests of this suite: who there is, and what an answer says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tipstaff.compliance.enterprise.fixtures import HarbourBundle
from tipstaff.compliance.verdict import Check
from tipstaff.compliance.wire import OWNER, Exchange, StreamEvent, WireFailure, WireSession
from tipstaff.compliance.world import World

# Recipients in the owner's tenant, of whom the authorizer allows one the vault.
ALLOWED, DENIED = "allowed", "denied"
# Whoever runs another tenant, and somebody of a third one.
STRANGER, THIRD = "stranger", "third"

START, LOADED = "tip.session.start", "tip.context.loaded"
SEARCH, CHUNK = "tip.retrieval.start", "tip.retrieval.chunk"
TOKEN, CITATION, END = "tip.token", "tip.citation", "tip.response.end"
SESSION_END, ERROR = "tip.session.end", "tip.error"
NINE = (START, LOADED, SEARCH, CHUNK, TOKEN, CITATION, END, SESSION_END, ERROR)

_MARK = re.compile(r"\[\[([^\[\]]+)\]\]")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)")


async def session_on(world: World, bundle: HarbourBundle, *, who: str = OWNER) -> WireSession:
    return await world.wire.open(await world.tez(bundle.fixture), who=who)


async def streamed(
    world: World, bundle: HarbourBundle, query: str, *, who: str = OWNER, **options: Any
) -> Exchange:
    """One query in a session of its own, as a stream that ended well."""
    exchange = await (await session_on(world, bundle, who=who)).stream(query, **options)
    return answered(exchange)


def answered(exchange: Exchange) -> Exchange:
    if exchange.is_error or not exchange.named(END):
        raise WireFailure(
            f"{exchange.method} {exchange.path} ended without {END} ({exchange.status})."
        )
    return exchange


async def envelope(
    world: World, bundle: HarbourBundle, query: str, *, who: str = OWNER, **options: Any
) -> dict[str, Any]:
    """One query in a session of its own, answered at once (TIP C.2)."""
    return (await (await session_on(world, bundle, who=who)).ask(query, **options)).object()


def end_of(exchange: Exchange) -> Mapping[str, Any]:
    found: Mapping[str, Any] = exchange.named(END)[-1].data
    return found


def said(exchange: Exchange) -> str:
    return "".join(str(event.data["delta"]) for event in exchange.named(TOKEN))


def marks(text: str) -> list[str]:
    """What the marks of a text cite, one by one."""
    return [part.strip() for mark in _MARK.findall(text) for part in mark.split(",")]


def is_moment(value: object) -> bool:
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None


def is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def has(event: StreamEvent, fields: Mapping[str, type]) -> list[str]:
    """Which of the fields an event lacks, or has as something else; a time is always asked for."""
    data = event.data if isinstance(event.data, dict) else {}
    wrong = [name for name, kind in fields.items() if not _is(data.get(name), kind)]
    return wrong + ([] if is_moment(data.get("timestamp")) else ["timestamp"])


def _is(value: object, kind: type) -> bool:
    if kind is int:
        return is_count(value)
    return isinstance(value, kind) and value != ""


def giving_away(value: object, words: Iterable[str]) -> list[str]:
    """Which of the words stand anywhere in an answer."""
    text = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).casefold()
    return [word for word in words if word.casefold() in text]


def silent_on(what: str, value: object, words: Iterable[str]) -> Check:
    found = giving_away(value, words)
    return Check(what, holds=not found, found=", ".join(found))


def everything(world: World) -> object:
    """All that was answered in this run, for tests of what may not be said anywhere."""
    return [
        (_text(one.body), dict(one.headers), [event.data for event in one.events])
        for one in world.wire.exchanges
    ]


def _text(body: object) -> object:
    return body.decode("utf-8", "replace") if isinstance(body, bytes) else body
