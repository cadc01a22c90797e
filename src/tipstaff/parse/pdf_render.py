"""A page of a PDF as a picture, in the coordinates of the document's boxes.

A box in points, times `scale`, is the same place in the picture in pixels.
"""

from __future__ import annotations

from io import BytesIO

import pypdfium2
import pypdfium2.raw as pdfium
from PIL.Image import Image

from tipstaff.parse.parser import CannotRead

MAX_PIXELS = 50_000_000

_PASSWORD, _SECURITY = pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY


def open_pdf(content: bytes) -> pypdfium2.PdfDocument:
    """The document, or the reason why it cannot be opened."""
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in (_PASSWORD, _SECURITY):
            raise CannotRead(
                "The PDF is encrypted.", "Ask the sender for a version without a password."
            ) from None
        if b"%PDF-" in content[:1024]:
            raise CannotRead(
                "The PDF is damaged or incomplete.", "Ask the sender to send the file again."
            ) from None
        raise CannotRead(
            "The file is not a PDF, although its name or type says so.",
            "Ask the sender which program made the file.",
        ) from None


def render_page(content: bytes, number: int, scale: float) -> bytes:
    """Page `number` (from 1) as PNG, `scale` pixels a point; a vast page is not drawn."""
    document = open_pdf(content)
    try:
        if not 1 <= number <= len(document):
            raise ValueError(f"page {number} of {len(document)}")
        page = document[number - 1]
        if page.get_width() * page.get_height() * scale**2 > MAX_PIXELS:
            raise ValueError(f"page {number} at scale {scale} has more than {MAX_PIXELS} pixels")
        out = BytesIO()
        draw(page, scale).save(out, "PNG")
        return out.getvalue()
    finally:
        document.close()


def draw(page: pypdfium2.PdfPage, scale: float) -> Image:
    image: Image = page.render(scale=scale, rev_byteorder=True).to_pil()
    return image.convert("RGB")
