"""`tip chat BUNDLE`: an interactive session; questions may lean on those before."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable

from tipstaff.asking import Interrogation
from tipstaff.cli.answer_view import explain, show_response
from tipstaff.cli.interrogating import add_answering, interrogating
from tipstaff.cli.options import add_bundle, add_common
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.wire import to_wire
from tipstaff.retrieve.exposure import exposed_response

_HELP = """Ask a question about the bundle, or type:
  /sources   what the last answer cites, and the words there
  /scope     which items answers may draw on
  /why       how the passages of the last answer were found
  /close     end the session (so does Ctrl-D)"""


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    add_answering(parser)
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with interrogating(arguments, terminal) as (opened, _, interrogation):
        if not arguments.json:
            terminal.say(f"{opened.bundle.title}. /help lists the commands; Ctrl-D ends.")
        with asyncio.Runner() as runner:
            try:
                _Chat(interrogation, terminal, runner, as_json=arguments.json).run()
            finally:
                runner.run(interrogation.aclose())
    return 0


class _Chat:
    def __init__(
        self,
        interrogation: Interrogation,
        terminal: Terminal,
        runner: asyncio.Runner,
        *,
        as_json: bool,
    ) -> None:
        self._interrogation = interrogation
        # One loop for the whole session, so that a model's connection is kept.
        self._runner = runner
        self._terminal = terminal
        self._as_json = as_json
        self._setting = interrogation.indexed.settings.transparency
        self._last: ResponseEnvelope | None = None
        self._asked = 0
        self._commands: dict[str, Callable[[], None]] = {
            "/help": lambda: self._terminal.answer(_HELP),
            "/sources": self._sources,
            "/scope": self._scope,
            "/why": self._why,
        }

    def run(self) -> None:
        _enable_history()
        while (line := self._line()) is not None and line != "/close":
            if not line:
                continue
            if line.startswith("/"):
                self._command(line)
                continue
            self._last = self._runner.run(self._interrogation.answer(line))
            self._asked += 1
            if self._as_json:
                self._terminal.json(exposed_response(to_wire(self._last), self._setting))
            else:
                show_response(self._last, self._terminal)
                self._terminal.answer("")
        self._terminal.say(f"Closed after {self._asked} question{'' if self._asked == 1 else 's'}.")

    def _line(self) -> str | None:
        try:
            return input("› " if sys.stdin.isatty() else "").strip()
        except EOFError:
            return None

    def _command(self, line: str) -> None:
        command = self._commands.get(line.split(maxsplit=1)[0])
        if command is None:
            self._terminal.say(f"There is no command '{line}'. /help lists them.")
            return
        command()

    def _sources(self) -> None:
        if self._last is None or not self._last.response.citations:
            self._terminal.answer("Nothing has been cited yet.")
            return
        for citation in self._last.response.citations:
            place = f"{citation.item_id}:{citation.location}".rstrip(":")
            self._terminal.answer(f"[[{plain(place)}]]  {plain(citation.text_excerpt)}")

    def _scope(self) -> None:
        scope = self._interrogation.scope()
        self._terminal.answer(
            f"{scope.accessible_items} of {scope.total_items} items: "
            + ", ".join(scope.accessible_item_ids)
        )

    def _why(self) -> None:
        retrieval = self._interrogation.last_retrieval
        if retrieval is None:
            self._terminal.answer("Nothing has been searched yet.")
        else:
            explain(retrieval, self._terminal, setting=self._setting)


def _enable_history() -> None:
    """Arrow keys recall earlier questions, where the platform has readline."""
    if sys.stdin.isatty():
        try:
            import readline  # noqa: F401
        except ImportError:
            return
