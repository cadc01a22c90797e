"""From the coordinates of a PDF file to the page as it is shown.

PDF counts from the lower left of a page that was not yet turned and cropped. Shown, a page
counts from the top left, in points; pdfium itself says how the one maps to the other.
"""

from __future__ import annotations

from ctypes import c_int

import pypdfium2
import pypdfium2.raw as pdfium

from tipstaff.parse.page_words import Box

_SCALE = 100  # device units a point when the transformation is measured
_FAR = 10_000.0


class Transformation:
    """From PDF coordinates to the page as shown: turned, cropped, from the top left."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self.width: float = page.get_width()
        self.height: float = page.get_height()
        self._size = (max(1, round(self.width * _SCALE)), max(1, round(self.height * _SCALE)))
        self._page = page
        self.e, self.f = self._measured(0.0, 0.0)
        x, y = self._measured(_FAR, 0.0)
        self.a, self.b = (x - self.e) / _FAR, (y - self.f) / _FAR
        x, y = self._measured(0.0, _FAR)
        self.c, self.d = (x - self.e) / _FAR, (y - self.f) / _FAR

    def _measured(self, x: float, y: float) -> tuple[float, float]:
        across, down = c_int(), c_int()
        pdfium.FPDF_PageToDevice(self._page, 0, 0, *self._size, 0, x, y, across, down)
        return across.value / _SCALE, down.value / _SCALE

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
