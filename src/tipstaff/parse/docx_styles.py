"""Styles of a Word document: what a paragraph or run inherits through its chain of styles.

`styles.xml` comes in; heading levels, list memberships and what hides text come out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lxml import etree

from tipstaff.parse.docx_names import W, number, switch, value
from tipstaff.parse.heading_names import level_by_name

_WHITE = re.compile(r"[f][0-9a-f]" * 3, re.IGNORECASE)
_TELLING = frozenset(W + name for name in ("vanish", "color", "sz", "shd", "highlight"))
_SMALLEST_HALF_POINTS = 2
_LONGEST_CHAIN = 50


@dataclass(frozen=True, slots=True)
class Look:
    """What may hide text; None where it is not said."""

    vanish: bool | None = None
    white: bool | None = None
    size: int | None = None
    shaded: bool | None = None

    def over(self, other: Look) -> Look:
        """This look where it says something, the other where it does not."""
        if self is PLAIN:
            return other
        return Look(
            other.vanish if self.vanish is None else self.vanish,
            other.white if self.white is None else self.white,
            other.size if self.size is None else self.size,
            other.shaded if self.shaded is None else self.shaded,
        )

    def hides(self, *, shaded: bool) -> str | None:
        """Why text of this look is not seen; `shaded` says that what is behind has a colour."""
        if self.vanish:
            return "hidden text"
        if self.white and not (self.shaded or (shaded and self.shaded is None)):
            return "white text on white"
        if self.size is not None and self.size <= _SMALLEST_HALF_POINTS:
            return "text too small to see"
        return None


PLAIN = Look()


@dataclass(frozen=True, slots=True)
class Style:
    look: Look = PLAIN
    level: int | None = None  # of a heading
    list_id: str | None = None
    list_level: int | None = None


class Styles:
    def __init__(self, root: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._resolved: dict[str, Style] = {}
        self._of_paragraphs: dict[str | None, Style] = {}
        self._default = ""
        self._base = PLAIN
        for element in [] if root is None else root.iterfind(W + "style"):
            name = element.get(W + "styleId", "")
            self._elements[name] = element
            if element.get(W + "type") == "paragraph" and element.get(W + "default") in (
                "1", "true", "on",
            ):  # fmt: skip
                self._default = name
        if root is not None:
            self._base = look_of(root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr"))

    def paragraph(self, style_id: str | None) -> Style:
        if style_id not in self._of_paragraphs:
            style = self.style(style_id or self._default)
            self._of_paragraphs[style_id] = replace(style, look=style.look.over(self._base))
        return self._of_paragraphs[style_id]

    def style(self, style_id: str) -> Style:
        """A style with everything that it inherits."""
        if style_id not in self._resolved:
            self._resolved[style_id] = self._resolve(style_id)
        return self._resolved[style_id]

    def shaded_parts(self, style_id: str | None) -> frozenset[str]:
        """Which parts of a table its style gives a colour: "wholeTable", "firstRow", …"""
        parts = set()
        for element in self._chain(style_id or ""):
            cell = element.find(W + "tcPr")
            if shading(cell) or shading(element.find(W + "tblPr")):
                parts.add("wholeTable")
            for part in element.iterfind(W + "tblStylePr"):
                if shading(part.find(W + "tcPr")):
                    parts.add(part.get(W + "type", ""))
        return frozenset(parts)

    def _chain(self, style_id: str) -> list[etree._Element]:
        """The style and those that it is based on; a circle ends where it began."""
        chain: list[etree._Element] = []
        seen: set[str] = set()
        while style_id in self._elements and style_id not in seen and len(seen) < _LONGEST_CHAIN:
            seen.add(style_id)
            chain.append(self._elements[style_id])
            style_id = value(chain[-1], "basedOn") or ""
        return chain

    def _resolve(self, style_id: str) -> Style:
        chain = self._chain(style_id)
        if not chain and (named := level_by_name(style_id)):
            return Style(level=named)  # a style that is used but not described
        style = Style()
        level_is_said = False
        for element in chain:
            paragraph = element.find(W + "pPr")
            look = look_of(element.find(W + "rPr"), paragraph)
            said, level = _level(element, paragraph)
            list_id, list_level = list_of(paragraph)
            style = Style(
                style.look.over(look),
                style.level if level_is_said else level,
                style.list_id or list_id,
                list_level if style.list_level is None else style.list_level,
            )
            level_is_said = level_is_said or said
        return style


def look_of(run: etree._Element | None, paragraph: etree._Element | None = None) -> Look:
    """The look that run properties (and a paragraph's shading) give."""
    says_nothing = run is None or not any(child.tag in _TELLING for child in run)
    if says_nothing and (paragraph is None or paragraph.find(W + "shd") is None):
        return PLAIN  # as nearly always
    colour = value(run, "color")
    behind = shading(run)
    if value(run, "highlight") not in (None, "none", "white"):
        behind = True
    return Look(
        switch(run, "vanish"),
        None if colour is None else _WHITE.fullmatch(colour) is not None,
        number(run, "sz"),
        shading(paragraph) if behind is None else behind,
    )


def shading(properties: etree._Element | None) -> bool | None:
    """Whether properties put a colour behind the text; None where they say nothing."""
    shade = None if properties is None else properties.find(W + "shd")
    if shade is None:
        return None
    fill = shade.get(W + "fill", "auto")
    pattern = shade.get(W + "val", "clear")
    if pattern == "solid":  # the pattern's own colour covers the fill
        fill = shade.get(W + "color", "auto").replace("auto", "000000")
    return fill != "auto" and _WHITE.fullmatch(fill) is None


def outline_level(paragraph: etree._Element | None) -> tuple[bool, int | None]:
    """Whether paragraph properties name an outline level, and the heading level it means."""
    level = number(paragraph, "outlineLvl")
    if level is None:
        return False, None
    return True, level + 1 if 0 <= level <= 8 else None


def list_of(paragraph: etree._Element | None) -> tuple[str | None, int | None]:
    """Number of the list and level in it, as paragraph properties say."""
    membership = None if paragraph is None else paragraph.find(W + "numPr")
    return value(membership, "numId"), number(membership, "ilvl")


def _level(element: etree._Element, paragraph: etree._Element | None) -> tuple[bool, int | None]:
    said, level = outline_level(paragraph)
    if said:
        return said, level
    if element.get(W + "type", "paragraph") != "paragraph":
        return False, None
    named = level_by_name(value(element, "name") or "")
    return named is not None, named
