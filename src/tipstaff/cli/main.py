"""From the words of the command line to one command's module, and from errors to exit codes.

Only the chosen command is imported, so that `tip --version` stays instant.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import errno
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import Protocol

from tipstaff import __version__
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import EXIT_CODE, InternalError, TipstaffError, UsageError

# Name, module, one line of help. The module is imported when its command is chosen.
COMMANDS: dict[str, tuple[str, str]] = {
    "ask": ("tipstaff.cli.ask", "one question, answered from the bundle or abstained from"),
    "chat": ("tipstaff.cli.chat", "an interactive session of questions"),
    "inspect": ("tipstaff.cli.inspect", "what is in a bundle: items, sizes, hashes, access"),
    "audit": ("tipstaff.cli.audit", "whether the synthesis stands up: every claim, checked"),
    "check": ("tipstaff.cli.check", "validate and audit every bundle among some files, for CI"),
    "validate": ("tipstaff.cli.validate", "what is odd or wrong about a bundle"),
    "search": ("tipstaff.cli.search", "the passages that speak to a query, with their scores"),
    "index": ("tipstaff.cli.index", "build the index of a bundle ahead of time"),
    "eval": ("tipstaff.cli.eval", "how good a bundle's answers are: five metrics, with intervals"),
    "serve": ("tipstaff.cli.serve", "answer others over HTTP: sessions, streams, tokens"),
    "mcp": ("tipstaff.cli.mcp", "answer agents: an MCP server over stdio, or over HTTP"),
    "share": ("tipstaff.cli.share", "let another tenant of a server ask a tez, and revoke it"),
    "migrate": ("tipstaff.cli.migrate", "bring a server's database to this version's state"),
    "tenants": ("tipstaff.cli.tenants", "whether every file, index and row has one tenant"),
    "show": ("tipstaff.cli.show", "what a citation points at, in its surroundings"),
    "audit-log": ("tipstaff.cli.audit_log", "export and check the audit log of a server's tenant"),
    "cost": ("tipstaff.cli.cost", "what a server's tenant pays for, by tez, user and period"),
    "token": ("tipstaff.cli.token", "issue, list and revoke tokens of a server's recipients"),
    "trace": ("tipstaff.cli.trace", "to whom a leaked answer or page was given, by its marks"),
    "create": ("tipstaff.cli.create", "a bundle from a folder of files, by flags or questions"),
    "diff": ("tipstaff.cli.diff", "what changed between two bundles, and which claims it touches"),
    "comply": ("tipstaff.cli.comply", "judge a server by the compliance suites of the protocol"),
    "pack": ("tipstaff.cli.pack", "write a bundle as one .tez file, with hashes"),
    "export": ("tipstaff.cli.export", "write a bundle as one inline Markdown document"),
    "import": ("tipstaff.cli.import_bundle", "write a bundle as a folder, every byte kept"),
    "doctor": ("tipstaff.cli.doctor", "what works on this machine, and how to get the rest"),
    "completion": ("tipstaff.cli.completion", "words for bash, zsh or fish to complete by"),
}


class Command(Protocol):
    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace, terminal: Terminal) -> int: ...


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(message[0].upper() + message[1:] + ".", suggestion=f"{self.prog} --help")


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; the result is the process's exit code."""
    words = list(sys.argv[1:] if words is None else words)
    # A polite request to stop is an exception like any other, so that nothing is left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    terminal = Terminal()
    try:
        code = _run(words, terminal)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except OSError as problem:
        return _without_stdout(problem, terminal)
    except KeyboardInterrupt:
        terminal.say("Interrupted.")
        return 130


def _run(words: list[str], terminal: Terminal) -> int:
    wants_json = "--json" in words
    try:
        return _dispatch(words, terminal)
    except TipstaffError as problem:
        return _report(problem, terminal, wants_json=wants_json)
    except Exception as problem:
        if os.environ.get("TIPSTAFF_DEBUG") or _is_of_stdout(problem):
            raise
        internal = InternalError(
            f"Something went wrong inside Tipstaff ({type(problem).__name__}: {problem}).",
            suggestion="Set TIPSTAFF_DEBUG=1 to see where, and please report it.",
        )
        return _report(internal, terminal, wants_json=wants_json)


def _is_of_stdout(problem: Exception) -> bool:
    return (
        isinstance(problem, OSError)
        and problem.filename is None
        and problem.errno
        in (
            errno.EPIPE,
            errno.ENOSPC,
            errno.EBADF,
        )
    )


def _without_stdout(problem: OSError, terminal: Terminal) -> int:
    """Our output cannot be written. If its reader has gone (`tip … | head`), that is fine."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(problem, BrokenPipeError):
        return 0
    terminal.fail(f"The output cannot be written: {problem.strerror or problem}.", None)
    return 1


def _dispatch(words: list[str], terminal: Terminal) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        terminal.answer(_overview())
        return 0 if words else 2
    if words[0] in ("--version", "-V"):
        terminal.answer(f"tip {__version__}")
        return 0
    if words[0] not in COMMANDS:
        raise UsageError(f"There is no command '{words[0]}'.", suggestion=_nearest(words[0]))
    command, parser = parser_of(words[0])
    return command.run(parser.parse_args(words[1:]), terminal)


def parser_of(name: str) -> tuple[Command, argparse.ArgumentParser]:
    """A command's module and the parser of its words."""
    module_name, summary = COMMANDS[name]
    command: Command = importlib.import_module(module_name)
    parser = _Parser(
        prog=f"tip {name}",
        description=summary[0].upper() + summary[1:] + ".",
        allow_abbrev=False,
    )
    command.configure(parser)
    return command, parser


def _overview() -> str:
    lines = [
        "Interrogate a tez: answers with citations checked against the bytes, or an abstention.",
        "",
        "usage: tip COMMAND …        tip COMMAND --help        tip --version",
        "",
        *(f"  {name:<10} {summary}" for name, (_, summary) in COMMANDS.items()),
        "",
        "A BUNDLE is a .tez or .zip file, its folder, an inline .md document, or any folder.",
    ]
    return "\n".join(lines)


def _nearest(word: str) -> str:
    near = difflib.get_close_matches(word, COMMANDS, n=1)
    return f"Did you mean 'tip {near[0]}'?" if near else "tip --help lists the commands."


def _report(problem: TipstaffError, terminal: Terminal, *, wants_json: bool) -> int:
    if wants_json:
        terminal.json(problem.to_wire())
    terminal.fail(problem.message, problem.suggestion)
    return EXIT_CODE[problem.code]
