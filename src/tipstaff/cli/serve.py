"""`tip serve [BUNDLE…]`: the HTTP API and its event streams, of bundles here and published."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tipstaff.cli.options import add_common
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import MissingExtra, UsageError
from tipstaff.settings import Settings, load_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from tipstaff.serve.configuration import ServeConfiguration
    from tipstaff.serve.service import Service


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bundles", metavar="BUNDLE", nargs="*", help="bundles to serve from where they lie"
    )
    add_listening(parser)
    parser.add_argument("--model", metavar="NAME", help="what words the answers (docs/models.md)")
    add_common(parser)


def add_listening(parser: argparse.ArgumentParser) -> None:
    """Where and how a server listens; `tip mcp --http` is one, too."""
    parser.add_argument("--host", help="address to listen at (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, help="its port; 0 takes a free one (default: 8000)")
    parser.add_argument("--tls-cert", metavar="FILE", help="certificate chain (PEM)")
    parser.add_argument("--tls-key", metavar="FILE", help="its private key (PEM)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file (docs/serve.md)")
    parser.add_argument(
        "--insecure-plain-http",
        action="store_true",
        default=None,
        help="listen beyond this computer without TLS: only behind a proxy that has it",
    )


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    return serve(arguments, terminal, show=_show_page)


def serve(
    arguments: argparse.Namespace,
    terminal: Terminal,
    *,
    show: Callable[[Terminal, str, str | None], None],
    app_of: Callable[[Service], FastAPI] | None = None,
) -> int:
    """Serves until a signal comes; `app_of` makes an app that has more routes, `show` tells where
    it is found."""
    try:
        from tipstaff.serve.configuration import check
        from tipstaff.serve.logs import set_up_logs
        from tipstaff.serve.running import run as run_server
    except ModuleNotFoundError as problem:
        raise MissingExtra("Serving over HTTP", extra="serve") from problem
    configuration, settings = _configured(arguments)
    check(configuration)
    set_up_logs(configuration.log_level)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(
            _served(
                configuration, settings, terminal, run_server=run_server, show=show, app_of=app_of
            )
        )
    terminal.say("Stopped.")
    return 0


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster loop, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _served(
    configuration: ServeConfiguration,
    settings: Settings,
    terminal: Terminal,
    *,
    run_server: Any,
    show: Callable[[Terminal, str, str | None], None],
    app_of: Callable[[Service], FastAPI] | None,
) -> None:
    from tipstaff.serve.composing import composed, local_token

    async with composed(configuration, settings) as parts:
        for path in configuration.bundles:
            tez = await parts.tezits.add_local(Path(path))
            terminal.say(f"Serving {tez.tez_id} (version {tez.version}): {tez.title}")
        token = local_token(parts) if configuration.is_loopback else nullcontext()
        async with token as secret:

            def started(address: str) -> None:
                # On stdout, at once: whoever started this waits for these lines.
                show(terminal, address, secret)

            app = app_of(parts.service) if app_of else None
            await run_server(parts.service, started=started, app=app)


def _show_page(terminal: Terminal, address: str, secret: str | None) -> None:
    terminal.release(f"{address}\n")
    if secret is not None:
        terminal.release(f"token: {secret}\n")
        # What stands behind `#` stays in the browser: no server and no log sees it.
        terminal.release(f"page: {address}/#token={secret}\n")


def _configured(arguments: argparse.Namespace) -> tuple[ServeConfiguration, Settings]:
    """The command line over the file over the defaults."""
    from tipstaff.serve.configuration import ServeConfiguration, configured, read_configuration

    base = ServeConfiguration()
    overrides: dict[str, str] = {}
    if arguments.config is not None:
        base, overrides = read_configuration(arguments.config)
    flags = ("host", "port", "tls_cert", "tls_key", "insecure_plain_http")
    given = {name: getattr(arguments, name) for name in flags}
    values = {name: value for name, value in given.items() if value is not None}
    chosen = configured(base, values, origin="tip serve")
    for assignment in arguments.set:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise UsageError(f"--set takes NAME=VALUE, not '{assignment}'.")
        overrides[name.strip()] = value.strip()
    if arguments.model is not None:
        overrides["model"] = arguments.model
    bundles = (*chosen.bundles, *arguments.bundles)
    return replace(chosen, bundles=bundles), load_settings(overrides)
