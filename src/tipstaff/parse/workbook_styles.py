"""styles.xml of a workbook: for each style number, its number format and how it looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from lxml import etree

from tipstaff.parse.number_format import BUILT_IN, NumberFormat

_T = TypeVar("_T")

_WHITE = frozenset({"FFFFFFFF", "00FFFFFF", "FFFFFF"})


@dataclass(frozen=True, slots=True)
class CellStyle:
    """`concealed` says why a reader cannot see text in this style, where that is so."""

    number_format: NumberFormat
    bold: bool = False
    concealed: str | None = None


class WorkbookStyles:
    """Styles by number; a number that the file does not define is the plain style."""

    def __init__(self, styles: list[CellStyle], *, from_1904: bool = False) -> None:
        self._styles = styles
        self.from_1904 = from_1904
        self._plain = CellStyle(NumberFormat("General", from_1904=from_1904))

    def __getitem__(self, number: int) -> CellStyle:
        return self._styles[number] if 0 <= number < len(self._styles) else self._plain


def read_styles(root: etree._Element | None, *, from_1904: bool) -> WorkbookStyles:
    """The cell formats (`cellXfs`) of a style sheet in order."""
    if root is None:
        return WorkbookStyles([], from_1904=from_1904)
    codes = dict(BUILT_IN)
    for element in _children(root, "numFmts"):
        number = _number(element.get("numFmtId"))
        codes[number] = element.get("formatCode") or "General"
    formats: dict[str, NumberFormat] = {}
    fonts = [(_is_on(font, "b"), _is_white(font)) for font in _children(root, "fonts")]
    fills = [_is_dark(fill) for fill in _children(root, "fills")]
    styles = []
    for element in _children(root, "cellXfs"):
        code = codes.get(_number(element.get("numFmtId")), "General")
        if code not in formats:
            formats[code] = NumberFormat(code, from_1904=from_1904)
        bold, white = _at(fonts, element.get("fontId"), (False, False))
        concealed = white and not _at(fills, element.get("fillId"), False)
        styles.append(CellStyle(formats[code], bold, "white text" if concealed else None))
    return WorkbookStyles(styles, from_1904=from_1904)


def _children(root: etree._Element, name: str) -> Iterator[etree._Element]:
    for group in root.iterchildren(f"{{*}}{name}"):
        yield from group.iterchildren("{*}*")


def _number(text: str | None) -> int:
    return int(text) if text and text.isdigit() else 0


def _at(values: list[_T], index: str | None, default: _T) -> _T:
    number = _number(index)
    return values[number] if number < len(values) else default


def _is_on(font: etree._Element, name: str) -> bool:
    element = font.find(f"{{*}}{name}")
    return element is not None and element.get("val", "1") not in ("0", "false")


def _is_white(font: etree._Element) -> bool:
    """White by its code, or the theme's first colour, which is the window's background."""
    color = font.find("{*}color")
    if color is None or _number(color.get("tint")):
        return False
    return (color.get("rgb") or "").upper() in _WHITE or color.get("theme") == "0"


def _is_dark(fill: etree._Element) -> bool:
    """Whether a cell has a colour behind its text that is not white."""
    pattern = fill.find("{*}patternFill")
    if pattern is None:
        return fill.find("{*}gradientFill") is not None
    if pattern.get("patternType", "none") == "none":
        return False
    color = pattern.find("{*}fgColor")
    if color is None:
        return True
    is_white = (color.get("rgb") or "").upper() in _WHITE or color.get("theme") == "0"
    return not is_white or bool(color.get("tint"))
