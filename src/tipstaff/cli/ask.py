"""`tip ask BUNDLE QUERY`: one question, one response with checked citations, or an abstention."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import aclosing

from tipstaff.access.authorization import granted_once
from tipstaff.access.recipients import Grant, without_withheld_words
from tipstaff.asking import GROUNDING_MODES, Interrogation
from tipstaff.bundle.opening import OpenBundle
from tipstaff.cli.answer_view import explain, show_response
from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.retrieval_options import add_retrieval, options_from_arguments
from tipstaff.cli.terminal import Terminal
from tipstaff.domain.classification import Classification
from tipstaff.domain.events import ResponseEnd, Token
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.wire import to_wire
from tipstaff.engine import index_bundle, interrogate
from tipstaff.hosting.portability import verify_portable
from tipstaff.indexing import LOCAL_TENANT, IndexedBundle
from tipstaff.retrieve.exposure import ALL, exposed_response
from tipstaff.retrieve.transparency import result_list, transparency_document
from tipstaff.settings import Settings

# INTERFACES: 0 answered, 3 abstention.
ABSTAINED = 3


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("query", metavar="QUERY", help="a question about the bundle")
    add_answering(parser)
    parser.add_argument("--stream", action="store_true", help="print each sentence once checked")
    parser.add_argument("--explain", action="store_true", help="say how passages were found")
    add_common(parser)


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


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        grant = grant_from(arguments, opened, settings)
        note_what_is_not_as_sent(opened, terminal, arguments.recipient, grant)
        indexed = index_bundle(opened, settings=settings, progress=terminal.progress)
        interrogation = interrogation_from(arguments, indexed, settings, grant)
        streams = arguments.stream and not arguments.json
        envelope = (
            asyncio.run(streamed(interrogation, arguments.query, terminal))
            if streams
            else interrogation.ask(arguments.query)
        )
    retrieval = interrogation.last_retrieval
    if arguments.json:
        shown = exposed_response(to_wire(envelope), settings.transparency)
        if arguments.explain and retrieval is not None:
            found = without_withheld_words(retrieval, opened.bundle, arguments.recipient)
            if settings.transparency == ALL:
                shown["retrieval_transparency"] = transparency_document(found)
            shown["retrieved"] = result_list(found, setting=settings.transparency)
        terminal.json(shown)
    else:
        show_response(envelope, terminal, text=not streams)
        if arguments.explain and retrieval is not None:
            explain(retrieval, terminal, setting=settings.transparency)
    return ABSTAINED if _abstained(envelope.response.classification) else 0


def grant_from(arguments: argparse.Namespace, opened: OpenBundle, settings: Settings) -> Grant:
    """What the recipient of `--as` may see, as authorizers decide (Enterprise §3.4)."""
    asked = granted_once(opened.bundle, arguments.recipient, settings=settings, tenant=LOCAL_TENANT)
    return asyncio.run(asked)


def note_what_is_not_as_sent(
    opened: OpenBundle, terminal: Terminal, recipient: str | None, grant: Grant
) -> None:
    """TIP §12.2.4, item 4: told before the first question is answered, of what exists for them."""
    known = None if recipient is None else grant.permitted
    for failure in verify_portable(opened).failures(known):
        terminal.note(f"Not as it was sent: {failure}")


async def streamed(
    interrogation: Interrogation, query: str, terminal: Terminal
) -> ResponseEnvelope:
    """The response, its words printed as soon as their sentence has been checked."""
    envelope = None
    try:
        async with aclosing(interrogation.events(query)) as events:
            async for event in events:
                if isinstance(event, Token):
                    terminal.release(event.delta)
                elif isinstance(event, ResponseEnd):
                    envelope = event.envelope
    finally:
        await interrogation.aclose()
    if envelope is None:
        raise RuntimeError("a stream ended without its response")
    terminal.release("\n\n")
    return envelope


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


def _abstained(classification: Classification) -> bool:
    return classification is Classification.ABSTENTION
