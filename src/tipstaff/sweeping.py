"""What a killed process left behind: temporary names bear the number of their process, so
that the next one knows which of them nobody will come back for. In folders that several machines
share they bear their machine, too: whether a process of another one lives cannot be known here."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import socket
import time
from pathlib import Path

# What another machine has not touched for so long, nobody comes back for.
_FOREIGN_S = 86_400


def sweep(folder: Path, prefix: str) -> None:
    """Remove what killed processes of ours left in a folder."""
    pattern = re.compile(re.escape(prefix) + r"(\d+)-(?:at([0-9a-f]{8})-)?")
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            match = pattern.match(entry.name)
            if match and _is_nobodys(entry, int(match[1]), match[2]):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    Path(entry.path).unlink(missing_ok=True)


def own_mark() -> str:
    """For names in folders that several machines may share."""
    return f"{os.getpid()}-at{_machine()}-"


def _is_nobodys(entry: os.DirEntry[str], process: int, machine: str | None) -> bool:
    if machine in (None, _machine()):
        return not _is_alive(process)
    return time.time() - entry.stat(follow_symlinks=False).st_mtime > _FOREIGN_S


@functools.cache
def _machine() -> str:
    """Containers have names and numbers of processes of their own, on one machine, too."""
    numbers = ""
    with contextlib.suppress(OSError):
        numbers = str(Path("/proc/self/ns/pid").stat().st_ino)
    return hashlib.sha256(f"{socket.gethostname()}:{numbers}".encode()).hexdigest()[:8]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
