"""The bytes of a picture → its pixels as a viewer shows them, sized for OCR.

Kinds: PNG, JPEG, TIFF, BMP, GIF, WebP. Turned as the camera says (EXIF), transparent parts
white, as on a page. What is too large or damaged is refused in words.
"""

from __future__ import annotations

import warnings
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from tipstaff.parse.parser import CannotRead

MAX_PIXELS = 100_000_000
DAMAGE = (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError)

# Letters of a screen are too small for OCR; those of a poster are needlessly large.
_SMALL_SIDE = 1_500
_MOST_PIXELS_READ = 25_000_000

_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP")


def open_picture(content: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            # Pillow warns before it refuses; the size is judged below.
            warnings.simplefilter("ignore")
            picture = Image.open(BytesIO(content), formats=_FORMATS)
    except Image.DecompressionBombError:
        raise _too_large() from None
    except DAMAGE as error:
        raise damaged() from error
    refuse_too_large(picture)
    return picture


def refuse_too_large(picture: Image.Image) -> None:
    if picture.width * picture.height > MAX_PIXELS:
        raise _too_large()


def as_shown(picture: Image.Image) -> Image.Image:
    """The pixels of the frame that is open; raises one of `DAMAGE` if they cannot be had."""
    frame = ImageOps.exif_transpose(picture)
    if "transparency" in frame.info or frame.mode in ("RGBA", "LA", "PA"):
        clear = frame.convert("RGBA")
        paper = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(paper, clear).convert("RGB")
    return frame.convert("L" if frame.mode in ("1", "L") else "RGB")


def sized_for_reading(frame: Image.Image) -> tuple[Image.Image, float]:
    """The picture, larger or smaller if that helps, and by how much."""
    width, height = frame.size
    scale = 1.0
    if max(width, height) < _SMALL_SIDE:
        scale = 2.0
    elif width * height > _MOST_PIXELS_READ:
        scale = (_MOST_PIXELS_READ / (width * height)) ** 0.5
    if scale == 1.0:
        return frame, scale
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return frame.resize(size, Image.Resampling.LANCZOS), scale


def damaged() -> CannotRead:
    return CannotRead(
        "The image is damaged or of an unknown kind.", "Ask the sender to send the file again."
    )


def _too_large() -> CannotRead:
    return CannotRead(
        "The image is too large to be read.", "Ask the sender for a version of fewer pixels."
    )
