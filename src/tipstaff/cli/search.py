"""`tip search BUNDLE QUERY`: the passages that speak to a query, with every score."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import replace
from pathlib import Path

from tipstaff.access.recipients import permitted_items, quotable
from tipstaff.bundle.extensions import present_ids, write_extension
from tipstaff.bundle.opening import OpenBundle
from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.retrieval_options import add_retrieval, options_from_arguments
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.retrieval import Found, Retrieval
from tipstaff.domain.scope import Filter
from tipstaff.engine import index_bundle
from tipstaff.errors import MalformedQuery, UsageError
from tipstaff.retrieve.transparency import (
    ALL,
    DOCUMENT,
    EXTENSION_ID,
    EXTENSION_IDS,
    extension_files,
    result_list,
    summary_fields,
)
from tipstaff.settings import Settings

_SHOWN_LINES = 4
WITHHELD = "(not to be quoted; ask about it instead)"


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("query", metavar="QUERY", help="words to look for, or a question")
    add_retrieval(parser)
    parser.add_argument("--item", action="append", metavar="ID", help="search only this item")
    parser.add_argument("--type", action="append", metavar="TYPE", help="search only this type")
    parser.add_argument(
        "--write",
        action="store_true",
        help="write how it was found into the bundle (extensions/, a folder or a .tez)",
    )
    parser.add_argument("--full", action="store_true", help="print passages whole")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    if not arguments.query.strip():
        raise MalformedQuery("The query is empty.", suggestion="Say what to look for.")
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        if arguments.write:
            _refuse_writing(settings)
        bundle = opened.bundle
        permitted = permitted_items(bundle, arguments.recipient)
        indexed = index_bundle(opened, settings=settings, progress=terminal.progress)
        done = indexed.search(
            arguments.query,
            options=options_from_arguments(arguments, settings),
            only=Filter(item_ids=arguments.item, item_types=arguments.type),
            permitted=permitted,
        )
        if arguments.write:
            _write(done, opened, Path(arguments.bundle), settings, terminal)
    done = replace(
        done,
        found=tuple(
            found
            if quotable(bundle, found.chunk.item_id, arguments.recipient)
            else replace(found, chunk=replace(found.chunk, text=WITHHELD))
            for found in done.found
        ),
    )
    if arguments.json:
        terminal.json(
            {
                "results": result_list(done, setting=settings.transparency),
                "retrieval_summary": summary_fields(done),
            }
        )
        return 0
    _print(done, terminal, full=arguments.full)
    return 0


def _refuse_writing(settings: Settings) -> None:
    """The extension's document has no optional scores: all of them are shown, or it is not
    written (Enterprise §10.4)."""
    if settings.transparency != ALL:
        raise UsageError(
            "The setting transparency keeps scores from being shown, so they are not written.",
            suggestion="Search without --write, or with --set transparency=all.",
        )


def _write(
    done: Retrieval, opened: OpenBundle, path: Path, settings: Settings, terminal: Terminal
) -> None:
    there = present_ids(opened, EXTENSION_IDS)
    files = extension_files(done, extension_id=there[0] if there else EXTENSION_ID)
    written = write_extension(path, opened, files, ids=EXTENSION_IDS, settings=settings)
    terminal.say(f"written: extensions/{written}/{DOCUMENT}")


def _print(done: Retrieval, terminal: Terminal, *, full: bool) -> None:
    if not done.found:
        terminal.answer("Nothing was found.")
    for found in done.found:
        terminal.answer(_heading(found, terminal))
        terminal.answer(textwrap.indent(_text(found, terminal, full=full), "    "))
        terminal.answer("")
    for part in done.sub_queries:
        terminal.say(f"also searched: {plain(part)}")
    for note in done.notes:
        terminal.say(note)


def _heading(found: Found, terminal: Terminal) -> str:
    scores = [
        f"{name} {score:.2f}"
        for name, score in (
            ("hybrid", found.hybrid_score),
            ("keyword", found.keyword_score),
            ("vector", found.vector_score),
            ("rerank", found.rerank_score),
        )
        if score is not None
    ]
    how = f"beside {found.beside}" if found.beside else " · ".join(scores)
    mark = f"[[{found.chunk.item_id}:{found.chunk.location}]]".replace(":]]", "]]")
    return f"{found.rank:>2}  {terminal.styled(plain(mark), 'bold')}  {how}"


def _text(found: Found, terminal: Terminal, *, full: bool) -> str:
    words = " ".join(plain(found.chunk.text).split())
    lines = textwrap.wrap(words, max(terminal.width - 4, 40)) or [""]
    if not full and len(lines) > _SHOWN_LINES:
        lines = [*lines[: _SHOWN_LINES - 1], lines[_SHOWN_LINES - 1].rstrip(" .,;") + " …"]
    return "\n".join(lines)
