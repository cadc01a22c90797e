"""The page's own files: read once, named by what is in them, sent with what a browser may do.

All files of one release stand under one address that has their digest in it, so that a browser
keeps them for ever and modules find each other by plain relative names.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("page")
START = "index.html"
_DIGEST = "{digest}"
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Nothing inline, nothing from elsewhere, no markup made of strings (Trusted Types).
CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "media-src blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)


@dataclass(frozen=True, slots=True)
class PageFile:
    content: bytes
    media_type: str
    etag: str


@dataclass(frozen=True, slots=True)
class PageFiles:
    digest: str
    files: dict[str, PageFile]

    @property
    def total_bytes(self) -> int:
        return sum(len(file.content) for file in self.files.values())


@cache
def page_files() -> PageFiles:
    """Everything in the folder, by name; the start page knows where the others are."""
    found = {
        path.name: path.read_bytes()
        for path in sorted(FOLDER.iterdir())
        if path.suffix in _MEDIA_TYPES
    }
    whole = hashlib.sha256()
    for name, content in found.items():
        whole.update(f"{name}\n{len(content)}\n".encode() + content)
    digest = whole.hexdigest()[:16]
    found[START] = found[START].replace(_DIGEST.encode(), digest.encode())
    return PageFiles(digest, {name: _file(name, content) for name, content in found.items()})


def _file(name: str, content: bytes) -> PageFile:
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return PageFile(content, _MEDIA_TYPES[Path(name).suffix], etag)
