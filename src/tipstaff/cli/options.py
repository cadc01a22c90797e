"""Options that several commands share, defined once."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator

from tipstaff.bundle.opening import OpenBundle
from tipstaff.cli.terminal import Terminal
from tipstaff.engine import open_bundle
from tipstaff.errors import UsageError
from tipstaff.settings import Settings, load_settings


def add_bundle(parser: argparse.ArgumentParser, *, name: str = "BUNDLE") -> None:
    parser.add_argument(
        "bundle", metavar=name, help="a folder, a .tez or .zip file, or an inline .md document"
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON on stdout")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="override a setting, for example --set max_items=2000 (docs/settings.md)",
    )


def add_recipient(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--as",
        dest="recipient",
        metavar="USER",
        help="see only what this recipient may see: user:jane@example.com",
    )


def add_output(parser: argparse.ArgumentParser, *, metavar: str, what: str) -> None:
    parser.add_argument("-o", "--output", metavar=metavar, required=True, help=what)
    parser.add_argument("--force", action="store_true", help="replace what is there already")


@contextlib.contextmanager
def opened_bundle(
    arguments: argparse.Namespace, terminal: Terminal, doing: str
) -> Iterator[tuple[OpenBundle, Settings]]:
    """The bundle that the command names, under the settings in force, with progress."""
    settings = settings_from(arguments)
    progress = terminal.progress(doing)
    with open_bundle(arguments.bundle, settings=settings, progress=progress) as opened:
        yield opened, settings


def settings_from(arguments: argparse.Namespace) -> Settings:
    overrides = {}
    for assignment in arguments.set:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise UsageError(f"--set takes NAME=VALUE, not '{assignment}'.")
        overrides[name.strip()] = value.strip()
    return load_settings(overrides)
