"""`tip mcp BUNDLE…`: an MCP server for agents, over stdio or (`--http`) beside the HTTP API."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tipstaff.cli.options import add_common, add_recipient, settings_from
from tipstaff.cli.serve import add_listening, serve
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from tipstaff.serve.service import Service


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bundles", metavar="BUNDLE", nargs="*", help="tezits that the agent may ask"
    )
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="FOLDER",
        help="let the agent open bundles here and write what it packs; may be repeated",
    )
    parser.add_argument("--model", metavar="NAME", help="what words the answers (docs/models.md)")
    add_recipient(parser)
    parser.add_argument(
        "--http",
        action="store_true",
        help="over HTTP, at /mcp of a server that has the other routes, too (docs/agents.md)",
    )
    add_listening(parser)
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    _check(arguments)
    if not arguments.http:
        return _over_stdio(arguments, terminal)
    return serve(arguments, terminal, show=_show_address, app_of=_app_of(arguments))


def _check(arguments: argparse.Namespace) -> None:
    try:
        import mcp  # noqa: F401
    except ModuleNotFoundError as problem:
        raise MissingExtra("tip mcp", extra="mcp") from problem
    if arguments.http and arguments.recipient is not None:
        raise UsageError("Over HTTP the token says who asks: --as is for stdio.")
    listening = ("host", "port", "tls_cert", "tls_key", "config", "insecure_plain_http")
    given = [name for name in listening if getattr(arguments, name) is not None]
    if given and not arguments.http:
        raise UsageError(f"--{given[0].replace('_', '-')} is for --http.")
    for folder in arguments.allow:
        if not Path(folder).expanduser().is_dir():
            raise UsageError(f"--allow takes a folder; '{folder}' is none.")


def _over_stdio(arguments: argparse.Namespace, terminal: Terminal) -> int:
    from tipstaff.agents.folders import AllowedFolders
    from tipstaff.agents.local import LocalDesk
    from tipstaff.agents.stdio import serve_stdio
    from tipstaff.serve.logs import set_up_logs

    set_up_logs("warning")
    desk = LocalDesk(
        settings=settings_from(arguments),
        recipient=arguments.recipient,
        model=arguments.model,
        folders=AllowedFolders.of(arguments.allow),
    )
    for path in arguments.bundles:
        entry = desk.add(Path(path))
        # stdout is the protocol's.
        terminal.say(f"Ready to be asked: {entry.tez_id}: {entry.title}")
    asyncio.run(serve_stdio(desk))
    return 0


def _app_of(arguments: argparse.Namespace) -> Callable[[Service], FastAPI]:
    def app_of(service: Service) -> FastAPI:
        from tipstaff.agents.folders import AllowedFolders
        from tipstaff.agents.http import app_with_mcp

        return app_with_mcp(service, AllowedFolders.of(arguments.allow))

    return app_of


def _show_address(terminal: Terminal, address: str, secret: str | None) -> None:
    terminal.release(f"{address}/mcp\n")
    if secret is not None:
        terminal.release(f"token: {secret}\n")
