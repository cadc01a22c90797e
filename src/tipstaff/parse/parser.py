"""What a parser is: a name, a version, the media types it reads, and one function.

Plug-ins of the group `tipstaff.parser` are values of `Parser`. A parser runs in a worker
process with a memory limit and a timeout; it may raise anything, and only its item suffers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tipstaff.domain.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The bytes of one file, its name, and what its bytes are. `options` are settings that
    parsers read, such as the languages of OCR."""

    content: bytes
    name: str
    media_type: str
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class CannotRead(Exception):
    """A file that a parser understands but cannot read: encrypted, damaged, not installed.

    Both texts are whole sentences for the recipient (TIP §14.1).
    """

    def __init__(self, reason: str, suggestion: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.suggestion = suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """`version` is part of the cache key: raise it when the output changes.

    A media type that ends in `/*` stands for its whole family.
    """

    name: str
    version: int
    media_types: tuple[str, ...]
    parse: Callable[[Source], Document]

    def reads(self, media_type: str) -> bool:
        family = media_type.split("/", 1)[0] + "/*"
        return media_type in self.media_types or family in self.media_types
