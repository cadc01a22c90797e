"""What Tipstaff may talk to, if told so: keys of model providers, databases, authorizers.

A key is never shown and never tried; a service is knocked at, not logged in to.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from tipstaff.doctor.checkup import Check, State
from tipstaff.settings import Settings

_PATIENCE_S = 2.0
_KEYS = (
    ("anthropic", ("ANTHROPIC_API_KEY",)),
    ("openai", ("OPENAI_API_KEY", "OPENAI_BASE_URL")),
    ("google", ("GOOGLE_API_KEY", "GEMINI_API_KEY")),
    ("bedrock", ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK")),
)
# Settings that name a service, and the port that it has if the address has none.
_SERVICES = (
    ("records_url", "the service's records", 5432),
    ("database_url", "the store's database", 5432),
    ("valkey_url", "Valkey", 6379),
    ("fga_url", "OpenFGA", 8080),
    ("opa_url", "OPA", 8181),
)


def key_checks(environment: Mapping[str, str]) -> Iterator[Check]:
    for provider, names in _KEYS:
        there = [name for name in names if environment.get(name)]
        yield Check(
            group="models",
            name=f"{provider}:NAME",
            state=State.WORKS if there else State.MISSING,
            detail=f"{there[0]} is set (not tried)" if there else "no key is set; none is needed",
            remedy="" if there else f"Set {names[0]} and use --model {provider}:NAME.",
        )


def service_checks(settings: Settings) -> Iterator[Check]:
    for setting, what, port in _SERVICES:
        address = str(getattr(settings, setting))
        if address == "none":
            yield Check(
                group="services",
                name=what,
                state=State.MISSING,
                detail=f"the setting {setting} names none; none is needed",
                remedy="",
            )
            continue
        problem = _unreachable(address, port)
        yield Check(
            group="services",
            name=what,
            state=State.BROKEN if problem else State.WORKS,
            detail=problem or f"{_shown(address)} answers",
            remedy=f"Start it, or correct the setting {setting}." if problem else "",
        )


def _unreachable(address: str, port: int) -> str:
    """Why nobody answers there; empty if somebody does. No password is repeated."""
    try:
        parts = urlsplit(address)
        if parts.scheme == "unix":
            with socket.socket(socket.AF_UNIX) as knock:
                knock.settimeout(_PATIENCE_S)
                knock.connect(parts.path)
            return ""
        where = (parts.hostname or "localhost", parts.port or port)
        with socket.create_connection(where, timeout=_PATIENCE_S):
            return ""
    except (OSError, ValueError) as problem:
        return f"{_shown(address)} does not answer: {getattr(problem, 'strerror', '') or problem}"


def _shown(address: str) -> str:
    parts = urlsplit(address)
    return parts.path if parts.scheme == "unix" else parts.netloc.rpartition("@")[2]
