"""`tip index BUNDLE`: build the index ahead of time."""

from __future__ import annotations

import argparse
import time

from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.terminal import Terminal
from tipstaff.engine import index_bundle


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("--rebuild", action="store_true", help="build it even if it is there")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    start = time.monotonic()
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        indexed = index_bundle(
            opened,
            settings=settings,
            progress=terminal.progress,
            rebuild=arguments.rebuild,
            check=True,
        )
    took = time.monotonic() - start
    items = indexed.index.items
    chunks = sum(item.chunks for item in items)
    if arguments.json:
        terminal.json(
            {
                "id": opened.bundle.id,
                "built": indexed.built,
                "items": [{"id": item.id, "chunks": item.chunks} for item in items],
                "chunks": chunks,
                "embedder": indexed.index.embedder,
                "store": settings.store,
                "seconds": round(took, 3),
            }
        )
        return 0
    what = "Built" if indexed.built else "Already there"
    terminal.answer(
        f"{what}: {chunks:,} passages of {len(items)} items, {took:.1f} s "
        f"({settings.store} store, {indexed.index.embedder} vectors)."
    )
    missing = [item.id for item in opened.bundle.items if item.id not in {i.id for i in items}]
    if missing:
        terminal.say(f"Not in the index: {', '.join(missing)}. tip inspect says why.")
    return 0
