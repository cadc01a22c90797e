"""JWTs: a known key, a public-key signature, for us, now, with every claim; else nobody."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, OKPKey, RSAKey

from tests.hosting.conftest import Clock
from tipstaff.access.bearer import Bearer
from tipstaff.access.jwks import FLOOR_S, MOST_AGE_S, Keys, key_set_of, keys_from
from tipstaff.access.jwt import ClaimNames, JwtVerifier, verifier_from
from tipstaff.domain.caller import Caller, Permission
from tipstaff.errors import AuthenticationRequired, UsageError
from tipstaff.settings import Settings

NOW = 1_800_000_000
ISSUER, AUDIENCE = "https://login.example.com", "https://tez.example.com"
RSA = RSAKey.generate_key(2048, parameters={"kid": "rsa-1"})
EC = ECKey.generate_key("P-256", parameters={"kid": "ec-1"})
ED = OKPKey.generate_key("Ed25519", parameters={"kid": "ed-1"})
STRANGER = RSAKey.generate_key(2048, parameters={"kid": "rsa-1"})
ALGORITHMS = frozenset({"RS256", "ES256", "EdDSA"})


def public(*keys: Any) -> bytes:
    return json.dumps({"keys": [key.as_dict(private=False) for key in keys]}).encode()


class Issuer:
    """An identity provider whose keys may change, and who counts who looks."""

    def __init__(self, *keys: Any) -> None:
        self.keys = keys
        self.looks = 0
        self.is_down = False

    async def fetch(self) -> bytes:
        self.looks += 1
        if self.is_down:
            raise OSError("down")
        return public(*self.keys)


def _coded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def claims(**changes: Any) -> dict[str, Any]:
    good = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "jane@example.com",
        "tenant": "acme",
        "scope": "openid tip:interrogate",
        "tezits": ["tez"],
        "exp": NOW + 300,
        "iat": NOW,
    }
    return {name: value for name, value in (good | changes).items() if value is not None}


def signed(key: Any = RSA, algorithm: str = "RS256", /, **changes: Any) -> str:
    header = {"alg": algorithm, "kid": key.kid}
    return jwt.encode(header, claims(**changes), key, algorithms=[algorithm])


def verifier(*keys: Any, **changes: Any) -> JwtVerifier:
    options: dict[str, Any] = {
        "issuer": ISSUER,
        "audience": AUDIENCE,
        "algorithms": ALGORITHMS,
        "now": lambda: float(NOW),
    }
    return JwtVerifier(Keys(Issuer(*(keys or (RSA, EC, ED))).fetch), **(options | changes))


def caller_of(token: str, by: JwtVerifier | None = None) -> Caller:
    return asyncio.run((by or verifier()).caller_of(token))


def refused(token: str, by: JwtVerifier | None = None) -> bool:
    with pytest.raises(AuthenticationRequired) as caught:
        caller_of(token, by)
    return caught.value.message == "The token is not valid."


@pytest.mark.parametrize(("key", "algorithm"), [(RSA, "RS256"), (EC, "ES256"), (ED, "EdDSA")])
@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_a_good_token_says_who_is_asking(key: Any, algorithm: str) -> None:
    caller = caller_of(signed(key, algorithm))
    assert caller == Caller(
        tenant="acme",
        user="user:jane@example.com",
        permissions=frozenset({Permission.INTERROGATE}),
        tezits=frozenset({"tez"}),
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example.com"},
        {"iss": None},
        {"aud": "https://other.example.com"},
        {"aud": ["https://other.example.com"]},
        {"aud": None},
        {"exp": None},
        {"exp": NOW - 61},
        {"exp": "tomorrow"},
        {"nbf": NOW + 61},
        {"iat": NOW + 61},
        {"sub": None},
        {"sub": ""},
        {"sub": 7},
        {"tenant": None},
        {"tenant": ["acme"]},
        {"tenant": " "},
    ],
)
def test_a_token_with_a_wrong_claim_is_nobodys(changes: dict[str, Any]) -> None:
    assert refused(signed(**changes))


def test_clocks_may_differ_within_the_leeway() -> None:
    for changes in ({"exp": NOW - 59}, {"nbf": NOW + 59}, {"iat": NOW + 59}):
        assert caller_of(signed(**changes)).tenant == "acme"
    strict = verifier(leeway_s=0)
    assert refused(signed(exp=NOW - 1), strict)


def test_a_signature_of_another_key_is_refused() -> None:
    assert refused(signed(STRANGER))


def test_a_token_that_was_changed_is_refused() -> None:
    head, _, signature = signed().split(".")
    forged = _coded(json.dumps(claims(tenant="beta")).encode())
    assert refused(f"{head}.{forged}.{signature}")


@pytest.mark.parametrize("kid", ["rsa-1", None])
def test_a_token_without_a_signature_is_refused(kid: str | None) -> None:
    header = {"alg": "none", "kid": kid} if kid else {"alg": "none"}
    parts = [_coded(json.dumps(part).encode()) for part in (header, claims())]
    for token in (f"{parts[0]}.{parts[1]}.", ".".join(parts), "", "..", "a.b.c", "ü"):
        assert refused(token)


def test_a_public_key_used_as_a_shared_secret_is_refused() -> None:
    header = {"alg": "HS256", "kid": "rsa-1"}
    signed_part = ".".join(_coded(json.dumps(part).encode()) for part in (header, claims()))
    for secret in (RSA.as_pem(private=False), public(RSA)):
        signature = hmac.digest(secret, signed_part.encode(), "sha256")
        assert refused(f"{signed_part}.{_coded(signature)}")


@pytest.mark.filterwarnings("ignore::joserfc.errors.SecurityWarning")
def test_a_shared_secret_in_the_published_set_is_not_used() -> None:
    shared = OctKey.generate_key(256, parameters={"kid": "oct-1"})
    secret, other_use = shared.as_dict(private=True), EC.as_dict(private=False) | {"use": "enc"}
    content = json.dumps({"keys": [secret, other_use, RSA.as_dict(private=False)]})
    assert [key.kid for key in key_set_of(content.encode()).keys] == ["rsa-1"]

    async def fetch() -> bytes:
        return content.encode()

    by = JwtVerifier(
        Keys(fetch),
        issuer=ISSUER,
        audience=AUDIENCE,
        algorithms=ALGORITHMS,
        now=lambda: float(NOW),
    )
    assert refused(jwt.encode({"alg": "HS256", "kid": "oct-1"}, claims(), shared), by)
    assert caller_of(signed(), by).tenant == "acme"


@pytest.mark.parametrize(
    "bad",
    [
        {"kty": "RSA", "kid": "x"},
        {"kty": "RSA", "n": 5, "e": "AQAB"},
        {"kty": "EC", "crv": "P-999", "x": "AA", "y": "AA"},
        {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
        {"kty": "OKP", "crv": "Ed25519", "x": "A"},
        {"kty": ["RSA"]},
        "a key",
    ],
)
def test_a_key_that_is_not_understood_does_not_cost_the_others(bad: Any) -> None:
    content = json.dumps({"keys": [bad, EC.as_dict(private=False)]}).encode()
    assert [key.kid for key in key_set_of(content).keys] == ["ec-1"]


@given(text=st.text(max_size=60) | st.binary(max_size=60).map(_coded), place=st.integers(0, 2))
def test_whatever_stands_in_a_token_it_is_refused_and_nothing_else(text: str, place: int) -> None:
    parts = signed().split(".")
    assert refused(".".join([*parts[:place], text, *parts[place + 1 :]]))


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "ES256", "kid": "rsa-1"},
        {"alg": "RS256", "kid": 7},
        {"alg": "RS256", "kid": ["rsa-1"]},
        {"alg": ["RS256"], "kid": "rsa-1"},
        {"alg": "RS256", "kid": "rsa-1", "crit": ["b64"], "b64": False},
        {"kid": "rsa-1"},
        [],
        "x",
    ],
)
def test_a_token_with_an_odd_header_is_refused(header: Any) -> None:
    _, payload, signature = signed().split(".")
    assert refused(f"{_coded(json.dumps(header).encode())}.{payload}.{signature}")
    assert refused(f"{_coded(b'[' * 9_000)}.{payload}.{signature}")


def test_only_listed_algorithms_of_public_keys_are_taken() -> None:
    assert refused(signed(), verifier(algorithms=frozenset({"ES256"})))
    for wrong in ("none", "HS256"):
        with pytest.raises(UsageError, match="jwt_algorithms"):
            verifier(algorithms=frozenset({"RS256", wrong}))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("tip:publish tip:admin", {Permission.PUBLISH, Permission.ADMIN}),
        (["tip:interrogate"], {Permission.INTERROGATE}),
        ("openid email", set()),
        ("interrogate", set()),
        (None, set()),
        (7, set()),
    ],
)
def test_what_a_token_is_for_must_be_said_in_it(said: Any, meant: set[Permission]) -> None:
    assert caller_of(signed(scope=said)).permissions == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (["a", "b"], frozenset({"a", "b"})),
        ("a b", frozenset({"a", "b"})),
        ("*", None),
        (["*"], None),
        (None, frozenset()),
        ({"a": 1}, frozenset()),
    ],
)
def test_without_a_word_a_token_is_for_no_tez(said: Any, meant: frozenset[str] | None) -> None:
    assert caller_of(signed(tezits=said)).tezits == meant


def test_the_names_of_claims_are_settings() -> None:
    by = verifier(names=ClaimNames(tenant="org", user="email", tezits="grants"))
    good = {"org": "beta", "email": "joe@example.com", "grants": ["x"]}
    caller = caller_of(signed(**good, email_verified=True), by)
    assert (caller.tenant, caller.user) == ("beta", "user:joe@example.com")
    assert caller.tezits == frozenset({"x"})
    for unchecked in (None, False, "true"):
        assert refused(signed(**good, email_verified=unchecked), by)


def test_a_new_key_is_found_and_a_flood_of_unknown_ones_does_not_reach_the_issuer() -> None:
    issuer, clock = Issuer(RSA), Clock(0.0)
    by = JwtVerifier(
        Keys(issuer.fetch, now=clock),
        issuer=ISSUER,
        audience=AUDIENCE,
        algorithms=ALGORITHMS,
        now=lambda: float(NOW),
    )

    async def run() -> None:
        await by.caller_of(signed())
        issuer.keys = (EC,)
        for _ in range(20):
            with pytest.raises(AuthenticationRequired):
                await by.caller_of(signed(EC, "ES256"))
        assert issuer.looks == 1
        clock.now = FLOOR_S
        await by.caller_of(signed(EC, "ES256"))
        # What the issuer has taken back is no longer good.
        with pytest.raises(AuthenticationRequired):
            await by.caller_of(signed())
        assert issuer.looks == 2

    asyncio.run(run())


def test_keys_are_read_again_and_an_issuer_that_is_down_is_waited_for_but_not_for_ever() -> None:
    issuer, clock = Issuer(RSA), Clock(0.0)
    keys = Keys(issuer.fetch, now=clock)

    async def run() -> None:
        assert isinstance(await keys.key_set("rsa-1"), KeySet)
        clock.now = MOST_AGE_S - 1
        await keys.key_set("rsa-1")
        assert issuer.looks == 1
        issuer.is_down = True
        clock.now = MOST_AGE_S
        await keys.key_set("rsa-1")
        assert issuer.looks == 2
        clock.now = 2 * MOST_AGE_S
        with pytest.raises(AuthenticationRequired):
            await keys.key_set("rsa-1")
        issuer.is_down = False
        clock.now += FLOOR_S
        await keys.key_set("rsa-1")

    asyncio.run(run())


def test_keys_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(public(RSA))
    found = asyncio.run(keys_from(str(file)).key_set("rsa-1"))
    assert [key.kid for key in found.keys] == ["rsa-1"]


@pytest.mark.parametrize("content", [b"", b"[]", b'{"keys": 1}', b'{"keys": []}', b"\xff"])
def test_a_file_that_holds_no_keys_lets_nobody_in(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "keys.json"
    file.write_bytes(content)
    with pytest.raises(AuthenticationRequired):
        asyncio.run(keys_from(str(file)).key_set("rsa-1"))


@pytest.fixture
def address() -> Iterator[str]:
    """A server on this machine: keys at /keys, a way elsewhere at /away, too much at /large."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302 if self.path == "/away" else 200)
            if self.path == "/away":
                self.send_header("Location", "/keys")
            self.end_headers()
            content = public(RSA)
            self.wfile.write(b" " * (2 << 20) + content if self.path == "/large" else content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_keys_come_from_an_address(address: str) -> None:
    found = asyncio.run(keys_from(f"{address}/keys").key_set("rsa-1"))
    assert [key.kid for key in found.keys] == ["rsa-1"]
    for path in ("/away", "/large"):
        with pytest.raises(AuthenticationRequired):
            asyncio.run(keys_from(address + path).key_set("rsa-1"))


def test_keys_are_not_fetched_in_the_clear() -> None:
    for place in ("http://login.example.com/keys", "ftp://login.example.com/keys"):
        with pytest.raises(UsageError, match="https"):
            keys_from(place)


def test_settings_without_issuer_or_audience_are_refused() -> None:
    assert verifier_from(Settings()) is None
    whole = {"jwt_jwks": "keys.json", "jwt_issuer": ISSUER, "jwt_audience": AUDIENCE}
    assert verifier_from(Settings(**whole)) is not None  # type: ignore[arg-type]
    for name in ("jwt_issuer", "jwt_audience"):
        with pytest.raises(UsageError, match=name):
            verifier_from(Settings(**(whole | {name: "none"})))  # type: ignore[arg-type]


def test_a_header_with_a_jwt_is_taken_where_jwts_are() -> None:
    bearer = Bearer(tokens=None, jwt=verifier())  # type: ignore[arg-type]
    assert asyncio.run(bearer.authenticate(f"Bearer {signed()}")).tenant == "acme"
