"""What a killed process left behind: temporary names bear the number of their process, so
that the next one knows which of them nobody will come back for."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from pathlib import Path


def sweep(folder: Path, prefix: str) -> None:
    """Remove what killed processes of ours left in a folder."""
    pattern = re.compile(re.escape(prefix) + r"(\d+)-")
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            match = pattern.match(entry.name)
            if match and not _is_alive(int(match[1])):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    Path(entry.path).unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
