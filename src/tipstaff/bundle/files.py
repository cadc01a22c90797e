"""Where a bundle's files are: names in, bytes out, whatever holds them.

A name is a relative path with forward slashes. Only regular files inside the root are
ever opened: a link that leads out, a pipe or a device is refused.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, Protocol

from tipstaff.bundle.file_names import is_hidden, is_junk, unsafe_reason


class FileRefused(Exception):
    """A file that exists but must not be read; the text says why, as half a sentence."""


class BundleFiles(Protocol):
    def names(self) -> tuple[str, ...]:
        """Every file, sorted."""
        ...

    def size(self, name: str) -> int:
        """Raises FileNotFoundError, or FileRefused."""
        ...

    def open(self, name: str) -> BinaryIO:
        """Raises FileNotFoundError, or FileRefused."""
        ...

    def close(self) -> None: ...


class DirectoryFiles:
    """The files below a folder, in place. Walking stops behind `max_entries`."""

    def __init__(self, root: Path, *, max_entries: int) -> None:
        self._root = root.resolve()
        self._max_entries = max_entries
        self._names: tuple[str, ...] | None = None

    def names(self) -> tuple[str, ...]:
        if self._names is None:
            self._names = tuple(sorted(self._walk()))
        return self._names

    def size(self, name: str) -> int:
        return self._regular(name).stat().st_size

    def open(self, name: str) -> BinaryIO:
        return self._regular(name).open("rb")

    def close(self) -> None:
        return None

    def _walk(self) -> Iterator[str]:
        count = 0
        for folder, folders, files in os.walk(self._root):
            folders.sort()
            folders[:] = [name for name in folders if not is_junk(name)]
            for file in files:
                count += 1
                if count > self._max_entries:
                    raise FileRefused(f"holds more than {self._max_entries:,} files")
                yield (Path(folder) / file).relative_to(self._root).as_posix()

    def _regular(self, name: str) -> Path:
        if reason := unsafe_reason(name):
            raise FileRefused(f"its name {reason}")
        path = self._root / name
        try:
            real = path.resolve(strict=True)
        except (RuntimeError, OSError) as problem:
            if isinstance(problem, FileNotFoundError | NotADirectoryError):
                raise FileNotFoundError(name) from None
            raise FileRefused("it cannot be reached") from None
        if not real.is_relative_to(self._root):
            raise FileRefused("it is a link that leads out of the bundle")
        if not stat.S_ISREG(real.stat().st_mode):
            raise FileRefused("it is not a regular file")
        return real


class FilesBeside:
    """The files that lie in the same folder as an inline document, or below it. Hidden ones
    (`.ssh/…`) are refused: the document may be a stranger's, the folder may be your home."""

    def __init__(self, document: Path) -> None:
        self._files = DirectoryFiles(document.parent, max_entries=0)

    def names(self) -> tuple[str, ...]:
        return ()

    def size(self, name: str) -> int:
        return self._files.size(_not_hidden(name))

    def open(self, name: str) -> BinaryIO:
        return self._files.open(_not_hidden(name))

    def close(self) -> None:
        return None


def _not_hidden(name: str) -> str:
    if is_hidden(name):
        raise FileRefused("it is a hidden file beside the document")
    return name


class SpooledFiles:
    """Files unpacked into a private temporary folder under names of our own, removed on close."""

    def __init__(self, folder: Path, places: Mapping[str, Path]) -> None:
        self._folder = folder
        self._places = dict(places)

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._places))

    def size(self, name: str) -> int:
        return self._place(name).stat().st_size

    def open(self, name: str) -> BinaryIO:
        return self._place(name).open("rb")

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _place(self, name: str) -> Path:
        if reason := unsafe_reason(name):
            raise FileRefused(f"its name {reason}")
        try:
            return self._places[name]
        except KeyError:
            raise FileNotFoundError(name) from None


class EmbeddedFiles:
    """Bytes that came inside a document, over the files (if any) that lie beside it."""

    def __init__(self, contents: Mapping[str, bytes], beside: BundleFiles) -> None:
        self._contents = dict(contents)
        self._beside = beside

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._contents))

    def size(self, name: str) -> int:
        return len(self._contents[name]) if name in self._contents else self._beside.size(name)

    def open(self, name: str) -> BinaryIO:
        if name in self._contents:
            return io.BytesIO(self._contents[name])
        return self._beside.open(name)

    def close(self) -> None:
        self._beside.close()


def read_at_most(files: BundleFiles, name: str, max_bytes: int) -> bytes:
    """A whole file; FileRefused if it is larger than that, whatever its size was said to be."""
    with files.open(name) as stream:
        content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileRefused(f"it is larger than {max_bytes:,} bytes")
    return content
