"""The nodes of an XML text as XPath sees them: names, words, places and neighbours.

An element is its node's number, the document around the root is `DOCUMENT`; attributes and
stretches of text are leaves. Blank text between elements is no node.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from tipstaff.citation.query_limits import Work
from tipstaff.domain.document import Span
from tipstaff.domain.xml_nodes import XmlNodes, attributes_in, name_of, references_in

DOCUMENT = -1


@dataclass(frozen=True, slots=True)
class Leaf:
    """An attribute (`name` is set) or a stretch of text; `value` is the part that is its value."""

    owner: int
    span: Span
    value: Span
    name: str = ""


XmlNode = int | Leaf


class XmlTree:
    """Elements, attributes and texts with their names, values and neighbours. `work` is what the
    query that is being asked has left."""

    def __init__(self, text: str, found: XmlNodes) -> None:
        self.text = text
        self.nodes = found.nodes
        self.work = Work()
        self._asides = found.asides
        # Tags, comments and brackets of character data, in order: what is no text.
        self._markup = sorted([*found.asides, *found.cdata, *self._tags()])
        self._raw = sorted(
            Span(opening.end, closing.start)
            for opening, closing in zip(found.cdata[::2], found.cdata[1::2], strict=False)
        )
        self._parents: dict[int, int] = {0: DOCUMENT}
        for node in range(len(self.nodes)):
            self._parents.update(dict.fromkeys(self.nodes.children(node), node))

    def _tags(self) -> Iterator[Span]:
        for node in range(len(self.nodes)):
            yield Span(self.nodes.starts[node], self.nodes.values[node])
            if self.nodes.ends[node] > self.nodes.closings[node]:
                yield Span(self.nodes.closings[node], self.nodes.ends[node])

    def place(self, node: XmlNode) -> Span:
        if isinstance(node, Leaf):
            return node.span
        return self.nodes.span(max(node, 0))

    def name(self, node: XmlNode) -> str:
        if isinstance(node, Leaf):
            return node.name
        return "" if node == DOCUMENT else name_of(self.text, self.nodes, node)

    def parent(self, node: XmlNode) -> int | None:
        return node.owner if isinstance(node, Leaf) else self._parents.get(node)

    def children(self, node: XmlNode) -> list[int]:
        if isinstance(node, Leaf):
            return []
        found = [0] if node == DOCUMENT else list(self.nodes.children(node))
        self.work.spend(1 + len(found))
        return found

    def descendants(self, node: XmlNode) -> list[int]:
        if isinstance(node, Leaf):
            return []
        last = len(self.nodes) if node == DOCUMENT else self.nodes.nexts[node]
        self.work.spend(1 + last - node)
        return list(range(node + 1, last))

    def attributes(self, node: XmlNode) -> list[Leaf]:
        if isinstance(node, Leaf) or node == DOCUMENT:
            return []
        start, end = self.nodes.starts[node], self.nodes.values[node]
        self.work.spend_on_text(end - start)
        return [
            Leaf(node, whole, value, name)
            for name, whole, value in attributes_in(self.text, start, end)
            if name != "xmlns" and not name.startswith("xmlns:")
        ]

    def texts(self, node: XmlNode) -> list[Leaf]:
        """The stretches of text directly in an element, parted by elements and comments."""
        if isinstance(node, Leaf) or node == DOCUMENT:
            return []
        bounds = [
            (self.nodes.starts[child], self.nodes.ends[child]) for child in self.children(node)
        ]
        position, end = self.nodes.values[node], self.nodes.closings[node]
        index = bisect_left(self._asides, position, key=lambda span: span.start)
        while index < len(self._asides) and self._asides[index].start < end:
            self.work.spend()
            bounds.append((self._asides[index].start, self._asides[index].end))
            index += 1
        self.work.spend_on_text(end - position)
        found = []
        for start, behind in [*sorted(bounds), (end, end)]:
            if self.text[position:start].strip():
                place = Span(position, start)
                found.append(Leaf(node, place, place))
            position = max(position, behind)
        return found

    def string(self, node: XmlNode) -> str:
        """A node's words: all text in it, references to characters replaced."""
        if isinstance(node, Leaf):
            start, end = node.value.start, node.value.end
        else:
            start, end = self.nodes.values[max(node, 0)], self.nodes.closings[max(node, 0)]
        self.work.spend_on_text(end - start)
        if isinstance(node, Leaf) and node.name:
            return self._replaced(start, end)
        words = []
        index = bisect_left(self._markup, start, key=lambda span: span.start)
        position = start
        while index < len(self._markup) and self._markup[index].start < end:
            self.work.spend()
            words.append(self._replaced(position, self._markup[index].start))
            position = max(position, self._markup[index].end)
            index += 1
        return "".join([*words, self._replaced(position, end)])

    def _replaced(self, start: int, end: int) -> str:
        raw = bisect_left(self._raw, start, key=lambda span: span.start)
        if raw < len(self._raw) and self._raw[raw].start == start:
            return self.text[start:end]
        words, position = [], start
        for span, character in references_in(self.text, start, end):
            words += [self.text[position : span.start], character]
            position = span.end
        return "".join([*words, self.text[position:end]])
