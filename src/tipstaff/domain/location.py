"""Where in a context item a citation points (TIP §5.1), as values that print canonically.

`str(location)` is the text after the item id in `[[item-id:location]]`, and `read_location`
reads any accepted form of it back: for every location, reading what it prints gives it again.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# The element words that may follow a location (`p12:table-3`); values are canonical names.
ELEMENT_KINDS: dict[str, str] = {
    "table": "table",
    "figure": "figure",
    "fig": "figure",
    "image": "image",
    "chart": "chart",
    "para": "para",
    "paragraph": "para",
    "list": "list",
    "item": "item",
    "row": "row",
    "note": "note",
    "footnote": "footnote",
    "quote": "quote",
    "box": "box",
    "equation": "equation",
    "message": "message",
    "attachment": "attachment",
    "comment": "comment",
}

_SHEET_NEEDS_QUOTES = re.compile(r"[,:\[\]'\n\r]|^[\s#$/]|\s$|^$")
_NOT_IN_A_SECTION_NAME = re.compile(r"[,:\[\]\s]")

_DASH = r"[-\u2013\u2014]"
_CLOCK = r"(?:(\d{1,4}):(?=[0-5]\d:))?(\d{1,4}):([0-5]\d)(?:\.(\d{1,3}))?"
_TIME = re.compile(rf"t{_CLOCK}(?:{_DASH}t?{_CLOCK})?", re.IGNORECASE)
_CELL = r"\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})"
_CELLS = re.compile(rf"('(?:[^']|'')*'|[^:]+):{_CELL}(?:(?:{_DASH}|:){_CELL})?")
_NUMBERED = re.compile(
    rf"(p|pp|pages?|l|lines?|slides?)[ .-]?(\d{{1,9}})(?:{_DASH}(?:p|l)?(\d{{1,9}}))?",
    re.IGNORECASE,
)
_ELEMENT = re.compile(rf"({'|'.join(ELEMENT_KINDS)})[ -](\d{{1,9}})", re.IGNORECASE)


def slug(text: str) -> str:
    """A heading as TIP §5.1.4 cites it: lower case, words joined by hyphens."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_]+(?:['\u2019][^\W_]+)*", folded)
    return "-".join(word.replace("'", "").replace("\u2019", "") for word in words)


@dataclass(frozen=True, slots=True)
class Element:
    """A numbered thing on a page or in a section: the third table, the fourth paragraph."""

    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.kind}-{self.number}"


@dataclass(frozen=True, slots=True)
class WholeItem:
    """The item as such (`[[item]]`), or one numbered element anywhere in it."""

    element: Element | None = None

    def __str__(self) -> str:
        return str(self.element) if self.element else ""


@dataclass(frozen=True, slots=True)
class Pages:
    """TIP §5.1.2. Pages count from 1; a range includes both ends."""

    first: int
    last: int
    element: Element | None = None

    def __str__(self) -> str:
        return "p" + _range(self.first, self.last) + _suffix(self.element)


@dataclass(frozen=True, slots=True)
class Lines:
    """TIP §5.1.3. Lines count from 1; a range includes both ends."""

    first: int
    last: int

    def __str__(self) -> str:
        return "L" + _range(self.first, self.last)


@dataclass(frozen=True, slots=True)
class Slides:
    """A slide of a presentation (TIP §10.2.4 asks that slide numbers can be cited)."""

    first: int
    last: int
    element: Element | None = None

    def __str__(self) -> str:
        return "slide-" + _range(self.first, self.last) + _suffix(self.element)


@dataclass(frozen=True, slots=True)
class Section:
    """TIP §5.1.4: a heading by name. Two names are the same section if their slugs agree."""

    name: str
    element: Element | None = None

    @property
    def slug(self) -> str:
        return slug(self.name)

    def __str__(self) -> str:
        name = self.slug if _NOT_IN_A_SECTION_NAME.search(self.name) else self.name
        # A heading called "P4" must not read back as page 4.
        text = name + _suffix(self.element)
        return text if read_location(text) == Section(name, self.element) else "#" + text


@dataclass(frozen=True, slots=True)
class TimeRange:
    """TIP §5.1.5, in milliseconds from the start; `end_ms` is None for a moment."""

    start_ms: int
    end_ms: int | None = None

    def __str__(self) -> str:
        end = "" if self.end_ms is None else "-" + _clock(self.end_ms)
        return "t" + _clock(self.start_ms) + end


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One cell; column 1 is A."""

    column: int
    row: int

    def __str__(self) -> str:
        return column_letters(self.column) + str(self.row)


@dataclass(frozen=True, slots=True)
class CellRange:
    """TIP §5.1.6: cells of one sheet, from the top left to the bottom right."""

    sheet: str
    first: Cell
    last: Cell

    def __str__(self) -> str:
        cells = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        return f"{_quoted_sheet(self.sheet)}:{cells}"


@dataclass(frozen=True, slots=True)
class DataPath:
    """TIP §5.1.7: a JSONPath (`$…`) or, for XML, a path from the root (`/…`)."""

    path: str

    def __str__(self) -> str:
        return self.path


Location = WholeItem | Pages | Lines | Slides | Section | TimeRange | CellRange | DataPath

WHOLE_ITEM = WholeItem()


def read_location(text: str) -> Location:
    """Any form of TIP §5.1, canonical or as people and models write it.

    What is no other form is a section name; whether there is such a section is for the
    item to say. A leading `#` says that what follows is a section name and nothing else.
    """
    text = text.strip()
    if text[:1] in ("$", "/"):
        return DataPath(text)
    if text.startswith("#") and len(text) > 1:
        return _read_section(text[1:])
    if match := _TIME.fullmatch(text):
        return _read_time(match)
    if match := _CELLS.fullmatch(text):
        return _read_cells(match)
    place, element = _split_element(text)
    if not place:
        return WholeItem(element)
    if match := _NUMBERED.fullmatch(place):
        kind, first = match[1][0].lower(), int(match[2])
        last = int(match[3]) if match[3] else first
        if kind == "p":
            return Pages(first, last, element)
        if kind == "s":
            return Slides(first, last, element)
        if element is None:
            return Lines(first, last)
    return _read_section(text)


def _read_section(text: str) -> Section:
    place, element = _split_element(text)
    return Section(place, element) if place else Section(text)


def _split_element(text: str) -> tuple[str, Element | None]:
    place, _, last = text.rpartition(":")
    if match := _ELEMENT.fullmatch(last.strip()):
        return place.strip(), Element(ELEMENT_KINDS[match[1].lower()], int(match[2]))
    return text, None


def _read_time(match: re.Match[str]) -> TimeRange:
    parts = match.groups()
    end = _milliseconds(parts[4:]) if parts[6] is not None else None
    return TimeRange(_milliseconds(parts[:4]), end)


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((parts[3] or "").ljust(3, "0"))


def _read_cells(match: re.Match[str]) -> CellRange:
    sheet = match[1].strip()
    if sheet.startswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    first = Cell(column_number(match[2]), int(match[3]))
    last = Cell(column_number(match[4]), int(match[5])) if match[4] else first
    return CellRange(
        sheet,
        Cell(min(first.column, last.column), min(first.row, last.row)),
        Cell(max(first.column, last.column), max(first.row, last.row)),
    )


def column_letters(column: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """The inverse of `column_letters`, in either case."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _suffix(element: Element | None) -> str:
    return f":{element}" if element else ""


def _clock(milliseconds: int) -> str:
    seconds, fraction = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02d}:{seconds:02d}"
    return f"{text}.{fraction:03d}" if fraction else text


def _quoted_sheet(name: str) -> str:
    if _SHEET_NEEDS_QUOTES.search(name):
        return "'" + name.replace("'", "''") + "'"
    return name
