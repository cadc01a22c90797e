"""Words become lines: rows of a page by height, runs of a row by the gaps between words.

All words come in upright and of one direction. Every word goes out in exactly one run; words
printed twice in one place (a cheap way to make bold) are told apart from the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from tipstaff.parse.page_words import Word, is_right_to_left

WIDE_GAP = 0.9  # of the letters' size: wider than a space between words
CELL_GAP = 1.6  # of the letters' size: wider than any space of justified text

_TWIN_REACH = 2.0  # points
_MESH = 8.0  # points


@dataclass(slots=True)
class Run:
    """Words beside one another with no wide gap between them."""

    words: list[Word]
    left: float = field(init=False)
    top: float = field(init=False)
    right: float = field(init=False)
    bottom: float = field(init=False)

    def __post_init__(self) -> None:
        self.left = min(word.left for word in self.words)
        self.right = max(word.right for word in self.words)
        self.top = min(word.top for word in self.words)
        self.bottom = max(word.bottom for word in self.words)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class Line:
    """Runs on one height, in reading order. `size` and `bold` are those of most letters."""

    runs: list[Run]
    left: float = field(init=False)
    top: float = field(init=False)
    right: float = field(init=False)
    bottom: float = field(init=False)
    size: float = field(init=False)
    bold: bool = field(init=False)
    words: list[Word] = field(init=False)
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.words = [word for run in self.runs for word in run.words]
        self.text = " ".join([word.text for word in self.words])
        self.left = min(run.left for run in self.runs)
        self.right = max(run.right for run in self.runs)
        self.top = min(run.top for run in self.runs)
        self.bottom = max(run.bottom for run in self.runs)
        letters: dict[float, int] = {}
        for word in self.words:
            letters[word.size] = letters.get(word.size, 0) + len(word.text)
        self.size = max(letters, key=lambda size: letters[size])
        self.bold = all(word.bold for word in self.words)

    def cells(self) -> list[Run]:
        """The runs, joined where the gap between them is no wider than justified text has."""
        joined: list[Run] = []
        for run in self.runs:
            if joined and _gap(joined[-1], run) <= CELL_GAP * self.size:
                joined[-1] = Run([*joined[-1].words, *run.words])
            else:
                joined.append(run)
        return joined


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Words by the height that they stand on, top to bottom, each row left to right."""
    rows: list[list[Word]] = []
    core: Word | None = None  # the tallest word of the row stands for it
    for word in sorted(words, key=lambda word: word.top + word.bottom):
        if core is not None and _on_one_height(core, word):
            rows[-1].append(word)
            core = max(core, word, key=lambda word: word.height)
        else:
            rows.append([word])
            core = word
    for row in rows:
        row.sort(key=lambda word: word.left)
    return rows


def runs_of(row: Sequence[Word]) -> list[Run]:
    """The words of a row, parted at wide gaps, left to right."""
    parts: list[list[Word]] = []
    right = 0.0
    for word in row:
        if parts and word.left - right <= WIDE_GAP * word.size:
            parts[-1].append(word)
            right = max(right, word.right)
        else:
            parts.append([word])
            right = word.right
    return [Run(part[::-1] if _runs_leftwards(part) else part) for part in parts]


def lines_of(runs: Sequence[Run]) -> list[Line]:
    """Runs of one column as lines, top to bottom."""
    lines: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: run.top + run.bottom):
        if lines and _on_one_height(max(lines[-1], key=_height), run):
            lines[-1].append(run)
        else:
            lines.append([run])
    return [Line(list(_ordered(line))) for line in lines]


def without_twins(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Words as they are read, and second printings of a word in the very same place."""
    places: dict[tuple[str, int, int], Word] = {}
    kept, twins = [], []
    for word in words:
        # Two grids, half a mesh apart: neighbours that an edge of the one parts meet in the other.
        across, down = word.left / _MESH, word.top / _MESH
        one = (word.text, int(across), int(down))
        other = (word.text, -1 - int(across + 0.5), int(down + 0.5))
        near = places.get(one) or places.get(other)
        if near and _in_one_place(word, near):
            twins.append(word)
        else:
            kept.append(word)
            places[one] = places[other] = word
    return kept, twins


def usual_size(words: Sequence[Word]) -> float:
    """The size of most letters, roughly."""
    return median(word.size for word in words) if words else 10.0


def _in_one_place(word: Word, other: Word) -> bool:
    reach = min(_TWIN_REACH, 0.2 * word.size)
    return (
        abs(word.left - other.left) <= reach
        and abs(word.top - other.top) <= reach
        and abs(word.right - other.right) <= reach
    )


def _on_one_height(first: Word | Run, second: Word | Run) -> bool:
    overlap = min(first.bottom, second.bottom) - max(first.top, second.top)
    return overlap > 0.55 * min(first.bottom - first.top, second.bottom - second.top)


def _height(run: Run) -> float:
    return run.bottom - run.top


def _gap(left: Run, right: Run) -> float:
    return max(right.left - left.right, left.left - right.right)


def _ordered(line: list[Run]) -> Iterator[Run]:
    leftwards = _runs_leftwards([word for run in line for word in run.words])
    yield from sorted(line, key=lambda run: run.left, reverse=leftwards)


def _runs_leftwards(words: Sequence[Word]) -> bool:
    if all(word.text.isascii() for word in words):
        return False
    letters = [character for word in words for character in word.text if character.isalpha()]
    return 2 * sum(map(is_right_to_left, letters)) > len(letters)
