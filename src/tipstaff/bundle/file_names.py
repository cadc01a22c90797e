"""Names of files inside bundles: which are safe, which are a bundle's own, which make ids."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

MANIFEST = "manifest.json"
SYNTHESIS = "tez.md"
CONVERSATION = "conversation.json"
PARAMS = "params.json"
TEST_QUERIES = "test-queries.json"
EXTENSIONS = "extensions/"
CONTEXT = "context/"

# The bundle's own papers: never context items, however a bundle was found.
OWN_FILES = frozenset({MANIFEST, CONVERSATION, PARAMS, TEST_QUERIES})

ITEM_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")
BUNDLE_ID = re.compile(r"[a-z0-9][a-z0-9-]{1,98}[a-z0-9]")

_SYSTEM = re.compile(
    r"(?:^|/)(?:\.DS_Store|\._[^/]*|\.git|\.hg|\.svn|__MACOSX|Thumbs\.db|desktop\.ini|~\$[^/]*)(?:/|$)",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"(?:^|/)\.")
_DRIVE = re.compile(r"[A-Za-z]:")


def unsafe_reason(name: str) -> str | None:
    """Why a name must not be used as a path inside a bundle, or None if it is safe."""
    if not name or name.isspace():
        return "is empty"
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        return "holds control characters"
    if name.startswith(("/", "\\")) or _DRIVE.match(name):
        return "is an absolute path"
    if ".." in re.split(r"[/\\]", name):
        return "leads out of the bundle"
    if "\\" in name:
        return "holds backslashes"
    if any(part in ("", ".") for part in name.split("/")):
        return "has empty parts"
    if len(name.encode("utf-8", "replace")) > 1024 or max(map(_bytes, name.split("/"))) > 255:
        return "is too long"
    return None


def is_junk(name: str) -> bool:
    """What operating systems and version control leave behind: no part of any bundle."""
    return _SYSTEM.search(name) is not None


def is_hidden(name: str) -> bool:
    """A file or folder whose name begins with a dot: never found as context, only declared."""
    return _HIDDEN.search(name) is not None


def derive_id(name: str, taken: Iterable[str]) -> str:
    """An item id from a file name or a label, unlike any that is taken."""
    path = PurePosixPath(name)
    suffix = path.suffix if re.fullmatch(r"\.[A-Za-z0-9]{1,8}", path.suffix) else ""
    stem = _id_text(path.name.removesuffix(suffix)) or "item"
    used = set(taken)
    if stem not in used:
        return stem
    with_suffix = _id_text(stem + suffix.replace(".", "-"))
    return with_suffix if with_suffix not in used else numbered(stem, used)


def numbered(item_id: str, taken: Collection[str]) -> str:
    """`report-2`, or the first such id that is free."""
    number = 2
    while f"{item_id}-{number}" in taken:
        number += 1
    return f"{item_id}-{number}"


def context_file(item_id: str, file: str | None, *, taken: Collection[str]) -> str:
    """Where a level-3 bundle keeps an item: `context/{item-id}.{ext}`, unlike any name taken."""
    stem = item_id
    if not ITEM_ID.fullmatch(item_id) or len(item_id) > 120:
        stem = "item-" + hashlib.sha256(item_id.encode("utf-8")).hexdigest()[:16]
    suffix = PurePosixPath(file or "").suffix
    ending = suffix.lower() if suffix[1:].isalnum() and suffix.isascii() else ""
    name = f"{CONTEXT}{stem}{ending}"
    return name if name not in taken else f"{CONTEXT}{numbered(stem, _stems(taken))}{ending}"


def derive_bundle_id(name: str) -> str:
    """A bundle id (3 to 100 of `[a-z0-9-]`) from a title or a file name."""
    text = _id_text(name).replace(".", "-").replace("_", "-")[:80].strip("-")
    return text if len(text) >= 3 else f"tez-{text or 'bundle'}"


def _id_text(text: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9._-]+", "-", ascii_text.lower())[:100].strip("._-")


def _stems(names: Collection[str]) -> set[str]:
    return {PurePosixPath(name).stem for name in names} | {
        PurePosixPath(name).name for name in names
    }


def _bytes(part: str) -> int:
    return len(part.encode("utf-8", "replace"))
