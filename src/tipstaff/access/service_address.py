"""Where an authorizer is asked: over TLS, or on this machine."""

from __future__ import annotations

from urllib.parse import urlsplit

from tipstaff.errors import UsageError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def service_address(place: str, *, setting: str) -> str:
    """A decision that comes in the clear could be anybody's."""
    address = urlsplit(place)
    on_this_machine = address.scheme == "http" and address.hostname in _LOOPBACK
    if not address.hostname or (address.scheme != "https" and not on_this_machine):
        raise UsageError(f"{setting}: decisions are taken from an https address, or this machine.")
    return place.rstrip("/")
