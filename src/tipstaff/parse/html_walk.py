"""The elements of a page, in order, into a flow of paragraphs, list items, headings and tables.

The tree is walked without recursion, so that its depth costs nothing; only a table that stands
in a cell begins a walk of its own. White space is folded as browsers fold it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from lxml import etree

from tipstaff.domain.document import BlockKind
from tipstaff.parse.building import PictureText
from tipstaff.parse.flow import CellFlow, Flow
from tipstaff.parse.html_tables import TableElement, is_frame
from tipstaff.parse.html_visibility import Visibility
from tipstaff.parse.list_labels import letters, roman
from tipstaff.parse.runs import Runs
from tipstaff.parse.table_grid import Grid, GridCell, GridRow
from tipstaff.parse.xml_tree import local_name

ReadPicture = Callable[[str], Sequence[PictureText]]

HEADINGS = {f"h{level}": level for level in range(1, 7)}
# What no reader of a page reads. `noscript` says the same things to another browser.
_DROPPED = frozenset(
    ("script", "style", "template", "noscript", "head", "iframe", "object", "embed", "audio",
     "video", "canvas", "map", "datalist", "noframes")
)  # fmt: skip
_NOT_READ = {
    "iframe": "embedded page",
    "object": "embedded object",
    "embed": "embedded object",
    "audio": "sound",
    "video": "video",
    "canvas": "drawing",
}
_BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
     "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
     "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "option", "p",
     "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
     "ul", "optgroup", "select", "textarea")
)  # fmt: skip
# Inside an open heading these say that it was never closed; a `div` does not.
_ENDS_A_HEADING = frozenset(
    ("p", "ul", "ol", "dl", "table", "pre", "section", "article", "form", *HEADINGS)
)
_ITEMS = frozenset({"li", "dt", "dd"})
_VERBATIM = frozenset({"pre", "textarea", "listing"})
_WRITTEN_INPUTS = frozenset(("text", "submit", "button", "number", "email", "tel", "date", "url"))


class Walk:
    """One walk over an element and everything in it."""

    def __init__(
        self,
        flow: Flow,
        not_read: Counter[str],
        picture: ReadPicture,
        visibility: Visibility | None = None,
    ) -> None:
        """`picture` gives the text of the picture at an address."""
        self._flow = flow
        self._not_read = not_read
        self._read_picture = picture
        self._visibility = [visibility or Visibility()]
        self._runs = Runs()
        self._level: int | None = None
        self._items = 0
        self._verbatim = 0
        self._label = ""
        self._counts: list[_ListCount] = []
        self._pictures: list[tuple[Runs, Sequence[PictureText], str | None]] = []

    def over(self, root: etree._Element) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag = local_name(element).lower()
            if event == "end":
                self._end(tag)
                if element is not root:
                    self._text(element.tail)
                continue
            self._visibility.append(self._visibility[-1].inside(element))
            if tag in _DROPPED:
                if tag in _NOT_READ:
                    self._not_read[_NOT_READ[tag]] += 1
                walk.skip_subtree()
            elif tag == "table" and element is not root and not is_frame(element):
                self._break()
                self._flow.table(self._grid(TableElement.of(element)))
                walk.skip_subtree()
            else:
                self._start(tag, element)
                self._text(element.text)
        self._break()

    def _start(self, tag: str, element: etree._Element) -> None:
        if tag in HEADINGS or tag in _BLOCKS:
            self._open_block(tag)
        if tag in HEADINGS:
            self._level = HEADINGS[tag]
        elif tag in ("ol", "ul", "menu", "dir", "dl"):
            self._counts.append(_ListCount(element) if tag == "ol" else _ListCount(None))
        elif tag in _ITEMS:
            self._items += 1
            self._label = self._counts[-1].label(element) if self._counts and tag == "li" else ""
        elif tag in _VERBATIM:
            self._verbatim += 1
        elif tag == "br":
            self._runs.add("\n", self._visibility[-1].reason)
        elif tag == "img" or (tag == "input" and element.get("type") == "image"):
            self._picture(element)
        elif tag == "input" and element.get("type", "text").lower() in _WRITTEN_INPUTS:
            self._text(" " + element.get("value", "") + " ")

    def _open_block(self, tag: str) -> None:
        if self._level is not None and tag not in _ENDS_A_HEADING:
            self._text(" ")
        else:
            self._break()
            self._level = None

    def _end(self, tag: str) -> None:
        self._visibility.pop()
        if self._level is not None and tag not in HEADINGS:
            if tag in _BLOCKS:
                self._text(" ")
        elif tag in HEADINGS or tag in _BLOCKS:
            self._break()
        if tag in HEADINGS:
            self._level = None
        elif tag in ("ol", "ul", "menu", "dir", "dl") and self._counts:
            self._counts.pop()
        elif tag in _ITEMS and self._items:
            self._items -= 1
            self._label = ""
        elif tag in _VERBATIM and self._verbatim:
            self._verbatim -= 1

    def _text(self, text: str | None) -> None:
        if not text:
            return
        reason = self._visibility[-1].reason
        if self._verbatim:
            self._runs.add(text.replace("\r\n", "\n").replace("\r", "\n"), reason)
        else:
            self._runs.add_folded(text, reason)

    def _picture(self, element: etree._Element) -> None:
        words = " ".join(element.get("alt", "").split())
        reason = self._visibility[-1].reason
        if words and self._level is not None:
            self._text(words)  # a logo for a heading: its words are the heading
        elif words:
            self._pictures.append((Runs.of("Image: " + words, reason), (), reason))
        if found := self._read_picture(element.get("src", "")):
            self._pictures.append((Runs(), found, reason))

    def _break(self) -> None:
        """Ends the paragraph that is open; pictures in it follow it."""
        runs, self._runs = self._runs.trimmed(), Runs()
        if runs:
            if self._label:
                runs.runs.insert(0, runs.runs[0]._replace(text=self._label + " "))
                self._label = ""
            kind = BlockKind.LIST_ITEM if self._items else BlockKind.PARAGRAPH
            self._flow.paragraph(runs, kind=kind, level=self._level)
        pictures, self._pictures = self._pictures, []
        for described, found, reason in pictures:
            self._flow.paragraph(described)
            self._flow.picture(found, hidden=reason)

    def _grid(self, table: TableElement) -> Grid:
        """A table's rows; its caption is a paragraph before it."""
        if table.caption is not None:
            inner = CellFlow()
            around = self._visibility[-1].inside(table.caption)
            Walk(inner, self._not_read, self._read_picture, around).over(table.caption)
            self._flow.paragraph(inner.cell.runs.on_one_line())
        grid = Grid([])
        for row in table.rows:
            around = self._visibility[-1]
            for element in row.around:
                around = around.inside(element)
            cells = [self._cell(cell, around) for cell in row.cells]
            grid.rows.append(GridRow(cells, is_heading=row.is_heading))
        return grid

    def _cell(self, element: etree._Element, around: Visibility) -> GridCell:
        flow = CellFlow()
        Walk(flow, self._not_read, self._read_picture, around).over(element)
        flow.cell.columns = _count(element.get("colspan"))
        rows = element.get("rowspan", "1").strip()
        flow.cell.rows = 65_534 if rows == "0" else _count(rows)
        flow.cell.is_heading = local_name(element).lower() == "th"
        return flow.cell


class _ListCount:
    """The number before each item of one list; none where the list has bullets."""

    def __init__(self, element: etree._Element | None) -> None:
        self._form = "" if element is None else element.get("type", "1")
        self._next = 1
        self._step = 1
        if element is not None:
            if element.get("reversed") is not None:
                self._step = -1
                self._next = sum(1 for child in element if local_name(child).lower() == "li")
            self._next = _signed(element.get("start"), self._next)

    def label(self, item: etree._Element) -> str:
        if not self._form:
            return ""
        number = _signed(item.get("value"), self._next)
        self._next = number + self._step
        form = item.get("type", self._form)
        forms = {"a": letters, "i": roman}
        written = forms.get(form.lower(), str)(number)
        return (written.upper() if form in ("A", "I") else written) + "."


def _count(text: str | None) -> int:
    number = _signed(text, 1)
    return number if number >= 1 else 1


def _signed(text: str | None, otherwise: int) -> int:
    text = (text or "").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 8 else otherwise
