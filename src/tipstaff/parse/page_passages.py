"""Lines become passages: paragraphs, list items and lines that stand alone.

In: the columns of a page. Out: passages and tables in reading order. Where a paragraph ends is
read off what a typesetter does: space above, an indent, a change of type, a line that stops
short although the next word would have fitted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tipstaff.domain.document import BlockKind
from tipstaff.parse.aligned_tables import with_aligned_tables
from tipstaff.parse.page_columns import Column
from tipstaff.parse.page_lines import Line
from tipstaff.parse.page_tables import Table
from tipstaff.parse.page_text import is_broken

_BULLETS = "•‣◦▪▫●○■□◆◇➢➤➔✓✔✗·∙\uf0b7\uf0a7\uf0d8\uf076-–—*"
_BULLET = re.compile(rf"[{re.escape(_BULLETS)}]")
_NUMBER = re.compile(
    r"\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,3}(?:\.\d{1,3})+"
)
_LEADER = re.compile(r"(?:\.\s?){4}[^.\s]*$")
_ENDS = (".", "!", "?", ":", ";", ".”", '."', ".)")


@dataclass(slots=True)
class Passage:
    """Lines that belong together, all of one size."""

    kind: BlockKind
    lines: list[Line]

    @property
    def size(self) -> float:
        return max(self.lines, key=lambda line: len(line.text)).size

    @property
    def bold(self) -> bool:
        return all(line.bold for line in self.lines)

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def passages_of(columns: Sequence[Column]) -> list[Passage | Table]:
    """The passages and tables of a page. A paragraph may run on in the next column."""
    found: list[Passage | Table] = []
    for column in columns:
        passages = _passages(with_aligned_tables(column.parts))
        if column.goes_on and found and passages:
            last, first = found[-1], passages[0]
            if isinstance(last, Passage) and isinstance(first, Passage) and _runs_on(last, first):
                last.lines += first.lines
                passages = passages[1:]
        found += passages
    return found


def _runs_on(last: Passage, first: Passage) -> bool:
    return (
        first.kind is BlockKind.PARAGRAPH
        and abs(last.size - first.size) < 0.5
        and last.bold == first.bold
        and not last.text.endswith(_ENDS)
        and first.text[:1].islower()
    )


def _passages(parts: Sequence[Line | Table]) -> list[Passage | Table]:
    lines = [part for part in parts if isinstance(part, Line)]
    pitch = _usual_pitch(lines)
    edge = max((line.right for line in lines), default=0.0)
    found: list[Passage | Table] = []
    above: Line | None = None
    for part in parts:
        if isinstance(part, Table):
            found.append(part)
            above = None
            continue
        last = found[-1] if found else None
        is_item = _is_item(part)
        if (
            above is None
            or is_item
            or not isinstance(last, Passage)
            or _begins_anew(last, above, part, pitch=pitch, edge=edge)
        ):
            kind = BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH
            found.append(Passage(kind, [part]))
        else:
            last.lines.append(part)
        above = part
    return found


def _begins_anew(last: Passage, above: Line, line: Line, *, pitch: float, edge: float) -> bool:
    size = max(above.size, line.size)
    step = line.bottom - above.bottom
    if abs(above.size - line.size) > 0.08 * size or above.bold != line.bold:
        return True
    if step > 1.3 * pitch * size or step < 0:
        return True
    if _stands_alone(above) or _stands_alone(line):
        return True
    if is_broken(above.text, line.text):
        return False
    indent = line.left - above.left
    if last.kind is BlockKind.LIST_ITEM:
        # The lines of an item hang under its words, not under its bullet.
        if line.left < last.lines[0].left - 0.5 * size:
            return True
        indent = 0.0
    if indent > 0.9 * size and above.right > edge - 6 * size:
        return True
    return _stops_short(above, line, edge)


def _stops_short(above: Line, line: Line, edge: float) -> bool:
    """Whether the next line's first word would have had room on the line above."""
    first = line.words[0]
    room = edge - above.right - (first.right - first.left) - 0.5 * line.size
    if room <= 0:
        return False
    if above.text.endswith(_ENDS):
        return True
    return room > 0.25 * (edge - above.left) and not line.text[:1].islower()


def _stands_alone(line: Line) -> bool:
    """A row of cells, or an entry of a table of contents."""
    cells = line.cells()
    parts = len(cells) - (len(cells) > 1 and _is_mark(cells[0].text))
    return parts > 1 or _LEADER.search(line.text) is not None


def _is_item(line: Line) -> bool:
    words = line.words
    return len(words) > 1 and _is_mark(words[0].text)


def _is_mark(text: str) -> bool:
    return _BULLET.fullmatch(text) is not None or _NUMBER.fullmatch(text) is not None


def _usual_pitch(lines: Sequence[Line]) -> float:
    """From one line to the next, as a multiple of the size of the letters."""
    steps = [
        (line.bottom - above.bottom) / line.size
        for above, line in pairwise(lines)
        if abs(above.size - line.size) < 0.05 * line.size and line.size > 0
    ]
    usual = [step for step in steps if 0.8 < step < 2.2]
    return min(median(usual), 1.7) if usual else 1.3
