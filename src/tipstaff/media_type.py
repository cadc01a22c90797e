"""What bytes are, by looking at them: magic numbers, then the inside of ZIP files, then the name.

The first kilobytes and the file name come in, a media type goes out. Text that no magic
number gives away is told apart by its file name; bytes that are no text are
`application/octet-stream`.
"""

from __future__ import annotations

import struct
from pathlib import PurePosixPath
from typing import BinaryIO

from tipstaff.decoding import wide_without_mark
from tipstaff.zip_listing import NotAZip, member_names

SNIFFED_BYTES = 4096

UNKNOWN = "application/octet-stream"
ZIP = "application/zip"
_OFFICE = "application/vnd.openxmlformats-officedocument."

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF-", "application/pdf"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"BM", "image/bmp"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/wav"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
    (4, b"ftypM4A", "audio/mp4"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/x-matroska"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (0, b"PK\x03\x04", ZIP),
    (0, b"PK\x05\x06", ZIP),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!", "application/vnd.rar"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
)

_OLE_BY_SUFFIX = {
    ".msg": "application/vnd.ms-outlook",
    ".xls": "application/vnd.ms-excel",
    ".doc": "application/msword",
    ".ppt": "application/vnd.ms-powerpoint",
    # Encrypted, these are OLE files, too; their parsers say so.
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb"), _OFFICE + "spreadsheetml.sheet"),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx", ".potx"), _OFFICE + "presentationml.presentation"),
    **dict.fromkeys((".docx", ".docm", ".dotx"), _OFFICE + "wordprocessingml.document"),
}

_ZIP_BY_MEMBER: tuple[tuple[str, str], ...] = (
    ("word/", _OFFICE + "wordprocessingml.document"),
    ("xl/", _OFFICE + "spreadsheetml.sheet"),
    ("ppt/", _OFFICE + "presentationml.presentation"),
    ("Index/Presentation.iwa", "application/vnd.apple.keynote"),
    ("Index/Slide", "application/vnd.apple.keynote"),
)

# Formats whose first member, `mimetype`, names them.
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
_ZIP_BY_MIMETYPE = ("application/epub+zip", _OPEN_DOCUMENT)
# Written by hand, such files have it elsewhere; then their suffix and a part that all have tell.
_ZIP_BY_SUFFIX = {
    ".odt": ("content.xml", _OPEN_DOCUMENT + "text"),
    ".ott": ("content.xml", _OPEN_DOCUMENT + "text"),
    ".ods": ("content.xml", _OPEN_DOCUMENT + "spreadsheet"),
    ".odp": ("content.xml", _OPEN_DOCUMENT + "presentation"),
    ".epub": ("META-INF/container.xml", "application/epub+zip"),
}

_TEXT_BY_SUFFIX = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".log": "text/plain",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".html": "text/html",
    ".htm": "text/html",
    ".xml": "application/xml",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".eml": "message/rfc822",
    ".toml": "text/plain",
    ".ini": "text/plain",
    ".cfg": "text/plain",
    ".py": "text/x-python",
    ".pyi": "text/x-python",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".cjs": "text/javascript",
    ".jsx": "text/javascript",
    ".ts": "text/x-typescript",
    ".mts": "text/x-typescript",
    ".cts": "text/x-typescript",
    ".tsx": "text/x-typescript",
    ".java": "text/x-java",
    ".go": "text/x-go",
    ".rs": "text/x-rust",
    ".c": "text/x-c",
    ".h": "text/x-c",
    ".cc": "text/x-c++",
    ".cpp": "text/x-c++",
    ".cxx": "text/x-c++",
    ".hpp": "text/x-c++",
    ".hh": "text/x-c++",
    ".cs": "text/x-csharp",
    ".rb": "text/x-ruby",
    ".php": "text/x-php",
    ".sql": "application/sql",
    ".sh": "text/x-shellscript",
    ".bash": "text/x-shellscript",
    ".kt": "text/x-kotlin",
    ".kts": "text/x-kotlin",
    ".lua": "text/x-lua",
    ".mk": "text/x-makefile",
    ".pl": "text/x-perl",
    ".pm": "text/x-perl",
    ".scala": "text/x-scala",
    ".swift": "text/x-swift",
    ".srt": "application/x-subrip",
    ".vtt": "text/vtt",
}

# Files that are known by their whole name.
_TEXT_BY_NAME = {
    "dockerfile": "text/x-dockerfile",
    "containerfile": "text/x-dockerfile",
    "makefile": "text/x-makefile",
    "gnumakefile": "text/x-makefile",
}

_TYPE_OF_ITEM: tuple[tuple[str, str], ...] = (
    ("message/rfc822", "email"),
    ("application/vnd.ms-outlook", "email"),
    ("application/vnd.ms-excel", "spreadsheet"),
    (_OFFICE + "spreadsheetml", "spreadsheet"),
    ("application/vnd.oasis.opendocument.spreadsheet", "spreadsheet"),
    ("text/csv", "spreadsheet"),
    ("text/tab-separated-values", "spreadsheet"),
    (_OFFICE + "presentationml", "presentation"),
    ("application/vnd.ms-powerpoint", "presentation"),
    ("application/vnd.apple.keynote", "presentation"),
    ("application/vnd.oasis.opendocument.presentation", "presentation"),
    ("image/", "image"),
    ("audio/", "audio"),
    ("video/", "video"),
    ("text/html", "webpage"),
    ("application/json", "data"),
    ("application/jsonl", "data"),
    ("application/xml", "data"),
    ("application/yaml", "data"),
    ("application/sql", "code"),
    ("text/javascript", "code"),
    ("text/x-", "code"),
)

# What a sender may write for the same thing.
_SAME: tuple[frozenset[str], ...] = (
    frozenset({"text/xml", "application/xml"}),
    frozenset({"audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"}),
    frozenset({"audio/mp4", "audio/x-m4a", "audio/m4a", "video/mp4", "video/quicktime"}),
    frozenset({"audio/mpeg", "audio/mp3"}),
    frozenset({"application/rtf", "text/rtf"}),
    frozenset({"image/jpeg", "image/jpg"}),
    frozenset({"application/zip", "application/x-zip-compressed"}),
)


def sniff(head: bytes, name: str, *, whole: BinaryIO | None = None) -> str:
    """The media type of bytes that begin with `head`; `whole` lets ZIP files be told apart."""
    for offset, magic, media_type in _MAGIC:
        if head[offset : offset + len(magic)] == magic:
            return _refined(media_type, head, name, whole)
    if not looks_like_text(head):
        return UNKNOWN
    path = PurePosixPath(name.lower())
    if known := _TEXT_BY_NAME.get(path.name) or _TEXT_BY_SUFFIX.get(path.suffix):
        return known
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:256].lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "text/html"
    return "application/xml" if start.startswith(b"<?xml") else "text/plain"


def looks_like_text(head: bytes) -> bool:
    """No NUL outside UTF-16/32, and hardly any control characters."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if b"\x00" in head:
        return wide_without_mark(head[:200]) is not None
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return controls * 100 <= len(head)


def agree(declared: str, found: str) -> bool:
    """Whether what the sender declared can be true of what the bytes are."""
    declared = declared.split(";", maxsplit=1)[0].strip().lower()
    if declared == found or declared in ("", UNKNOWN) or found == UNKNOWN:
        return True
    if is_text(declared) and is_text(found):
        return True
    return any(declared in same and found in same for same in _SAME)


def is_text(media_type: str) -> bool:
    """Whether bytes of this type are read as text as they are."""
    return media_type.startswith(("text/", "message/")) or media_type in (
        "application/json",
        "application/jsonl",
        "application/xml",
        "application/yaml",
        "application/sql",
        "application/x-subrip",
        "application/javascript",
        "application/x-sh",
    )


def is_zip(media_type: str) -> bool:
    """Whether files of this type are ZIP archives, whatever else they are."""
    return media_type in (
        ZIP,
        "application/epub+zip",
        "application/vnd.apple.keynote",
    ) or media_type.startswith((_OFFICE, _OPEN_DOCUMENT))


def item_type(media_type: str) -> str:
    """The bundle format's item type for a media type."""
    for prefix, kind in _TYPE_OF_ITEM:
        if media_type.startswith(prefix):
            return kind
    return "document"


def _refined(media_type: str, head: bytes, name: str, whole: BinaryIO | None) -> str:
    if media_type == "application/x-ole-storage":
        return _OLE_BY_SUFFIX.get(PurePosixPath(name.lower()).suffix, media_type)
    if media_type == ZIP and whole is not None:
        return _inside_zip(head, name, whole)
    return media_type


def _inside_zip(head: bytes, name: str, whole: BinaryIO) -> str:
    """Office files, EPUB and Keynote are ZIP files that say so by what they hold.

    EPUB and OpenDocument put their type first, stored, so the first bytes are enough; the
    others are told by names. No member is ever unpacked here.
    """
    if head[26:28] == b"\x08\x00" and head[30:38] == b"mimetype":
        extra = int.from_bytes(head[28:30], "little")
        declared = head[38 + extra : 138 + extra].split(b"PK")[0].decode("ascii", "replace")
        for known in _ZIP_BY_MIMETYPE:
            if declared.startswith(known):
                return known if known.endswith("+zip") else _open_document(declared)
    try:
        members = member_names(whole, at_most=5_000)
    except (NotAZip, OSError, struct.error):
        return ZIP
    for prefix, media_type in _ZIP_BY_MEMBER:
        if any(member.startswith(prefix) for member in members):
            return media_type
    part, media_type = _ZIP_BY_SUFFIX.get(PurePosixPath(name.lower()).suffix, ("", ZIP))
    return media_type if part in members else ZIP


def _open_document(declared: str) -> str:
    """The type without what follows it in the file: the mimetype member has no line end."""
    for kind in ("text", "spreadsheet", "presentation", "graphics"):
        if declared.startswith(_OPEN_DOCUMENT + kind):
            return _OPEN_DOCUMENT + kind
    return ZIP
