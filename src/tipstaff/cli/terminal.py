"""What a person sees: colour and progress on a terminal, plain lines anywhere else.

Text from bundles may carry escape sequences and invisible characters; `plain` removes
whatever would move the cursor or deceive the eye.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence

_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
# Work that is done sooner needs no progress line.
_PATIENCE_S = 0.4
_UNCUT = 100_000


def plain(text: str) -> str:
    """Text that is safe to print on one line of a terminal: a title cannot forge a line."""
    return " ".join(_UNSEEN.sub("", text).split())


class Terminal:
    """Two streams: stdout for the answer, stderr for everything said about it."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            # A title in any script must not end the command on a terminal of another encoding.
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="replace")
        columns = shutil.get_terminal_size((100, 24)).columns
        # Piped output is for programs and files: nothing is cut there.
        self.width = min(columns, 140) if _is_terminal(sys.stdout) else _UNCUT
        self._started = time.monotonic()
        self._shown = False

    def styled(self, text: str, *styles: str, stream: object = None) -> str:
        target = sys.stdout if stream is None else stream
        if not _has_colour(target) or not styles:
            return text
        codes = ";".join(_STYLES[style] for style in styles)
        return f"\x1b[{codes}m{text}\x1b[0m"

    def answer(self, text: str) -> None:
        """The command's result, on stdout."""
        self.clear_progress()
        print(text)

    def release(self, text: str) -> None:
        """A piece of the command's result, on stdout at once; lines stay lines."""
        self.clear_progress()
        print("\n".join(_UNSEEN.sub("", line) for line in text.split("\n")), end="", flush=True)

    def json(self, value: object) -> None:
        """The command's result for a program; letters survive whatever the stream's encoding."""
        self.clear_progress()
        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
        print(json.dumps(value, ensure_ascii=not encoding.startswith("utf"), indent=2))

    def say(self, message: str) -> None:
        """A line on stderr."""
        self.clear_progress()
        print(plain(message), file=sys.stderr)

    def note(self, message: str) -> None:
        """A line on stderr that the person should not miss."""
        self.clear_progress()
        mark = self.styled("note:", "yellow", stream=sys.stderr)
        print(f"{mark} {plain(message)}", file=sys.stderr)

    def fail(self, message: str, suggestion: str | None) -> None:
        self.clear_progress()
        mark = self.styled("error:", "red", "bold", stream=sys.stderr)
        print(f"{mark} {plain(message)}", file=sys.stderr)
        if suggestion:
            print(f"       {plain(suggestion)}", file=sys.stderr)

    def progress(self, what: str) -> Callable[[str, int, int], None] | None:
        """A callback for long work, or None where nobody would see it."""
        if not _is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
            return None

        def show(label: str, done: int, total: int) -> None:
            if time.monotonic() - self._started < _PATIENCE_S or not total:
                return
            filled = 24 * done // total
            bar = "█" * filled + "░" * (24 - filled)
            line = f"{what} {bar} {100 * done // total:3d}% {plain(label)}"
            print(f"\r\x1b[K{line[: self.width - 1]}", end="", file=sys.stderr, flush=True)
            self._shown = True

        return show

    def clear_progress(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._shown = False

    def table(
        self, header: Sequence[str], rows: Sequence[Sequence[str]], *, right: str = ""
    ) -> str:
        """Columns padded to their widest cell; `right` names the columns set flush right."""
        cells = [[plain(cell) for cell in row] for row in (header, *rows)]
        widths = [max(_columns(row[index]) for row in cells) for index in range(len(header))]
        lines = []
        for number, row in enumerate(cells):
            padded = [
                _padded(cell, width, flush_right=header[index] in right.split())
                for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            line = "  ".join(padded).rstrip()
            lines.append(self.styled(line, "dim") if number == 0 else line)
        return "\n".join(lines)


def cut(text: str, columns: int) -> str:
    """Text of at most so many terminal columns, ending in an ellipsis where it was cut."""
    text = plain(text)
    if _columns(text) <= columns:
        return text
    kept = ""
    for character in text:
        if _columns(kept + character) > columns - 1:
            break
        kept += character
    return kept + "…"


def size(count: int) -> str:
    """Bytes as people read them."""
    amount, unit = float(count), "B"
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{count} B" if unit == "B" else f"{amount:.1f} {unit}"


def _columns(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.combining(character) > 0 for character in text)
    return len(text) + wide - marks


def _padded(cell: str, width: int, *, flush_right: bool) -> str:
    padding = " " * (width - _columns(cell))
    return padding + cell if flush_right else cell + padding


def _is_terminal(stream: object) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def _has_colour(stream: object) -> bool:
    return (
        _is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
