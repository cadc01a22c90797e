"""Members of a ZIP file that is a document, read by streaming and up to a limit.

The bytes of the file come in, the bytes of its members go out; the sizes that the file
declares are not believed.
"""

from __future__ import annotations

import io
import zipfile
import zlib

from tipstaff.parse.parser import CannotRead

MAX_TOTAL_BYTES = 200_000_000
MAX_PICTURE_BYTES = 50_000_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STEP = 1 << 20
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    OverflowError,
)


class ZipMembers:
    """`kind` is what the recipient calls such a file: "Word document", "EPUB book"."""

    def __init__(self, content: bytes, kind: str, *, limit: int = MAX_TOTAL_BYTES) -> None:
        self._kind = kind
        self._left = limit
        if content.startswith(_OLE):
            raise CannotRead(
                f"The {kind} is encrypted, or it is of the old binary format.",
                "Ask the sender for a version without a password in the current format.",
            )
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
            self.names = frozenset(self._archive.namelist())
        except _DAMAGE as error:
            raise self._damaged() from error

    def read(self, name: str) -> bytes | None:
        """A member's bytes; None if there is none of that name."""
        if name not in self.names:
            return None
        content = self._unpacked(name, self._left)
        self._left -= len(content)
        return content

    def read_picture(self, name: str) -> bytes | None:
        """The same for a picture, which the limit for the document's text does not concern."""
        return self._unpacked(name, MAX_PICTURE_BYTES) if name in self.names else None

    def _unpacked(self, name: str, limit: int) -> bytes:
        try:
            with self._archive.open(name) as member:
                parts = []
                while part := member.read(_STEP):
                    limit -= len(part)
                    if limit < 0:
                        raise self._too_large()
                    parts.append(part)
        except RuntimeError as error:  # zipfile's word for a member with a password
            if isinstance(error, NotImplementedError):
                raise self._damaged() from error
            raise self._encrypted() from error
        except _DAMAGE as error:
            raise self._damaged() from error
        return b"".join(parts)

    def _damaged(self) -> CannotRead:
        return CannotRead(
            f"The {self._kind} is damaged: it cannot be unpacked.",
            "Ask the sender for a new copy of the file.",
        )

    def _encrypted(self) -> CannotRead:
        return CannotRead(
            f"The {self._kind} is encrypted.",
            "Ask the sender for a version without a password.",
        )

    def _too_large(self) -> CannotRead:
        return CannotRead(
            f"The {self._kind} unpacks to more than {MAX_TOTAL_BYTES // 1_000_000} MB.",
            "Ask the sender for a smaller version or for one in parts.",
        )
