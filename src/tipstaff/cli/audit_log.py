"""`tip audit-log export|verify|prune`: a tenant's audit log, taken out, checked, shortened."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.audit.chain import NoRecord
from tipstaff.audit.verifying import Anchor, Verdict, read_export, verify
from tipstaff.cli.options import settings_from
from tipstaff.cli.server_data import add_server_data, folder_of, key_of, server_records
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import EXIT_CHECKS_FAILED, UsageError

if TYPE_CHECKING:
    from tipstaff.audit.chain import AuditRecord


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="export|verify|prune", required=True)
    export = actions.add_parser("export", help="every record of a tenant, one line of JSON each")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="else on stdout")
    check = actions.add_parser("verify", help="whether anything was changed, removed or moved")
    check.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="an exported log; else the server's own"
    )
    check.add_argument(
        "--anchor",
        action="append",
        default=[],
        metavar="N:HASH",
        help="where an earlier export or check ended; shows a cut tail; may be repeated",
    )
    check.add_argument(
        "--without-key",
        action="store_true",
        help="do not ask whether it was this server that pruned: for those who lack its key",
    )
    prune = actions.add_parser(
        "prune", help="drop records of retrieval that are older than allowed"
    )
    for action in (export, check, prune):
        add_server_data(action)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    action = {"export": _export, "verify": _verify, "prune": _prune}[arguments.action]
    return asyncio.run(action(arguments, terminal))


async def _export(arguments: argparse.Namespace, terminal: Terminal) -> int:
    records = await _records(arguments)
    content = b"".join(record.line() for record in records)
    verdict = verify(records, tenant=arguments.tenant)
    if arguments.output is None:
        terminal.release(content.decode())
    else:
        arguments.output.write_bytes(content)
    if arguments.json and arguments.output is not None:
        terminal.json({"records": verdict.records, "anchor": str(verdict.head)})
    terminal.say(f"{verdict.records:,} records. Anchor, to keep elsewhere: {verdict.head}")
    return 0


async def _verify(arguments: argparse.Namespace, terminal: Terminal) -> int:
    anchors = [Anchor.of(text) for text in arguments.anchor]
    tenant, key = None, None
    if not arguments.without_key:
        key = key_of(settings_from(arguments), folder_of(arguments))
    if arguments.file is None:
        tenant = arguments.tenant
        records = await _records(arguments)
        anchors.append(await _noted_head(arguments))
    else:
        records = _exported(arguments.file)
    verdict = verify(records, tenant=tenant, anchors=anchors, key=key)
    if arguments.json:
        terminal.json(_shown(verdict))
    else:
        for finding in verdict.findings:
            terminal.answer(f"Record {finding.number} {finding.says}.")
        state = "whole" if verdict.is_whole else "NOT whole"
        terminal.answer(f"{verdict.records:,} records, {verdict.pruned:,} of them pruned: {state}.")
        terminal.answer(f"Anchor: {verdict.head}")
    return 0 if verdict.is_whole else EXIT_CHECKS_FAILED


async def _prune(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from tipstaff.hosting.audit_retention import prune_old

    settings, now = settings_from(arguments), time.time()
    async with server_records(arguments) as records:
        gone = await prune_old(
            records,
            arguments.tenant,
            settings=settings,
            key=key_of(settings, folder_of(arguments)),
            by="operator",
            now=now,
        )
    if arguments.json:
        terminal.json({"pruned": gone, "older_than_days": settings.audit_days})
    else:
        terminal.answer(f"{gone:,} records older than {settings.audit_days} days were pruned.")
    return 0


async def _records(arguments: argparse.Namespace) -> list[AuditRecord]:
    async with server_records(arguments) as records:
        from tipstaff.records.audit_trail import every

        return [record async for record in every(records, arguments.tenant)]


async def _noted_head(arguments: argparse.Namespace) -> Anchor:
    """The database notes where the chain ends: whoever cuts it and forgets that is found."""
    async with server_records(arguments) as records:
        from tipstaff.records.audit_trail import head

        async with records.reading(arguments.tenant) as connection:
            return Anchor(*await head(connection, arguments.tenant))


def _exported(path: Path) -> list[AuditRecord]:
    try:
        with path.open("rb") as stream:
            return list(read_export(stream))
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}.") from None
    except NoRecord as problem:
        raise UsageError(f"{path} is no exported audit log. {problem}") from None


def _shown(verdict: Verdict) -> dict[str, object]:
    return {
        "whole": verdict.is_whole,
        "records": verdict.records,
        "pruned": verdict.pruned,
        "anchor": str(verdict.head),
        "findings": [{"number": one.number, "says": one.says} for one in verdict.findings],
    }
