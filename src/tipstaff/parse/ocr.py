"""OCR: pictures in, words with boxes and confidences out, by an engine of one's choice.

Plug-ins of the group `tipstaff.ocr` are values of `OcrEngine`; the option `ocr_engine` names
one, and without it `tesseract` is used. An engine that is not there raises `CannotRead`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol

from PIL.Image import Image

from tipstaff.parse.page_words import Word
from tipstaff.parse.parser import CannotRead

GROUP = "tipstaff.ocr"
DEFAULT_ENGINE = "tesseract"
DEFAULT_LANGUAGES = "eng"


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word in a picture, in pixels from its top left. Words of one line share `line`;
    `confidence` is 0 to 1."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    line: int


class OcrEngine(Protocol):
    """What recognises text. `languages` are ISO 639-2 codes, joined by `+`."""

    def __call__(self, image: Image, *, languages: str) -> Sequence[OcrWord]: ...


def recognise(image: Image, options: Mapping[str, str], *, scale: float) -> list[Word]:
    """The words of a picture of which `scale` pixels make a point of the page."""
    engine = _engine(options.get("ocr_engine", DEFAULT_ENGINE))
    found = engine(image, languages=options.get("ocr_languages", DEFAULT_LANGUAGES))
    lines: dict[int, list[OcrWord]] = {}
    for word in found:
        if word.text.strip():
            lines.setdefault(word.line, []).append(word)
    return [word for line in lines.values() for word in _words(line, scale)]


def _words(line: Sequence[OcrWord], scale: float) -> list[Word]:
    """Words as high as their line: how high a word's own letters are says nothing."""
    top = min(word.top for word in line) / scale
    bottom = max(word.bottom for word in line) / scale
    words = []
    for word in line:
        box = (word.left / scale, word.top / scale, word.right / scale, word.bottom / scale)
        size = max(1.0, bottom - top)
        sure = min(1.0, max(0.0, word.confidence))
        text = " ".join(word.text.split())
        words.append(Word(text, box, box[0], top, box[2], bottom, size, confidence=sure))
    return words


def _engine(name: str) -> OcrEngine:
    for point in entry_points(group=GROUP):
        if point.name == name:
            engine: OcrEngine = point.load()
            return engine
    raise CannotRead(
        f"There is no OCR engine called '{name}'.",
        "Install the package that brings it, or choose another engine.",
    )
