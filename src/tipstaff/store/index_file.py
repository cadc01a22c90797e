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
MAGIC = b"TIPIDX\x00\x02"
_HEAD = struct.Struct("<8sQII")
_ALIGNMENT = 64
_LARGE = 1 << 20


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
        checksum = _checksum(raw.data.cast("B") if raw.nbytes else memoryview(b""))
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
        if end > len(whole) or _checksum(whole[start:end]) != expected:
            raise DamagedIndex("a section is damaged")
        return np.frombuffer(self._map, dtype, count, start).reshape(shape)


def _refuse_marks(padding: memoryview) -> None:
    """Between sections there is nothing; what is there came later."""
    if any(padding):
        raise DamagedIndex("there is something between the sections")


def _checksum(content: memoryview) -> int:
    """CRC-32 of a small section. Of a large one, the sum of its 64-bit words and their exclusive
    or, folded: any flipped bit and any zeroed block is seen, at the speed of memory rather than
    of a polynomial. An index is checked whole each time that it is opened."""
    if len(content) < _LARGE:
        return zlib.crc32(content)
    even = len(content) // 8 * 8
    words = np.frombuffer(content[:even], np.uint64)
    total = int(np.add.reduce(words))
    mixed = int(np.bitwise_xor.reduce(words))
    tail = zlib.crc32(content[even:])
    return zlib.crc32(total.to_bytes(8, "little") + mixed.to_bytes(8, "little"), tail)


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
