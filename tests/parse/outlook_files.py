"""Outlook message files for tests: properties in a compound file, written from scratch."""

from __future__ import annotations

import struct
from collections.abc import Mapping

Storage = Mapping[str, "bytes | Storage"]

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_NAMES = {
    "subject": 0x0037,
    "headers": 0x007D,
    "sender": 0x0C1A,
    "address": 0x5D01,
    "to": 0x0E04,
    "body": 0x1000,
    "message_id": 0x1035,
    "file_name": 0x3707,
    "mime": 0x370E,
}
_BINARY = {"html": 0x1013, "rtf": 0x1009, "data": 0x3701}


def message(
    inside: tuple[Storage, ...] = (), header_bytes: int = 32, /, **properties: str | bytes
) -> Storage:
    """A message (or, with 8 header bytes, an attachment) as a storage."""
    storage: dict[str, bytes | Storage] = {}
    entries = b""
    for name, value in properties.items():
        binary = name in _BINARY
        number, kind = (_BINARY[name], 0x0102) if binary else (_NAMES[name], 0x001F)
        content = value if isinstance(value, bytes) else value.encode("utf-16-le")
        storage[f"__substg1.0_{number:04X}{kind:04X}"] = content
        entries += struct.pack("<HHIII", kind, number, 6, len(content) + 2, 0)
    storage["__properties_version1.0"] = b"\x00" * header_bytes + entries
    for number, attachment in enumerate(inside):
        storage[f"__attach_version1.0_#{number:08X}"] = attachment
    return storage


def attachment(**properties: str | bytes) -> Storage:
    return message((), 8, **properties)


def attached_message(inner: Storage) -> Storage:
    return {**message((), 8), "__substg1.0_3701000D": inner}


def compound_file(root: Storage) -> bytes:
    """[MS-CFB], version 3: streams below 4096 bytes live in the mini stream."""
    entries: list[dict[str, int | str | bytes]] = []
    _collect("Root Entry", root, entries, kind=5)
    sectors: list[bytes] = []
    fat: list[int] = []
    mini = b""
    mini_fat: list[int] = []
    for entry in entries:
        content = entry.pop("content", b"")
        assert isinstance(content, bytes)
        if entry["kind"] != 2 or not content:
            continue
        if len(content) < _CUTOFF:
            entry["start"] = len(mini_fat)
            count = -(-len(content) // _MINI)
            mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), _END]
            mini += content.ljust(count * _MINI, b"\x00")
        else:
            entry["start"] = _append(content, sectors, fat)
    entries[0] |= {"start": _append(mini, sectors, fat), "size": len(mini)}
    mini_fat_start = _append(struct.pack(f"<{len(mini_fat)}I", *mini_fat), sectors, fat, b"\xff")
    directory_start = _append(b"".join(map(_entry, entries)), sectors, fat)
    fat_start, fat_count = len(sectors), 1
    while (len(sectors) + fat_count) * 4 > fat_count * _SECTOR:
        fat_count += 1
    fat += [_FAT] * fat_count
    table = struct.pack(f"<{len(fat)}I", *fat).ljust(fat_count * _SECTOR, b"\xff")
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, fat_count, directory_start, 0, _CUTOFF),
        *(mini_fat_start if mini_fat else _END, -(-len(mini_fat) * 4 // _SECTOR), _END, 0),
        fat_start,
    )
    places = struct.pack(f"<{fat_count - 1}I", *range(fat_start + 1, fat_start + fat_count))
    return (header + places).ljust(_SECTOR, b"\xff") + b"".join(sectors) + table


def _collect(
    name: str, content: bytes | Storage, entries: list[dict[str, int | str | bytes]], kind: int
) -> int:
    number = len(entries)
    entry: dict[str, int | str | bytes] = {
        "name": name,
        "kind": kind,
        "right": _FREE,
        "child": _FREE,
        "start": 0,
        "size": 0,
    }
    entries.append(entry)
    if isinstance(content, bytes):
        entry |= {"content": content, "size": len(content)}
        return number
    previous: int | None = None
    for child_name, child in content.items():
        kind = 2 if isinstance(child, bytes) else 1
        child_number = _collect(child_name, child, entries, kind)
        if previous is None:
            entry["child"] = child_number
        else:
            entries[previous]["right"] = child_number
        previous = child_number
    return number


def _append(content: bytes, sectors: list[bytes], fat: list[int], fill: bytes = b"\x00") -> int:
    if not content:
        return _END
    first = len(sectors)
    pieces = [content[at : at + _SECTOR] for at in range(0, len(content), _SECTOR)]
    sectors += [piece.ljust(_SECTOR, fill) for piece in pieces]
    fat += [*range(first + 1, first + len(pieces)), _END]
    return first


def _entry(entry: Mapping[str, int | str | bytes]) -> bytes:
    name = str(entry["name"]).encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        name,
        len(name) + 2,
        entry["kind"],
        1,
        *(_FREE, entry["right"], entry["child"], b"", 0, 0, 0, entry["start"], entry["size"]),
    )
