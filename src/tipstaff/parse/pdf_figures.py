"""Pictures on a PDF page that has text of its own: what is written in them, by OCR (TIP §10.2.4).

In: the page and the boxes of its pictures. Out: each picture with words as a page for itself,
whose words have their boxes on the whole page. A picture under text is a background.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

import pypdfium2
from PIL.Image import Image

from tipstaff.parse.embedded_pictures import EmbeddedPictures
from tipstaff.parse.page_document import PageContent
from tipstaff.parse.page_words import Box, Word, around
from tipstaff.parse.pdf_render import draw

_SCALE = 300 / 72
_MOST_PIXELS = 25_000_000
_LEAST_SIDE = 12.0  # points
_GAP = 1.5  # points: programs cut a picture into strips
_MOST_STRIPS = 400
_LETTERS_ON_A_BACKGROUND = 20


class Figures:
    """The pictures of one document. Those that could not be read are counted in `pictures`."""

    def __init__(self, pictures: EmbeddedPictures) -> None:
        self._pictures = pictures
        self._known: dict[bytes, list[Word] | None] = {}

    def on(
        self, page: pypdfium2.PdfPage, content: PageContent, boxes: Sequence[Box]
    ) -> list[PageContent]:
        """The pictures of a page in which there is something to read."""
        figures = list(self._worth_reading(content, boxes))
        if not figures:
            return []
        area = max(1.0, content.width * content.height)
        scale = min(_SCALE, (_MOST_PIXELS / area) ** 0.5)
        drawn = draw(page, scale).convert("L")
        found = []
        for box in figures:
            left, top, right, bottom = (round(side * scale) for side in box)
            words = self._words(drawn.crop((left, top, right, bottom)), scale)
            if words:
                placed = [_moved(word, box[0], box[1]) for word in words]
                width, height = box[2] - box[0], box[3] - box[1]
                found.append(PageContent(content.number, width, height, placed, ocr=True))
        return found

    def _worth_reading(self, content: PageContent, boxes: Sequence[Box]) -> Iterator[Box]:
        for box in _joined([_clipped(box, content) for box in boxes]):
            width, height = box[2] - box[0], box[3] - box[1]
            if min(width, height) < _LEAST_SIDE or width * height < self._pictures.min_pixels:
                self._pictures.not_read["small picture"] += 1
            elif not _is_background(box, content.words):
                yield box

    def _words(self, picture: Image, scale: float) -> list[Word] | None:
        """A logo on every page is recognised once."""
        key = sha256(picture.tobytes()).digest()
        if key not in self._known:
            self._known[key] = self._pictures.words(picture, scale=scale)
        words = self._known[key]
        if not words:
            self._pictures.not_read["picture" if words is None else "textless picture"] += 1
        return words


def _clipped(box: Box, content: PageContent) -> Box:
    left, top, right, bottom = box
    return (
        min(max(0.0, left), content.width),
        min(max(0.0, top), content.height),
        max(0.0, min(right, content.width)),
        max(0.0, min(bottom, content.height)),
    )


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that touch each other, made one."""
    waiting = [box for box in boxes[:_MOST_STRIPS] if box[0] < box[2] and box[1] < box[3]]
    found: list[Box] = []
    while waiting:
        box = waiting.pop(0)
        touching = [other for other in (*waiting, *found) if _touch(box, other)]
        if touching:
            waiting = [other for other in waiting if other not in touching]
            found = [other for other in found if other not in touching]
            waiting.insert(0, around([box, *touching]))
        else:
            found.append(box)
    return sorted(found, key=lambda box: (box[1], box[0]))


def _touch(one: Box, other: Box) -> bool:
    return (
        one[0] <= other[2] + _GAP
        and other[0] <= one[2] + _GAP
        and one[1] <= other[3] + _GAP
        and other[1] <= one[3] + _GAP
    )


def _is_background(box: Box, words: Sequence[Word]) -> bool:
    """Whether text stands on the picture: then the text is there already."""
    letters = sum(
        len(word.text)
        for word in words
        if box[0] < (word.box[0] + word.box[2]) / 2 < box[2]
        and box[1] < (word.box[1] + word.box[3]) / 2 < box[3]
    )
    return letters > _LETTERS_ON_A_BACKGROUND


def _moved(word: Word, across: float, down: float) -> Word:
    left, top, right, bottom = word.box
    return replace(word, box=(left + across, top + down, right + across, bottom + down))
