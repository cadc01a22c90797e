"""Pictures inside a document: their text by OCR, or a word for why there is none.

Bytes of a picture come in; passages with a confidence go out. Decoration, vector drawings and
what is more than the settings allow are left out and counted, so that a reader is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from PIL.Image import Image

from tipstaff.domain.clean_text import clean
from tipstaff.parse.building import PictureText
from tipstaff.parse.not_read import not_read_notes
from tipstaff.parse.page_document import PageContent, document_of
from tipstaff.parse.page_figures import is_text
from tipstaff.parse.page_words import Word
from tipstaff.parse.parser import CannotRead
from tipstaff.parse.picture_files import DAMAGE, as_shown, open_picture, sized_for_reading
from tipstaff.parse.recognising import Recogniser

# A picture's bytes by its name; None if it is not in the file but only linked.
Load = Callable[[str], bytes | None]

DEFAULT_MAX_PICTURES = "100"
DEFAULT_MIN_PIXELS = "5000"

_THIN = 12  # pixels: a rule or a shadow
_EMF = (b"\x01\x00\x00\x00", b" EMF")
_WMF = (b"\xd7\xcd\xc6\x9a", b"\x01\x00\x09\x00")


@dataclass(frozen=True, slots=True)
class PictureReading:
    """Passages from top to bottom; without any, `unread` names the kind of picture it is."""

    texts: tuple[PictureText, ...] = ()
    unread: str = ""


class EmbeddedPictures:
    """`options` are the parser's. A picture is recognised once, wherever it is shown."""

    def __init__(self, options: Mapping[str, str]) -> None:
        self.not_read: Counter[str] = Counter()
        self._recogniser = Recogniser(options)
        self.left = int(options.get("max_pictures", DEFAULT_MAX_PICTURES))
        self.min_pixels = int(options.get("min_picture_pixels", DEFAULT_MIN_PIXELS))
        self._known: dict[str, PictureReading] = {}
        self._refusal = ""

    def read(self, name: str, load: Load) -> PictureReading:
        """The picture that the document knows by a name."""
        if name not in self._known:
            try:
                self._known[name] = self._read(load(name))
            except (CannotRead, *DAMAGE):
                self._known[name] = PictureReading(unread="damaged picture")
        return self._known[name]

    def texts(self, name: str, load: Load) -> tuple[PictureText, ...]:
        """The same, with what could not be read counted for `notes`."""
        reading = self.read(name, load)
        if reading.unread:
            self.not_read[reading.unread] += 1
        return reading.texts

    def notes(self) -> list[str]:
        return [*not_read_notes(self.not_read), *self.refusals()]

    def refusals(self) -> list[str]:
        """Why OCR was not to be had, if it was not."""
        return [self._refusal] if self._refusal else []

    def _read(self, content: bytes | None) -> PictureReading:
        if content is None:
            return PictureReading(unread="linked picture")
        if _is_vector_drawing(content):
            return PictureReading(unread="vector drawing")
        picture = open_picture(content)
        if min(picture.size) < _THIN or picture.width * picture.height < self.min_pixels:
            return PictureReading(unread="small picture")
        return self.read_frame(as_shown(picture))

    def read_frame(self, frame: Image) -> PictureReading:
        """What is written in pixels."""
        sized, scale = sized_for_reading(frame)
        words = self.words(sized, scale=scale)
        if words is None:
            return PictureReading(unread="picture")
        texts = tuple(_passages(words, float(frame.width), float(frame.height)))
        return PictureReading(texts, "" if texts else "textless picture")

    @property
    def may_read_more(self) -> bool:
        return self.left > 0 and not self._refusal and self._recogniser.has_time

    def words(self, image: Image, *, scale: float) -> list[Word] | None:
        """The words of one more picture; None if none may or can be read."""
        if self.left <= 0:
            self._refusal = self._refusal or "There are more pictures than may be read."
        if self._refusal:
            return None
        self.left -= 1
        try:
            return self._recogniser.words(image, scale=scale)
        except CannotRead as problem:
            self._refusal = problem.reason
            return None


def _passages(words: list[Word], width: float, height: float) -> Iterator[PictureText]:
    """The text of a picture of that size, as it would be laid out on a page."""
    page = document_of([PageContent(1, width, height, words, ocr=True)])
    for block in page.blocks:
        text = " ".join(clean(page, block.span).text.split())
        if is_text(text, block.confidence):
            yield PictureText(text, block.confidence or 0.0)


def _is_vector_drawing(content: bytes) -> bool:
    """EMF, WMF and SVG are drawn by programs; their text is not in pixels."""
    is_emf = content.startswith(_EMF[0]) and content[40:44] == _EMF[1]
    return is_emf or content.startswith(_WMF) or b"<svg" in content[:1024]
