"""`tip token issue|list|revoke`: who may ask the server that has this data directory."""

from __future__ import annotations

import argparse
import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from tipstaff.cli.options import settings_from
from tipstaff.cli.server_data import add_server_data, server_records
from tipstaff.cli.terminal import Terminal
from tipstaff.domain.caller import Permission, user_named
from tipstaff.domain.timestamp import timestamp_or_none
from tipstaff.errors import UsageError
from tipstaff.instances.announcements import Kind, announce

if TYPE_CHECKING:
    from tipstaff.access.tokens import TokenFacts, Tokens

_NEVER = "never"
_DURATION = re.compile(r"(\d{1,5})([mhdw])")
_UNIT_S = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_USER = re.compile(r"[^\s\x00-\x1f]{1,200}")


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="issue|list|revoke", required=True)
    issue = actions.add_parser("issue", help="a new token; its secret is shown once")
    issue.add_argument("user", metavar="USER", help="whose it is: jane@example.com")
    issue.add_argument(
        "--scope",
        action="append",
        choices=list(Permission),
        help="what it is for; may be repeated (default: interrogate)",
    )
    which = issue.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--tez", action="append", metavar="ID", help="a tez that it is for; may be repeated"
    )
    which.add_argument("--every-tez", action="store_true", help="it is for all of the tenant's")
    issue.add_argument(
        "--expires", default="30d", metavar="30d", help="45m, 12h, 30d, 8w, or never (default 30d)"
    )
    issue.add_argument("--label", default="", help="what to remember it by")
    listing = actions.add_parser("list", help="every token; secrets are not known")
    revoke = actions.add_parser("revoke", help="from this moment on it opens nothing")
    revoke.add_argument("token_id", metavar="TOKEN-ID", help="as `tip token list` shows it")
    for action in (issue, listing, revoke):
        add_server_data(action)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    action = {"issue": _issue, "list": _list, "revoke": _revoke}[arguments.action]
    asyncio.run(_with_tokens(arguments, lambda tokens: action(tokens, arguments, terminal)))
    return 0


async def _with_tokens(
    arguments: argparse.Namespace, work: Callable[[Tokens], Awaitable[None]]
) -> None:
    async with server_records(arguments) as records:
        from tipstaff.access.tokens import Tokens

        await work(Tokens(records))


async def _issue(tokens: Tokens, arguments: argparse.Namespace, terminal: Terminal) -> None:
    name = arguments.user
    if not _USER.fullmatch(name):
        raise UsageError("A user is named by one word, such as jane@example.com.")
    secret, facts = await tokens.issue(
        tenant=arguments.tenant,
        user=user_named(name),
        permissions=[Permission(one) for one in arguments.scope or (Permission.INTERROGATE,)],
        tezits=arguments.tez,
        expires_at=_expiry(arguments.expires),
        label=arguments.label,
    )
    if arguments.json:
        terminal.json({"token": secret, **_shown(facts)})
        return
    terminal.answer(secret)
    end = timestamp_or_none(facts.expires_at) or "never"
    terminal.say(f"{facts.token_id} for {facts.user}, expires: {end}. It is not shown again.")


async def _list(tokens: Tokens, arguments: argparse.Namespace, terminal: Terminal) -> None:
    known = await tokens.list(arguments.tenant)
    if arguments.json:
        terminal.json({"tokens": [_shown(facts) for facts in known]})
        return
    rows = [
        [
            facts.token_id,
            facts.user,
            " ".join(sorted(facts.permissions)),
            "every tez" if facts.tezits is None else " ".join(sorted(facts.tezits)),
            _state(facts),
            facts.label,
        ]
        for facts in known
    ]
    header = ["id", "user", "for", "tezits", "state", "label"]
    terminal.answer(terminal.table(header, rows) if rows else "There are no tokens.")


async def _revoke(tokens: Tokens, arguments: argparse.Namespace, terminal: Terminal) -> None:
    await tokens.revoke(arguments.tenant, arguments.token_id)
    # Streams that were opened with it are one long request each.
    await announce(
        settings_from(arguments), Kind.REVOKED, tenant=arguments.tenant, name=arguments.token_id
    )
    if arguments.json:
        terminal.json({"revoked": arguments.token_id})
    else:
        terminal.answer(f"{arguments.token_id} is revoked.")


def _expiry(said: str) -> float | None:
    if said == _NEVER:
        return None
    match = _DURATION.fullmatch(said)
    if match is None or int(match[1]) == 0:
        raise UsageError(f"--expires takes 45m, 12h, 30d, 8w or never, not '{said}'.")
    return time.time() + int(match[1]) * _UNIT_S[match[2]]


def _state(facts: TokenFacts) -> str:
    if facts.revoked_at is not None:
        return "revoked"
    if not facts.is_good(time.time()):
        return "expired"
    return f"until {timestamp_or_none(facts.expires_at)}" if facts.expires_at else "good"


def _shown(facts: TokenFacts) -> dict[str, Any]:
    return {
        "token_id": facts.token_id,
        "tenant": facts.tenant,
        "user": facts.user,
        "scopes": sorted(facts.permissions),
        "tezits": None if facts.tezits is None else sorted(facts.tezits),
        "label": facts.label,
        "issued_at": timestamp_or_none(facts.issued_at),
        "expires_at": timestamp_or_none(facts.expires_at),
        "revoked_at": timestamp_or_none(facts.revoked_at),
    }
