"""The public keys of those who issue JWTs: from a file or an address, kept for a while.

A key that is not known leads to one more look, at most once in `FLOOR_S`: a new key is found
soon, and a flood of forged tokens does not become a flood of requests to the issuer.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key, KeySet

from tipstaff.errors import AuthenticationRequired, UsageError

FLOOR_S = 30.0
# A key that the issuer has taken back is not trusted for longer than this.
MOST_AGE_S = 600.0
_MOST_BYTES = 1 << 20
_TIMEOUT_S = 10.0
# Keys that have a public half. A shared secret in a published set would be nobody's secret.
_PUBLIC = ("RSA", "EC", "OKP")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")

Fetch = Callable[[], Awaitable[bytes]]


class Keys:
    """`key_set(kid)` is what a token with that key id may be checked against."""

    def __init__(self, fetch: Fetch, *, now: Callable[[], float] = time.monotonic) -> None:
        self._fetch = fetch
        self._now = now
        self._known: KeySet | None = None
        self._read_at = -MOST_AGE_S
        self._tried_at = -FLOOR_S
        self._turn = asyncio.Lock()

    async def key_set(self, kid: str | None) -> KeySet:
        # Whoever has a key that is known does not wait for a look that another has caused.
        if self._known and self._knows(kid) and self._now() - self._read_at < MOST_AGE_S:
            return self._known
        async with self._turn:
            now = self._now()
            is_old = now - self._read_at >= MOST_AGE_S
            if (is_old or not self._knows(kid)) and now - self._tried_at >= FLOOR_S:
                self._tried_at = now
                await self._read(now)
            if self._known is None or now - self._read_at >= 2 * MOST_AGE_S:
                raise AuthenticationRequired("The keys of the issuer are not available.")
            return self._known

    def _knows(self, kid: str | None) -> bool:
        if self._known is None:
            return False
        return kid is None or any(key.kid == kid for key in self._known.keys)

    async def _read(self, now: float) -> None:
        """What cannot be read changes nothing: the issuer may be back in a moment."""
        try:
            known = key_set_of(await self._fetch())
        except (OSError, ValueError, JoseError):
            return
        self._known, self._read_at = known, now


def key_set_of(content: bytes) -> KeySet:
    """RFC 7517, section 5; only public keys that are for signatures."""
    document: Any = json.loads(content)
    if not isinstance(document, dict) or not isinstance(document.get("keys"), list):
        raise ValueError("it is no set of keys")
    keys = [key for one in document["keys"] if (key := _public_key(one)) is not None]
    if not keys:
        raise ValueError("it has no key that can be used")
    return KeySet(keys)


def _public_key(said: object) -> Key | None:
    """One that is not understood is nobody's reason to lose the others."""
    if not isinstance(said, dict) or said.get("use", "sig") != "sig":
        return None
    if said.get("kty") not in _PUBLIC:
        return None
    try:
        return JWKRegistry.import_key(said)
    except (JoseError, ValueError, LookupError, TypeError):
        return None


def keys_from(place: str) -> Keys:
    """`place` is an https address (http on this machine alone) or a file."""
    if "://" not in place:
        path = Path(place)

        async def read() -> bytes:
            return await asyncio.to_thread(path.read_bytes)

        return Keys(read)
    address = urlsplit(place)
    if address.scheme != "https" and (
        address.scheme != "http" or address.hostname not in _LOOPBACK
    ):
        raise UsageError("jwt_jwks: keys are taken from an https address or a file.")

    async def fetch() -> bytes:
        return await _fetched(place)

    return Keys(fetch)


async def _fetched(place: str) -> bytes:
    import httpx

    content = b""
    try:
        # Not followed elsewhere: whoever can redirect would choose the keys.
        async with (
            httpx.AsyncClient(timeout=_TIMEOUT_S, follow_redirects=False) as client,
            client.stream("GET", place) as response,
        ):
            response.raise_for_status()
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > _MOST_BYTES:
                    raise ValueError("it is too large to be a set of keys")
    except httpx.HTTPError as problem:
        raise OSError(str(problem)) from problem
    return content
