"""Words on a page: what was printed or recognised, and where.

A word has two places. `box` is where it stands on the page as shown, in points from the top
left. `left`, `top`, `right` and `bottom` are the same place once the page is turned so that
the word stands upright; the layout reads those, so sideways text is laid out like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Box = tuple[float, float, float, float]  # left, top, right, bottom

SLANTED = 4  # a direction that is no quarter turn, such as a watermark's


@dataclass(slots=True)
class Word:
    """`direction` counts the quarter turns, clockwise, that the word is turned by. `hidden`
    says why a reader cannot see it and is empty for ordinary words. `glued` says that it
    stands right behind the word before it, parted from it only by its colour."""

    text: str
    box: Box
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool = False
    direction: int = 0
    hidden: str = ""
    confidence: float | None = None
    glued: bool = False

    @property
    def height(self) -> float:
        return self.bottom - self.top


def turned(box: Box, direction: int, width: float, height: float) -> Box:
    """A box of a page as it lies when text of this direction is read upright."""
    left, top, right, bottom = box
    if direction == 1:
        return top, width - right, bottom, width - left
    if direction == 2:
        return width - right, height - bottom, width - left, height - top
    if direction == 3:
        return height - bottom, left, height - top, right
    return box


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def is_unspaced(character: str) -> bool:
    """Whether the character belongs to a script that puts no spaces between words."""
    return (
        "\u2e80" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\uff00" <= character <= "\uff60"
        or "\U00020000" <= character <= "\U0003ffff"
    )


def is_right_to_left(character: str) -> bool:
    """Hebrew, Arabic and their neighbours."""
    return "\u0590" <= character <= "\u08ff" or "\ufb1d" <= character <= "\ufefc"
