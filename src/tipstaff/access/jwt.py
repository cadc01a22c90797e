"""Tokens of an identity provider (JWT, OIDC): a signature of a known key, for us, now → a caller.

Claims are the provider's word, so each must be there and of its type: a token that lacks one is
no token. What it is for (`tip:interrogate` …) and for which tezits must be said in it as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from joserfc import jws, jwt
from joserfc.errors import JoseError

from tipstaff.access.jwks import Keys, keys_from
from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthenticationRequired, UsageError
from tipstaff.settings import Settings

# Signatures that are checked with a public key. `none` and shared secrets (HS…) are not among
# them: with those, whoever may check a token could make one.
ALGORITHMS = frozenset(
    {
        *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
        *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
    }
)
_SCOPE_PREFIX = "tip:"
_EVERY_TEZ = "*"
_MOST_CHARS = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimNames:
    tenant: str = "tenant"
    user: str = "sub"
    scope: str = "scope"
    tezits: str = "tezits"


class JwtVerifier:
    def __init__(
        self,
        keys: Keys,
        *,
        issuer: str,
        audience: str,
        algorithms: frozenset[str],
        leeway_s: int = 60,
        names: ClaimNames | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        if unknown := sorted(algorithms - ALGORITHMS):
            raise UsageError(
                f"jwt_algorithms: {', '.join(unknown)} is no signature of a public key.",
                suggestion=f"Choose from {', '.join(sorted(ALGORITHMS))}.",
            )
        self._keys = keys
        self._algorithms = sorted(algorithms)
        self._names = names or ClaimNames()
        self._claims = jwt.JWTClaimsRegistry(
            now=lambda: int(now()),
            leeway=leeway_s,
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": audience},
            exp={"essential": True},
        )

    async def caller_of(self, token: str) -> Caller:
        """Who this token proves to be asking; else AuthenticationRequired, which says no more."""
        if len(token) > _MOST_CHARS:
            raise _refused()
        try:
            header = jws.extract_compact(token.encode()).headers()
            kid = header.get("kid")
            keys = await self._keys.key_set(kid if isinstance(kid, str) else None)
            decoded = jwt.decode(token, keys, algorithms=self._algorithms)
            self._claims.validate(decoded.claims)
        except (JoseError, ValueError, LookupError, TypeError, RecursionError):
            raise _refused() from None
        return self._caller(decoded.claims)

    def _caller(self, claims: Mapping[str, Any]) -> Caller:
        names = self._names
        # An address that its provider has not checked could be anybody's.
        if names.user == "email" and claims.get("email_verified") is not True:
            raise _refused()
        user = _word(claims.get(names.user))
        return Caller(
            tenant=_word(claims.get(names.tenant)),
            user=user if user.startswith("user:") else f"user:{user}",
            permissions=_permissions(claims.get(names.scope)),
            tezits=_tezits(claims.get(names.tezits)),
        )


def verifier_from(settings: Settings) -> JwtVerifier | None:
    """As the settings say; None if they take no JWT."""
    if settings.jwt_jwks == "none":
        return None
    for name in ("jwt_issuer", "jwt_audience"):
        if getattr(settings, name) == "none":
            raise UsageError(
                f"{name} is not set.",
                suggestion="Without issuer and audience, a token for somebody else would do.",
            )
    return JwtVerifier(
        keys_from(settings.jwt_jwks),
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        algorithms=frozenset(one.strip() for one in settings.jwt_algorithms.split(",")),
        leeway_s=settings.jwt_leeway_s,
        names=ClaimNames(
            tenant=settings.jwt_tenant_claim,
            user=settings.jwt_user_claim,
            scope=settings.jwt_scope_claim,
            tezits=settings.jwt_tezits_claim,
        ),
    )


def _permissions(claim: object) -> frozenset[Permission]:
    """RFC 8693, section 4.2: words with spaces between them; some providers send a list."""
    words = claim.split() if isinstance(claim, str) else claim if isinstance(claim, list) else []
    known = {f"{_SCOPE_PREFIX}{permission}": permission for permission in Permission}
    return frozenset(known[word] for word in words if isinstance(word, str) and word in known)


def _tezits(claim: object) -> frozenset[str] | None:
    """None is every tez, which has to be said by name."""
    if claim == _EVERY_TEZ or (isinstance(claim, list) and _EVERY_TEZ in claim):
        return None
    words = claim.split() if isinstance(claim, str) else claim if isinstance(claim, list) else []
    return frozenset(word for word in words if isinstance(word, str))


def _word(claim: object) -> str:
    if not isinstance(claim, str) or not claim.strip() or len(claim) > 500:
        raise _refused()
    return claim


def _refused() -> AuthenticationRequired:
    return AuthenticationRequired("The token is not valid.")
