"""Names of OpenDocument, and styles that hide text or number paragraphs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from tipstaff.parse.list_labels import letters, roman

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE = f"{{{_URN}office:1.0}}"
TEXT = f"{{{_URN}text:1.0}}"
TABLE = f"{{{_URN}table:1.0}}"
DRAW = f"{{{_URN}drawing:1.0}}"
STYLE = f"{{{_URN}style:1.0}}"
FO = f"{{{_URN}xsl-fo-compatible:1.0}}"
SVG = f"{{{_URN}svg-compatible:1.0}}"
MANIFEST = f"{{{_URN}manifest:1.0}}"
DC = "{http://purl.org/dc/elements/1.1/}"
XLINK = "{http://www.w3.org/1999/xlink}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

_WHITE = re.compile("#" + "f[0-9a-f]" * 3, re.IGNORECASE)
_POINTS = re.compile(r"(\d+(?:\.\d+)?)pt")
_LONGEST_CHAIN = 50


@dataclass(frozen=True, slots=True)
class Look:
    """What may hide text; None where it is not said."""

    hidden: bool | None = None
    white: bool | None = None
    tiny: bool | None = None
    shaded: bool | None = None

    def over(self, other: Look) -> Look:
        return Look(
            other.hidden if self.hidden is None else self.hidden,
            other.white if self.white is None else self.white,
            other.tiny if self.tiny is None else self.tiny,
            other.shaded if self.shaded is None else self.shaded,
        )

    @property
    def reason(self) -> str | None:
        if self.hidden:
            return "hidden text"
        if self.white and not self.shaded:
            return "white text on white"
        return "text too small to see" if self.tiny else None


class OdtStyles:
    """Styles of `content.xml` and `styles.xml`, by family and name."""

    def __init__(self, *roots: etree._Element | None) -> None:
        self._styles: dict[tuple[str, str], etree._Element] = {}
        self.lists: dict[str, etree._Element] = {}
        self.outline: etree._Element | None = None
        self._looks: dict[tuple[str, str], Look] = {}
        for root in roots:
            for element in [] if root is None else root.iter(STYLE + "style"):
                key = (element.get(STYLE + "family", ""), element.get(STYLE + "name", ""))
                self._styles.setdefault(key, element)
            for element in [] if root is None else root.iter(TEXT + "list-style"):
                self.lists.setdefault(element.get(STYLE + "name", ""), element)
            for element in [] if root is None else root.iter(TEXT + "outline-style"):
                self.outline = element

    def look(self, family: str, name: str | None) -> Look:
        key = (family, name or "")
        if key not in self._looks:
            look = Look()
            for element in self._chain(*key):
                look = look.over(_look_of(element))
            self._looks[key] = look
        return self._looks[key]

    def hides_section(self, name: str | None) -> bool:
        """Table rows and sections can be hidden by their own properties."""
        return any(
            properties.get(TEXT + "display") == "none"
            or properties.get(TABLE + "display") == "none"
            for element in self._chain("section", name or "")
            for properties in element
        )

    def outline_level(self, paragraph_style: str | None) -> int | None:
        for element in self._chain("paragraph", paragraph_style or ""):
            level = element.get(STYLE + "default-outline-level")
            if level is not None:
                return int(level) if level in set("123456789") else None
        return None

    def _chain(self, family: str, name: str) -> list[etree._Element]:
        chain: list[etree._Element] = []
        seen: set[str] = set()
        while (family, name) in self._styles and name not in seen and len(seen) < _LONGEST_CHAIN:
            seen.add(name)
            chain.append(self._styles[family, name])
            name = chain[-1].get(STYLE + "parent-style-name", "")
        return chain


def _look_of(style: etree._Element) -> Look:
    look = Look()
    for name in ("text-properties", "paragraph-properties", "table-cell-properties"):
        properties = style.find(STYLE + name)
        if properties is None:
            continue
        display = properties.get(TEXT + "display")
        colour = properties.get(FO + "color")
        size = _POINTS.fullmatch(properties.get(FO + "font-size", ""))
        behind = properties.get(FO + "background-color")
        look = look.over(
            Look(
                None if display is None else display == "none",
                None if colour is None else _WHITE.fullmatch(colour) is not None,
                None if size is None else float(size[1]) <= 1,
                None if behind is None
                else behind != "transparent" and _WHITE.fullmatch(behind) is None,
            )
        )  # fmt: skip
    return look


class ListCounter:
    """Numbers of one list (or of the headings), level by level."""

    def __init__(self, style: etree._Element | None) -> None:
        self._levels = {
            element.get(TEXT + "level", ""): element for element in ([] if style is None else style)
        }
        self._counts: dict[int, int] = {}

    def label(self, level: int, start: int | None = None) -> str:
        """Counts one item and gives what stands before it; nothing for bullets."""
        for deeper in [other for other in self._counts if other > level]:
            del self._counts[deeper]
        first = self._start(level) if start is None else start
        counts = self._counts
        counts[level] = counts[level] + 1 if level in counts and start is None else first
        style = self._levels.get(str(level))
        if style is None or not style.get(STYLE + "num-format"):
            return ""
        shown = style.get(TEXT + "display-levels", "1")
        depth = min(int(shown), level) if shown.isascii() and shown.isdigit() else 1
        numerals = [
            _numeral(self._counts.get(each, self._start(each)), self._levels.get(str(each)))
            for each in range(level - depth + 1, level + 1)
        ]
        before = style.get(STYLE + "num-prefix", "")
        after = style.get(STYLE + "num-suffix", "")
        return (before + ".".join(filter(None, numerals)) + after).strip()

    def _start(self, level: int) -> int:
        style = self._levels.get(str(level))
        start = "1" if style is None else style.get(TEXT + "start-value", "1")
        return int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1


def _numeral(count: int, style: etree._Element | None) -> str:
    form = "" if style is None else style.get(STYLE + "num-format", "")
    written = {"a": letters, "i": roman}.get(form.lower(), str)(count) if form else ""
    return written.upper() if form in ("A", "I") else written
