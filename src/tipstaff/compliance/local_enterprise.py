"""Our own servers for the Enterprise suite: three tenants, an authorizer, and small limits.

Two processes: one without rates, one whose rates can be reached with a few queries (§6.4).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec

from tipstaff.compliance.decisions import STORE, deciding
from tipstaff.compliance.enterprise.conversing import ALLOWED, DENIED, STRANGER, THIRD
from tipstaff.compliance.enterprise.rate_limits import PEOPLE
from tipstaff.compliance.local import THE_OWNER, UNLIMITED, LocalServer, Role, local_server

_ALL = ("publish", "interrogate", "admin")
_ALLOWED_USER = "allowed@compliance.test"
# One who may do everything for each tenant; the others get their tokens from them.
ADMINS = (
    THE_OWNER,
    Role(name=STRANGER, user="stranger@elsewhere.test", scopes=_ALL, tenant="elsewhere"),
    Role(name=THIRD, user="third@third.test", scopes=_ALL, tenant="third"),
)
RECIPIENTS = (
    Role(name=ALLOWED, user=_ALLOWED_USER),
    Role(name=DENIED, user="denied@compliance.test"),
)
_LIMITED = tuple(
    Role(name=name, user=f"{name}@limited.test", scopes=_ALL, tenant=name.split("-")[0])
    for name in PEOPLE["global"]
)
LIMITED_ADMINS = tuple(role for role in _LIMITED if role.name.endswith("-a"))
LIMITED_OTHERS = tuple(role for role in _LIMITED if not role.name.endswith("-a"))
# Every scope can be filled before the next wider one is, and the widest by all tests together.
RATES = (
    *("rate_per_session=2", "rate_per_recipient=0", "rate_per_user=4"),
    *("rate_per_tez=6", "rate_per_tenant=8", "rate_global=22"),
)
OPTIONS = {"stranger_tenant": "elsewhere", "owner_tenant": THE_OWNER.tenant}


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalEnterprise:
    """`options` are what the suite must be told (World.options)."""

    main: LocalServer
    limited: LocalServer
    options: dict[str, str]


@contextlib.contextmanager
def local_enterprise(*, settings: Sequence[str] = ()) -> Iterator[LocalEnterprise]:
    access = "fga" if find_spec("openfga_sdk") is not None else "opa"
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(deciding(f"user:{_ALLOWED_USER}"))
        decided = (
            (f"fga_url={address}", f"fga_store={STORE}")
            if access == "fga"
            else (f"opa_url={address}",)
        )
        main = stack.enter_context(
            local_server(roles=ADMINS, settings=(*UNLIMITED, *decided, *settings))
        )
        limited = stack.enter_context(
            local_server(roles=LIMITED_ADMINS, settings=(*RATES, *settings))
        )
        yield LocalEnterprise(
            main=_with(main, ADMINS, RECIPIENTS),
            limited=_with(limited, LIMITED_ADMINS, LIMITED_OTHERS),
            options={**OPTIONS, "access": access},
        )


def _with(server: LocalServer, admins: Sequence[Role], others: Sequence[Role]) -> LocalServer:
    """The same server with tokens for others: over its API, which is quicker than a command."""
    import httpx

    tokens = dict(server.tokens)
    for role in others:
        admin = next(one for one in admins if one.tenant == role.tenant)
        answer = httpx.post(
            f"{server.url}/tokens",
            json={"user": role.user, "permissions": list(role.scopes)},
            headers={"Authorization": f"Bearer {tokens[admin.name]}"},
        )
        tokens[role.name] = answer.raise_for_status().json()["secret"]
    return replace(server, tokens=tokens)
