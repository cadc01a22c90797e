"""What a command replaced is kept beside it, so that it can be put back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tipstaff.bundle.file_names import MANIFEST
from tipstaff.errors import UsageError

_KEPT = ".before"


def keep_before(target: Path) -> None:
    """Move what is there aside; only what is a bundle is ever moved."""
    if not os.path.lexists(target):
        return
    _refuse_foreign(target)
    kept = _kept(target)
    _remove(kept)
    target.rename(kept)


def put_back(target: Path) -> None:
    """What was replaced takes the place of what replaced it, which is kept in turn."""
    kept = _kept(target)
    if not os.path.lexists(kept):
        raise UsageError(f"Nothing was replaced at '{target}'.")
    if not os.path.lexists(target):
        kept.rename(target)
        return
    _refuse_foreign(target)
    aside = target.with_name(f".{target.name}.swapping")
    target.rename(aside)
    kept.rename(target)
    aside.rename(kept)


def _kept(target: Path) -> Path:
    return target.with_name(target.name + _KEPT)


def _refuse_foreign(target: Path) -> None:
    is_bundle = (target / MANIFEST).is_file() if target.is_dir() else target.is_file()
    if target.is_symlink() or not is_bundle:
        raise UsageError(
            f"'{target}' is not a bundle, so it is not replaced.",
            suggestion="Name a new place.",
        )


def _remove(kept: Path) -> None:
    if kept.is_dir() and not kept.is_symlink():
        if not (kept / MANIFEST).is_file():
            raise UsageError(f"'{kept}' is not a bundle, so it is not removed.")
        shutil.rmtree(kept)
    else:
        kept.unlink(missing_ok=True)
