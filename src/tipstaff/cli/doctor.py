"""`tip doctor`: what works on this machine, and how to get the rest."""

from __future__ import annotations

import argparse
import os
from itertools import groupby

from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.terminal import Terminal
from tipstaff.doctor.checkup import Check, Checkup, State, examine_machine
from tipstaff.domain.wire import to_wire
from tipstaff.errors import EXIT_CHECKS_FAILED
from tipstaff.settings import data_directory

_MARKS = {
    State.WORKS: ("✓", "green"),
    State.MISSING: ("–", "dim"),
    State.BROKEN: ("✗", "red"),
}


def configure(parser: argparse.ArgumentParser) -> None:
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    checkup = examine_machine(
        settings_from(arguments), environment=os.environ, data_folder=data_directory()
    )
    if arguments.json:
        shown = {"works": checkup.works, **to_wire(checkup)}
        terminal.json(shown)
    else:
        _show(checkup, terminal)
    return 0 if checkup.works else EXIT_CHECKS_FAILED


def _show(checkup: Checkup, terminal: Terminal) -> None:
    terminal.answer(f"tip {checkup.version}")
    in_groups = sorted(checkup.checks, key=lambda one: _order(checkup, one))
    for group, checks in groupby(in_groups, key=lambda one: one.group):
        terminal.answer(f"\n{terminal.styled(group, 'bold')}")
        for one in checks:
            mark, colour = _MARKS[one.state]
            terminal.answer(f"  {terminal.styled(mark, colour)} {one.name}: {one.detail}")
            if one.remedy:
                terminal.answer(f"      {one.remedy}")
    broken = [one.name for one in checkup.checks if one.state is State.BROKEN]
    if broken:
        terminal.answer(f"\nBroken: {', '.join(broken)}.")
    else:
        terminal.answer("\nEverything that is here works; what is missing (–) is optional.")


def _order(checkup: Checkup, check: Check) -> int:
    """Groups in the order in which they first came."""
    return next(at for at, one in enumerate(checkup.checks) if one.group == check.group)
