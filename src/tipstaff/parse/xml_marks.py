"""The syntax of XML as marks, so that clean text reads as content: `price: 12`, not `<price>12`.

An element that holds data is read as its name, a colon, and what it holds; in running text a
tag is read as nothing, or in parentheses if it carries attributes. References to characters are
read as the characters. The text itself stays the file's own.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import deque
from collections.abc import Iterator

from tipstaff.domain.document import Mark, MarkKind, Span
from tipstaff.domain.invisible import invisible_spans
from tipstaff.domain.xml_nodes import XmlNodes, attributes_in, references_in

XML_SYNTAX = "XML syntax"


def marks_of_xml(
    text: str, found: XmlNodes, *, opened: set[int], mixed: set[int], block_starts: set[int]
) -> list[Mark]:
    """Marks for everything inside blocks that is no content. `opened` are elements that are no
    block but hold some, `mixed` those that hold both elements and text."""
    return list(_Marking(text, found, block_starts).marks(opened, mixed))


def names_space(attribute: str) -> bool:
    """Declarations of namespaces say nothing to a reader."""
    return attribute == "xmlns" or attribute.startswith("xmlns:")


class _Marking:
    def __init__(self, text: str, found: XmlNodes, block_starts: set[int]) -> None:
        self.text = text
        self.found = found
        self.nodes = found.nodes
        self.block_starts = block_starts

    def marks(self, opened: set[int], mixed: set[int]) -> Iterator[Mark]:
        nodes = self.nodes
        inline = {child for node in mixed - opened for child in nodes.children(node)}
        for node in range(len(nodes)):
            yield from self._namespaces(node)
            if nodes.ends[node] > nodes.closings[node]:
                yield _mark(nodes.closings[node], nodes.ends[node])
            if node not in opened:
                yield from self._inline(node) if node in inline else self._label(node)
        for aside in self.found.asides:
            yield _mark(aside.start, aside.end)
        for bracket in self.found.cdata:
            yield _mark(bracket.start, bracket.end)
        yield from self._references()

    def _label(self, node: int) -> Iterator[Mark]:
        """`<price cur="EUR">12` reads `price cur="EUR": 12`."""
        start, end = self.nodes.starts[node], self.nodes.values[node]
        # Elements that touch would run together; where there is white space, that parts them.
        touches = start not in self.block_starts and self.text[start - 1 : start] == ">"
        before, behind = "\n" if touches else "", self._behind_the_name(node)
        length = 2 if self._is_empty_tag(node) else 1
        name = self.text[start + 1 : end - length]
        if name.isascii() and name.isidentifier():
            # One mark costs half of two; names of other letters may hold invisible ones.
            yield _mark(start, end, sys.intern(before + name + behind))
        else:
            yield _mark(start, start + 1, before)
            yield _mark(end - length, end, behind)

    def _behind_the_name(self, node: int) -> str:
        end = self.nodes.values[node]
        if self._is_empty_tag(node):
            return ""
        holds_words = end < self.nodes.closings[node] and not self.text[end].isspace()
        first = self.nodes.starts[node + 1] if not self.nodes.is_leaf(node) else -1
        return ": " if holds_words and first != end else ":"

    def _inline(self, node: int) -> Iterator[Mark]:
        start, end = self.nodes.starts[node], self.nodes.values[node]
        attributes = attributes_in(self.text, start, end)
        is_empty = self._is_empty_tag(node)
        if all(names_space(name) for name, _, _ in attributes):
            # `one<br/>two` are two words.
            yield _mark(start, end, " " if is_empty else "")
            return
        yield _mark(start, start + 1, "(")
        yield _mark(end - 2, end, ")") if is_empty else _mark(end - 1, end, ") ")

    def _is_empty_tag(self, node: int) -> bool:
        return self.text[self.nodes.values[node] - 2] == "/"

    def _namespaces(self, node: int) -> Iterator[Mark]:
        bounds = self.nodes.starts[node], self.nodes.values[node]
        for name, whole, _ in attributes_in(self.text, *bounds):
            if names_space(name):
                yield _mark(whole.start - 1, whole.end)

    def _references(self) -> Iterator[Mark]:
        brackets = self.found.cdata
        raw = deque(
            Span(opening.end, closing.start)
            for opening, closing in zip(brackets[::2], brackets[1::2], strict=False)
        )
        for span, character in references_in(self.text, self.nodes.starts[0], self.nodes.ends[0]):
            while raw and raw[0].end <= span.start:
                raw.popleft()
            if not (raw and raw[0].contains(span)) and _is_plain(character):
                yield _mark(span.start, span.end, character)


def _mark(start: int, end: int, instead: str = "") -> Mark:
    return Mark(Span(start, end), MarkKind.MARKUP, XML_SYNTAX, instead)


def _is_plain(character: str) -> bool:
    """Whether a character reads by itself: not invisible, not a part of the one before."""
    return (
        character.isprintable()
        and not unicodedata.combining(character)
        and unicodedata.is_normalized("NFC", character)
        and not any(invisible_spans(character))
    )
