"""Which tables of a page are tables, and the rows and cells of those that are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from tipstaff.parse.xml_tree import local_name

_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_SECTIONS = frozenset(("thead", "tbody", "tfoot", "tr", "caption", "colgroup", "col"))
_SILENT = frozenset(("script", "style", "template", "noscript", ""))
_EXPECTED = {
    "table": _SECTIONS | _SILENT,
    "thead": frozenset({"tr"}) | _SILENT,
    "tbody": frozenset({"tr"}) | _SILENT,
    "tfoot": frozenset({"tr"}) | _SILENT,
    "tr": frozenset({"td", "th"}) | _SILENT,
}


@dataclass(frozen=True, slots=True)
class RowElement:
    """`around` are the elements between the table and its cells, outermost first."""

    around: tuple[etree._Element, ...]
    cells: tuple[etree._Element, ...]
    is_heading: bool


@dataclass(frozen=True, slots=True)
class TableElement:
    caption: etree._Element | None
    rows: tuple[RowElement, ...]

    @classmethod
    def of(cls, table: etree._Element) -> TableElement:
        """Heading rows first and footing rows last, wherever they are written."""
        order = {"thead": 0, "tfoot": 2}
        sections: list[tuple[int, RowElement]] = []
        caption = None
        for child in table:
            tag = _tag(child)
            if tag == "caption" and caption is None:
                caption = child
            sections.extend((order.get(tag, 1), row) for row in _rows(child))
        rows = tuple(row for _, row in sorted(sections, key=lambda section: section[0]))
        return cls(caption, rows)


def is_frame(table: etree._Element) -> bool:
    """A table that lays out a page: it says so, has one cell, or holds headings over text, or
    tables while it has no headings of its own."""
    if table.get("role", "").lower() in ("presentation", "none"):
        return True
    cells = [cell for row in TableElement.of(table).rows for cell in row.cells]
    if len(cells) <= 1 or _has_stray_words(table):
        return True
    if any(_tag(cell) == "th" for cell in cells):
        return False
    return any(
        _tag(inner) == "table" or (_tag(inner) in _HEADINGS and _has_company(inner, cell))
        for cell in cells
        for inner in cell.iterdescendants()
    )


def _rows(element: etree._Element) -> Iterator[RowElement]:
    tag = _tag(element)
    if tag == "tr":
        yield _row((element,), is_heading=False)
    elif tag in ("thead", "tbody", "tfoot"):
        for row in element:
            if _tag(row) == "tr":
                yield _row((element, row), is_heading=tag == "thead")


def _row(around: tuple[etree._Element, ...], *, is_heading: bool) -> RowElement:
    cells = tuple(cell for cell in around[-1] if _tag(cell) in ("td", "th"))
    names_columns = bool(cells) and all(
        _tag(cell) == "th" and cell.get("scope", "col").lower() not in ("row", "rowgroup")
        for cell in cells
    )
    return RowElement(around, cells, is_heading or (names_columns and len(cells) > 1))


def _has_stray_words(table: etree._Element) -> bool:
    """Words between the cells, which only badly formed tables have: nothing may be lost."""
    waiting = [table]
    while waiting:
        element = waiting.pop()
        texts = [element.text, *(child.tail for child in element)]
        if any(text and text.strip() for text in texts):
            return True
        expected = _EXPECTED[_tag(element)]
        if any(_tag(child) not in expected for child in element):
            return True
        waiting += [child for child in element if _tag(child) in _EXPECTED]
    return False


def _has_company(heading: etree._Element, cell: etree._Element) -> bool:
    """Whether a cell says more than its heading."""
    words = "".join("".join(cell.itertext()).split())
    return len(words) > len("".join("".join(heading.itertext()).split()))


def _tag(element: etree._Element) -> str:
    return local_name(element).lower()
