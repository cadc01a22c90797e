"""Whether a reader of a page sees an element's text, by its attributes and inline style.

`html_styles` has laid the page's own simple rules under the inline styles before. What hides all
that is inside it (`display: none`) cannot be undone further in; what is inherited
(`visibility`, colour, size) can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from lxml import etree

_WHITE = re.compile(
    r"white|#f{3,4}|#f[0-9a-f](?:f[0-9a-f]){2}(?:f[0-9a-f])?|snow|ghostwhite"
    r"|rgba?\(\s*25[0-5]\s*[, ]\s*25[0-5]\s*[, ]\s*25[0-5]\s*(?:[,/].*)?\)"
)
_CLEAR = re.compile(r"transparent|rgba\(.*[,/]\s*0?\.?0+%?\s*\)|#[0-9a-f]{3}0|#[0-9a-f]{6}00")
_NO_BACKGROUND = re.compile(r"(?:none|initial|inherit|unset|transparent|)")
_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))\s*(px|pt|em|rem|%|vw|vh|ex|ch|cm|mm|in)?")
_BAD_ATTRIBUTES = ("style", "hidden", "color", "bgcolor", "text", "size", "background")
_FAR_AWAY = -900


@dataclass(frozen=True, slots=True)
class Visibility:
    """What an element hands down to its children."""

    gone: str | None = None
    invisible: bool = False
    tiny: bool = False
    white: bool = False
    clear: bool = False
    shaded: bool = False

    @property
    def reason(self) -> str | None:
        """Why the text is not seen, or None."""
        if self.gone:
            return self.gone
        if self.invisible:
            return "hidden text (visibility: hidden)"
        if self.tiny:
            return "text too small to see"
        if self.clear:
            return "transparent text"
        return "white text on white" if self.white and not self.shaded else None

    def inside(self, element: etree._Element) -> Visibility:
        """The visibility of an element that stands in something of this visibility."""
        if not element.attrib or not any(name in element.attrib for name in _BAD_ATTRIBUTES):
            return self
        found = self
        if element.get("hidden", "until-found").lower() != "until-found":
            found = replace(found, gone=found.gone or "hidden text (hidden attribute)")
        found = found._coloured(element.get("color") or element.get("text"), element.get("bgcolor"))
        if element.get("background"):
            found = replace(found, shaded=True)
        style = element.get("style")
        return found._styled(_declarations(style)) if style else found

    def _styled(self, style: dict[str, str]) -> Visibility:
        found = self
        if self.gone is None and (reason := _gone(style)):
            found = replace(found, gone=reason)
        if "visibility" in style:
            found = replace(found, invisible=style["visibility"] in ("hidden", "collapse"))
        size = style.get("font-size") or style.get("font", "").partition("/")[0]
        if size:
            # A relative size of nothing is still nothing.
            is_relative = size.endswith(("em", "%", "er", "inherit")) and not size.endswith("rem")
            found = replace(found, tiny=_is_tiny(size) or (found.tiny and is_relative))
        behind = style.get("background-color") or style.get("background")
        return found._coloured(style.get("color"), behind)

    def _coloured(self, colour: str | None, behind: str | None) -> Visibility:
        found = self
        if colour and colour.strip().lower() not in ("inherit", "currentcolor", "unset"):
            name = colour.strip().lower()
            found = replace(
                found,
                white=_WHITE.fullmatch(name) is not None,
                clear=_CLEAR.fullmatch(name) is not None,
            )
        if behind is not None:
            name = behind.strip().lower()
            if _WHITE.fullmatch(name):
                found = replace(found, shaded=False)
            elif not (_NO_BACKGROUND.fullmatch(name) or _CLEAR.fullmatch(name)):
                found = replace(found, shaded=True)
        return found


def _declarations(style: str) -> dict[str, str]:
    found = {}
    for declaration in style.split(";"):
        name, _, value = declaration.partition(":")
        found[name.strip().lower()] = value.lower().replace("!important", "").strip()
    return found


def _gone(style: dict[str, str]) -> str | None:
    """What takes an element and all that is inside it out of sight."""
    if style.get("display") == "none":
        return "hidden text (display: none)"
    opacity = _LENGTH.fullmatch(style.get("opacity", ""))
    if opacity and float(opacity[1]) <= (1 if opacity[2] else 0.01):
        return "hidden text (opacity: 0)"
    if "hidden" in style.get("overflow", "") and any(
        _is_zero(style.get(name, "")) for name in ("height", "max-height", "width", "max-width")
    ):
        return "hidden text (no room to show it)"
    for name in ("text-indent", "left", "top", "margin-left", "margin-top"):
        length = _LENGTH.fullmatch(style.get(name, ""))
        if length and float(length[1]) <= _FAR_AWAY:
            return "text placed off the page"
    return None


def _is_zero(text: str) -> bool:
    length = _LENGTH.fullmatch(text)
    return length is not None and float(length[1]) == 0


def _is_tiny(text: str) -> bool:
    """Nothing, or at most one point or pixel."""
    length = _LENGTH.fullmatch(text.strip())
    if length is None:
        return False
    return float(length[1]) <= (1 if length[2] in ("px", "pt") else 0.05)
