"""`tip import X -o DIR`: a bundle of any form as a folder, every byte kept."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tipstaff.bundle.level_three import unpack
from tipstaff.bundle.writing import new_folder, write_files
from tipstaff.cli.options import add_bundle, add_common, add_output, settings_from
from tipstaff.cli.terminal import Terminal
from tipstaff.engine import open_bundle


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser, name="X")
    add_output(parser, metavar="DIR", what="the folder to write")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    settings = settings_from(arguments)
    target = Path(arguments.output)
    with open_bundle(
        arguments.bundle, settings=settings, progress=terminal.progress("Importing")
    ) as opened:
        unpacked = unpack(opened, settings)
        failure = opened.load_failure()
        items = len(opened.bundle.items)
    with new_folder(target, replace=arguments.force) as temporary:
        write_files(temporary, unpacked.contents)
    for note in unpacked.notes:
        terminal.note(note)
    if failure is not None:
        terminal.note(failure.message + " They are listed by `tip inspect`.")
    if arguments.json:
        shown = {
            "written": str(target),
            "files": sorted(unpacked.contents),
            "items": items,
            "notes": unpacked.notes,
            "load_failure": failure.to_wire()["error"] if failure else None,
        }
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        print(f"{target}: {items} items, {len(unpacked.contents)} files.")
    return 0
