"""`tip export BUNDLE --inline -o X.md`: one Markdown document with its context inside."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from tipstaff.bundle.inline_export import export_inline
from tipstaff.bundle.writing import new_file, write_files
from tipstaff.cli.options import add_bundle, add_common, add_output, opened_bundle
from tipstaff.cli.terminal import Terminal, size
from tipstaff.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("--inline", action="store_true", help="as an inline document (level 0)")
    add_output(parser, metavar="X.md", what="the document to write")
    parser.add_argument(
        "--with-files",
        action="store_true",
        help="lay what is too large to embed beside the document, under context/",
    )
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if not arguments.inline:
        raise UsageError(
            "Say in which form: --inline is the one there is.",
            suggestion="For a .tez archive use `tip pack`.",
        )
    target = Path(arguments.output)
    with opened_bundle(arguments, terminal, "Exporting") as (opened, settings):
        document = export_inline(opened, settings)
        beside = document.beside if arguments.with_files else {}
        _refuse_overwriting(target.parent, beside, force=arguments.force)
        with new_file(target, replace=arguments.force) as temporary:
            temporary.write_bytes(document.content)
            write_files(target.parent, beside)
    for note in document.notes:
        terminal.note(note)
    if document.beside and not arguments.with_files:
        terminal.note("--with-files writes what is only referred to beside the document.")
    written = len(document.content)
    if arguments.json:
        terminal.json(
            {
                "written": str(target),
                "size_bytes": written,
                "files": sorted(beside),
                "notes": document.notes,
            }
        )
    else:
        files = f" and {len(beside)} file(s) beside it" if beside else ""
        terminal.answer(f"{target}: {size(written)}{files}.")
    return 0


def _refuse_overwriting(folder: Path, names: Iterable[str], *, force: bool) -> None:
    existing = [name for name in names if os.path.lexists(folder / name)]
    if existing and not force:
        raise UsageError(
            f"'{folder / existing[0]}' exists already.",
            suggestion="Export into an empty folder, or add --force.",
        )
