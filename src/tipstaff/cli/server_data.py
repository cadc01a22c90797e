"""The records of a server, for the commands of whoever runs it."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.cli.options import add_common, settings_from
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.errors import MissingExtra
from tipstaff.server_key import server_key
from tipstaff.settings import Settings, data_directory

if TYPE_CHECKING:
    from tipstaff.records.database import Records


def add_server_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tenant", default=LOCAL_TENANT, help="whose server data (default: local)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the server's data directory")
    add_common(parser)


@asynccontextmanager
async def server_records(arguments: argparse.Namespace) -> AsyncIterator[Records]:
    try:
        from tipstaff.records.database import Pool, open_records, records_address
    except ModuleNotFoundError as problem:
        raise MissingExtra("this command", extra="serve") from problem
    settings = settings_from(arguments)
    address = records_address(settings, folder_of(arguments))
    records = await open_records(address, pool=Pool.of(settings))
    try:
        yield records
    finally:
        await records.aclose()


def folder_of(arguments: argparse.Namespace) -> Path:
    folder: Path | None = arguments.data
    return folder or data_directory()


def key_of(settings: Settings, folder: Path) -> bytes:
    return server_key(settings.key_path(folder))
