"""Files and folders that appear whole or not at all: written aside, flushed, renamed."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tipstaff.bundle.file_names import MANIFEST, unsafe_reason
from tipstaff.errors import UsageError

# Bytes that do not depend on the day or on the machine.
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE = 0o100644 << 16


@contextlib.contextmanager
def new_file(target: Path, *, replace: bool) -> Iterator[Path]:
    """A temporary path beside the target that takes its name when all went well."""
    _refuse_existing(target, replace=replace)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with temporary.open("rb+") as stream:
            os.fsync(stream.fileno())
        temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def new_folder(target: Path, *, replace: bool) -> Iterator[Path]:
    """A temporary folder beside the target that takes its name when all went well."""
    if target.is_dir() and not any(target.iterdir()):
        target.rmdir()
    _refuse_existing(target, replace=replace)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        yield temporary
        temporary.chmod(0o755)
        if target.exists():
            # Keep the old content until the new one has its name.
            aside = temporary.with_name(temporary.name + ".old")
            target.rename(aside)
            temporary.rename(target)
            shutil.rmtree(aside)
        else:
            temporary.rename(target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Every file below the folder; a name that would lead out of it is a programming error."""
    for name, content in contents.items():
        if reason := unsafe_reason(name):
            raise ValueError(f"refusing to write '{name}': it {reason}")
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def write_archive(target: Path, contents: Mapping[str, bytes], *, compress: bool) -> None:
    """A ZIP whose bytes depend only on its contents: manifest first, then by name."""
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(target, "w") as archive:
        for name in sorted(contents, key=lambda name: (name != MANIFEST, name)):
            entry = zipfile.ZipInfo(name, date_time=_FIXED_DATE)
            entry.external_attr = _REGULAR_FILE
            entry.create_system = 3
            entry.compress_type = method
            archive.writestr(entry, contents[name])


def _refuse_existing(target: Path, *, replace: bool) -> None:
    if target.exists() and not replace:
        raise UsageError(
            f"'{target}' exists already.", suggestion="Name another place, or add --force."
        )
    if target.exists() and target.is_symlink():
        raise UsageError(f"'{target}' is a link; name the real place.")
