"""`tip pack DIR -o X.tez`: one file at level 3, with hashes, the same bytes every time."""

from __future__ import annotations

import argparse
from pathlib import Path

from tipstaff.bundle.level_three import pack
from tipstaff.bundle.writing import new_file, write_archive
from tipstaff.cli.options import add_bundle, add_common, add_output, opened_bundle
from tipstaff.cli.terminal import Terminal, size
from tipstaff.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser, name="DIR")
    add_output(parser, metavar="X.tez", what="the file to write")
    parser.add_argument(
        "--rehash", action="store_true", help="take changed files as they are and hash them anew"
    )
    parser.add_argument("--store", action="store_true", help="do not compress")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    target, source = Path(arguments.output), Path(arguments.bundle)
    if source.is_dir() and target.resolve().is_relative_to(source.resolve()):
        raise UsageError(
            f"'{target}' lies inside the folder that is to be packed.",
            suggestion="Name a place outside it.",
        )
    with opened_bundle(arguments, terminal, "Packing") as (opened, settings):
        packed = pack(opened, settings, rehash=arguments.rehash)
        items = len(opened.bundle.declared_items)
        with new_file(target, replace=arguments.force) as temporary:
            write_archive(temporary, packed.contents, compress=not arguments.store)
    for note in packed.notes:
        terminal.note(note)
    written = target.stat().st_size
    if arguments.json:
        terminal.json(
            {"written": str(target), "size_bytes": written, "items": items, "notes": packed.notes}
        )
    else:
        terminal.answer(f"{target}: {items} items, {size(written)}.")
    return 0
