"""A ZIP archive into a private folder, by streaming, trusting none of its declared sizes.

What could only come from malice or a broken writer (names that lead out, links, bombs,
headers that lie, members laid over each other) refuses the archive as a whole. A member
whose checksum fails is damage: that one is left for the inventory to flag.
"""

from __future__ import annotations

import os
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from tipstaff.bundle.file_names import is_junk, unsafe_reason
from tipstaff.bundle.files import SpooledFiles
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.errors import BundleUnusable
from tipstaff.settings import MIB, Settings
from tipstaff.sweeping import sweep
from tipstaff.zip_listing import listing_place

Progress = Callable[[str, int, int], None]

_BLOCK = 256 * 1024
# Below this size a high ratio is only a dull file.
_RATIO_FROM_BYTES = MIB
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_ENCRYPTED = 0x1

# The code of the finding that marks a member whose bytes are not those that were packed.
DAMAGED = "checksum-failed"


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    info: zipfile.ZipInfo
    data_start: int


def unpack(
    stream: BinaryIO, *, settings: Settings, progress: Progress | None = None
) -> tuple[SpooledFiles, list[Finding]]:
    """The archive's files and what was odd about them; BundleUnusable if it is hostile."""
    sweep(Path(tempfile.gettempdir()), "tipstaff-")
    folder = Path(tempfile.mkdtemp(prefix=f"tipstaff-{os.getpid()}-"))
    try:
        members, findings = _members(stream, settings)
        root = _root_folder([member.name for member in members], findings)
        members = [replace(member, name=member.name.removeprefix(root)) for member in members]
        places = _extract(
            stream, members, folder, settings=settings, findings=findings, progress=progress
        )
    except BaseException:
        SpooledFiles(folder, {}).close()
        raise
    return SpooledFiles(folder, places), findings


def examine(stream: BinaryIO, settings: Settings) -> None:
    """BundleUnusable if an archive's listing is hostile; no member is read."""
    members, _ = _members(stream, settings)
    unpacked = sum(member.info.file_size for member in members)
    if unpacked > settings.max_unpacked_bytes:
        raise _refusal(f"says that it unpacks to more than {settings.max_unpacked_bytes:,} bytes")
    for member in members:
        _check_ratio(member, member.info.file_size, settings)


def _refusal(what: str, *, suggestion: str | None = None) -> BundleUnusable:
    return BundleUnusable(
        f"The archive was refused: it {what}.",
        suggestion=suggestion or "Ask the sender for a bundle written by a trustworthy tool.",
    )


def _members(stream: BinaryIO, settings: Settings) -> tuple[list[_Member], list[Finding]]:
    try:
        directory_start, _ = listing_place(stream)
        listing = zipfile.ZipFile(stream).infolist()
    except (zipfile.BadZipFile, struct.error, ValueError, OSError, NotImplementedError) as problem:
        raise _refusal(f"cannot be read as a ZIP file ({problem})") from None
    if len(listing) > settings.max_archive_entries:
        raise _refusal(
            f"lists {len(listing):,} entries; {settings.max_archive_entries:,} are allowed",
            suggestion="If you trust it, raise the setting max_archive_entries.",
        )
    members: list[_Member] = []
    findings: list[Finding] = []
    for entry in listing:
        member = _checked_member(stream, entry, findings)
        if member is not None:
            members.append(member)
    _check_apart(members, directory_start)
    name, count = (
        Counter(member.name for member in members).most_common(1)[0] if members else ("", 0)
    )
    if count > 1:
        raise _refusal(f"has {count} members called '{name}'")
    folders = {parent for member in members for parent in _parents(member.name)}
    for member in members:
        if member.name in folders:
            raise _refusal(f"has a file and a folder called '{member.name}'")
    return members, findings


def _parents(name: str) -> Iterator[str]:
    position = name.find("/")
    while position >= 0:
        yield name[:position]
        position = name.find("/", position + 1)


def _checked_member(
    stream: BinaryIO, entry: zipfile.ZipInfo, findings: list[Finding]
) -> _Member | None:
    name = _safe_name(entry, findings)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise _refusal(f"holds a symbolic link, '{name}'")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _refusal(f"holds a special file, '{name}'")
    if name.endswith("/"):
        if entry.file_size:
            raise _refusal(f"has a folder with content, '{name}'")
        return None
    if entry.flag_bits & _ENCRYPTED:
        raise _refusal(
            f"is encrypted ('{name}' needs a password)",
            suggestion="Ask the sender for an archive without a password.",
        )
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise _refusal(
            f"packs '{name}' with a method other than stored or DEFLATE",
            suggestion="Ask the sender to pack it with `tip pack`.",
        )
    return _Member(name, entry, _data_start(stream, entry, name))


def _safe_name(entry: zipfile.ZipInfo, findings: list[Finding]) -> str:
    # `filename` has been cut at a NUL; the original has not.
    name = entry.orig_filename
    if "\\" in name and "/" not in name:
        name = name.replace("\\", "/")
        findings.append(
            warning("backslash-names", name, "The archive uses backslashes in names; read as '/'.")
        )
    if reason := unsafe_reason(name.rstrip("/") or name):
        printable = name.encode("unicode_escape").decode("ascii")
        raise _refusal(f"holds a member whose name {reason} ('{printable[:80]}')")
    return name


def _data_start(stream: BinaryIO, entry: zipfile.ZipInfo, name: str) -> int:
    """Where the member's bytes begin, by its local header, which must tell the same story."""
    stream.seek(entry.header_offset)
    raw = stream.read(_LOCAL_HEADER.size)
    if len(raw) < _LOCAL_HEADER.size or not raw.startswith(b"PK\x03\x04"):
        raise _refusal(f"has no member where '{name}' is said to be")
    header = _LOCAL_HEADER.unpack(raw)
    name_length, extra_length = header[9], header[10]
    local_name = stream.read(name_length)
    spellings = {entry.orig_filename.encode(code, "replace") for code in ("utf-8", "cp437")}
    if local_name not in spellings:
        raise _refusal(f"lies in a header: '{name}' is called otherwise where its bytes are")
    if header[3] != entry.compress_type:
        raise _refusal(f"lies in a header: '{name}' has two compression methods")
    return int(entry.header_offset + _LOCAL_HEADER.size + name_length + extra_length)


def _check_apart(members: list[_Member], directory_start: int) -> None:
    """Members that share bytes are how a small archive unpacks to a huge one."""
    end = 0
    for member in sorted(members, key=lambda member: member.info.header_offset):
        if member.info.header_offset < end:
            raise _refusal(f"lays '{member.name}' over another member")
        end = member.data_start + member.info.compress_size
    if end > directory_start:
        raise _refusal("has a member that runs into its list of members")


def _extract(
    stream: BinaryIO,
    members: list[_Member],
    folder: Path,
    *,
    settings: Settings,
    findings: list[Finding],
    progress: Progress | None,
) -> dict[str, Path]:
    places: dict[str, Path] = {}
    total = sum(member.info.file_size for member in members)
    done = 0
    for number, member in enumerate(members):
        place = folder / str(number)
        checksum, size, damaged = 0, 0, False
        with place.open("xb") as target:
            for block in _inflate(stream, member):
                if block is None:
                    damaged = True
                    break
                size += len(block)
                done += len(block)
                if done > settings.max_unpacked_bytes:
                    raise _refusal(f"unpacks to more than {settings.max_unpacked_bytes:,} bytes")
                _check_ratio(member, size, settings)
                checksum = zlib.crc32(block, checksum)
                target.write(block)
                if progress:
                    progress(member.name, done, max(total, done))
        if size != member.info.file_size and not damaged:
            raise _refusal(
                f"lies in a header: '{member.name}' is not of the {member.info.file_size:,} bytes "
                "that it is said to have"
            )
        if damaged or checksum != member.info.CRC:
            findings.append(
                error(DAMAGED, member.name, "The archive's checksum of this file fails.")
            )
        places[member.name] = place
    return places


def _check_ratio(member: _Member, size: int, settings: Settings) -> None:
    packed = max(member.info.compress_size, 1)
    if size > _RATIO_FROM_BYTES and size > packed * settings.max_compression_ratio:
        raise _refusal(
            f"is a bomb: '{member.name}' unpacks to more than "
            f"{settings.max_compression_ratio} times its size"
        )


def _inflate(stream: BinaryIO, member: _Member) -> Iterator[bytes | None]:
    """The member's bytes in blocks, one byte past the declared size at most: enough to know.

    None, at the end, says that the packed bytes are damaged.
    """
    stream.seek(member.data_start)
    packed_left = member.info.compress_size
    allowed = member.info.file_size + 1
    if member.info.compress_type == zipfile.ZIP_STORED:
        while packed_left and (block := stream.read(min(_BLOCK, packed_left))):
            packed_left -= len(block)
            yield block
        return
    engine = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        while allowed and not engine.eof:
            packed = engine.unconsumed_tail or stream.read(min(_BLOCK, packed_left))
            if not engine.unconsumed_tail:
                packed_left -= len(packed)
            block = engine.decompress(packed, min(_BLOCK, allowed))
            allowed -= len(block)
            if block:
                yield block
            elif not packed:
                break
    except zlib.error:
        yield None


def _root_folder(names: list[str], findings: list[Finding]) -> str:
    """The prefix of a bundle that was zipped together with its folder."""
    own = [name for name in names if not is_junk(name)]
    tops = {name.split("/", 1)[0] for name in own}
    if len(tops) != 1 or not all("/" in name for name in own) or tops <= {"context"}:
        return ""
    top = tops.pop() + "/"
    findings.append(
        info(
            "folder-in-archive", top, "The bundle lies in a folder of the archive, not at its root."
        )
    )
    return top
