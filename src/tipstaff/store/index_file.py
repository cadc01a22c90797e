"""One index, one file: a header, then arrays on aligned places, each with its checksum.

    magic (8) · length of the header (8) · checksum of the header (4) · padding (4)
    header (msgpack): items, embedder, and for each section: name, type, shape, offset, checksum
    sections, each at a multiple of 64

Written once, never changed. Every byte is checked when it is opened: sections by their checksums,
what is between them for being nothing.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
import numpy.typing as npt

# The last byte is the version of the format.
MAGIC = b"TIPIDX\x00\x01"
_HEAD = struct.Struct("<8sQII")
_ALIGNMENT = 64


class DamagedIndex(Exception):
    """The file is not what was written; it is built again."""


def write_sections(
    stream: BinaryIO, facts: Mapping[str, Any], sections: Mapping[str, npt.NDArray[Any]]
) -> None:
    """`facts` are whatever msgpack can hold; sections are contiguous arrays."""
    table: list[list[Any]] = []
    offset = 0
    for name, array in sections.items():
        raw = np.ascontiguousarray(array)
        checksum = zlib.crc32(raw.data)
        table.append([name, raw.dtype.str, list(raw.shape), offset, checksum])
        offset += _padded(raw.nbytes)
    header = msgspec.msgpack.encode({"facts": dict(facts), "sections": table})
    stream.write(_HEAD.pack(MAGIC, len(header), zlib.crc32(header), 0))
    stream.write(header)
    stream.write(bytes(_padded(_HEAD.size + len(header)) - _HEAD.size - len(header)))
    for array in sections.values():
        raw = np.ascontiguousarray(array)
        stream.write(raw.data)
        stream.write(bytes(_padded(raw.nbytes) - raw.nbytes))


class MappedFile:
    """A file as it lies on disk, checked, its arrays readable in place."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise DamagedIndex("the file is empty") from None
        try:
            self.facts, self.sections = self._read()
        except (struct.error, msgspec.DecodeError, KeyError, TypeError, ValueError) as problem:
            raise DamagedIndex(str(problem)) from None

    def _read(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        magic, length, checksum, nothing = _HEAD.unpack_from(self._map)
        if magic != MAGIC or nothing:
            raise DamagedIndex("another format")
        raw = self._map[_HEAD.size : _HEAD.size + length]
        if len(raw) != length or zlib.crc32(raw) != checksum:
            raise DamagedIndex("the header is damaged")
        header = msgspec.msgpack.decode(raw)
        start = end = _padded(_HEAD.size + length)
        sections = {}
        with memoryview(self._map) as whole:
            _refuse_marks(whole[_HEAD.size + length : start])
            for name, kind, shape, offset, expected in header["sections"]:
                array = self._section(whole, kind, shape, start + offset, expected)
                end = _padded(start + offset + array.nbytes)
                _refuse_marks(whole[start + offset + array.nbytes : end])
                sections[name] = array
            if len(whole) != end:
                raise DamagedIndex("the file is longer or shorter than it was")
        return header["facts"], sections

    def _section(
        self, whole: memoryview, kind: str, shape: list[int], start: int, expected: int
    ) -> npt.NDArray[Any]:
        dtype = np.dtype(kind)
        count = int(np.prod(shape, dtype=np.int64))
        end = start + count * dtype.itemsize
        if end > len(whole) or zlib.crc32(whole[start:end]) != expected:
            raise DamagedIndex("a section is damaged")
        return np.frombuffer(self._map, dtype, count, start).reshape(shape)


def _refuse_marks(padding: memoryview) -> None:
    """Between sections there is nothing; what is there came later."""
    if any(padding):
        raise DamagedIndex("there is something between the sections")


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
