"""The characters of a PDF page as pdfium finds them: letters, boxes and styles.

In: a page of pdfium. Out: columns of equal length, one entry a character. A glyph without a
meaning is U+FFFD; white space of any kind is one space.
"""

from __future__ import annotations

import ctypes
import math
from array import array
from collections.abc import Callable
from ctypes import c_int, c_uint, c_void_p
from dataclasses import dataclass
from functools import cache
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from tipstaff.parse.page_words import SLANTED, Box, turned
from tipstaff.parse.pdf_page_space import Transformation

UNMAPPED = "\ufffd"

_HYPHEN = 2  # what pdfium puts for a hyphen at the end of a line
_BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "sfbx")  # the last two are TeX's
_INVISIBLE_MODES = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)


@dataclass(frozen=True, slots=True)
class Style:
    """What the characters of one text object share. `colour` is red, green, blue, opacity;
    `owner` is the object."""

    owner: int | None
    size: float
    bold: bool
    direction: int
    invisible: bool
    colour: tuple[int, int, int, int]
    in_layer: bool


NO_STYLE = Style(None, 10.0, False, 0, False, (0, 0, 0, 255), False)
Edges = tuple[list[float], list[float], list[float], list[float]]


class Characters:
    """The characters of one page in the file's order, in columns: letters, owners, edges."""

    def __init__(self, page: pypdfium2.PdfPage, shown: Transformation) -> None:
        self.shown = shown
        self._text = page.get_textpage()
        count: int = pdfium.FPDFText_CountChars(self._text)
        handle = ctypes.cast(self._text.raw, c_void_p).value
        unicode, box, owner = _quick().unicode, _quick().box, _quick().owner
        self.owners: list[int | None] = [owner(handle, index) for index in range(count)]
        codes = [unicode(handle, index) for index in range(count)]
        self.letters = _letters(codes, self.owners)
        rectangles = (pdfium.FS_RECTF * max(1, count))()
        start = ctypes.addressof(rectangles)
        for index in range(count):
            box(handle, index, start + 16 * index)
        numbers = array("f", bytes(rectangles)[: 16 * count]).tolist()
        self.edges = _shown_edges(numbers, shown)
        self._turned: dict[int, Edges] = {0: self.edges, SLANTED: self.edges}
        self._styles: dict[int | None, Style] = {}
        self._bold: dict[int | None, bool] = {}
        self._heights: dict[int | None, float] = {}

    @property
    def all_on_page(self) -> bool:
        if not self.letters:
            return True
        lefts, tops, rights, bottoms = self.edges
        return (
            min(lefts) >= 0
            and min(tops) >= 0
            and max(rights) <= self.shown.width
            and max(bottoms) <= self.shown.height
        )

    def upright(self, direction: int) -> Edges:
        """The edges of all characters, the page turned so that this direction is upright."""
        if direction not in self._turned:
            boxes = (
                turned(box, direction, self.shown.width, self.shown.height)
                for box in zip(*self.edges, strict=True)
            )
            lefts, tops, rights, bottoms = map(list, zip(*boxes, strict=True))
            self._turned[direction] = (lefts, tops, rights, bottoms)
        return self._turned[direction]

    def box(self, first: int, end: int, edges: Edges) -> Box:
        lefts, tops, rights, bottoms = edges
        return (
            min(lefts[first:end]), min(tops[first:end]),
            max(rights[first:end]), max(bottoms[first:end]),
        )  # fmt: skip

    def close(self) -> None:
        self._text.close()

    def style(self, index: int) -> Style:
        owner = self.owners[index]
        if owner not in self._styles:
            self._styles[owner] = self._style(index)
        return self._styles[owner]

    def _style(self, index: int) -> Style:
        owner = self.owners[index]
        if owner is None:
            return NO_STYLE
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._text, index, matrix)
        size = abs(pdfium.FPDFText_GetFontSize(self._text, index))
        size *= math.hypot(matrix.c, matrix.d)
        font = _quick().font(owner)
        if self._height(index) > 3 * size:
            size = self._drawn_size(font)
        mode = _quick().render_mode(owner)
        outlined = mode == pdfium.FPDF_TEXTRENDERMODE_STROKE
        return Style(
            owner=owner,
            size=size,
            bold=self._is_bold(font, index),
            direction=self._direction(matrix),
            invisible=mode in _INVISIBLE_MODES,
            colour=_colour(owner, outlined=outlined),
            in_layer=_quick().count_marks(owner) > 0 and self._is_in_layer(index),
        )

    def _direction(self, matrix: Any) -> int:
        across = self.shown.a * matrix.a + self.shown.c * matrix.b
        down = self.shown.b * matrix.a + self.shown.d * matrix.b
        turns = math.atan2(down, across) / (math.pi / 2)
        return round(turns) % 4 if abs(turns - round(turns)) < 0.1 else SLANTED

    def _height(self, index: int) -> float:
        return self.edges[3][index] - self.edges[1][index]

    def _drawn_size(self, font: int | None) -> float:
        """The size of a font that is made of drawings (Type 3), whose stated size means
        nothing: by its tallest letter on the page."""
        if not self._heights:
            fonts: dict[int | None, int | None] = {None: None}
            for index, owner in enumerate(self.owners):
                if owner not in fonts:
                    fonts[owner] = _quick().font(owner)
                height = max(self._heights.get(fonts[owner], 0.0), self._height(index))
                self._heights[fonts[owner]] = height
        return 1.2 * self._heights.get(font, 0.0)

    def _is_bold(self, key: int | None, index: int) -> bool:
        if key not in self._bold:
            font = pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(self._text, index))
            name = ctypes.create_string_buffer(256)
            pdfium.FPDFFont_GetBaseFontName(font, name, 256)
            words = name.value.decode("latin-1").lower()
            heavy = pdfium.FPDFFont_GetWeight(font) >= 600
            self._bold[key] = heavy or any(word in words for word in _BOLD_NAMES)
        return self._bold[key]

    def _is_in_layer(self, index: int) -> bool:
        """Whether a character belongs to optional content, which may be switched off."""
        thing = pdfium.FPDFText_GetTextObject(self._text, index)
        for number in range(min(8, pdfium.FPDFPageObj_CountMarks(thing))):
            name = (ctypes.c_ushort * 4)()
            mark = pdfium.FPDFPageObj_GetMark(thing, number)
            pdfium.FPDFPageObjMark_GetName(mark, name, 8, ctypes.c_ulong())
            if bytes(name)[:6] == "OC\0".encode("utf-16-le"):
                return True
        return False


class _Alphabet(dict[int, str]):
    """What a code stands for; white space of any kind is one space."""

    def __missing__(self, code: int) -> str:
        if code == _HYPHEN:
            letter = "-"
        elif code == 0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
            letter = UNMAPPED
        else:
            letter = " " if chr(code).isspace() else chr(code)
        self[code] = letter
        return letter


_ALPHABET = _Alphabet()
# Where TeX's fonts keep their ligatures. Without a table of meanings these come as control
# characters; one that is drawn on the page is a letter.
_LIGATURES = {0x0B: "ff", 0x0C: "fi", 0x0D: "fl", 0x0E: "ffi", 0x0F: "ffl"}


def _letters(codes: list[int], owners: list[int | None]) -> list[str]:
    """The letter of each code; of a surrogate pair, the second has it and the first nothing."""
    letters = [_ALPHABET[code] for code in codes]
    for code, text in _LIGATURES.items():
        if code in codes:
            for index, owner in enumerate(owners):
                if codes[index] == code and owner is not None:
                    letters[index] = text
    for index, letter in enumerate(letters[:-1]) if UNMAPPED in letters else ():
        if letter == UNMAPPED:
            high, low = codes[index], codes[index + 1]
            if 0xD800 <= high < 0xDC00 <= low < 0xE000:
                letters[index] = ""
                letters[index + 1] = chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
    return letters


def _shown_edges(numbers: list[float], shown: Transformation) -> Edges:
    """The left, top, right and bottom edges of characters on the page as shown."""
    xs, ys, ends, ups = numbers[0::4], numbers[1::4], numbers[2::4], numbers[3::4]
    a, b, c, d, e, f = shown.a, shown.b, shown.c, shown.d, shown.e, shown.f
    if abs(b) < 1e-6 and abs(c) < 1e-6 and a > 0 > d:
        return (
            [a * x + e for x in xs], [d * y + f for y in ys],
            [a * x + e for x in ends], [d * y + f for y in ups],
        )  # fmt: skip
    boxes = [shown.box(*corners) for corners in zip(xs, ups, ends, ys, strict=True)]
    return (
        [box[0] for box in boxes], [box[1] for box in boxes],
        [box[2] for box in boxes], [box[3] for box in boxes],
    )  # fmt: skip


def _colour(owner: int, *, outlined: bool) -> tuple[int, int, int, int]:
    numbers = (c_uint * 4)(0, 0, 0, 255)
    at = ctypes.addressof(numbers)
    read = _quick().stroke_colour if outlined else _quick().fill_colour
    read(owner, at, at + 4, at + 8, at + 12)
    return numbers[0], numbers[1], numbers[2], numbers[3]


class _QuickCalls:
    """The functions that are called for every character or text object, with plain integers
    for handles: a third of the time that the typed bindings take."""

    def __init__(self) -> None:
        handle, number, address = c_void_p, c_int, c_void_p
        colour = (c_int, handle, address, address, address, address)
        self.unicode = _untyped(pdfium.FPDFText_GetUnicode, c_uint, handle, number)
        self.box = _untyped(pdfium.FPDFText_GetLooseCharBox, c_int, handle, number, address)
        self.owner = _untyped(pdfium.FPDFText_GetTextObject, handle, handle, number)
        self.font = _untyped(pdfium.FPDFTextObj_GetFont, handle, handle)
        self.render_mode = _untyped(pdfium.FPDFTextObj_GetTextRenderMode, c_int, handle)
        self.count_marks = _untyped(pdfium.FPDFPageObj_CountMarks, c_int, handle)
        self.fill_colour = _untyped(pdfium.FPDFPageObj_GetFillColor, *colour)
        self.stroke_colour = _untyped(pdfium.FPDFPageObj_GetStrokeColor, *colour)


@cache
def _quick() -> _QuickCalls:
    return _QuickCalls()


def _untyped(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    address = ctypes.cast(function, c_void_p).value
    call: Callable[..., Any] = ctypes.CFUNCTYPE(result, *arguments)(address or 0)
    return call
