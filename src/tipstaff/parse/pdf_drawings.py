"""What else is drawn on a PDF page: ruling lines, filled areas and pictures.

In: a page of pdfium. Out: boxes on the page as shown. Lines and areas are those that lie
straight; a drawing with very many strokes is read only in part.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import c_float, c_int, c_uint
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from tipstaff.parse.page_words import Box, around
from tipstaff.parse.pdf_page_space import Transformation

MAX_STROKES = 20_000
MAX_OBJECTS = 50_000
MAX_DEPTH = 6
RULE_THICKNESS = 3.0

_Matrix = tuple[float, float, float, float, float, float]
_SAME: _Matrix = (1, 0, 0, 1, 0, 0)


@dataclass(frozen=True, slots=True)
class Area:
    """A filled area or a picture. What has a higher `order` is drawn later, over the others;
    `colour` is None if it is not the same all over the box."""

    box: Box
    order: int
    colour: tuple[int, int, int] | None


@dataclass(slots=True)
class Drawings:
    """`rules` are boxes that are thin one way; `orders` tells when a text object is drawn."""

    rules: list[Box] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    pictures: list[Box] = field(default_factory=list)
    orders: dict[int | None, int] = field(default_factory=dict)
    paths: int = 0
    strokes: int = 0

    def covered(self, width: float, height: float) -> float:
        """The part of the page that pictures cover, 0 to 1."""
        total = sum(
            max(0.0, min(right, width) - max(left, 0)) * max(0.0, min(bottom, height) - max(top, 0))
            for left, top, right, bottom in self.pictures
        )
        return min(1.0, total / max(1.0, width * height))


def drawings_of(page: pypdfium2.PdfPage, shown: Transformation) -> Drawings:
    found = Drawings()
    for order, (thing, kind, matrix) in enumerate(islice(_objects(page), MAX_OBJECTS)):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            found.orders[ctypes.cast(thing, ctypes.c_void_p).value] = order
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            box = _picture(thing, matrix, shown)
            found.pictures.append(box)
            found.areas.append(Area(box, order, None))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH and found.strokes < MAX_STROKES:
            found.paths += 1
            _read_path(thing, order, _product(_matrix(thing), matrix), shown, found)
    return found


def _objects(
    holder: Any, matrix: _Matrix = _SAME, depth: int = 0
) -> Iterator[tuple[Any, int, _Matrix]]:
    """Everything in the order of drawing, also inside forms, with the matrix of the forms."""
    count = pdfium.FPDFFormObj_CountObjects if depth else pdfium.FPDFPage_CountObjects
    get = pdfium.FPDFFormObj_GetObject if depth else pdfium.FPDFPage_GetObject
    for index in range(max(0, count(holder))):
        thing = get(holder, index)
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind != pdfium.FPDF_PAGEOBJ_FORM:
            yield thing, kind, matrix
        elif depth < MAX_DEPTH:
            yield from _objects(thing, _product(_matrix(thing), matrix), depth + 1)


def _matrix(thing: Any) -> _Matrix:
    matrix = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 0)
    pdfium.FPDFPageObj_GetMatrix(thing, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _product(first: _Matrix, then: _Matrix) -> _Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t,
        e * q + f * s + u,
    )  # fmt: skip


def _picture(thing: Any, matrix: _Matrix, shown: Transformation) -> Box:
    # An image fills the unit square of its own matrix.
    whole = _product(_matrix(thing), matrix)
    return _box([_placed(x, y, whole, shown) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))])


def _read_path(
    thing: Any, order: int, matrix: _Matrix, shown: Transformation, found: Drawings
) -> None:
    fill, stroke = c_int(), c_int()
    pdfium.FPDFPath_GetDrawMode(thing, fill, stroke)
    if not fill.value and not stroke.value:
        return
    for points in _outlines(thing, found):
        placed = [_placed(x, y, matrix, shown) for x, y in points]
        box = _box(placed)
        if fill.value:
            if min(box[2] - box[0], box[3] - box[1]) <= RULE_THICKNESS:
                found.rules.append(box)
            else:
                whole = _is_rectangle(placed, box)
                found.areas.append(Area(box, order, _colour(thing) if whole else None))
        if stroke.value:
            found.rules.extend(_straight(placed))


def _is_rectangle(points: list[tuple[float, float]], box: Box) -> bool:
    corners = {(round(x, 1), round(y, 1)) for x, y in points}
    xs, ys = {round(box[0], 1), round(box[2], 1)}, {round(box[1], 1), round(box[3], 1)}
    return len(corners) == 4 and all(x in xs and y in ys for x, y in corners)


def _colour(thing: Any) -> tuple[int, int, int] | None:
    """The colour of an area, unless something (clipping, transparency) makes it uncertain."""
    red, green, blue, opacity = c_uint(), c_uint(), c_uint(), c_uint()
    if not pdfium.FPDFPageObj_GetFillColor(thing, red, green, blue, opacity):
        return None
    clip = pdfium.FPDFPageObj_GetClipPath(thing)
    is_clipped = bool(clip) and pdfium.FPDFClipPath_CountPaths(clip) > 0
    if opacity.value < 255 or is_clipped or pdfium.FPDFPageObj_HasTransparency(thing):
        return None
    return red.value, green.value, blue.value


def _outlines(thing: Any, found: Drawings) -> Iterator[list[tuple[float, float]]]:
    """The corners of each part of a path; a curve counts as a line to where it ends."""
    points: list[tuple[float, float]] = []
    x, y = c_float(), c_float()
    for index in range(max(0, pdfium.FPDFPath_CountSegments(thing))):
        found.strokes += 1
        if found.strokes >= MAX_STROKES:
            break
        segment = pdfium.FPDFPath_GetPathSegment(thing, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO and points:
            yield points
            points = []
        points.append((x.value, y.value))
        if pdfium.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if points:
        yield points


def _straight(points: list[tuple[float, float]]) -> Iterator[Box]:
    for (x0, y0), (x1, y1) in pairwise(points):
        if (abs(x0 - x1) < 0.5) != (abs(y0 - y1) < 0.5):
            yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _placed(x: float, y: float, matrix: _Matrix, shown: Transformation) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return shown.point(a * x + c * y + e, b * x + d * y + f)


def _box(points: list[tuple[float, float]]) -> Box:
    return around((x, y, x, y) for x, y in points)
