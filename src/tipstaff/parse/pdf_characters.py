"""The characters of a PDF page become words: text and boxes grow together, one by one.

In: a page of pdfium. Out: words in the order of the file, each with its box on the page as
shown (rotated, cropped). No character is dropped but white space, and none is made up: a
glyph without a meaning is U+FFFD.
"""

from __future__ import annotations

import ctypes
import math
from array import array
from collections.abc import Callable, Iterator
from ctypes import c_int, c_uint, c_void_p
from dataclasses import dataclass
from functools import cache
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from tipstaff.parse.page_words import SLANTED, Box, Word, is_right_to_left, is_unspaced, turned

UNMAPPED = "\ufffd"
SMALLEST_SIZE = 1.0  # in points; below it nobody can read

_SCALE = 100  # device units a point when the page's transformation is measured
_FAR = 10_000.0
_HYPHEN = 2  # what pdfium puts for a hyphen at the end of a line
_BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "sfbx")  # the last two are TeX's
_INVISIBLE_MODES = (pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP)

INVISIBLE_INK = "text drawn with invisible ink"
TOO_SMALL = "text too small to be seen"
OFF_PAGE = "text outside the visible page"


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


_NO_STYLE = Style(None, 10.0, False, 0, False, (0, 0, 0, 255), False)
Edges = tuple[list[float], list[float], list[float], list[float]]


@dataclass(slots=True)
class PdfWord(Word):
    """A word and how its ink was made, which decides whether it can be seen."""

    style: Style | None = None


class Characters:
    """The characters of one page in the file's order, in columns: letters, owners, edges."""

    def __init__(self, page: pypdfium2.PdfPage, shown: Transformation) -> None:
        self.shown = shown
        self._text = page.get_textpage()
        count: int = pdfium.FPDFText_CountChars(self._text)
        handle = ctypes.cast(self._text.raw, c_void_p).value
        unicode, box, owner = _quick_calls()
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
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._text, index, matrix)
        size = abs(pdfium.FPDFText_GetFontSize(self._text, index))
        size *= math.hypot(matrix.c, matrix.d)
        thing = pdfium.FPDFText_GetTextObject(self._text, index)
        if not thing:
            return _NO_STYLE
        if self._height(index) > 3 * size:
            size = self._drawn_size(thing)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
        outlined = mode == pdfium.FPDF_TEXTRENDERMODE_STROKE
        return Style(
            owner=self.owners[index],
            size=size,
            bold=self._is_bold(thing),
            direction=self._direction(matrix),
            invisible=mode in _INVISIBLE_MODES,
            colour=_colour(thing, outlined=outlined),
            in_layer=_is_in_layer(thing),
        )

    def _direction(self, matrix: Any) -> int:
        across = self.shown.a * matrix.a + self.shown.c * matrix.b
        down = self.shown.b * matrix.a + self.shown.d * matrix.b
        turns = math.atan2(down, across) / (math.pi / 2)
        return round(turns) % 4 if abs(turns - round(turns)) < 0.1 else SLANTED

    def _height(self, index: int) -> float:
        return self.edges[3][index] - self.edges[1][index]

    def _drawn_size(self, thing: Any) -> float:
        """The size of a font that is made of drawings (Type 3), whose stated size means
        nothing: by its tallest letter on the page."""
        if not self._heights:
            fonts: dict[int | None, int | None] = {None: None}
            for index, owner in enumerate(self.owners):
                if owner not in fonts:
                    fonts[owner] = _font(pdfium.FPDFText_GetTextObject(self._text, index))
                height = max(self._heights.get(fonts[owner], 0.0), self._height(index))
                self._heights[fonts[owner]] = height
        return 1.2 * self._heights.get(_font(thing), 0.0)

    def _is_bold(self, thing: Any) -> bool:
        font = pdfium.FPDFTextObj_GetFont(thing)
        key = _font(thing)
        if key not in self._bold:
            name = ctypes.create_string_buffer(256)
            pdfium.FPDFFont_GetBaseFontName(font, name, 256)
            words = name.value.decode("latin-1").lower()
            heavy = pdfium.FPDFFont_GetWeight(font) >= 600
            self._bold[key] = heavy or any(word in words for word in _BOLD_NAMES)
        return self._bold[key]


def words_of(page: pypdfium2.PdfPage, shown: Transformation) -> list[PdfWord]:
    """All words of a page, hidden ones too, in the order of the file."""
    characters = Characters(page, shown)
    try:
        return list(_words(characters))
    finally:
        characters.close()


def _words(characters: Characters) -> Iterator[PdfWord]:
    """Words grow while characters stand close behind one another."""
    letters, owners = characters.letters, characters.owners
    all_on_page = characters.all_on_page
    start, hidden, style, edges = -1, "", _NO_STYLE, characters.edges
    glued = False
    last_owner: int | None = -1
    for index, letter in enumerate(letters):
        if letter == " ":
            if start >= 0:
                yield _word(characters, start, index, hidden, glued)
            start, glued = -1, False
            continue
        before = style
        same_owner = owners[index] == last_owner
        if not same_owner:
            last_owner, style = owners[index], characters.style(index)
            edges = characters.upright(style.direction)
        here = _hidden(style, "" if all_on_page else _off_page(characters, index))
        if start >= 0:
            gap = edges[0][index] - edges[2][index - 1]
            plainly = same_owner and letter < "\u0590" and -0.3 * style.size < gap
            close = gap <= 0.3 * style.size and (
                plainly or _continues(characters, index, before, style)
            )
            # A word whose colour changes may be hidden in part, so its parts are judged apart.
            if not close or here != hidden or style.colour != before.colour:
                yield _word(characters, start, index, hidden, glued)
                start, glued = -1, close
        if start < 0:
            start, hidden = index, here
    if start >= 0:
        yield _word(characters, start, len(letters), hidden, glued)


def _word(characters: Characters, first: int, end: int, hidden: str, glued: bool) -> PdfWord:
    style = characters.style(first)
    box = characters.box(first, end, characters.edges)
    place = box
    if 0 < style.direction < SLANTED:
        place = characters.box(first, end, characters.upright(style.direction))
    text = "".join(characters.letters[first:end])
    return PdfWord(
        text, box, *place, style.size, style.bold, style.direction, hidden, None, glued, style
    )


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
    lefts, tops, rights, bottoms = (list(side) for side in zip(*boxes, strict=True))
    return lefts, tops, rights, bottoms


def _continues(characters: Characters, index: int, before: Style, style: Style) -> bool:
    """Whether a character stands so close behind the last one that it is of the same word."""
    letter, last_letter = characters.letters[index], characters.letters[index - 1] or UNMAPPED
    if style.direction != before.direction or is_unspaced(letter) or is_unspaced(last_letter):
        return False
    if style.direction == SLANTED or not letter:
        return True
    edges = characters.upright(style.direction)
    place = characters.box(index, index + 1, edges)
    last = characters.box(index - 1, index, edges)
    size = max(style.size, before.size)
    gap = max(place[0] - last[2], last[0] - place[2])
    overlap = min(place[3], last[3]) - max(place[1], last[1])
    if gap > 0.3 * size or overlap < 0.3 * min(place[3] - place[1], last[3] - last[1]):
        return False
    if is_right_to_left(letter):
        return place[2] <= last[2] + 0.5 * size
    # A footnote's number must not become a digit of the figure that it stands at.
    if style.size < 0.8 * before.size and letter.isdigit() and last_letter.isdigit():
        return False
    return place[0] >= last[0] - 0.5 * size


def _hidden(style: Style, off_page: str) -> str:
    if style.invisible:
        return INVISIBLE_INK
    return off_page or (TOO_SMALL if style.size < SMALLEST_SIZE else "")


def _off_page(characters: Characters, index: int) -> str:
    left, top, right, bottom = (side[index] for side in characters.edges)
    across, down, shown = (left + right) / 2, (top + bottom) / 2, characters.shown
    return "" if 0 <= across <= shown.width and 0 <= down <= shown.height else OFF_PAGE


def _font(thing: Any) -> int | None:
    return ctypes.cast(pdfium.FPDFTextObj_GetFont(thing), c_void_p).value


def _colour(thing: Any, *, outlined: bool) -> tuple[int, int, int, int]:
    red, green, blue, opacity = c_uint(), c_uint(), c_uint(), c_uint(255)
    read = pdfium.FPDFPageObj_GetStrokeColor if outlined else pdfium.FPDFPageObj_GetFillColor
    read(thing, red, green, blue, opacity)
    return red.value, green.value, blue.value, opacity.value


def _is_in_layer(thing: Any) -> bool:
    """Whether the object belongs to optional content, which may be switched off."""
    for index in range(min(8, pdfium.FPDFPageObj_CountMarks(thing))):
        name = (ctypes.c_ushort * 4)()
        length = ctypes.c_ulong()
        mark = pdfium.FPDFPageObj_GetMark(thing, index)
        pdfium.FPDFPageObjMark_GetName(mark, name, 8, length)
        if bytes(name)[:6] == "OC\0".encode("utf-16-le"):
            return True
    return False


@cache
def _quick_calls() -> tuple[Callable[..., int], Callable[..., int], Callable[..., int | None]]:
    """The three functions called for every character, with plain integers for handles: a third
    of the time that the typed bindings take."""

    def untyped(function: Any, result: Any, *arguments: Any) -> Any:
        address = ctypes.cast(function, c_void_p).value
        return ctypes.CFUNCTYPE(result, *arguments)(address or 0)

    return (
        untyped(pdfium.FPDFText_GetUnicode, c_uint, c_void_p, c_int),
        untyped(pdfium.FPDFText_GetLooseCharBox, c_int, c_void_p, c_int, c_void_p),
        untyped(pdfium.FPDFText_GetTextObject, c_void_p, c_void_p, c_int),
    )
