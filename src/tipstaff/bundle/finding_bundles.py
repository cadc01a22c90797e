"""Paths of a repository → the bundles that they are, hold or belong to."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tipstaff.bundle.file_names import MANIFEST

_ARCHIVES = (".tez",)
_MARKDOWN = (".md", ".markdown")
_HEAD_BYTES = 4096
# Front matter that makes a document a tez.
_INLINE = re.compile(rb"\A\xef\xbb\xbf?---\r?\n(?:.*\r?\n)*?tezit(?:_version)?\s*:", re.MULTILINE)
_SKIPPED = frozenset(("node_modules", "__pycache__"))


def bundles_among(paths: Iterable[Path]) -> list[Path]:
    """Each bundle once, in order. A file inside a bundle stands for the bundle; a folder for all
    bundles below it; whatever else a path is, it is none."""
    found: dict[Path, Path] = {}
    for path in paths:
        for bundle in _below(path) if path.is_dir() and not _is_bundle(path) else _of(path):
            found.setdefault(bundle.resolve(), bundle)
    return list(found.values())


def _of(path: Path) -> Iterator[Path]:
    inside = next((one for one in (path, *path.parents) if _is_bundle(one)), None)
    if inside is not None:
        yield inside
    elif path.is_file() and (path.suffix.lower() in _ARCHIVES or _is_inline(path)):
        yield path


def _below(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        here = Path(place)
        if _is_bundle(here):
            folders.clear()
            yield here
            continue
        folders[:] = sorted(
            one for one in folders if not one.startswith(".") and one not in _SKIPPED
        )
        for name in sorted(files):
            path = here / name
            if path.suffix.lower() in _ARCHIVES or _is_inline(path):
                yield path


def _is_bundle(path: Path) -> bool:
    manifest = path / MANIFEST
    if not manifest.is_file():
        return False
    try:
        content = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        # A manifest that cannot be read is a finding about the bundle, not another kind of file.
        return (path / "tez.md").is_file() or (path / "context").is_dir()
    return isinstance(content, dict) and "tezit_version" in content


def _is_inline(path: Path) -> bool:
    if path.suffix.lower() not in _MARKDOWN:
        return False
    try:
        with path.open("rb") as stream:
            return bool(_INLINE.match(stream.read(_HEAD_BYTES)))
    except OSError:
        return False
