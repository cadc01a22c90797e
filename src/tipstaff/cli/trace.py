"""`tip trace FILE`: to whom a leaked text or page was given (TIP §13.3.3, 3)."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tipstaff.cli.options import settings_from
from tipstaff.cli.server_data import add_server_data, folder_of, key_of, server_records
from tipstaff.cli.terminal import Terminal
from tipstaff.errors import EXIT_ABSTENTION, UsageError

if TYPE_CHECKING:
    from tipstaff.hosting.watermarks import Trace, Traced

_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a pasted excerpt (UTF-8), or a PNG or JPEG"
    )
    add_server_data(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    try:
        content = arguments.file.read_bytes()
    except OSError as problem:
        raise UsageError(f"{arguments.file} cannot be read: {problem.strerror}.") from None
    trace = asyncio.run(_traced(arguments, content))
    if arguments.json:
        terminal.json(_shown(trace))
    else:
        _tell(trace, terminal)
    return 0 if trace.found else EXIT_ABSTENTION


async def _traced(arguments: argparse.Namespace, content: bytes) -> Trace:
    settings = settings_from(arguments)
    async with server_records(arguments) as records:
        from tipstaff.hosting.watermarks import Watermarks

        key = key_of(settings, folder_of(arguments))
        watermarks = Watermarks(records, key=key, settings=settings)
        if content.startswith(_PICTURES):
            try:
                return await watermarks.trace_picture(arguments.tenant, content)
            except (OSError, ValueError):
                raise UsageError(f"{arguments.file} is no picture that can be read.") from None
        try:
            excerpt = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError(f"{arguments.file} is neither UTF-8 nor a picture.") from None
        return await watermarks.trace_text(arguments.tenant, excerpt)


def _tell(trace: Trace, terminal: Terminal) -> None:
    if not trace.found:
        terminal.answer("It is traced to nobody.")
        return
    for one in trace.found:
        where = f"session {one.session_id}" if one.session_id else "outside any session"
        terminal.answer(
            f"{one.user}, {where}, tez {one.tez_id}: {_evidence(one)} ({one.confidence})"
        )
    if trace.found[0].by == "words":
        terminal.note("Traced by words alone: whoever had them from elsewhere is not excluded.")
    else:
        terminal.say(f"Chance that this is an error: at most {trace.chance_of_error:.1e}.")


def _evidence(one: Traced) -> str:
    if one.by == "words":
        return f"{one.words_shared:.0%} of its words"
    return "pattern of the page" if one.by == "pattern" else f"{one.marks} marks"


def _shown(trace: Trace) -> dict[str, Any]:
    from tipstaff.domain.timestamp import timestamp

    return {
        "traced": [
            {
                "recipient": one.user,
                "session_id": one.session_id,
                "tez_id": one.tez_id,
                "given_at": timestamp(one.given_at),
                "by": one.by,
                "confidence": one.confidence,
                "marks": one.marks,
                "words_shared": one.words_shared,
            }
            for one in trace.found
        ],
        "marks_seen": trace.marks_seen,
        "chance_of_error": trace.chance_of_error,
    }
