"""Which parser reads a media type: plug-ins first, then the ones that come with the install.

Nothing is imported until a file of its kind is met. `pyproject.toml` lists every parser in
the group `tipstaff.parser`; a test compares that list, this table and the parsers themselves.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import entry_points

from tipstaff.parse.parser import Parser

GROUP = "tipstaff.parser"

_OFFICE = "application/vnd.openxmlformats-officedocument."

# Exact types before families: `text/html` is not plain text.
BUILT_IN: dict[str, str] = {
    "application/pdf": "pdf",
    "image/png": "image",
    "image/jpeg": "image",
    "image/tiff": "image",
    "image/bmp": "image",
    "image/gif": "image",
    "image/webp": "image",
    "text/markdown": "markdown",
    "text/plain": "plain_text",
    "application/yaml": "plain_text",
    "application/jsonl": "plain_text",
    "text/*": "plain_text",
}


def parser_for(media_type: str) -> Parser | None:
    """The parser for a media type, or None: then the item stays unindexed."""
    for parser in _plug_ins():
        if parser.reads(media_type):
            return parser
    family = media_type.split("/", 1)[0] + "/*"
    module = BUILT_IN.get(media_type) or BUILT_IN.get(family)
    return _load(f"tipstaff.parse.{module}") if module else None


@cache
def _load(module: str) -> Parser:
    parser = importlib.import_module(module).PARSER
    if not isinstance(parser, Parser):
        raise TypeError(f"{module}.PARSER is not a Parser")
    return parser


@cache
def _plug_ins() -> tuple[Parser, ...]:
    """Parsers that other distributions bring, in order of their names."""
    own = {f"tipstaff.parse.{module}:PARSER" for module in BUILT_IN.values()}
    found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return tuple(point.load() for point in found if point.value not in own)
