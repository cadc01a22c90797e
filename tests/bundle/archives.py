"""ZIP files that no honest tool writes, made byte by byte."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class Entry:
    """One member; the fields that are not None are lies told instead of the truth."""

    name: bytes
    content: bytes = b""
    deflate: bool = True
    mode: int = 0o100644
    flags: int = 0
    declared_size: int | None = None
    local_name: bytes | None = None
    checksum: int | None = None
    packed: bytes | None = None
    method: int | None = None


def zip_bytes(entries: Sequence[Entry], *, overlap: bool = False) -> bytes:
    """An archive of the entries; with `overlap` every member is the first one's bytes."""
    body, directory = b"", b""
    for number, entry in enumerate(entries):
        engine = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = engine.compress(entry.content) + engine.flush() if entry.deflate else entry.content
        packed = entry.packed if entry.packed is not None else packed
        method = (8 if entry.deflate else 0) if entry.method is None else entry.method
        size = len(entry.content) if entry.declared_size is None else entry.declared_size
        checksum = zlib.crc32(entry.content) if entry.checksum is None else entry.checksum
        offset = 0 if overlap else len(body)
        common = (20, entry.flags, method, 0, 0x21, checksum, len(packed), size)
        local_name = entry.name if entry.local_name is None else entry.local_name
        if not (overlap and number):
            body += struct.pack("<4s5H3I2H", b"PK\x03\x04", *common, len(local_name), 0)
            body += local_name + packed
        directory += struct.pack(
            "<4s6H3I5H2I",
            b"PK\x01\x02",
            0x031E,
            *common,
            len(entry.name),
            0,
            0,
            0,
            0,
            entry.mode << 16,
            offset,
        )
        directory += entry.name
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, len(entries), len(entries), len(directory), len(body), 0
    )
    return body + directory + end


def honest_zip(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_time=(2025, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return stream.getvalue()
