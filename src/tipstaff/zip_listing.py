"""The list of members of a ZIP file, read within bounds and without trusting a word of it."""

from __future__ import annotations

import struct
from typing import BinaryIO

MAX_LISTING_BYTES = 16 * 1024 * 1024
_END_RECORD = struct.Struct("<4s4H2IH")
_END_RECORD_64_PLACE = struct.Struct("<4sIQI")
_END_RECORD_64 = struct.Struct("<4sQ2H2I4Q")
_ENTRY = struct.Struct("<4s6H3I5H2I")


class NotAZip(ValueError):
    """The file has no list of members that could be read."""


def listing_place(stream: BinaryIO) -> tuple[int, int]:
    """Where the list of members begins and how many bytes it has."""
    stream.seek(0, 2)
    tail_start = max(0, stream.tell() - 65_557)
    stream.seek(tail_start)
    tail = stream.read(65_557)
    position = tail.rfind(b"PK\x05\x06")
    if position < 0 or position + _END_RECORD.size > len(tail):
        raise NotAZip("no end of archive found; the file may be truncated")
    size, end = _END_RECORD.unpack_from(tail, position)[5], tail_start + position
    if position >= _END_RECORD_64_PLACE.size:
        place = _END_RECORD_64_PLACE.unpack_from(tail, position - _END_RECORD_64_PLACE.size)
        if place[0] == b"PK\x06\x07":
            stream.seek(place[2])
            record = stream.read(_END_RECORD_64.size)
            if len(record) < _END_RECORD_64.size:
                raise NotAZip("its list of members is not where it is said to be")
            size, end = _END_RECORD_64.unpack(record)[8], place[2]
    if size > MAX_LISTING_BYTES or size > end:
        raise NotAZip("its list of members is not where it is said to be")
    return int(end - size), int(size)


def member_names(stream: BinaryIO, *, at_most: int) -> list[str]:
    """The first names of the list, as text; an odd list gives the names before the oddity."""
    start, size = listing_place(stream)
    stream.seek(start)
    listing = stream.read(size)
    names: list[str] = []
    position = 0
    while position + _ENTRY.size <= len(listing) and len(names) < at_most:
        entry = _ENTRY.unpack_from(listing, position)
        if entry[0] != b"PK\x01\x02":
            break
        name_end = position + _ENTRY.size + entry[10]
        names.append(listing[position + _ENTRY.size : name_end].decode("utf-8", "replace"))
        position = name_end + entry[11] + entry[12]
    return names
