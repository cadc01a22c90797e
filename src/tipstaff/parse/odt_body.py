"""Paragraphs, lists and tables of an OpenDocument text, in order, into a flow.

Notes, annotations and deleted text stand in the middle of paragraphs there; notes and
annotations are collected for the end, deleted text is put back where it was, and marked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from lxml import etree

from tipstaff.domain.document import BlockKind
from tipstaff.parse.building import PictureText
from tipstaff.parse.flow import CellFlow, Flow
from tipstaff.parse.odt_names import (
    DC,
    DRAW,
    OFFICE,
    SVG,
    TABLE,
    TEXT,
    XML_ID,
    ListCounter,
    Look,
    OdtStyles,
)
from tipstaff.parse.runs import Runs
from tipstaff.parse.table_grid import Grid, GridCell, GridRow
from tipstaff.parse.xml_tree import local_name

_DELETED = "deleted text (tracked change)"
_MAX_REPEATS = 1_000
_NOT_READ = {
    **dict.fromkeys(("object", "object-ole", "plugin", "applet"), "embedded object"),
}
_WRAPPERS = frozenset(
    TEXT + name
    for name in (
        "index-body", "index-title", "table-of-content", "illustration-index", "table-index",
        "object-index", "user-index", "alphabetical-index", "bibliography", "numbered-paragraph",
    )
)  # fmt: skip
_SILENT = frozenset(
    {TEXT + "tracked-changes", TEXT + "sequence-decls", OFFICE + "forms", TEXT + "ruby-text"}
)


@dataclass(slots=True)
class Collected:
    """What is said beside the text, in order of appearance."""

    notes: dict[str, list[tuple[str, etree._Element]]] = field(default_factory=dict)
    annotations: list[etree._Element] = field(default_factory=list)
    deletions: dict[str, etree._Element] = field(default_factory=dict)
    lists: dict[str, ListCounter] = field(default_factory=dict)
    last_list: dict[str, ListCounter] = field(default_factory=dict)
    not_read: Counter[str] = field(default_factory=Counter)
    # What is read of a picture, given its element.
    picture: Callable[[etree._Element], Sequence[PictureText]] = lambda _: ()


@dataclass(slots=True)
class _Paragraph:
    runs: Runs = field(default_factory=Runs)
    boxes: list[etree._Element] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OdtReader:
    styles: OdtStyles
    collected: Collected
    headings: ListCounter
    flow: Flow
    hidden: str | None = None
    shaded: bool | None = None
    author: str | None = None

    def read(self, parent: etree._Element, *, label: str = "") -> None:
        """All blocks of an element; `label` goes before the first paragraph."""
        for child in parent:
            tag = child.tag
            if tag in (TEXT + "p", TEXT + "h"):
                self._paragraph(child, label=label, kind=BlockKind.PARAGRAPH)
                label = ""
            elif tag == TEXT + "list":
                self._list(child, 1, None)
            elif tag == TABLE + "table":
                self._table(child)
            elif tag == TEXT + "section":
                hides = child.get(TEXT + "display") == "none" or self.styles.hides_section(
                    child.get(TEXT + "style-name")
                )
                replace(self, hidden="hidden section" if hides else self.hidden).read(child)
            elif tag == TEXT + "change":
                runs = Runs()
                self._deleted(child, runs)
                self.flow.paragraph(runs)
            elif tag in _WRAPPERS:
                self.read(child)
            elif isinstance(tag, str) and tag.startswith(DRAW):
                self._drawing(child)

    def _paragraph(self, element: etree._Element, *, label: str, kind: BlockKind) -> None:
        style = element.get(TEXT + "style-name")
        look = self.styles.look("paragraph", style).over(Look(shaded=self.shaded))
        found = _Paragraph()
        self._inline(element, look, found)
        level = self.styles.outline_level(style)
        if element.tag == TEXT + "h":
            said = element.get(TEXT + "outline-level", "1")
            level = int(said) if said in set("123456789") else 1
            if found.runs.shown:
                label = (label + " " + self.headings.label(level)).strip()
        runs = Runs.of(label + " " if label.strip() else "")
        runs.extend(found.runs)
        if found.runs:
            self.flow.paragraph(
                runs.hidden(self.hidden), kind=kind, level=level, author=self.author
            )
        for box in found.boxes:
            self._drawing(box)

    def _inline(self, parent: etree._Element, look: Look, found: _Paragraph) -> None:
        reason = look.reason
        found.runs.add_folded(parent.text or "", reason)
        for child in parent:
            self._inline_child(child, look, found)
            found.runs.add_folded(child.tail or "", reason)

    def _inline_child(self, child: etree._Element, look: Look, found: _Paragraph) -> None:
        tag = child.tag
        reason = look.reason
        if tag == TEXT + "span":
            inner = self.styles.look("text", child.get(TEXT + "style-name")).over(look)
            self._inline(child, inner, found)
        elif tag == TEXT + "s":
            found.runs.add(" " * _count(child.get(TEXT + "c")), reason)
        elif tag == TEXT + "tab":
            found.runs.add("\t", reason)
        elif tag == TEXT + "line-break":
            found.runs.add("\n", reason)
        elif tag == TEXT + "note":
            self._note(child, reason, found)
        elif tag == OFFICE + "annotation":
            self.collected.annotations.append(child)
        elif tag == TEXT + "change":
            self._deleted(child, found.runs)
        elif tag in (TEXT + "hidden-text", TEXT + "hidden-paragraph"):
            self._inline(child, replace(look, hidden=True), found)
            found.runs.add(child.get(TEXT + "string-value", ""), "hidden text")
        elif isinstance(tag, str) and tag.startswith(DRAW) and tag != DRAW + "a":
            found.boxes.append(child)
        elif tag not in _SILENT:
            self._inline(child, look, found)

    def _note(self, note: etree._Element, reason: str | None, found: _Paragraph) -> None:
        body = note.find(TEXT + "note-body")
        citation = note.find(TEXT + "note-citation")
        notes = self.collected.notes.setdefault(note.get(TEXT + "note-class", "footnote"), [])
        words = "" if citation is None else "".join(citation.itertext()).strip()
        label = f"[{words or len(notes) + 1}]"
        found.runs.add(label, reason)
        if body is not None:
            notes.append((label, body))

    def _deleted(self, change: etree._Element, runs: Runs) -> None:
        region = self.collected.deletions.get(change.get(TEXT + "change-id", ""))
        if region is None:
            return
        flow = CellFlow()
        # What was deleted may have been another's deletion; one level is enough to show it.
        beside = replace(self.collected, deletions={})
        replace(self, flow=flow, collected=beside, hidden=_DELETED).read(region)
        runs.extend(flow.cell.runs)

    def _drawing(self, element: etree._Element) -> None:
        """Text in a frame or shape, its alternative text, and tables in it."""
        if (name := local_name(element)) in _NOT_READ:
            self.collected.not_read[_NOT_READ[name]] += 1
        elif name == "image":
            self.flow.picture(self.collected.picture(element), hidden=self.hidden)
        words = [
            " ".join("".join(child.itertext()).split())
            for child in element
            if child.tag in (SVG + "title", SVG + "desc")
        ]
        if any(words):
            shown = "Image: " + ". ".join(dict.fromkeys(filter(None, words)))
            self.flow.paragraph(Runs.of(shown).hidden(self.hidden))
        style = self.styles.look("graphic", element.get(DRAW + "style-name"))
        shaded = self.shaded if style.shaded is None else style.shaded
        replace(self, shaded=shaded).read(element)

    def _list(self, element: etree._Element, level: int, counter: ListCounter | None) -> None:
        if counter is None:
            counter = self._counter(element)
        for item in element:
            if item.tag not in (TEXT + "list-item", TEXT + "list-header"):
                continue
            start = item.get(TEXT + "start-value", "")
            first = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else None
            label = ""
            if item.tag == TEXT + "list-item" and any(
                child.tag in (TEXT + "p", TEXT + "h") for child in item
            ):
                label = counter.label(level, first)
            for child in item:
                if child.tag in (TEXT + "p", TEXT + "h"):
                    self._paragraph(child, label=label, kind=BlockKind.LIST_ITEM)
                    label = ""
                elif child.tag == TEXT + "list":
                    self._list(child, level + 1, counter)

    def _counter(self, element: etree._Element) -> ListCounter:
        """A list counts anew, unless it says that it goes on with another."""
        name = element.get(TEXT + "style-name", "")
        earlier = self.collected.lists.get(element.get(TEXT + "continue-list", ""))
        if earlier is None and element.get(TEXT + "continue-numbering") == "true":
            earlier = self.collected.last_list.get(name)
        counter = earlier or ListCounter(self.styles.lists.get(name))
        identity = element.get(XML_ID, "")
        if identity:
            self.collected.lists[identity] = counter
        self.collected.last_list[name] = counter
        return counter

    def _table(self, table: etree._Element) -> None:
        rows = _rows(table, is_heading=False)
        cells = [cell for row, _ in rows for cell in row if cell.tag == TABLE + "table-cell"]
        if len(cells) == 1:
            self.read(cells[0])  # a box around text
            return
        grid = Grid([])
        for row, is_heading in rows:
            gone = row.get(TABLE + "visibility", "visible") != "visible"
            inner = replace(self, hidden="hidden table row") if gone else self
            written = GridRow(inner._cells(row), is_heading=is_heading)
            repeats = _count(row.get(TABLE + "number-rows-repeated"))
            has_words = any(cell.runs for cell in written.cells)
            grid.rows.extend([written] * (repeats if has_words else 1))
        self.flow.table(grid)

    def _cells(self, row: etree._Element) -> list[GridCell]:
        cells = []
        for element in row:
            if element.tag != TABLE + "table-cell":
                continue  # covered cells lie under one that spans them
            look = self.styles.look("table-cell", element.get(TABLE + "style-name"))
            flow = CellFlow()
            shaded = self.shaded if look.shaded is None else look.shaded
            replace(self, flow=flow, shaded=shaded).read(element)
            flow.cell.columns = _count(element.get(TABLE + "number-columns-spanned"))
            flow.cell.rows = _count(element.get(TABLE + "number-rows-spanned"))
            repeats = _count(element.get(TABLE + "number-columns-repeated"))
            if repeats > 1 and not flow.cell.runs:
                flow.cell.columns = repeats
                repeats = 1
            cells.extend([flow.cell] * repeats)
        return cells


def author_of(annotation: etree._Element) -> str | None:
    creator = annotation.find(DC + "creator")
    return None if creator is None else "".join(creator.itertext()).strip() or None


def _rows(parent: etree._Element, *, is_heading: bool) -> list[tuple[etree._Element, bool]]:
    """Rows of a table with whether they name columns, through its groups of rows."""
    found = []
    for child in parent:
        if child.tag == TABLE + "table-row":
            found.append((child, is_heading))
        elif child.tag in (TABLE + "table-rows", TABLE + "table-row-group"):
            found += _rows(child, is_heading=is_heading)
        elif child.tag == TABLE + "table-header-rows":
            found += _rows(child, is_heading=True)
    return found


def _count(text: str | None) -> int:
    """A number of repetitions; a stranger's file may ask for billions."""
    if text is None or not (text.isascii() and text.isdigit()):
        return 1
    return min(max(int(text[:9]), 1), _MAX_REPEATS)
