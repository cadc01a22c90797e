"""`tip migrate [--check]`: the database of a server's records, brought to this version's state."""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import EXIT_CHECKS_FAILED, MissingExtra
from tipstaff.settings import Settings, data_directory

if TYPE_CHECKING:
    from tipstaff.records.migrating import Standing


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit code 9 if it is not up to date"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="the server's data directory")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    try:
        from tipstaff.records.migrating import HEAD, State
    except ModuleNotFoundError as problem:
        raise MissingExtra("tip migrate", extra="serve") from problem
    folder = arguments.data or data_directory()
    standing = asyncio.run(_done(settings_from(arguments), folder, check=arguments.check))
    is_current = standing.state is State.CURRENT
    if arguments.json:
        now = standing.version if arguments.check else HEAD
        terminal.json({"state": standing.state, "was": standing.version, "is": now, "head": HEAD})
    elif is_current:
        terminal.answer(f"Up to date: {HEAD}.")
    elif arguments.check and standing.version == HEAD:
        terminal.answer("Not up to date: the tables of jobs are missing or behind.")
    elif arguments.check:
        terminal.answer(f"Not up to date: {standing.version or standing.state}, not {HEAD}.")
    else:
        terminal.answer(f"From {standing.version or standing.state} to {HEAD}.")
    return EXIT_CHECKS_FAILED if arguments.check and not is_current else 0


async def _done(settings: Settings, folder: Path, *, check: bool) -> Standing:
    from tipstaff.records.database import records_engine
    from tipstaff.records.job_schema import jobs_behind
    from tipstaff.records.migrating import State, migrate, standing_of

    engine, role = records_engine(settings, folder)
    try:
        if check:
            async with engine.connect() as connection:
                standing = await connection.run_sync(standing_of)
            lacks_jobs = engine.dialect.name == "postgresql" and await jobs_behind(engine)
            if standing.state is State.CURRENT and lacks_jobs:
                return replace(standing, state=State.BEHIND)
            return standing
        return await migrate(engine, application_role=role)
    finally:
        await engine.dispose()
