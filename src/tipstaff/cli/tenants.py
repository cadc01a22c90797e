"""`tip tenants audit`: whether every file, index and row belongs to exactly one tenant."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import MissingExtra
from tipstaff.settings import data_directory

if TYPE_CHECKING:
    from tipstaff.tenancy.auditing import TenantsAudit

_CHECKS_FAILED = 9


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="audit", required=True)
    audit = actions.add_parser("audit", help="look for what is in the wrong place; exit code 9")
    audit.add_argument("--data", type=Path, metavar="DIR", help="the server's data directory")
    add_common(audit)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    audit = asyncio.run(_audited(arguments))
    findings = audit.report.findings
    if arguments.json:
        terminal.json(
            {
                "tenants": audit.tenants,
                "findings": [
                    {"code": one.code, "where": one.where, "message": one.message}
                    for one in findings
                ],
            }
        )
    else:
        for one in findings:
            terminal.answer(str(one))
        terminal.say(f"{audit.tenants} tenants, {len(findings)} findings.")
    return _CHECKS_FAILED if findings else 0


async def _audited(arguments: argparse.Namespace) -> TenantsAudit:
    try:
        from tipstaff.records.database import Pool, open_records, records_address
        from tipstaff.tenancy.auditing import audit_tenants
    except ModuleNotFoundError as problem:
        raise MissingExtra("tip tenants", extra="serve") from problem
    folder = arguments.data or data_directory()
    settings = settings_from(arguments)
    records = await open_records(records_address(settings, folder), pool=Pool.of(settings))
    try:
        return await audit_tenants(records, settings, folder)
    finally:
        await records.aclose()
