"""OCR by the `tesseract` program: a picture goes in through a pipe, a table comes out."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from typing import Final

from PIL.Image import Image

from tipstaff.parse.ocr import OcrWord
from tipstaff.parse.parser import CannotRead

_LANGUAGES = re.compile(r"[A-Za-z][A-Za-z0-9_/]*(?:\+[A-Za-z][A-Za-z0-9_/]*)*")
_WORD_LEVEL = "5"
_TURN = re.compile(r"^Rotate: (\d+)\s*$.*?^Orientation confidence: ([\d.]+)", re.M | re.S)
# Below this, tesseract's opinion is worth less than a look at what each turn reads like.
_SURE_OF_TURN = 2.0


class _Tesseract:
    def __call__(self, image: Image, *, languages: str) -> list[OcrWord]:
        if not _LANGUAGES.fullmatch(languages):
            raise CannotRead(
                f"'{languages}' are no languages of OCR.", "Use codes such as 'eng' or 'eng+deu'."
            )
        done = _run(image, "--psm", "3", "-l", languages, "tsv")
        if done.returncode:
            raise _failure(done.stderr.decode("utf-8", "replace"), languages)
        return list(_words(done.stdout.decode("utf-8", "replace")))

    def quarter_turns(self, image: Image) -> int | None:
        """None, too, for a few words, and where the data that this needs (osd) is missing."""
        done = _run(image, "--psm", "0")
        said = _TURN.search(done.stdout.decode("utf-8", "replace"))
        if done.returncode or said is None or float(said[2]) < _SURE_OF_TURN:
            return None
        # It says how to turn the picture so that it is upright; asked is how it was turned.
        return -int(said[1]) // 90 % 4


recognise: Final = _Tesseract()


def _run(image: Image, *words: str) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("tesseract")
    if program is None:
        raise CannotRead(
            "No OCR engine is installed, so the text in pictures cannot be read.",
            "Install tesseract-ocr (Debian, Ubuntu: apt install tesseract-ocr; "
            "macOS: brew install tesseract).",
        )
    picture = BytesIO()
    (image if image.mode in ("L", "RGB") else image.convert("RGB")).save(picture, "PPM")
    return subprocess.run(  # noqa: S603
        [program, "stdin", "stdout", "--dpi", "300", *words],
        input=picture.getvalue(),
        capture_output=True,
        check=False,
        # One thread is quicker than several for one page, and workers run side by side.
        env=os.environ | {"OMP_THREAD_LIMIT": "1"},
    )


def _words(table: str) -> Iterator[OcrWord]:
    lines: dict[tuple[str, str, str], int] = {}
    for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] != _WORD_LEVEL or not (row["text"] or "").strip():
            continue
        key = (row["block_num"], row["par_num"], row["line_num"])
        left, top = float(row["left"]), float(row["top"])
        yield OcrWord(
            text=row["text"],
            left=left,
            top=top,
            right=left + float(row["width"]),
            bottom=top + float(row["height"]),
            confidence=float(row["conf"]) / 100,
            line=lines.setdefault(key, len(lines)),
        )


def _failure(complaint: str, languages: str) -> CannotRead:
    if "loading language" in complaint or "opening data file" in complaint:
        return CannotRead(
            f"The OCR engine does not know the languages '{languages}'.",
            "Install their data (Debian: tesseract-ocr-deu for 'deu'), or choose others.",
        )
    return CannotRead("The OCR engine failed.", "Convert the picture to PNG and try again.")
