"""One index, one file: a header, then arrays on aligned places, each with its checksum.

    magic (8) · length of the header (8) · checksum of the header (4) · padding (4)
    header (msgpack): facts, and for each section: name, type, shape, offset, checksum
    sections, each at a multiple of 64

Written once, never changed. Opening checks the header, and by it the length of the file; a section
is checked, with the nothing behind it, before the first look into it. So no byte is used that was
not checked, and a search does not wait for what it does not use.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
import numpy.typing as npt

from tipstaff.store.store import DamagedIndex

# The last byte is the version of the format.
MAGIC = b"TIPIDX\x00\x03"
_HEAD = struct.Struct("<8sQII")
_ALIGNMENT = 64
_LARGE = 1 << 20


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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a section lies, and what it was when it was written."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    count: int
    start: int
    checksum: int

    @property
    def end(self) -> int:
        return self.start + self.count * self.dtype.itemsize


class MappedFile(Mapping[str, npt.NDArray[Any]]):
    """A file as it lies on disk: its arrays by their names, readable in place. `on_damage` is
    called before DamagedIndex is raised for a section."""

    def __init__(self, path: Path, on_damage: Callable[[], None] = lambda: None) -> None:
        self._on_damage = on_damage
        self._checked: dict[str, npt.NDArray[Any]] = {}
        try:
            with path.open("rb") as stream:
                self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            raise DamagedIndex("the file is empty") from None
        try:
            self.facts, self._places = self._read_header()
        except (struct.error, msgspec.DecodeError, KeyError, TypeError, ValueError) as problem:
            raise DamagedIndex(str(problem)) from None

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        # Two threads may both check a section: that costs time, and both find the same.
        if name not in self._checked:
            self._check(name)
            self._checked[name] = self.unchecked(name)
        return self._checked[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def unchecked(self, name: str) -> npt.NDArray[Any]:
        """A section for a reader who checks every part of it that they take."""
        place = self._places[name]
        return np.frombuffer(self._map, place.dtype, place.count, place.start).reshape(place.shape)

    def refuse(self, why: str) -> DamagedIndex:
        """The error for a part that is not what was written."""
        self._on_damage()
        return DamagedIndex(why)

    def _read_header(self) -> tuple[dict[str, Any], dict[str, _Place]]:
        magic, length, checksum, nothing = _HEAD.unpack_from(self._map)
        if magic != MAGIC or nothing:
            raise DamagedIndex("another format")
        raw = self._map[_HEAD.size : _HEAD.size + length]
        if len(raw) != length or zlib.crc32(raw) != checksum:
            raise DamagedIndex("the header is damaged")
        header = msgspec.msgpack.decode(raw)
        start = end = _padded(_HEAD.size + length)
        if any(self._map[_HEAD.size + length : start]):
            raise DamagedIndex("there is something behind the header")
        places = {}
        for name, kind, shape, offset, expected in header["sections"]:
            count = 1
            for side in shape:
                count *= side
            place = _Place(np.dtype(kind), tuple(shape), count, start + offset, expected)
            places[name], end = place, _padded(place.end)
        if len(self._map) != end:
            raise DamagedIndex("the file is longer or shorter than it was")
        return header["facts"], places

    def _check(self, name: str) -> None:
        place = self._places[name]
        with memoryview(self._map) as whole, whole[place.start : place.end] as content:
            is_whole = _checksum(content) == place.checksum
        # Between sections there is nothing; what is there came later.
        if not is_whole or any(self._map[place.end : _padded(place.end)]):
            raise self.refuse(f"the section {name} is damaged")


def _checksum(content: memoryview) -> int:
    """CRC-32 of a small section. Of a large one, the sum of its 64-bit words and their exclusive
    or, folded: any flipped bit and any zeroed block is seen, at the speed of memory rather than
    of a polynomial. A search in a new process waits for it."""
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
