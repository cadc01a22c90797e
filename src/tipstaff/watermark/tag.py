"""A tag: 48 bits that stand for one recipient in one session, and 16 that only the server's key can
have made. Which recipient it is, is written in the records, not in the mark."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

TAG_BYTES, CHECK_BYTES = 6, 2
CODE_BYTES = TAG_BYTES + CHECK_BYTES
CODE_BITS = 8 * CODE_BYTES


@dataclass(frozen=True, slots=True)
class Tags:
    """Of one server; `key` is its own."""

    key: bytes

    def tag_of(self, *who: str) -> str:
        """The same for the same names; nobody without the key can tell whose it is."""
        said = b"".join(len(one.encode()).to_bytes(4) + one.encode() for one in who)
        return self._mac(b"tag", said)[:TAG_BYTES].hex()

    def code_of(self, tag: str) -> bytes:
        """What is put into texts and pictures."""
        content = bytes.fromhex(tag)
        return content + self._mac(b"check", content)[:CHECK_BYTES]

    def read(self, code: bytes) -> str | None:
        """The tag in a code; None for what this server did not make."""
        tag = code[:TAG_BYTES].hex()
        return tag if len(code) == CODE_BYTES and self.code_of(tag) == code else None

    def sub_key(self, purpose: bytes) -> bytes:
        return self._mac(purpose, b"")

    def _mac(self, purpose: bytes, content: bytes) -> bytes:
        said = b"tipstaff-watermark-1\n" + purpose + b"\n" + content
        return hmac.new(self.key, said, hashlib.sha256).digest()


def chance_of_error(known: int, looked_at: int) -> float:
    """At most this probable: that something which was never marked is traced to somebody. Each
    code that is looked at has 64 bits that would have to be those of one of the known tags."""
    return min(1.0, max(known, 1) * looked_at / 2.0**CODE_BITS)
