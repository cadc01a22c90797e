"""`tip share create|list|revoke|accept|decline|sync`: tezits of a tenant, for another tenant."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from tipstaff.cli.options import settings_from
from tipstaff.cli.server_data import add_server_data, folder_of, server_records
from tipstaff.cli.terminal import Terminal
from tipstaff.domain.caller import Caller, Permission, user_named

if TYPE_CHECKING:
    from tipstaff.tenancy.shares import Given, Received
    from tipstaff.tenancy.sharing import Sharing

_STRATEGIES = ("accept_dependency", "snapshot", "replicated")
OPERATOR = "user:operator"


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action", metavar="create|list|revoke|accept|decline|sync", required=True
    )
    create = actions.add_parser("create", help="let another tenant ask a tez")
    create.add_argument("tez_id", metavar="TEZ", help="the tez, by its id")
    create.add_argument("to_tenant", metavar="TENANT", help="the tenant that it is shared with")
    create.add_argument(
        "--strategy",
        choices=_STRATEGIES,
        default=_STRATEGIES[0],
        help="where it lies: with you, as a copy, or as a copy that follows (Enterprise §6.3.1)",
    )
    create.add_argument(
        "--user", action="append", metavar="USER", help="for these users alone; may be repeated"
    )
    create.add_argument(
        "--every", type=int, metavar="SECONDS", help="how often a replicated copy is renewed"
    )
    create.add_argument(
        "--on-revoke", choices=("keep", "withdraw"), help="what becomes of a copy afterwards"
    )
    listing = actions.add_parser("list", help="what is shared by a tenant, and with it")
    listing.add_argument("tez_id", metavar="TEZ", nargs="?", help="of one tez")
    revoke = actions.add_parser("revoke", help="from this moment on it cannot be asked")
    revoke.add_argument("tez_id", metavar="TEZ", help="the tez, by its id")
    revoke.add_argument("share_id", metavar="SHARE-ID", help="as `tip share list` shows it")
    sync = actions.add_parser("sync", help="bring copies up to date that are due")
    accept = actions.add_parser("accept", help="take what another tenant shares with this one")
    decline = actions.add_parser("decline", help="do not take it, or no longer")
    for answer in (accept, decline):
        answer.add_argument("share_id", metavar="SHARE-ID", help="as `tip share list` shows it")
    for action in (create, listing, revoke, accept, decline, sync):
        add_server_data(action)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    action = {
        "create": _create,
        "list": _list,
        "revoke": _revoke,
        "accept": _decide,
        "decline": _decide,
        "sync": _sync,
    }
    chosen = action[arguments.action]
    asyncio.run(_with_sharing(arguments, lambda sharing: chosen(sharing, arguments, terminal)))
    return 0


async def _with_sharing(
    arguments: argparse.Namespace, work: Callable[[Sharing], Awaitable[None]]
) -> None:
    async with server_records(arguments) as records:
        from tipstaff.hosting.tezits import Tezits
        from tipstaff.tenancy.sharing import Sharing

        settings = settings_from(arguments)
        tezits = Tezits(records, settings=settings, data_folder=folder_of(arguments))
        try:
            await work(Sharing(records, tezits, accept_shares=settings.accept_shares))
        finally:
            await tezits.aclose()


async def _create(sharing: Sharing, arguments: argparse.Namespace, terminal: Terminal) -> None:
    from tipstaff.tenancy.shares import Consent, OnRevoke, Strategy

    given = await sharing.share(
        _operator(arguments),
        arguments.tez_id,
        to_tenant=arguments.to_tenant,
        strategy=Strategy(arguments.strategy),
        users=[user_named(one) for one in arguments.user or ()] or None,
        sync_interval_s=arguments.every,
        on_revoke=OnRevoke(arguments.on_revoke) if arguments.on_revoke else None,
    )
    if arguments.json:
        terminal.json({"share": given.to_wire()})
    else:
        terminal.answer(given.share_id)
        is_taken = given.consent is Consent.ACCEPTED
        may = "may ask" if is_taken else "is asked to accept, and may then ask"
        terminal.say(f"{given.to_tenant} {may} {given.tez_id} as {given.share_id}.")


async def _list(sharing: Sharing, arguments: argparse.Namespace, terminal: Terminal) -> None:
    caller = _operator(arguments)
    given = await sharing.given_by(caller.tenant, arguments.tez_id)
    received = [] if arguments.tez_id else await sharing.received(caller)
    if arguments.json:
        now = time.time()
        shown = {
            "given": [one.to_wire() for one in given],
            "received": [one.to_wire(now) for one in received],
        }
        terminal.json(shown)
        return
    rows = [
        [one.share_id, f"{one.tez_id} to {one.to_tenant}", one.strategy, _state(one)]
        for one in given
    ] + [
        [one.share_id, f"{one.tez_id} from {one.from_tenant}", one.strategy, _state(one)]
        for one in received
    ]
    header = ["id", "share", "strategy", "state"]
    terminal.answer(terminal.table(header, rows) if rows else "Nothing is shared.")


async def _revoke(sharing: Sharing, arguments: argparse.Namespace, terminal: Terminal) -> None:
    gone = await sharing.revoke(_operator(arguments), arguments.tez_id, arguments.share_id)
    if arguments.json:
        terminal.json({"share": gone.to_wire()})
    else:
        terminal.answer(f"{gone.share_id} is revoked.")


async def _decide(sharing: Sharing, arguments: argparse.Namespace, terminal: Terminal) -> None:
    from tipstaff.tenancy.shares import Consent

    consent = Consent.ACCEPTED if arguments.action == "accept" else Consent.DECLINED
    share = await sharing.decide(_operator(arguments), arguments.share_id, consent)
    if arguments.json:
        terminal.json({"share": share.to_wire(time.time())})
    else:
        terminal.answer(f"{share.share_id} is {consent}.")


async def _sync(sharing: Sharing, arguments: argparse.Namespace, terminal: Terminal) -> None:
    changed = await sharing.sync()
    if arguments.json:
        terminal.json({"changed": changed})
    else:
        terminal.answer(f"{changed} copies were renewed.")


def _operator(arguments: argparse.Namespace) -> Caller:
    """Whoever has the server's data is its tenants' admin."""
    permissions = frozenset({Permission.ADMIN, Permission.PUBLISH})
    return Caller(tenant=arguments.tenant, user=OPERATOR, permissions=permissions)


def _state(share: Given | Received) -> str:
    if share.revoked_at is not None:
        return "revoked"
    return "shared" if share.consent == "accepted" else str(share.consent)
