"""Which parser reads a media type: plug-ins first, then the ones that come with the install.

Nothing is imported until a file of its kind is met. `pyproject.toml` lists every parser in
the group `tipstaff.parser`; a test compares that list, this table and the parsers themselves.
"""

from __future__ import annotations

import hashlib
import importlib
import shutil
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from tipstaff.parse.parser import Parser
from tipstaff.settings import Settings

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
    "application/json": "json_data",
    "application/jsonl": "json_data",
    "application/x-ndjson": "json_data",
    "application/xml": "xml_data",
    "text/xml": "xml_data",
    "message/rfc822": "eml",
    "application/vnd.ms-outlook": "msg",
    "application/x-subrip": "subtitles",
    "text/vtt": "subtitles",
    "audio/*": "recording",
    "video/*": "recording",
    "text/html": "html",
    "application/xhtml+xml": "html",
    _OFFICE + "wordprocessingml.document": "docx",
    _OFFICE + "wordprocessingml.template": "docx",
    "application/vnd.ms-word.document.macroEnabled.12": "docx",
    "application/vnd.ms-word.template.macroEnabled.12": "docx",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.text-template": "odt",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "application/epub+zip": "epub",
    _OFFICE + "spreadsheetml.sheet": "workbook",
    "application/vnd.ms-excel": "workbook",
    "application/vnd.ms-excel.sheet.macroenabled.12": "workbook",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "workbook",
    "application/vnd.oasis.opendocument.spreadsheet": "workbook",
    "text/csv": "delimited",
    "text/tab-separated-values": "delimited",
    _OFFICE + "presentationml.presentation": "slides",
    "application/vnd.apple.keynote": "keynote",
    "text/*": "plain_text",
    "text/x-python": "source_code",
    "text/javascript": "source_code",
    "text/x-typescript": "source_code",
    "text/x-java": "source_code",
    "text/x-go": "source_code",
    "text/x-rust": "source_code",
    "text/x-c": "source_code",
    "text/x-c++": "source_code",
    "text/x-csharp": "source_code",
    "text/x-ruby": "source_code",
    "text/x-php": "source_code",
    "text/x-shellscript": "source_code",
    "application/sql": "source_code",
    "text/x-dockerfile": "source_code",
    "text/x-kotlin": "source_code",
    "text/x-lua": "source_code",
    "text/x-makefile": "source_code",
    "text/x-perl": "source_code",
    "text/x-scala": "source_code",
    "text/x-swift": "source_code",
}


def parser_for(media_type: str) -> Parser | None:
    """The parser for a media type, or None: then the item stays unindexed."""
    for parser in _plug_ins():
        if parser.reads(media_type):
            return parser
    family = media_type.split("/", 1)[0] + "/*"
    module = BUILT_IN.get(media_type) or BUILT_IN.get(family)
    return _load(f"tipstaff.parse.{module}") if module else None


def fingerprint(media_type: str) -> str | None:
    """What a cached document of this type depends on, or None where nothing reads the type.

    For our own parsers it is the code itself, so that no change can meet old results; they
    are not imported for it. For plug-ins it is their name and version.
    """
    for parser in _plug_ins():
        if parser.reads(media_type):
            return f"{parser.name} {parser.version}"
    module = BUILT_IN.get(media_type) or BUILT_IN.get(media_type.split("/", 1)[0] + "/*")
    return f"{module} {_code()}" if module else None


def parser_options(settings: Settings) -> dict[str, str]:
    """The settings that parsers read; a document depends on them."""
    return {
        "ocr_engine": settings.ocr_engine,
        "ocr_languages": settings.ocr_languages,
        "transcriber": settings.transcriber,
        "max_pictures": str(settings.max_pictures),
        "min_picture_pixels": str(settings.min_picture_pixels),
    }


@cache
def _code() -> str:
    digest = hashlib.blake2b(digest_size=16)
    package = Path(__file__).parent
    shared = [package.parent / "decoding.py", package.parent / "media_type.py"]
    for path in sorted([*package.glob("*.py"), *(package.parent / "domain").glob("*.py"), *shared]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    # What an engine reads is part of a document: installing one must not meet old results.
    digest.update(str(shutil.which("tesseract")).encode())
    return digest.hexdigest()


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
