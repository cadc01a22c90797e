"""The events of a stream, with their fields, from `tipstaff.domain.events`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields

from documentation.markdown_page import code, plain, table
from documentation.reference_page import ReferencePage, words_of
from tipstaff.domain.events import BY_NAME

_HEAD = """# Events of a stream

A stream is Server-Sent Events (Enterprise §2): `id`, `event` and `data`, which is JSON on one line.
`Accept: text/event-stream` asks a [query](http.md) for one; in Python `tez.stream(…)` gives the
same events as values. What is not there is left out: optional fields may be absent.
"""


def events_page(events: Mapping[str, type] = BY_NAME) -> ReferencePage:
    pieces = [_HEAD]
    for name, kind in events.items():
        rows = [
            (code(one.name), code(_type(str(one.type))), "" if one.default is MISSING else "yes")
            for one in fields(kind)
        ]
        pieces.append(f"## {name}\n\n{plain(words_of(kind))}\n")
        pieces.append(table(("Field", "Type", "Optional"), rows))
    missing = tuple(f"the event {name}" for name, kind in events.items() if not words_of(kind))
    return ReferencePage(text="\n".join(pieces), undocumented=missing)


def _type(written: str) -> str:
    return written.removesuffix(" | None").replace("tuple[", "list[").replace(", ...]", "]")
