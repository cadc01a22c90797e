"""A Markdown document with YAML in front: split by bytes, so that the body is kept exactly."""

from __future__ import annotations

import re
from typing import Any

_FENCE = rb"---[ \t]*\r?\n"
_BLOCK = re.compile(
    rb"(?:\xef\xbb\xbf)?" + _FENCE + rb"(.*?)(?<=\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S
)
_EMPTY = re.compile(rb"(?:\xef\xbb\xbf)?" + _FENCE + rb"---[ \t]*(?:\r?\n|\Z)")


def split(document: bytes) -> tuple[bytes | None, bytes]:
    """(front matter or None, body). The body is every byte behind the closing line."""
    if match := _EMPTY.match(document):
        return b"", document[match.end() :]
    if match := _BLOCK.match(document):
        return match[1], document[match.end() :]
    return None, document


def write(matter: dict[str, Any], body: bytes) -> bytes:
    """The document of which `split` gives the body back, byte for byte."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Aliases would only make readers' lives harder."""

        def ignore_aliases(self, _data: Any) -> bool:
            return True

        def text(self, value: str) -> yaml.ScalarNode:
            # Line breaks of every kind (U+0085, U+2028 …) survive only between double quotes.
            return self.represent_scalar(
                "tag:yaml.org,2002:str", value, style=None if value.isprintable() else '"'
            )

    Dumper.add_representer(str, Dumper.text)
    text = yaml.dump(
        matter, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=2**31, line_break="\n"
    )
    return b"---\n" + text.encode("utf-8") + b"---\n" + body
