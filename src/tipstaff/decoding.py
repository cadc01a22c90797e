"""Bytes to text: byte-order mark, then strict UTF-8, then what was declared, then Windows-1252.

Guessing libraries are wrong about Windows-1252 more often than this order is.
"""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode_text(content: bytes, *, declared: str | None = None) -> str:
    """The text of a file; never fails, and never guesses where the bytes say what they are."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, "replace")
    if encoding_without_mark := wide_without_mark(content[:200]):
        return content.decode(encoding_without_mark, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if declared:
        try:
            return content.decode(codecs.lookup(declared.strip()).name)
        except (LookupError, UnicodeDecodeError, ValueError):
            pass
    return content.decode("cp1252", "replace")


def wide_without_mark(head: bytes) -> str | None:
    """The encoding of UTF-16 that lost its mark: every second byte of Latin text is zero."""
    if len(head) < 8:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) // 3 and even == 0:
        return "utf-16-le"
    if even > len(head) // 3 and odd == 0:
        return "utf-16-be"
    return None
