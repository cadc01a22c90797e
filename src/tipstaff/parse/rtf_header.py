"""The tables at the head of an RTF file: fonts, colours, styles, and what it says of itself."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from striprtf.striprtf import charset_map

from tipstaff.parse.heading_names import level_by_name

TABLES = frozenset({"fonttbl", "colortbl", "stylesheet", "info"})
_CHANNELS = {"red": 0, "green": 1, "blue": 2}
_ENCODINGS = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}
_METADATA = {"title": "title", "author": "author", "subject": "subject"}


@dataclass(slots=True)
class Header:
    """Fed with the words and texts of those tables, in order."""

    encoding: str = "cp1252"
    white: set[int] = field(default_factory=set)
    headings: dict[int, int | None] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    _fonts: dict[int, str] = field(default_factory=dict)
    _font: int = -1
    _colour: list[int] = field(default_factory=lambda: [0, 0, 0])
    _colours: int = 0
    _style: int | None = 0
    _style_name: str = ""
    _about: str = ""

    def names_encoding(self, word: str, number: int | None) -> bool:
        """Whether a word of the header names the file's code page; then it is taken."""
        if word == "ansicpg":
            self.encoding = known_encoding(f"cp{number}", "cp1252")
        elif word in _ENCODINGS:
            self.encoding = _ENCODINGS[word]
        return word == "ansicpg" or word in _ENCODINGS

    def encoding_of(self, font: int) -> str:
        return self._fonts.get(font, self.encoding)

    def word(self, table: str, word: str, number: int | None) -> None:
        if table == "fonttbl":
            if word == "f":
                self._font = number or 0
            elif word == "fcharset" and number in charset_map and number != 0:
                self._fonts[self._font] = known_encoding(charset_map[number], self.encoding)
        elif table == "colortbl" and word in _CHANNELS:
            self._colour[_CHANNELS[word]] = number or 0
        elif table == "stylesheet":
            self._style_word(word, number)
        elif table == "info":
            self._about = _METADATA.get(word, "") if word not in ("par", "u", "uc") else self._about

    def text(self, table: str, text: str) -> None:
        if table == "colortbl":
            for _ in range(text.count(";")):
                if min(self._colour) >= 0xF0:
                    self.white.add(self._colours)
                self._colours += 1
                self._colour = [0, 0, 0]
        elif table == "stylesheet":
            self._style_text(text)
        elif table == "info" and self._about:
            self.metadata[self._about] = self.metadata.get(self._about, "") + text

    def _style_word(self, word: str, number: int | None) -> None:
        if word == "s":
            self._style = number or 0
        elif word in ("cs", "ds", "ts"):
            self._style = None  # styles of characters, sections and tables
        elif word == "outlinelevel" and self._style is not None:
            self.headings[self._style] = heading_level(number)

    def _style_text(self, text: str) -> None:
        self._style_name += text
        if not text.rstrip().endswith(";"):
            return
        level = level_by_name(self._style_name.strip().rstrip(";"))
        if self._style is not None and level is not None:
            self.headings.setdefault(self._style, level)
        self._style, self._style_name = 0, ""


def heading_level(outline: int | None) -> int | None:
    """RTF counts outline levels from 0; 9 is body text."""
    return outline + 1 if outline is not None and 0 <= outline <= 8 else None


def known_encoding(name: str, otherwise: str) -> str:
    """A code page that Python knows."""
    try:
        return codecs.lookup(name).name
    except LookupError:
        return otherwise
