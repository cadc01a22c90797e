"""Reading the pictures of one document: set upright, recognised, within the time there is.

A picture that lies on its side or its head is turned. It is read as it lies first, because most
are upright and reading says so; only a doubtful reading makes us try another turn. Boxes are
where the words stand in the picture as it came.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from PIL.Image import Image, Transpose

from tipstaff.parse import ocr
from tipstaff.parse.ocr import OcrEngine, OcrWord, Orienting
from tipstaff.parse.page_words import Word, is_unspaced, turned
from tipstaff.parse.parser import CannotRead

DEFAULT_TIMEOUT_S = "120"

# What is left of a file's time is for its other pages, and for one last picture.
_FOR_PICTURES = 0.7
# Print that stands on its head is read with confidences of 0.2 to 0.6, upright with over 0.9.
_DOUBTFUL = 0.7
_LONG_WORD = 4  # letters: shorter words may be taller than wide when they stand upright
_FRUITLESS = 3  # pictures that no turn made better: the rest is not turned but hard to read
_UPRIGHT_BY = {1: Transpose.ROTATE_90, 2: Transpose.ROTATE_180, 3: Transpose.ROTATE_270}


class Recogniser:
    """`options` are the parser's: engine, languages, and the seconds that the file may take."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self._engine = options.get("ocr_engine", ocr.DEFAULT_ENGINE)
        self._languages = options.get("ocr_languages", ocr.DEFAULT_LANGUAGES)
        allowed = float(options.get("parse_timeout_s", DEFAULT_TIMEOUT_S))
        self._ends = time.monotonic() + allowed * _FOR_PICTURES
        self._fruitless = 0

    @property
    def has_time(self) -> bool:
        return time.monotonic() <= self._ends

    def words(self, image: Image, *, scale: float) -> list[Word]:
        """The words of a picture of which `scale` pixels make a point of the page."""
        if not self.has_time:
            raise CannotRead(
                "There was no time left to read all pictures.",
                "Allow more time with the setting parse_timeout_s.",
            )
        reading = self._upright(ocr.engine_called(self._engine), image)
        lines: dict[int, list[OcrWord]] = {}
        for word in reading.found:
            lines.setdefault(word.line, []).append(word)
        width, height = image.width / scale, image.height / scale
        page = (height, width) if reading.turns % 2 else (width, height)
        return [word for line in lines.values() for word in _words(line, scale, reading, page)]

    def _upright(self, engine: OcrEngine, image: Image) -> _Reading:
        best = first = self._reading(engine, image, 0)
        if not first.is_doubtful or (self._fruitless >= _FRUITLESS and not first.is_sideways):
            return first
        for turns in _other_turns(engine, image, first):
            if not self.has_time:
                return best
            other = self._reading(engine, image, turns)
            if other.worth > best.worth:
                best = other
                if not best.is_doubtful:
                    break
        self._fruitless = self._fruitless + 1 if best is first else 0
        return best

    def _reading(self, engine: OcrEngine, image: Image, turns: int) -> _Reading:
        upright = image.transpose(_UPRIGHT_BY[turns]) if turns else image
        found = engine(upright, languages=self._languages)
        return _Reading(turns, [word for word in found if word.text.strip()])


@dataclass(frozen=True, slots=True)
class _Reading:
    """What an engine found in a picture that was turned back by `turns` quarter turns."""

    turns: int
    found: Sequence[OcrWord]

    @property
    def confidence(self) -> float:
        letters = sum(len(word.text) for word in self.found)
        return sum(word.confidence * len(word.text) for word in self.found) / max(1, letters)

    @property
    def is_sideways(self) -> bool:
        """Whether most long words run up or down: engines read some of those, yet in an order
        and with lines that are not the page's. Scripts that are written downwards may do so."""
        long = [
            word
            for word in self.found
            if len(word.text) >= _LONG_WORD and not any(map(is_unspaced, word.text))
        ]
        tall = sum(word.bottom - word.top > word.right - word.left for word in long)
        return 2 * tall > len(long)

    @property
    def is_doubtful(self) -> bool:
        return bool(self.found) and (self.confidence < _DOUBTFUL or self.is_sideways)

    @property
    def worth(self) -> float:
        """Many letters that are sure; squared, since letters on their heads are as many."""
        sure = sum(len(word.text) * word.confidence**2 for word in self.found)
        return sure / 10 if self.is_sideways else sure


def _other_turns(engine: OcrEngine, image: Image, as_it_lies: _Reading) -> Iterator[int]:
    """Turns to try, the likeliest first. Engines set lines that run downwards upright, so print
    that is turned the other way stands on its head for them and is read without confidence."""
    if as_it_lies.is_sideways:
        yield from (1, 3) if as_it_lies.confidence >= _DOUBTFUL else (3, 1)
        return
    yield 2
    # An engine's opinion comes last: of blurred pages it is sure and wrong.
    said = engine.quarter_turns(image) if isinstance(engine, Orienting) else None
    if said is None:
        yield from (3, 1)
    elif said % 2:
        yield said


def _words(
    line: Sequence[OcrWord], scale: float, reading: _Reading, upright: tuple[float, float]
) -> list[Word]:
    """Words as high as their line: how high a word's own letters are says nothing."""
    top = min(word.top for word in line) / scale
    bottom = max(word.bottom for word in line) / scale
    size = max(1.0, bottom - top)
    words = []
    for word in line:
        box = (word.left / scale, word.top / scale, word.right / scale, word.bottom / scale)
        shown = turned(box, (4 - reading.turns) % 4, *upright)
        sure = min(1.0, max(0.0, word.confidence))
        text = " ".join(word.text.split())
        words.append(
            Word(
                text,
                shown,
                box[0],
                top,
                box[2],
                bottom,
                size,
                direction=reading.turns,
                confidence=sure,
            )
        )
    return words
