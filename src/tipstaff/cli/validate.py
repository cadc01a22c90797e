"""`tip validate BUNDLE`: every finding, worst first; exit 9 when a check fails."""

from __future__ import annotations

import argparse

from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.finding import Severity
from tipstaff.domain.wire import to_wire
from tipstaff.engine import examine, read_bundle
from tipstaff.errors import EXIT_CHECKS_FAILED

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "dim"}


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    add_common(parser)
    parser.add_argument("--strict", action="store_true", help="let warnings fail, too")


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        read = read_bundle(opened, settings=settings, progress=terminal.progress("Reading"))
        _, report = examine(read, settings=settings)
        bundle = opened.bundle
    passes = report.passes(strict=arguments.strict)
    counts = {str(severity): report.count(severity) for severity in Severity}
    if arguments.json:
        shown = {
            "id": bundle.id,
            "level": int(bundle.level),
            "valid": passes,
            "strict": arguments.strict,
            "counts": counts,
            "findings": to_wire(report.findings),
        }
        terminal.json(shown)
    else:
        for finding in report.findings:
            mark = terminal.styled(f"{finding.severity:<7}", _COLOURS[finding.severity])
            code = terminal.styled(f"[{finding.code}]", "dim")
            terminal.answer(f"{mark} {plain(finding.where)}: {plain(finding.message)} {code}")
        tally = ", ".join(
            f"{count} {name}{'' if count == 1 or name == 'info' else 's'}"
            for name, count in counts.items()
        )
        verdict = (
            terminal.styled("valid", "green") if passes else terminal.styled("not valid", "red")
        )
        terminal.answer(f"{plain(bundle.id)}: {verdict} at level {int(bundle.level)} ({tally}).")
    return 0 if passes else EXIT_CHECKS_FAILED
