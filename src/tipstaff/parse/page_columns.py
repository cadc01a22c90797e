"""The reading order of a page: which runs of words stand in columns, and which across them.

In: upright runs and tables of one page. Out: columns in reading order, each a list of lines
and tables from top to bottom. A gap down the page parts columns only if prose stands on both
sides of it; figures beside labels are rows of a table and are read across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean

from tipstaff.parse.page_lines import Line, Run, lines_of
from tipstaff.parse.page_tables import Table

MAX_DEPTH = 12
MAX_PIECES = 3_000  # on one page; more are a drawing, or meant to keep us busy

_FEWEST_LINES = 3  # on each side of a gap between columns
_FEWEST_WORDS = 2.2  # in a line of prose, on average
_MOST_GUTTERS = 5
_LARGE = 8  # lines
_WIDEST_COLUMN = 0.6  # of the width of the text
_MARGIN = 0.12  # of the page's height: where headers and footers stand

Piece = Run | Table


@dataclass(slots=True)
class Column:
    """`goes_on` says that it stands to the right of the column before it, so that a sentence
    may run on from there."""

    parts: list[Line | Table]
    goes_on: bool = False


def columns_of(pieces: Sequence[Piece], height: float, size: float) -> list[Column]:
    """Columns of a page, in reading order; `size` is that of most letters."""
    ordered = sorted(pieces, key=lambda piece: (piece.top, piece.left))
    if len(ordered) > MAX_PIECES:
        return _plain(ordered)
    head, body, foot = _margins(ordered, height, size)
    return [
        column
        for part in (head, body, foot)
        for column in _parted(part, gap=max(6.0, 0.8 * size), depth=0)
    ]


def _margins(
    pieces: list[Piece], height: float, size: float
) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Header, body and footer; the first and last are few lines with white space to the body."""
    head = _up_to_gap(pieces, height * _MARGIN, size)
    rest = pieces[len(head) :]
    flipped = sorted(rest, key=lambda piece: -piece.bottom)
    foot = _from_below(flipped, height * (1 - _MARGIN), size)
    chosen = set(map(id, foot))
    body = [piece for piece in rest if id(piece) not in chosen]
    return head, body, [piece for piece in rest if id(piece) in chosen]


def _up_to_gap(pieces: list[Piece], limit: float, size: float) -> list[Piece]:
    bottom = 0.0
    for index, piece in enumerate(pieces):
        if index and piece.top - bottom > size:
            return pieces[:index]
        if piece.bottom > limit or isinstance(piece, Table) or index > 8:
            return []
        bottom = max(bottom, piece.bottom)
    return []


def _from_below(pieces: list[Piece], limit: float, size: float) -> list[Piece]:
    top = float("inf")
    for index, piece in enumerate(pieces):
        if index and top - piece.bottom > size:
            return pieces[:index]
        if piece.top < limit or isinstance(piece, Table) or index > 8:
            return []
        top = min(top, piece.top)
    return []


def _parted(pieces: list[Piece], *, gap: float, depth: int) -> list[Column]:
    """Bands from top to bottom, those with columns parted into them."""
    columns: list[Column] = []
    plain: list[Piece] = []
    if not pieces:
        return columns
    width = max(piece.right for piece in pieces) - min(piece.left for piece in pieces)
    index = 0
    while index < len(pieces):
        end, gutters = _band(pieces, index, gap=gap, width=width)
        band = pieces[index:end]
        sides = _sides(band, gutters) if gutters and depth < MAX_DEPTH else [band]
        if len(sides) > 1 and _stand_side_by_side(sides):
            columns += _plain(plain)
            plain = []
            for number, side in enumerate(sides):
                inner = _parted(side, gap=gap, depth=depth + 1)
                if number and inner:
                    inner[0].goes_on = True
                columns += inner
        else:
            plain += band
        index = end
    return columns + _plain(plain)


def _stand_side_by_side(sides: list[list[Piece]]) -> bool:
    """Whether a neighbour stands beside a good part of each side's pieces. A short line above a
    centred table has none: it comes before the table, not in a column left of it."""
    for left, right in pairwise(sides):
        for side, other in ((left, right), (right, left)):
            beside = sum(any(_is_beside(piece, one) for one in other) for piece in side)
            if 3 * beside < len(side):
                return False
    return True


def _is_beside(one: Piece, other: Piece) -> bool:
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap > min(one.bottom - one.top, other.bottom - other.top) / 2


def _plain(pieces: list[Piece]) -> list[Column]:
    """One column: lines and tables in the order of their tops."""
    if not pieces:
        return []
    lines = lines_of([piece for piece in pieces if isinstance(piece, Run)])
    tables = [piece for piece in pieces if isinstance(piece, Table)]
    return [Column(sorted([*lines, *tables], key=lambda part: part.top))]


def _band(pieces: list[Piece], start: int, *, gap: float, width: float) -> tuple[int, list[float]]:
    """The longest band from `start` on with a gap down all of it: its end, where the gaps are.

    While all pieces leave room for a second column, it may still begin further down. A band
    without a gap is one piece.
    """
    covered: list[tuple[float, float]] = [(pieces[start].left, pieces[start].right)]
    best = (start + 1, list[float]())
    for index in range(start + 1, len(pieces)):
        piece = pieces[index]
        covered = _with(covered, piece.left, piece.right)
        gutters = [
            (before[1] + after[0]) / 2
            for before, after in pairwise(covered)
            if after[0] - before[1] >= gap
        ]
        if gutters:
            best = (index + 1, gutters)
        elif best[1] or covered[-1][1] - covered[0][0] > _WIDEST_COLUMN * width:
            break
    return best


def _with(
    covered: list[tuple[float, float]], left: float, right: float
) -> list[tuple[float, float]]:
    """Intervals with one more, overlapping ones joined."""
    apart = [part for part in covered if part[1] < left or part[0] > right]
    touched = [part for part in covered if not (part[1] < left or part[0] > right)]
    whole = (min([left, *(p[0] for p in touched)]), max([right, *(p[1] for p in touched)]))
    return sorted([*apart, whole])


def _sides(band: list[Piece], gutters: list[float]) -> list[list[Piece]]:
    """The band's columns. Gaps that do not part prose from prose are passed over, if what is
    left are large columns: within them such gaps part labels from values."""
    width = max(piece.right for piece in band) - min(piece.left for piece in band)
    chosen = _widest(band, gutters)
    for count in range(len(chosen), 0, -1):
        for kept in combinations(chosen, count):
            sides: list[list[Piece]] = [[] for _ in range(count + 1)]
            for piece in band:
                sides[sum(gutter < piece.left for gutter in kept)].append(piece)
            large = all(_is_large(side, width) for side in sides)
            if (large or count == len(gutters)) and all(
                _is_prose(side, wrapped=not large) for side in sides
            ):
                return sides
    return [band]


def _widest(band: list[Piece], gutters: list[float]) -> list[float]:
    def width(gutter: float) -> float:
        before = max((piece.right for piece in band if piece.right <= gutter), default=gutter)
        after = min((piece.left for piece in band if piece.left >= gutter), default=gutter)
        return after - before

    return sorted(sorted(gutters, key=width, reverse=True)[:_MOST_GUTTERS])


def _is_large(side: list[Piece], width: float) -> bool:
    across = max(piece.right for piece in side) - min(piece.left for piece in side)
    down = max(piece.bottom for piece in side) - min(piece.top for piece in side)
    return across >= 0.3 * width and down >= _LARGE * max(p.bottom - p.top for p in side)


def _is_prose(side: list[Piece], *, wrapped: bool) -> bool:
    """Several lines of several words, mostly letters; if asked, lines that are full: with no
    room for the first word of the next one. Labels and values are not."""
    lines = lines_of([piece for piece in side if isinstance(piece, Run)])
    if len(lines) < _FEWEST_LINES:
        return len(lines) < len(side)  # a ruled table fills a column as well as prose
    text = "".join(line.text for line in lines)
    letters = sum(map(str.isalpha, text))
    words = fmean(len(line.words) for line in lines)
    if words < _FEWEST_WORDS or 2 * letters <= len(text.replace(" ", "")):
        return False
    edge = max(line.right for line in lines)
    full = [
        edge - line.right < below.words[0].right - below.words[0].left + line.size / 2
        for line, below in pairwise(lines)
    ]
    return not wrapped or 2 * sum(full) >= len(full)
