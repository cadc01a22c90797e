"""Which words of a PDF page cannot be seen, although they are drawn with ordinary ink.

White on white, nearly transparent, under a black bar, on a layer that is switched off: all of
them leave no trace when the page is drawn. So the page is drawn, but only if a word gives
cause for doubt, and the place of each such word is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2
from PIL.Image import Image

from tipstaff.parse.page_words import Box
from tipstaff.parse.pdf_drawings import Drawings
from tipstaff.parse.pdf_render import draw
from tipstaff.parse.pdf_words import PdfWord

NO_TRACE = "text that leaves no trace on the page, such as white on white"

_ALIKE = 56  # of 255: ink so near to the colour of the ground is looked at
_FAINT = 128  # of 255: opacity
_LEAST_CONTRAST = 20  # of 255, between the darkest and the lightest point at the word
_DRAWN_AT = 1.5  # pixels a point, if letters are not very small
_SHARP = 8  # pixels that a letter needs not to be blurred
_MOST_AREAS = 2_000
_MOST_PIXELS = 16_000_000


def mark_unseen(page: pypdfium2.PdfPage, words: list[PdfWord], drawings: Drawings) -> None:
    """Set `hidden` on every word that the drawn page does not show."""
    doubtful = [word for word in words if not word.hidden and _is_doubtful(word, drawings)]
    if not doubtful:
        return
    width, height = page.get_size()
    smallest = min(min(word.box[3] - word.box[1], word.box[2] - word.box[0]) for word in doubtful)
    scale = max(_DRAWN_AT, min(_DRAWN_AT * 4, _SHARP / max(0.1, smallest)))
    scale = min(scale, (_MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    drawn = draw(page, scale)
    for word in doubtful:
        if _contrast(drawn, word.box, scale) < _LEAST_CONTRAST:
            word.hidden = NO_TRACE


def _is_doubtful(word: PdfWord, drawings: Drawings) -> bool:
    """Whether ink and ground may be alike, or something may lie over the word."""
    style = word.style
    if (
        len(drawings.areas) > _MOST_AREAS
        or style is None
        or style.in_layer
        or style.colour[3] < _FAINT
    ):
        return True
    if style.invisible:  # the text layer of a scan, which is not meant to be seen
        return False
    here = drawings.areas and [area for area in drawings.areas if _covers(area.box, word.box)]
    if not here:
        return min(style.colour) > 255 - _ALIKE
    order = drawings.orders.get(style.owner, -1)
    ground = here[-1]
    if ground.order > order or ground.colour is None:
        return True
    return not (_differ(style.colour, ground.colour) and _contains(ground.box, word.box))


def _covers(area: Box, word: Box) -> bool:
    across, down = (word[0] + word[2]) / 2, (word[1] + word[3]) / 2
    return area[0] <= across <= area[2] and area[1] <= down <= area[3]


def _differ(ink: Sequence[int], ground: Sequence[int]) -> bool:
    return any(abs(one - other) > _ALIKE for one, other in zip(ink[:3], ground, strict=True))


def _contains(area: Box, word: Box) -> bool:
    slack = (word[3] - word[1]) / 4
    return (
        area[0] - slack <= word[0]
        and area[1] - slack <= word[1]
        and area[2] + slack >= word[2]
        and area[3] + slack >= word[3]
    )


def _contrast(drawn: Image, box: Box, scale: float) -> int:
    """How far apart light and dark are in the middle of the word, away from its neighbours."""
    left, top, right, bottom = (edge * scale for edge in box)
    margin = (bottom - top) / 5
    area = (
        max(0, round(left)),
        max(0, round(top + margin)),
        min(drawn.width, max(round(right), round(left) + 1)),
        min(drawn.height, max(round(bottom - margin), round(top + margin) + 1)),
    )
    if area[0] >= area[2] or area[1] >= area[3]:
        return 0
    channels = drawn.crop(area).getextrema()
    return max(int(high) - int(low) for low, high in channels)  # type: ignore[misc]
