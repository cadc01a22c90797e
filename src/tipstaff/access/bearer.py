"""An `Authorization` header → who is asking. Whatever is wrong with it, the answer is the same."""

from __future__ import annotations

from typing import Protocol

from tipstaff.access.tokens import PREFIX, Tokens
from tipstaff.domain.caller import Caller
from tipstaff.errors import AuthenticationRequired


class Verifier(Protocol):
    """What knows tokens that are not ours: `jwt.JwtVerifier`."""

    async def caller_of(self, token: str, /) -> Caller: ...


class Bearer:
    def __init__(self, tokens: Tokens, *, jwt: Verifier | None = None) -> None:
        self._tokens = tokens
        self._jwt = jwt

    async def authenticate(self, header: str | None) -> Caller:
        """RFC 6750, section 2.1. Raises AuthenticationRequired."""
        scheme, _, token = (header or "").strip().partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or not token.isascii():
            raise AuthenticationRequired(
                "A bearer token is needed.", suggestion="Send 'Authorization: Bearer …'."
            )
        if token.startswith(PREFIX):
            caller = await self._tokens.caller_of(token)
        else:
            caller = None if self._jwt is None else await self._jwt.caller_of(token)
        if caller is None:
            raise AuthenticationRequired("The token is not valid.")
        return caller
