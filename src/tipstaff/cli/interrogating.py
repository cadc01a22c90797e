"""What the commands that ask share: their options, what a recipient may see, an interrogation."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from tipstaff.access.authorization import granted_once
from tipstaff.access.recipients import Grant
from tipstaff.asking import GROUNDING_MODES, Interrogation
from tipstaff.bundle.opening import OpenBundle
from tipstaff.cli.options import opened_bundle
from tipstaff.cli.retrieval_options import add_retrieval, options_from_arguments
from tipstaff.cli.terminal import Terminal
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.engine import index_bundle, interrogate
from tipstaff.hosting.portability import verify_portable
from tipstaff.indexing import IndexedBundle
from tipstaff.settings import Settings


def add_answering(parser: argparse.ArgumentParser) -> None:
    add_retrieval(parser)
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="extractive (default) needs no model; anthropic:NAME, openai:NAME … (docs/models.md)",
    )
    parser.add_argument(
        "--grounding", choices=GROUNDING_MODES, default="standard", help="how strict to be"
    )


@contextmanager
def interrogating(
    arguments: argparse.Namespace, terminal: Terminal
) -> Iterator[tuple[OpenBundle, Settings, Interrogation]]:
    """The bundle that was named, open for as long as it is asked."""
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        grant = grant_from(arguments, opened, settings)
        _note_what_is_not_as_sent(opened, terminal, arguments.recipient, grant)
        indexed = index_bundle(opened, settings=settings, progress=terminal.progress)
        yield opened, settings, interrogation_from(arguments, indexed, settings, grant)


def grant_from(arguments: argparse.Namespace, opened: OpenBundle, settings: Settings) -> Grant:
    """What the recipient of `--as` may see, as authorizers decide (Enterprise §3.4)."""
    asked = granted_once(opened.bundle, arguments.recipient, settings=settings, tenant=LOCAL_TENANT)
    return asyncio.run(asked)


def _note_what_is_not_as_sent(
    opened: OpenBundle, terminal: Terminal, recipient: str | None, grant: Grant
) -> None:
    """TIP §12.2.4, item 4: told before the first question is answered, of what exists for them."""
    known = None if recipient is None else grant.permitted
    for failure in verify_portable(opened).failures(known):
        terminal.note(f"Not as it was sent: {failure}")


def interrogation_from(
    arguments: argparse.Namespace, indexed: IndexedBundle, settings: Settings, grant: Grant
) -> Interrogation:
    """With the model that was named, or without any."""
    return interrogate(
        indexed,
        recipient=arguments.recipient,
        grant=grant,
        model=arguments.model,
        options=options_from_arguments(arguments, settings),
        grounding=arguments.grounding,
    )
