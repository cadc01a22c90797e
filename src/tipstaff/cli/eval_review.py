"""Judging by hand at a terminal, or through a pipe: `tip eval --review FILE`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from tipstaff.cli.terminal import Terminal
from tipstaff.enveloping import now
from tipstaff.eval.observation import Verdict
from tipstaff.eval.review_file import ReviewFile
from tipstaff.eval.reviewing import all_units, edge_cases, review


@dataclass(frozen=True)
class _TerminalDesk:
    """All that is shown goes to stderr: stdout is for the result."""

    terminal: Terminal

    def show(self, text: str) -> None:
        for line in text.split("\n"):
            self.terminal.say(line)

    def ask(self, prompt: str) -> str | None:
        print(prompt, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        return line if line else None


def reviewed_verdicts(
    kept: ReviewFile,
    automatic: Mapping[str, Verdict],
    arguments: argparse.Namespace,
    terminal: Terminal,
) -> dict[str, Verdict] | None:
    """What people said, over what was judged automatically; None while judgements are missing."""
    wanted = (
        edge_cases(kept.observed, automatic) if arguments.edge_cases else all_units(kept.observed)
    )
    desk = _TerminalDesk(terminal)
    if not review(wanted, kept, desk, by=arguments.reviewer, clock=now):
        judged = sum(one.id in kept.judged for one in wanted)
        told = f"{judged} of {len(wanted)} judged, kept in {kept.path}. The same command goes on."
        if arguments.json:
            terminal.json({"review": {"judged": judged, "of": len(wanted), "file": str(kept.path)}})
        terminal.say(told)
        return None
    return {**automatic, **{one.id: kept.judged[one.id] for one in wanted}}
