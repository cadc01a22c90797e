"""`tip search BUNDLE QUERY`: the passages that speak to a query, with every score."""

from __future__ import annotations

import argparse
import asyncio
import textwrap
from collections.abc import Collection, Sequence
from pathlib import Path

from tipstaff.access.authorization import granted_once
from tipstaff.access.recipients import searchable_items, without_withheld_words
from tipstaff.bundle.extensions import present_ids, write_extension
from tipstaff.bundle.opening import OpenBundle
from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.retrieval_options import add_retrieval, narrowed_to, options_from_arguments
from tipstaff.cli.terminal import Terminal, plain
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.domain.retrieval import Found, Retrieval
from tipstaff.domain.scope import IndexedItem
from tipstaff.engine import index_bundle
from tipstaff.errors import MalformedQuery, UsageError
from tipstaff.retrieve.exposure import ALL, exposed
from tipstaff.retrieve.transparency import (
    DOCUMENT,
    EXTENSION_ID,
    EXTENSION_IDS,
    extension_files,
    result_list,
    summary_fields,
)
from tipstaff.settings import Settings

_SHOWN_LINES = 4


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("query", metavar="QUERY", help="words to look for, or a question")
    add_retrieval(parser)
    parser.add_argument(
        "--item", action="append", metavar="ID", help="search only this item; may be repeated"
    )
    parser.add_argument(
        "--type", action="append", metavar="TYPE", help="search only this type; may be repeated"
    )
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="search only items whose media_type, source or parent is this",
    )
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
        grant = asyncio.run(
            granted_once(bundle, arguments.recipient, settings=settings, tenant=LOCAL_TENANT)
        )
        permitted = searchable_items(bundle, arguments.recipient, grant)
        only = narrowed_to(arguments, [item for item in bundle.items if item.id in permitted])
        indexed = index_bundle(opened, settings=settings, progress=terminal.progress)
        done = indexed.search(
            arguments.query,
            options=options_from_arguments(arguments, settings),
            only=only,
            permitted=permitted,
            recipient=arguments.recipient,
        )
        if arguments.write:
            _write(done, opened, Path(arguments.bundle), settings, terminal)
    done = without_withheld_words(done, bundle, arguments.recipient)
    unindexed = _unindexed(bundle, indexed.index.items, permitted)
    if arguments.json:
        terminal.json(
            {
                "results": result_list(done, setting=settings.transparency),
                "retrieval_summary": summary_fields(done, setting=settings.transparency),
                "unindexed": unindexed,
            }
        )
        return 0
    _print(done, terminal, full=arguments.full, setting=settings.transparency)
    if unindexed:
        terminal.say(f"Not searched: {', '.join(unindexed)}. tip inspect says why.")
    return 0


def _unindexed(
    bundle: Bundle, indexed: Sequence[IndexedItem], permitted: Collection[str]
) -> list[str]:
    """Items that this recipient may search, were they readable. An archive is searched by its
    members."""
    known = {item.id for item in indexed} | {item.parent for item in bundle.items}
    return [item.id for item in bundle.items if item.id in permitted and item.id not in known]


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


def _print(done: Retrieval, terminal: Terminal, *, full: bool, setting: str) -> None:
    if not done.found:
        terminal.answer("Nothing was found.")
    for found in done.found:
        terminal.answer(_heading(found, terminal, setting))
        terminal.answer(textwrap.indent(_text(found, terminal, full=full), "    "))
        terminal.answer("")
    for part in summary_fields(done, setting=setting).get("sub_queries", ()):
        terminal.say(f"also searched: {part}")
    for note in done.notes:
        terminal.say(note)


def _heading(found: Found, terminal: Terminal, setting: str) -> str:
    scores = {
        "hybrid_score": found.hybrid_score,
        "keyword_score": found.keyword_score,
        "vector_score": found.vector_score,
        "rerank_score": found.rerank_score,
    }
    how = " · ".join(
        f"{name.removesuffix('_score')} {score:.2f}"
        for name, score in exposed(scores, setting).items()
        if score is not None
    )
    if found.beside:
        how = "beside another"
        if exposed({"beside": found.beside}, setting):
            how = f"beside {plain(found.beside)}"
    mark = f"[[{found.chunk.item_id}:{found.chunk.location}]]".replace(":]]", "]]")
    return f"{found.rank:>2}  {terminal.styled(plain(mark), 'bold')}  {how}".rstrip()


def _text(found: Found, terminal: Terminal, *, full: bool) -> str:
    words = " ".join(plain(found.chunk.text).split())
    lines = textwrap.wrap(words, max(terminal.width - 4, 40)) or [""]
    if not full and len(lines) > _SHOWN_LINES:
        lines = [*lines[: _SHOWN_LINES - 1], lines[_SHOWN_LINES - 1].rstrip(" .,;") + " …"]
    return "\n".join(lines)
