"""Queries asked of a whole data file: the places of every node that one selects, in order."""

from __future__ import annotations

from typing import Literal

from tipstaff.citation.json_query import read_json_query
from tipstaff.citation.json_selection import JsonSelection
from tipstaff.citation.query_limits import BadQuery, Work
from tipstaff.citation.xml_axes import XmlTree
from tipstaff.citation.xml_query import read_xml_query
from tipstaff.citation.xml_selection import XmlSelection
from tipstaff.domain.data_nodes import DataNodes, NotWellFormed
from tipstaff.domain.document import Span
from tipstaff.domain.json_nodes import scan_json, scan_json_lines
from tipstaff.domain.xml_nodes import scan_xml

Form = Literal["json", "lines", "xml"]


class DataQueries:
    """The nodes of a text, scanned when the first query comes. `blocks` are the spans of its
    blocks, in order."""

    def __init__(self, text: str, blocks: list[Span], form: Form) -> None:
        self._text = text
        self._blocks = blocks
        self._form = form
        self._json: DataNodes | None = None
        self._xml: XmlTree | None = None

    def select(self, query: str) -> list[Span]:
        try:
            return self._in_xml(query) if self._form == "xml" else self._in_json(query)
        except NotWellFormed as fault:
            raise BadQuery(f"the item's data cannot be searched ({fault})") from None

    def _in_json(self, query: str) -> list[Span]:
        asked = read_json_query(query)
        is_lines = self._form == "lines"
        if self._json is None:
            self._json = (
                scan_json_lines(self._text, self._blocks) if is_lines else scan_json(self._text)
            )
        selection = JsonSelection(self._text, self._json, Work(), is_lines=is_lines)
        return [self._json.span(node) for node in selection.select(asked)]

    def _in_xml(self, query: str) -> list[Span]:
        asked = read_xml_query(query)
        if self._xml is None:
            self._xml = XmlTree(self._text, scan_xml(self._text))
        self._xml.work = Work()
        return [self._xml.place(node) for node in XmlSelection(self._xml).select(asked)]
