"""Keys and addresses of services, from the environment and from nowhere else.

Checked where a model is made: the SDKs find out in the middle of a request, each with an exception
of its own, and some repeat the key in it. No message here does.
"""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from tipstaff.errors import ModelUnavailable, UsageError

# What may stand in a header: no line breaks, no letters but ASCII's.
_SENDABLE = re.compile(r"[ -~]*")
_EXAMPLE = "Write it as in https://models.example.org/v1 or http://127.0.0.1:11434/v1."


def key_in(provider: str, *variables: str, hint: str = "") -> str:
    """The key of a service from the first of the environment's variables that has one."""
    for variable in variables:
        if value := os.environ.get(variable, "").strip():
            return sendable_key(variable, value)
    raise ModelUnavailable(
        f"Models of '{provider}' need a key.",
        suggestion=f"Set the environment variable {' or '.join(variables)}{hint}, or use "
        "--model extractive, which needs none.",
    )


def sendable_key(variable: str, value: str) -> str:
    if not _SENDABLE.fullmatch(value):
        raise UsageError(
            f"The key in {variable} has a line break or a character in it that no key has.",
            suggestion=f"Copy it into {variable} once more, without what stands around it.",
        )
    return value


def place_in(variable: str) -> str:
    """The address of a service; empty where the environment names none."""
    place = os.environ.get(variable, "").strip()
    if place and (wrong := _wrong_with(place)):
        # An address may have a password in it.
        raise UsageError(f"The address in {variable} has {wrong}.", suggestion=_EXAMPLE)
    return place


def _wrong_with(place: str) -> str:
    try:
        parts = urlsplit(place)
        host = (parts.hostname or "").encode("idna")
    except ValueError:
        return "a host that cannot be"
    if parts.scheme not in ("http", "https"):
        return "no http:// or https:// before it"
    if not host or re.search(rb"[^\w.:%-]", host):
        return "no host in it" if not host else "a host that cannot be"
    try:
        port = parts.port
    except ValueError:
        port = 0
    return "a port that cannot be" if port == 0 else ""
