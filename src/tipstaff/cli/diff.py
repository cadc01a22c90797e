"""`tip diff A B`: what changed between two bundles, and which claims it touches."""

from __future__ import annotations

import argparse

from tipstaff.authoring.differences import BundleDifference, TouchedClaim, differences
from tipstaff.cli.options import add_common, settings_from
from tipstaff.cli.terminal import Terminal, cut, plain
from tipstaff.domain.wire import to_wire
from tipstaff.engine import open_bundle, read_bundle
from tipstaff.errors import EXIT_CHECKS_FAILED

_WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="A", help="the bundle as it was")
    parser.add_argument("after", metavar="B", help="the bundle as it is")
    parser.add_argument(
        "--check", action="store_true", help="exit 9 if a claim of B is touched by a change"
    )
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    settings = settings_from(arguments)
    progress = terminal.progress("Reading")
    with (
        open_bundle(arguments.before, settings=settings) as old,
        open_bundle(arguments.after, settings=settings) as new,
    ):
        found = differences(
            read_bundle(old, settings=settings, progress=progress),
            read_bundle(new, settings=settings, progress=progress),
        )
    if arguments.json:
        terminal.json({**to_wire(found), "same": found.is_empty})
    else:
        _show(found, terminal)
    return EXIT_CHECKS_FAILED if arguments.check and found.claims_touched else 0


def _show(found: BundleDifference, terminal: Terminal) -> None:
    for item_id in found.added:
        terminal.answer(terminal.styled(f"+ {plain(item_id)}", "green"))
    for item_id in found.removed:
        terminal.answer(terminal.styled(f"- {plain(item_id)}", "red"))
    for one, two in found.renamed:
        terminal.answer(f"> {plain(one)} is {plain(two)} now")
    for item in found.changed:
        told = ["bytes"] if item.bytes_changed else []
        told += [f"{name}: {was} is {now}" for name, was, now in item.details]
        terminal.answer(
            f"{terminal.styled('~', 'yellow')} {plain(item.id)}: {plain(', '.join(told))}"
        )
    for name in found.terms:
        terminal.answer(f"{terminal.styled('~', 'yellow')} {name} in the manifest")
    for text in found.claims_removed:
        terminal.answer(f"- claim: {cut(text, _WIDTH)}")
    for text in found.claims_added:
        terminal.answer(f"+ claim: {cut(text, _WIDTH)}")
    for claim in found.claims_touched:
        _show_claim(claim, terminal)
    if found.is_empty:
        terminal.answer(f"{plain(found.before)} and {plain(found.after)} are the same.")


def _show_claim(claim: TouchedClaim, terminal: Terminal) -> None:
    mark = terminal.styled("touched", "yellow")
    terminal.answer(f"{mark} L{claim.line}: {plain(claim.text)}")
    terminal.answer(f"    [[{plain(claim.citation)}]] {claim.reason}")
    terminal.answer(f"    was: {cut(claim.before, _WIDTH)}")
    if claim.after:
        terminal.answer(f"    is:  {cut(claim.after, _WIDTH)}")
