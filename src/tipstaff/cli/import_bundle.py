"""`tip import X -o DIR`: a bundle of any form as a folder, every byte kept."""

from __future__ import annotations

import argparse
from pathlib import Path

from tipstaff.bundle.level_three import unpack
from tipstaff.bundle.writing import new_folder, write_files
from tipstaff.cli.options import add_bundle, add_common, add_output, opened_bundle
from tipstaff.cli.terminal import Terminal


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser, name="X")
    add_output(parser, metavar="DIR", what="the folder to write")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    target = Path(arguments.output)
    with opened_bundle(arguments, terminal, "Importing") as (opened, settings):
        unpacked = unpack(opened, settings)
        failure = opened.load_failure()
        items = len(opened.bundle.declared_items)
        with new_folder(target, replace=arguments.force) as temporary:
            write_files(temporary, unpacked.contents)
    for note in unpacked.notes:
        terminal.note(note)
    if failure is not None:
        terminal.note("Not every item is as the sender declared it: see `tip inspect`.")
    if arguments.json:
        terminal.json(
            {
                "written": str(target),
                "files": sorted(unpacked.contents),
                "items": items,
                "notes": unpacked.notes,
                "load_failure": failure.to_wire()["error"] if failure else None,
            }
        )
    else:
        terminal.answer(f"{target}: {items} items, {len(unpacked.contents)} files.")
    return 0
