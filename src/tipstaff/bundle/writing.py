"""Files and folders that appear whole or not at all: written aside, flushed, renamed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from tipstaff.bundle.file_names import MANIFEST, unsafe_reason
from tipstaff.bundle.level_three import Reader
from tipstaff.errors import UsageError
from tipstaff.sweeping import sweep

# Bytes that do not depend on the day or on the machine.
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_REGULAR_FILE = 0o100644 << 16
# Dull content packs so well that a careful reader takes it for a bomb; it is stored instead.
_MOST_RATIO = 50


@contextlib.contextmanager
def new_file(target: Path, *, replace: bool) -> Iterator[Path]:
    """A temporary path beside the target that takes its name when all went well."""
    with _usable(target):
        _refuse_existing(target, replace=replace, kind="file")
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent, f".{target.name}.")
        handle, name = tempfile.mkstemp(prefix=_aside(target), dir=target.parent)
        os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with _usable(target):
            with temporary.open("rb+") as stream:
                os.fsync(stream.fileno())
            temporary.chmod(0o644)
            temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def new_folder(target: Path, *, replace: bool) -> Iterator[Path]:
    """A temporary folder beside the target that takes its name when all went well."""
    with _usable(target):
        _refuse_existing(target, replace=replace, kind="folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent, f".{target.name}.")
        temporary = Path(tempfile.mkdtemp(prefix=_aside(target), dir=target.parent))
    try:
        yield temporary
        with _usable(target):
            temporary.chmod(0o755)
            _take_place(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_files(folder: Path, contents: Mapping[str, Reader]) -> None:
    """Every file below the folder; a name that would lead out of it is a programming error.

    Links are never written through: a folder on the way must really lie in this one.
    """
    root = folder.resolve()
    for name, read in contents.items():
        if reason := unsafe_reason(name):
            raise ValueError(f"refusing to write '{name}': it {reason}")
        path = folder / name
        with _usable(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.parent.resolve().is_relative_to(root):
                raise UsageError(f"'{path.parent}' is a link that leads out of '{folder}'.")
        content = read()
        with _usable(path):
            handle, temporary = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)


def write_archive(target: Path, contents: Mapping[str, Reader], *, compress: bool) -> None:
    """A ZIP whose bytes depend only on its contents: manifest first, then by name."""
    with _usable(target), zipfile.ZipFile(target, "w") as archive:
        for name in sorted(contents, key=lambda name: (name != MANIFEST, name)):
            content = contents[name]()
            entry = zipfile.ZipInfo(name, date_time=_FIXED_DATE)
            entry.external_attr = _REGULAR_FILE
            entry.create_system = 3
            entry.compress_type = (
                zipfile.ZIP_DEFLATED if compress and not _is_dull(content) else zipfile.ZIP_STORED
            )
            archive.writestr(entry, content)


def _aside(target: Path) -> str:
    return f".{target.name}.{os.getpid()}-"


def _is_dull(content: bytes) -> bool:
    if len(content) < 1 << 20:
        return False
    return len(zlib.compress(content, 6)) * _MOST_RATIO < len(content)


def _take_place(temporary: Path, target: Path) -> None:
    """The old folder keeps its name until the new one has it, and gets it back if that fails."""
    aside = temporary.with_name(temporary.name + ".old")
    had_one = target.exists()
    if had_one:
        target.rename(aside)
    try:
        temporary.rename(target)
    except OSError:
        if had_one:
            aside.rename(target)
        raise
    if had_one:
        shutil.rmtree(aside, ignore_errors=True)


def _refuse_existing(target: Path, *, replace: bool, kind: str) -> None:
    """Only a file is replaced by a file, and only a bundle's folder by a folder."""
    if not os.path.lexists(target):
        return
    if target.is_symlink():
        raise UsageError(f"'{target}' is a link.", suggestion="Name the real place.")
    if kind == "folder" and target.is_dir() and not any(target.iterdir()):
        target.rmdir()
        return
    if not replace:
        raise UsageError(
            f"'{target}' exists already.", suggestion="Name another place, or add --force."
        )
    if kind == "file" and not stat.S_ISREG(target.stat().st_mode):
        raise UsageError(f"'{target}' is not a regular file, so it is not replaced.")
    if kind == "folder" and not (target / MANIFEST).is_file():
        raise UsageError(
            f"'{target}' is not a bundle's folder, so it is not replaced.",
            suggestion="Name a new folder.",
        )


@contextlib.contextmanager
def _usable(target: Path) -> Iterator[None]:
    """A place that cannot be written to is the caller's to mend, not a fault of ours."""
    try:
        yield
    except OSError as problem:
        raise UsageError(
            f"'{target}' cannot be written: {problem.strerror or problem}.",
            suggestion="Name a place that you may write to and that has room.",
        ) from None
