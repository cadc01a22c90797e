"""The lines of settings, code or a log: what each stands in, and which speak to machines."""

from __future__ import annotations

from dataclasses import dataclass

from tipstaff.domain.text_lines import TextLines
from tipstaff.verify.addressed import ordering


@dataclass(frozen=True, slots=True)
class ItemLines:
    """`parents` has for each line the one that it stands in, -1 for none: the nearest above it that
    is less indented, or the head of its section; `orders` whether it tells machines what to do."""

    texts: tuple[str, ...] = ()
    parents: tuple[int, ...] = ()
    orders: tuple[bool, ...] = ()

    def above(self, at: int) -> list[int]:
        """The lines that a line stands in, from the outermost."""
        found: list[int] = []
        while (at := self.parents[at]) >= 0:
            found.append(at)
        return found[::-1]


NO_LINES = ItemLines()


def item_lines(text: str) -> ItemLines:
    """Of an item, or of one block of it."""
    lines = TextLines.of(text)
    texts = tuple(
        text[start:end].rstrip("\r\n")
        for start, end in zip(lines.starts, (*lines.starts[1:], len(text)), strict=True)
    )
    return ItemLines(texts, tuple(_parents(texts)), tuple(ordering(texts)))


def depth_of(line: str) -> int:
    """A head stands above all that is not indented either."""
    return -1 if line.startswith("[") else len(line) - len(line.lstrip())


def _parents(texts: tuple[str, ...]) -> list[int]:
    found: list[int] = []
    open_lines: list[int] = []
    for at, line in enumerate(texts):
        if not line.strip():
            found.append(-1)
            continue
        depth = depth_of(line)
        while open_lines and depth_of(texts[open_lines[-1]]) >= depth:
            open_lines.pop()
        found.append(open_lines[-1] if open_lines else -1)
        open_lines.append(at)
    return found
