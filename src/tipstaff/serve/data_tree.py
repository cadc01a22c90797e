"""A JSON or XML document as a tree that is opened node by node (TIP §5.1.7)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from tipstaff.domain.data_nodes import DataNodes, NotWellFormed
from tipstaff.domain.document import Document, Span
from tipstaff.domain.json_nodes import scan_json, scan_json_lines
from tipstaff.domain.xml_nodes import scan_xml
from tipstaff.serve.viewing import Lit, runs

MOST_CHILDREN = 500
_PREVIEW_CHARS = 200
_KEY = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:')
_TAG = re.compile(r"<([^\s/>]+)")


@dataclass(frozen=True, slots=True)
class DataTree:
    document: Document
    nodes: DataNodes
    is_xml: bool

    def children(self, node: int, first: int, lit: Lit) -> list[dict[str, Any]]:
        """Of one node, from its `first` child on (from 0), at most `MOST_CHILDREN`."""
        if not 0 <= node < len(self.nodes):
            return []
        every = list(self.nodes.children(node))[first : first + MOST_CHILDREN]
        return [self.shown(one, first + index, lit) for index, one in enumerate(every)]

    def shown(self, node: int, index: int, lit: Lit) -> dict[str, Any]:
        span = self.nodes.span(node)
        leaf = self.nodes.is_leaf(node)
        return {
            "node": node,
            "label": self._label(node, index),
            "child_count": 0 if leaf else sum(1 for _ in self.nodes.children(node)),
            "runs": runs(self.document, self._value(node), lit) if leaf else [],
            "preview": "" if leaf else self._preview(node),
            "lit": any(one.overlaps(span) for one in lit.passage),
            "is_place": any(one.contains(span) for one in lit.passage),
        }

    def path_to(self, lit: Lit) -> list[int]:
        """The nodes to open so that the first lit place is seen, outermost first."""
        if not lit.passage or not len(self.nodes):
            return []
        wanted, path, node = lit.passage[0], [0], 0
        while True:
            inside = next(
                (one for one in self.nodes.children(node) if self.nodes.span(one).contains(wanted)),
                None,
            )
            if inside is None:
                return path
            path.append(inside)
            node = inside

    def _label(self, node: int, index: int) -> str:
        text, start = self.document.text, self.nodes.starts[node]
        if self.is_xml:
            found = _TAG.match(text, start)
            return found[1] if found else ""
        found = _KEY.match(text, start)
        if found and self.nodes.values[node] > start:
            return str(json.loads(f'"{found[1]}"'))
        return "$" if node == 0 else str(index)

    def _value(self, node: int) -> Span:
        return Span(
            self.nodes.values[node], max(self.nodes.values[node], self.nodes.closings[node])
        )

    def _preview(self, node: int) -> str:
        value = self._value(node)
        words = self.document.text[value.start : value.start + _PREVIEW_CHARS]
        return " ".join(words.split())


def data_tree(document: Document) -> DataTree | None:
    """None for a text that is not well formed: it is shown as lines."""
    text = document.text
    try:
        if text.lstrip()[:1] == "<":
            return DataTree(document, scan_xml(text).nodes, is_xml=True)
        try:
            return DataTree(document, scan_json(text), is_xml=False)
        except NotWellFormed:
            spans = [block.span for block in document.blocks]
            return DataTree(document, scan_json_lines(text, spans), is_xml=False)
    except (NotWellFormed, ValueError):
        return None
