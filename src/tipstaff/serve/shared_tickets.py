"""Tickets that any instance redeems, wherever they were issued; each once.

Valkey holds what a ticket stands for encrypted under the ticket itself, which it never sees:
whoever reads Valkey gets no token out of it. One command gives it out and deletes it, so that of
two who come with the same ticket one is too late, whatever instances they come to.
"""

from __future__ import annotations

import hashlib
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tipstaff.instances.valkey import SharedValkey, ValkeyLost
from tipstaff.serve.tickets import SECRET_BYTES, TICKET_S, Tickets, not_valid

_NONCE_BYTES = 12


class SharedTickets(Tickets):
    """While Valkey is lost tickets are an instance's own, as without it."""

    def __init__(self, valkey: SharedValkey) -> None:
        super().__init__()
        self._valkey = valkey

    async def issue(self, header: str, *, tez_id: str, session_id: str) -> str:
        secret = secrets.token_urlsafe(SECRET_BYTES)
        nonce = secrets.token_bytes(_NONCE_BYTES)
        stream = _stream(tez_id, session_id)
        sealed = nonce + _cipher(secret).encrypt(nonce, header.encode("latin-1"), stream)
        name = self._name(secret)
        try:
            await self._valkey.ask(lambda client: client.set(name, sealed, ex=TICKET_S))
        except ValkeyLost:
            return await super().issue(header, tez_id=tez_id, session_id=session_id)
        return secret

    async def redeem(self, secret: str, *, tez_id: str, session_id: str) -> str:
        name = self._name(secret)
        try:
            # Not again: an answer that was lost may have been the one.
            sealed = await self._valkey.ask(lambda client: client.getdel(name), again=False)
        except ValkeyLost:
            sealed = None
        if sealed is None:
            return await super().redeem(secret, tez_id=tez_id, session_id=session_id)
        nonce, hidden = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return (
                _cipher(secret)
                .decrypt(nonce, hidden, _stream(tez_id, session_id))
                .decode("latin-1")
            )
        except InvalidTag:
            # Of another stream: used up all the same.
            raise not_valid() from None

    def _name(self, secret: str) -> str:
        return self._valkey.named("ticket", _hash("name", secret).hex())


def _cipher(secret: str) -> AESGCM:
    return AESGCM(_hash("key", secret))


def _hash(what_for: str, secret: str) -> bytes:
    """The name tells nothing of the key."""
    return hashlib.sha256(
        f"tip ticket {what_for}:{secret}".encode("utf-8", "surrogatepass")
    ).digest()


def _stream(tez_id: str, session_id: str) -> bytes:
    return "\x00".join((tez_id, session_id)).encode("utf-8", "surrogatepass")
