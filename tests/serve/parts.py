"""A real service on SQLite, with tezits published; whoever asks is known by a word for a token."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NoReturn

from tests.hosting.conftest import packed
from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthenticationRequired, RateLimited, TipstaffError
from tipstaff.serve.composing import Composed, composed
from tipstaff.serve.configuration import ServeConfiguration
from tipstaff.serve.service import Service
from tipstaff.settings import load_settings

JANE = Caller(
    tenant="acme", user="user:jane@example.com", permissions=frozenset({Permission.INTERROGATE})
)
SENDER = Caller(tenant="acme", user="user:sender@example.com", permissions=frozenset(Permission))
STRANGER = Caller(
    tenant="other", user="user:jane@example.com", permissions=frozenset({Permission.INTERROGATE})
)
TOKENS = {"jane": JANE, "sender": SENDER, "stranger": STRANGER}
WITHOUT_LIMITS = {
    "queries_per_recipient": "0",
    "rate_per_session": "0",
    "rate_per_recipient": "0",
    "rate_per_user": "0",
}
QUICK = {"reader": "none", "embedder": "static", **WITHOUT_LIMITS}


@asynccontextmanager
async def real_parts(
    data_folder: Path,
    *tezits: Path,
    configuration: ServeConfiguration | None = None,
    settings: Mapping[str, str] | None = None,
) -> AsyncIterator[Composed]:
    """What `tip serve` starts, with these tezits of the sender's, folders or files."""
    in_force = load_settings({**QUICK, **(settings or {})})
    async with composed(
        configuration or ServeConfiguration(), in_force, data_folder=data_folder
    ) as parts:
        parts.service.authenticate = authenticate
        for tez in tezits:
            content = packed(tez, data_folder.with_suffix(".tez")) if tez.is_dir() else tez
            await parts.tezits.publish(SENDER, content)
        try:
            yield parts
        finally:
            await parts.service.stop()


async def authenticate(header: str | None) -> Caller:
    caller = TOKENS.get((header or "").removeprefix("Bearer "))
    if caller is None:
        raise AuthenticationRequired("A bearer token is needed.")
    return caller


def refuse_queries(service: Service, problem: TipstaffError) -> None:
    """From now on every query is refused for this reason."""

    async def refused(*_: object, **__: object) -> NoReturn:
        raise problem

    service.sessions.ask = refused  # type: ignore[method-assign]


def full() -> RateLimited:
    return RateLimited(scope="global", limit="the server is full", retry_after_seconds=7)
