"""An XLSX or XLSM file to its sheets: names, rows, merged and hidden cells, comments."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from tipstaff.domain.location import Cell, column_number
from tipstaff.parse.sheet_content import SheetContent
from tipstaff.parse.sheet_row import Remark
from tipstaff.parse.workbook_styles import WorkbookStyles, read_styles
from tipstaff.parse.xlsx_package import OddPart, Package, Relationship
from tipstaff.parse.xlsx_row_plan import Strings
from tipstaff.parse.xlsx_sheet import (
    SheetReader,
    data_of,
    hidden_columns,
    merged_cells,
    shared_strings,
)

_OF_THREAD = "[Threaded comment]"


class XlsxWorkbook:
    """Raises `OddPart` where the workbook as a whole cannot be read; what is odd within one
    sheet goes to `notes`."""

    def __init__(self, package: Package) -> None:
        self.notes: list[str] = []
        self._package = package
        main = next(
            (link.target for link in self._package.relationships("").values()
             if link.kind == "officeDocument"),
            "xl/workbook.xml",
        )  # fmt: skip
        self._workbook = self._package.xml(main)
        self._links = self._package.relationships(main)
        properties = self._workbook.find("{*}workbookPr")
        from_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._styles = self._read_styles(from_1904=from_1904)
        strings = self._target("sharedStrings")
        self._strings = shared_strings(self._package.markup(strings)) if strings else Strings()
        self._people = self._read_people()

    def sheets(self) -> Iterator[SheetContent]:
        """Sheets in the order of their tabs; each is to be used up before the next."""
        listed = self._workbook.find("{*}sheets")
        for element in [] if listed is None else listed.iterchildren("{*}sheet"):
            name = element.get("name") or ""
            reference = next(
                (value for key, value in element.items() if str(key).endswith("}id")), ""
            )
            link = self._links.get(str(reference))
            if link is None or link.kind != "worksheet":
                what = "missing" if link is None else f"a {link.kind}"
                self.notes.append(f"The sheet '{name}' is {what} and was not read.")
                continue
            try:
                yield from self._sheet(name, element.get("state", "visible"), link.target)
            except OddPart as odd:
                self.notes.append(f"The sheet '{name}' was not read: {odd}.")

    def _sheet(self, name: str, state: str, part: str) -> Iterator[SheetContent]:
        markup = self._package.markup(part)
        data = data_of(markup)
        reader = SheetReader(self._strings, self._styles)
        yield SheetContent(
            name=name,
            rows=reader.rows(markup, data),
            hidden=state in ("hidden", "veryHidden"),
            hidden_columns=hidden_columns(markup, data),
            merged=merged_cells(markup, data),
            remarks=self._remarks(name, self._package.relationships(part)),
        )
        if reader.without_result:
            self.notes.append(
                f"The sheet '{name}' has formulas without a stored result "
                f"({reader.without_result}); the formula itself is shown in their place."
            )
        if reader.misplaced:
            self.notes.append(
                f"The sheet '{name}' has rows or cells out of order ({reader.misplaced}) "
                "that were left out."
            )

    def _read_styles(self, *, from_1904: bool) -> WorkbookStyles:
        part = self._target("styles")
        try:
            root = self._package.xml(part) if part else None
        except OddPart as odd:
            self.notes.append(f"Numbers are shown as stored, without their formats: {odd}.")
            root = None
        return read_styles(root, from_1904=from_1904)

    def _target(self, kind: str) -> str | None:
        targets = (link.target for link in self._links.values() if link.kind == kind)
        return next((target for target in targets if self._package.has(target)), None)

    def _read_people(self) -> dict[str, str]:
        part = self._target("person")
        if part is None:
            return {}
        try:
            people = self._package.xml(part)
        except OddPart:
            return {}
        return {
            person.get("id") or "": person.get("displayName") or ""
            for person in people.iterchildren("{*}person")
        }

    def _remarks(self, sheet: str, links: dict[str, Relationship]) -> list[Remark]:
        """Comments, replies to them, and text boxes."""
        remarks: list[Remark] = []
        readers = {
            "comments": _comments,
            "threadedComment": lambda root: _threads(root, self._people),
            "drawing": _text_boxes,
        }
        for link in links.values():
            if link.kind not in readers:
                continue
            try:
                root = self._package.xml(link.target)
            except OddPart as odd:
                self.notes.append(f"Comments or drawings on the sheet '{sheet}' are lost: {odd}.")
                continue
            remarks.extend(remark for remark in readers[link.kind](root) if remark.text)
            if link.kind == "drawing":
                self._note_pictures(sheet, root)
        if any(link.kind == "threadedComment" for link in links.values()):
            remarks = [remark for remark in remarks if not remark.text.startswith(_OF_THREAD)]
        return remarks

    def _note_pictures(self, sheet: str, drawing: etree._Element) -> None:
        for tag, what in (("graphicFrame", "charts"), ("pic", "pictures")):
            count = sum(1 for _ in drawing.iter(f"{{*}}{tag}"))
            if count:
                self.notes.append(f"The sheet '{sheet}' has {what} ({count}) that were not read.")


def _comments(root: etree._Element) -> Iterator[Remark]:
    authors = [(element.text or "").strip() for element in root.iterfind("{*}authors/{*}author")]
    for comment in root.iterfind("{*}commentList/{*}comment"):
        cell = _cell(comment.get("ref"))
        number = comment.get("authorId") or ""
        author = authors[int(number)] if number.isdigit() and int(number) < len(authors) else ""
        words = "".join(
            text.text or ""
            for text in comment.iter("{*}t")
            if not any(parent.tag == _tag(parent, "rPh") for parent in text.iterancestors())
        )
        if cell is not None:
            yield Remark(cell, words.strip(), author or None)


def _threads(root: etree._Element, people: dict[str, str]) -> Iterator[Remark]:
    for comment in root.iterchildren("{*}threadedComment"):
        cell = _cell(comment.get("ref"))
        text = comment.find("{*}text")
        if cell is not None and text is not None:
            author = people.get(comment.get("personId") or "") or None
            yield Remark(cell, (text.text or "").strip(), author)


def _text_boxes(root: etree._Element) -> Iterator[Remark]:
    """Shapes with text, each at the cell under its top left corner."""
    for anchor in root.iterchildren("{*}*"):
        corner = anchor.find("{*}from")
        column, row = (
            (corner.findtext("{*}col") or "", corner.findtext("{*}row") or "")
            if corner is not None
            else ("0", "0")
        )
        if not (column.isdigit() and row.isdigit()):
            continue
        for body in anchor.iter("{*}txBody"):
            paragraphs = (
                "".join(text.text or "" for text in paragraph.iter("{*}t")).strip()
                for paragraph in body.iterchildren("{*}p")
            )
            words = "\n".join(filter(None, paragraphs))
            yield Remark(Cell(int(column) + 1, int(row) + 1), words)


def _tag(element: etree._Element, name: str) -> str:
    return str(element.tag).rpartition("}")[0] + "}" + name


def _cell(reference: str | None) -> Cell | None:
    letters = (reference or "").rstrip("0123456789")
    digits = (reference or "")[len(letters) :]
    if not (letters.isascii() and letters.isalpha() and len(letters) <= 3 and digits):
        return None
    return Cell(column_number(letters), int(digits)) if 0 < int(digits) < 10_000_000 else None
