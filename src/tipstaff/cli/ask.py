"""`tip ask BUNDLE QUERY`: one question, one response with checked citations, or an abstention."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import aclosing

from tipstaff.access.recipients import without_withheld_words
from tipstaff.asking import Interrogation
from tipstaff.cli.answer_view import explain, show_response
from tipstaff.cli.interrogating import add_answering, interrogating
from tipstaff.cli.options import add_bundle, add_common
from tipstaff.cli.terminal import Terminal
from tipstaff.domain.classification import Classification
from tipstaff.domain.events import ResponseEnd, Token
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.domain.wire import to_wire
from tipstaff.errors import EXIT_ABSTENTION
from tipstaff.retrieve.exposure import ALL, exposed_response
from tipstaff.retrieve.transparency import result_list, transparency_document

_INCOMPLETE = "\n\n(This answer is incomplete.)\n"


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("query", metavar="QUERY", help="a question about the bundle")
    add_answering(parser)
    parser.add_argument("--stream", action="store_true", help="print each sentence once checked")
    parser.add_argument("--explain", action="store_true", help="say how passages were found")
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with interrogating(arguments, terminal) as (opened, settings, interrogation):
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
    abstained = envelope.response.classification is Classification.ABSTENTION
    return EXIT_ABSTENTION if abstained else 0


async def streamed(
    interrogation: Interrogation, query: str, terminal: Terminal
) -> ResponseEnvelope:
    """The response, its words printed as soon as their sentence has been checked."""
    envelope, spoken = None, False
    try:
        async with aclosing(interrogation.events(query)) as events:
            async for event in events:
                if isinstance(event, Token):
                    spoken = True
                    terminal.release(event.delta)
                elif isinstance(event, ResponseEnd):
                    envelope = event.envelope
    except Exception:
        # TIP §14.5: half an answer never looks like a whole one, wherever its words were sent.
        if spoken:
            terminal.release(_INCOMPLETE)
        raise
    finally:
        await interrogation.aclose()
    if envelope is None:
        raise RuntimeError("a stream ended without its response")
    terminal.release("\n\n")
    return envelope
