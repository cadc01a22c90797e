"""Pictures: their text by OCR, with boxes in pixels of the picture as it is shown.

PNG, JPEG, TIFF (every page), BMP, GIF and WebP (of an animation, the first picture). A picture
of one page is cited as a whole, a TIFF file of several pages by page.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from tipstaff.domain.document import Document
from tipstaff.domain.location import WholeItem
from tipstaff.parse.ocr import recognise
from tipstaff.parse.page_document import PageContent, document_of
from tipstaff.parse.parser import CannotRead, Parser, Source

MAX_PIXELS = 100_000_000
MAX_PAGES = 500

# Letters of a screen are too small for OCR; those of a poster are needlessly large.
_SMALL_SIDE = 1_500
_MOST_PIXELS_READ = 25_000_000

_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP")


def parse(source: Source) -> Document:
    notes: list[str] = []
    picture = _opened(source.content)
    try:
        pages = [
            _page(number, frame, source) for number, frame in enumerate(_frames(picture, notes), 1)
        ]
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise _damaged() from error
    if not any(page.words for page in pages):
        raise CannotRead(
            "No text was found in the image.",
            "Look at the image itself, or ask the sender for the text.",
        )
    return document_of(pages, notes=notes, whole=WholeItem() if len(pages) == 1 else None)


def _opened(content: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            # Pillow warns before it refuses; the size is judged below.
            warnings.simplefilter("ignore")
            picture = Image.open(BytesIO(content), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise _too_large() from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError) as error:
        raise _damaged() from error
    if picture.width * picture.height > MAX_PIXELS:
        raise _too_large()
    return picture


def _frames(picture: Image.Image, notes: list[str]) -> Iterator[Image.Image]:
    """The pages of a picture, as they are shown."""
    count = int(getattr(picture, "n_frames", 1))
    if count > 1 and picture.format != "TIFF":
        notes.append(f"Only the first of the {count} pictures of the animation was read.")
        count = 1
    if count > MAX_PAGES:
        notes.append(f"Only the first {MAX_PAGES} of {count} pages were read.")
        count = MAX_PAGES
    for index in range(count):
        if count > 1:
            picture.seek(index)
        if picture.width * picture.height > MAX_PIXELS:
            raise _too_large()
        yield _on_paper(ImageOps.exif_transpose(picture))


def _page(number: int, frame: Image.Image, source: Source) -> PageContent:
    width, height = frame.size
    scale = 1.0
    if max(width, height) < _SMALL_SIDE:
        scale = 2.0
    elif width * height > _MOST_PIXELS_READ:
        scale = (_MOST_PIXELS_READ / (width * height)) ** 0.5
    if scale != 1.0:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        frame = frame.resize(size, Image.Resampling.LANCZOS)
    words = recognise(frame, source.options, scale=scale)
    return PageContent(number, float(width), float(height), words, ocr=True)


def _on_paper(frame: Image.Image) -> Image.Image:
    """Transparent parts are white, as on a page."""
    if "transparency" in frame.info or frame.mode in ("RGBA", "LA", "PA"):
        clear = frame.convert("RGBA")
        paper = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(paper, clear).convert("RGB")
    return frame.convert("L" if frame.mode in ("1", "L") else "RGB")


def _too_large() -> CannotRead:
    return CannotRead(
        "The image is too large to be read.", "Ask the sender for a version of fewer pixels."
    )


def _damaged() -> CannotRead:
    return CannotRead(
        "The image is damaged or of an unknown kind.", "Ask the sender to send the file again."
    )


PARSER = Parser(
    name="image",
    version=1,
    media_types=(
        "image/png",
        "image/jpeg",
        "image/tiff",
        "image/bmp",
        "image/gif",
        "image/webp",
    ),
    parse=parse,
)
