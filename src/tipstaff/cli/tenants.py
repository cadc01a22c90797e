"""`tip tenants audit`: whether every file, index and row belongs to exactly one tenant."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.server_data import folder_of, server_records
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import EXIT_CHECKS_FAILED

if TYPE_CHECKING:
    from tipstaff.tenancy.auditing import TenantsAudit


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
    return EXIT_CHECKS_FAILED if findings else 0


async def _audited(arguments: argparse.Namespace) -> TenantsAudit:
    async with server_records(arguments) as records:
        from tipstaff.tenancy.auditing import audit_tenants

        return await audit_tenants(records, settings_from(arguments), folder_of(arguments))
