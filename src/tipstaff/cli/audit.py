"""`tip audit BUNDLE`: does the synthesis stand up? Every claim, checked; exit 9 if too few hold."""

from __future__ import annotations

import argparse
from pathlib import Path

from tipstaff.bundle.writing import new_file
from tipstaff.cli.interrogating import grant_from
from tipstaff.cli.options import add_bundle, add_common, add_recipient, opened_bundle
from tipstaff.cli.terminal import Terminal, cut, plain
from tipstaff.domain.wire import to_wire
from tipstaff.engine import audit_synthesis, index_bundle
from tipstaff.errors import EXIT_CHECKS_FAILED, UsageError
from tipstaff.synthesis.audited import AuditedClaim, AuditedPassage, Standing, SynthesisAudit
from tipstaff.synthesis.marked_up import WORDS, marked_up

THRESHOLD = 0.7
_COLOURS = {
    Standing.SUPPORTED: "green",
    Standing.WEAK: "yellow",
    Standing.UNCITED: "cyan",
    Standing.VIEW: "dim",
}
_QUIET = (Standing.SUPPORTED, Standing.WEAK, Standing.VIEW)
_WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument(
        "--threshold",
        type=float,
        default=THRESHOLD,
        metavar="SCORE",
        help=f"exit 9 below this score, from 0 to 1 (default {THRESHOLD})",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit 9 as soon as one claim is unsupported, contradicted or its citation broken",
    )
    parser.add_argument("--all", action="store_true", help="show every claim, not only findings")
    parser.add_argument("--html", metavar="FILE", help="write the synthesis, marked up, as a page")
    parser.add_argument("--force", action="store_true", help="replace the page if it is there")
    add_recipient(parser)
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if not 0 <= arguments.threshold <= 1:
        raise UsageError("--threshold is a score from 0 to 1.")
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        grant = grant_from(arguments, opened, settings)
        indexed = index_bundle(opened, settings=settings, progress=terminal.progress)
        audit = audit_synthesis(
            indexed,
            recipient=arguments.recipient,
            grant=grant,
            progress=terminal.progress("Checking"),
        )
    passes = audit.passes(threshold=arguments.threshold, strict=arguments.strict)
    if arguments.html:
        with new_file(Path(arguments.html), replace=arguments.force) as page:
            page.write_text(marked_up(audit), encoding="utf-8")
    if arguments.json:
        shown = {**to_wire(audit), "threshold": arguments.threshold, "passed": passes}
        terminal.json({**shown, "strict": arguments.strict})
    else:
        _show(audit, terminal, passes=passes, everything=arguments.all)
        if arguments.html:
            terminal.say(f"Written: {arguments.html}")
    return 0 if passes else EXIT_CHECKS_FAILED


def _show(audit: SynthesisAudit, terminal: Terminal, *, passes: bool, everything: bool) -> None:
    for claim in audit.claims:
        if everything or claim.is_stale or claim.standing not in _QUIET:
            _show_claim(claim, audit.file, terminal)
    for item_id in audit.newer_items:
        terminal.answer(f"newer than the synthesis: {plain(item_id)}")
    tally = ", ".join(
        f"{count} {WORDS.get(Standing(name), name) if name != 'stale' else name}"
        for name, count in audit.counts.items()
        if count
    )
    verdict = terminal.styled("holds", "green") if passes else terminal.styled("fails", "red")
    terminal.answer(
        f"{plain(audit.id)}: {verdict}, score {audit.score:.3f} ({tally or 'no claims'})."
    )


def _show_claim(claim: AuditedClaim, file: str, terminal: Terminal) -> None:
    colour = _COLOURS.get(claim.standing, "red")
    mark = terminal.styled(WORDS[claim.standing], colour)
    terminal.answer(f"{mark}  {plain(file)}:L{claim.line}: {plain(claim.text)}")
    terminal.answer(f"    {plain(claim.reason)}")
    for working in claim.computed:
        terminal.answer(f"    {plain(working)}")
    for lead, passages in (
        ("cited", claim.passages),
        ("says it", claim.elsewhere),
        ("newer", claim.newer),
    ):
        for one in passages:
            terminal.answer(f"    {lead} {_line(one)}")


def _line(passage: AuditedPassage) -> str:
    words = f": {cut(passage.text_excerpt, _WIDTH)}" if passage.text_excerpt else ""
    return f"[[{plain(passage.reference)}]]{words}"
