"""A secret of this server, in a file of its own: made once, read ever after.

Beside the database and not in it, so that whoever can write the records cannot sign them.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from tipstaff.errors import UsageError

_KEY_BYTES = 32
_OWNER_ONLY = 0o600


def server_key(path: Path) -> bytes:
    """The key in this file; a new one if there is no file. Two who begin at once get the same."""
    if not path.exists():
        _made(path)
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        raise UsageError(f"There is no key in {path}.") from None
    if len(key) < _KEY_BYTES:
        raise UsageError(f"The key in {path} is shorter than {_KEY_BYTES} bytes.")
    return key


def _made(path: Path) -> None:
    """Whole or not there: written aside, then given its name unless another was quicker."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    aside = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as stream:
            stream.write(secrets.token_hex(_KEY_BYTES) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        if not path.exists():
            try:
                os.link(aside, path)
            except FileExistsError:
                return
    finally:
        aside.unlink(missing_ok=True)
