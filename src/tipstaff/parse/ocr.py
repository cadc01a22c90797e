"""OCR engines: a picture in, words with boxes and confidences out.

Plug-ins of the group `tipstaff.ocr` are values of `OcrEngine`; the option `ocr_engine` names
one, and without it `tesseract` is used. An engine that is not there raises `CannotRead`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Protocol, runtime_checkable

from PIL.Image import Image

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


@runtime_checkable
class Orienting(Protocol):
    """An engine that can tell how a picture lies without reading it, and may not be sure."""

    def quarter_turns(self, image: Image) -> int | None:
        """The quarter turns, clockwise, that the text is turned by: 0 to 3."""
        ...


def engine_called(name: str) -> OcrEngine:
    for point in entry_points(group=GROUP):
        if point.name == name:
            engine: OcrEngine = point.load()
            return engine
    raise CannotRead(
        f"There is no OCR engine called '{name}'.",
        "Install the package that brings it, or choose another engine.",
    )
