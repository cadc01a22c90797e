"""What a bundle carries under `extensions/`: read by any of its ids, written in place or, in an
archive, by writing the archive anew. The context and its hashes never change.

An extension that has two ids is one extension: a bundle holds it once.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tipstaff.bundle.file_names import EXTENSIONS, MANIFEST, is_junk
from tipstaff.bundle.files import FileRefused, read_at_most
from tipstaff.bundle.level_three import Reader, unpack
from tipstaff.bundle.opening import OpenBundle
from tipstaff.bundle.structured_text import Unreadable, load_json
from tipstaff.bundle.writing import new_file, write_archive, write_files
from tipstaff.domain.bundle import BundleLevel
from tipstaff.errors import BundleUnusable, UsageError
from tipstaff.settings import Settings


def present_ids(opened: OpenBundle, ids: Sequence[str]) -> list[str]:
    """Which of an extension's ids the bundle has a folder for, in the order given."""
    names = opened.files.names()
    return [
        known for known in ids if any(name.startswith(f"{EXTENSIONS}{known}/") for name in names)
    ]


def read_extension(
    opened: OpenBundle, extension_id: str, file: str, settings: Settings
) -> dict[str, Any] | None:
    """An extension's JSON object; None if it is not there or is no such thing."""
    name = f"{EXTENSIONS}{extension_id}/{file}"
    try:
        content = read_at_most(opened.files, name, settings.max_manifest_bytes)
        value = load_json(content, max_nesting=settings.max_nesting)
    except (FileNotFoundError, FileRefused, OSError, Unreadable):
        return None
    return value if isinstance(value, dict) else None


def write_extension(
    path: Path,
    opened: OpenBundle,
    contents: Mapping[str, bytes],
    *,
    ids: Sequence[str],
    settings: Settings,
) -> str:
    """Write an extension's files into the bundle at `path` and say under which id: the one that
    the bundle has already, else the first. Its own manifest is kept if there is one."""
    there = present_ids(opened, ids)
    if len(there) > 1:
        raise BundleUnusable(
            f"The bundle holds one extension twice: {' and '.join(there)}.",
            suggestion="Remove one of the two folders under extensions/.",
        )
    chosen = there[0] if there else ids[0]
    folder = f"{EXTENSIONS}{chosen}/"
    fresh = {
        f"{folder}{name}": _given(content)
        for name, content in contents.items()
        if name != MANIFEST or f"{folder}{MANIFEST}" not in opened.files.names()
    }
    if path.is_dir():
        write_files(path, fresh)
    else:
        _rewrite(path, opened, fresh, settings)
    return chosen


def _rewrite(
    path: Path, opened: OpenBundle, fresh: Mapping[str, Reader], settings: Settings
) -> None:
    """The archive with every file that it had, byte for byte, and the new ones; or not at all."""
    if opened.bundle.level not in (BundleLevel.PORTABLE, BundleLevel.PLATFORM):
        raise UsageError(
            f"'{path.name}' is no folder and no archive with a manifest, so nothing can be "
            "written into it.",
            suggestion="Make it one first: tip pack.",
        )
    contents = unpack(opened, settings).contents
    lost = [name for name in opened.files.names() if name not in contents and not is_junk(name)]
    if lost:
        raise BundleUnusable(
            f"Not written: {', '.join(lost[:5])} cannot be read and would be lost.",
            suggestion="Unpack the archive and write into the folder.",
        )
    with zipfile.ZipFile(path) as archive:
        compress = any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist())
    with new_file(path, replace=True) as temporary:
        write_archive(temporary, {**contents, **fresh}, compress=compress)


def _given(content: bytes) -> Reader:
    return lambda: content
