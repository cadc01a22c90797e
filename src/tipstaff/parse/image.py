"""Pictures: their text by OCR, with boxes in pixels of the picture as it is shown.

PNG, JPEG, TIFF (every page), BMP, GIF and WebP (of an animation, the first picture). A picture
of one page is cited as a whole, a TIFF file of several pages by page.
"""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from tipstaff.domain.document import Document
from tipstaff.domain.location import WholeItem
from tipstaff.parse.page_document import PageContent, document_of
from tipstaff.parse.parser import CannotRead, Parser, Source
from tipstaff.parse.picture_files import (
    DAMAGE,
    as_shown,
    damaged,
    open_picture,
    refuse_too_large,
    sized_for_reading,
)
from tipstaff.parse.recognising import Recogniser

MAX_PAGES = 500


def parse(source: Source) -> Document:
    notes: list[str] = []
    picture = open_picture(source.content)
    try:
        pages = list(_pages(picture, Recogniser(source.options), notes))
    except DAMAGE as error:
        raise damaged() from error
    if not any(page.words for page in pages):
        raise CannotRead(
            "No text was found in the image.",
            "Look at the image itself, or ask the sender for the text.",
        )
    return document_of(pages, notes=notes, whole=WholeItem() if len(pages) == 1 else None)


def _pages(picture: Image.Image, recogniser: Recogniser, notes: list[str]) -> Iterator[PageContent]:
    for number, frame in enumerate(_frames(picture, notes), 1):
        width, height = frame.size
        page = PageContent(number, float(width), float(height), [], ocr=True)
        sized, scale = sized_for_reading(frame)
        try:
            page.words = recogniser.words(sized, scale=scale)
        except CannotRead as problem:
            if number == 1:
                raise
            # What was read of a long file is worth more than none of it.
            notes.append(f"Page {number} was not read: {problem}")
        yield page


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
        refuse_too_large(picture)
        yield as_shown(picture)


PARSER = Parser(
    name="image",
    version=2,
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
