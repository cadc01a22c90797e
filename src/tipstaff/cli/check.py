"""`tip check [PATH…]`: every bundle among some files, validated and audited; exit 9 if one fails.

For hooks and for continuous integration, which know of files that changed and not of bundles.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from tipstaff.bundle.finding_bundles import bundles_among
from tipstaff.cli.audit import THRESHOLD
from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.finding import Finding, Severity
from tipstaff.domain.wire import to_wire
from tipstaff.engine import audit_synthesis, examine, index_bundle, open_bundle, read_bundle
from tipstaff.errors import EXIT_CHECKS_FAILED, TipstaffError, UsageError
from tipstaff.settings import Settings
from tipstaff.synthesis.audited import SynthesisAudit


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="*", help="bundles, files in them, folders (default: here)"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=THRESHOLD,
        metavar="SCORE",
        help="the score, from 0 to 1, below which an audit fails (default: %(default)s)",
    )
    parser.add_argument(
        "--strict", action="store_true", help="let warnings and any unsupported claim fail"
    )
    parser.add_argument("--no-audit", action="store_true", help="validate only")
    parser.add_argument(
        "--annotate", action="store_true", help="print findings as GitHub annotations, too"
    )
    add_common(parser)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    bundle: str
    passed: bool
    findings: tuple[Finding, ...] = ()
    audit: SynthesisAudit | None = None
    error: str | None = None


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    paths = [Path(word) for word in arguments.paths or ["."]]
    for path in paths:
        if not path.exists():
            raise UsageError(f"There is nothing at '{path}'.")
    settings = settings_from(arguments)
    checked = [_check(path, arguments, settings) for path in bundles_among(paths)]
    passed = all(one.passed for one in checked)
    if arguments.json:
        terminal.json({"passed": passed, "bundles": [_wire(one) for one in checked]})
    else:
        for one in checked:
            _show(one, terminal, annotate=arguments.annotate)
        if not checked:
            terminal.say("No bundle is among these files.")
    return 0 if passed else EXIT_CHECKS_FAILED


def _check(path: Path, arguments: argparse.Namespace, settings: Settings) -> _Checked:
    try:
        with open_bundle(path, settings=settings) as opened:
            read = read_bundle(opened, settings=settings)
            _, report = examine(read, settings=settings)
            audit = None
            if not arguments.no_audit:
                audit = audit_synthesis(index_bundle(opened, settings=settings))
    except TipstaffError as problem:
        return _Checked(bundle=str(path), passed=False, error=problem.message)
    held = audit is None or audit.passes(threshold=arguments.threshold, strict=arguments.strict)
    return _Checked(
        bundle=str(path),
        passed=held and report.passes(strict=arguments.strict),
        findings=tuple(one for one in report.findings if one.severity is not Severity.INFO),
        audit=audit,
    )


def _wire(one: _Checked) -> dict[str, object]:
    told: dict[str, object] = to_wire(one)
    return told


def _show(one: _Checked, terminal: Terminal, *, annotate: bool) -> None:
    told: list[tuple[str, str, int, str]] = [
        ("error" if f.severity is Severity.ERROR else "warning", one.bundle, 0, str(f))
        for f in one.findings
    ]
    if one.error is not None:
        told.append(("error", one.bundle, 0, one.error))
    if one.audit is not None:
        file = one.bundle if Path(one.bundle).is_file() else f"{one.bundle}/{one.audit.file}"
        kind = "warning" if one.passed else "error"
        told += [
            (kind, file, claim.line, f"{claim.standing}: {claim.text} {claim.reason}")
            for claim in one.audit.problems
        ]
    for kind, file, line, words in told:
        place = f"{file}:{line}" if line else file
        terminal.answer(f"{plain(place)}: {plain(words)}")
        if annotate:
            _annotation(terminal, kind, file, line, words)
    verdict = terminal.styled("passed", "green") if one.passed else terminal.styled("failed", "red")
    score = f", score {one.audit.score:.3f}" if one.audit else ""
    terminal.answer(f"{plain(one.bundle)}: {verdict}{score}")


def _annotation(terminal: Terminal, kind: str, file: str, line: int, words: str) -> None:
    """GitHub's workflow command. What a bundle says cannot end it or begin another."""
    place = f"file={_escaped(file).replace(':', '%3A').replace(',', '%2C')}"
    place += f",line={line}" if line else ""
    terminal.answer(f"::{kind} {place}::{_escaped(plain(words))}")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
