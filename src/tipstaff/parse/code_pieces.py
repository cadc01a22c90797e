"""Source code as pieces of whole lines: each definition, and what stands between definitions.

A text and its language come in, pieces in order of their lines go out. Pieces never overlap;
lines that no piece takes are blank or close something (`}`, `end`). Members of a class that is
one piece come beside the pieces, so that they can still be cited by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from tree_sitter import Node, Parser

from tipstaff.domain.document import Span
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.code_languages import ATTACHED, FUNCTION_VALUES, OPENED, CodeLanguage, grammar

WHOLE_LINES = 60  # a class up to this size is one piece; what defines nothing is cut to it
_DEEPEST = 40
_LONGEST_NAME = 200

_CLOSING = re.compile(r"(?:[\W_]|\b(?:end|endif|else|fi|done|esac)\b)*")
_DOTTED = re.compile(r"[\w$~!?=#]+(?:(?:::|[.\\])[\w$~!?=#]+)*")
_SEPARATOR = re.compile(r"::|[.\\]")
_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]$")
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^()]*\]\s*)?\)$")
_NAME_FIELDS = ("name", "declarator", "left", "key", "property", "type")


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines `first` to `last`, and the names that they stand under, outermost first."""

    first: int
    last: int
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Definition:
    """`node` is what is opened if it is large; the lines are those of its wrappers, too.
    `has_members`: its inner definitions have names of their own (a class, not a function)."""

    node: Node
    first: int
    last: int
    names: tuple[str, ...]
    is_open: bool
    has_members: bool = False


def pieces_of_code(lines: TextLines, language: CodeLanguage) -> tuple[list[Piece], list[Piece]]:
    """The pieces of a text, and the members inside those that are whole classes."""
    source = _for_the_grammar(lines)
    root = Parser(grammar(language)).parse(source).root_node
    reader = _Reader(lines, source, language)
    reader.region(root, 1, len(lines), (), 0)
    return reader.pieces, reader.members


def pieces_between_blank_lines(lines: TextLines) -> list[Piece]:
    """For languages without a grammar: a new piece begins behind a blank line, at the margin."""
    starts = [
        number
        for number in range(2, len(lines) + 1)
        if _is_blank(lines, number - 1)
        and not _is_blank(lines, number)
        and not lines.text[lines.starts[number - 1]].isspace()
    ]
    bounds = [1, *starts, len(lines) + 1]
    return [
        piece
        for first, following in pairwise(bounds)
        for piece in loose_pieces(lines, first, following - 1, ())
    ]


def loose_pieces(lines: TextLines, first: int, last: int, path: tuple[str, ...]) -> Iterator[Piece]:
    """Lines that define nothing, in pieces that are cut at blank lines where they are long."""
    if first > last or only_closes(lines.text, lines.span(first, last)):
        return
    piece: Piece | None = None
    for start, end in _paragraphs(lines, first, last):
        if piece and end - piece.first < WHOLE_LINES:
            piece = replace(piece, last=end)
            continue
        if piece:
            yield piece
        piece = Piece(start, end, path)
    if piece:
        yield piece


def only_closes(text: str, span: Span) -> bool:
    """Brackets, `end`, `#endif`: text that says nothing by itself."""
    return _CLOSING.fullmatch(text, span.start, span.end) is not None


class _Reader:
    def __init__(self, lines: TextLines, source: bytes, language: CodeLanguage) -> None:
        self.lines = lines
        self.source = source
        self.language = language
        self.pieces: list[Piece] = []
        self.members: list[Piece] = []
        self._attached: dict[int, int] = {}  # last line of a comment → its first

    def region(self, node: Node, first: int, last: int, path: tuple[str, ...], depth: int) -> None:
        """Fills the lines of a node: its definitions, and between them whatever else it says."""
        free = first
        for found in self._definitions(node, depth):
            if found.last < free:
                continue
            if found.first < free and not found.is_open and self.pieces:
                # It begins on the last line of the one before: lines are not divided.
                self.pieces[-1] = replace(self.pieces[-1], last=found.last)
                self._inside(found, path, depth)
                free = found.last + 1
                continue
            start = self._with_comments(max(found.first, free), free)
            self.pieces.extend(loose_pieces(self.lines, free, start - 1, path))
            names = path + found.names
            if found.is_open and depth < _DEEPEST:
                self.region(found.node, start, found.last, names, depth + 1)
            else:
                self.pieces.append(Piece(start, found.last, names))
                self._inside(found, path, depth)
            free = found.last + 1
        self.pieces.extend(loose_pieces(self.lines, free, last, path))

    def _inside(self, found: _Definition, path: tuple[str, ...], depth: int) -> None:
        """Names what is defined in a class that stays one piece, and in classes inside it."""
        if not found.has_members or depth >= _DEEPEST:
            return
        names = path + found.names
        for member in self._definitions(found.node, depth + 1):
            if member.names:
                start = self._with_comments(member.first, found.first)
                self.members.append(Piece(start, member.last, names + member.names))
            self._inside(member, names, depth + 1)

    def _definitions(self, node: Node, depth: int) -> Iterator[_Definition]:
        """Definitions inside a node but not inside one another, in order."""
        body = node.child_by_field_name("body")
        for child in node.children:
            first, last = _line_range(child)
            if child.type in ATTACHED:
                if not self._before(child).strip():
                    self._attached[last] = first
            elif found := self._definition(child):
                yield found
            elif depth < _DEEPEST and (
                child == body
                or (child.type in OPENED and last > first)
                or last - first >= WHOLE_LINES
            ):
                yield from self._definitions(child, depth + 1)

    def _definition(self, node: Node, depth: int = 0) -> _Definition | None:
        language = self.language
        if node.type in language.wrappers:
            return self._wrapped(node, depth) if depth < _DEEPEST else None
        first, last = _line_range(node)
        if node.type in language.functions or (node.type in language.fields and last > first):
            return self._defined(node, is_open=False)
        has_body = node.child_by_field_name("body") is not None
        if node.type in language.classes:
            # `class Session;` only announces one.
            return self._defined(node, is_open=_is_large(node), members=True) if has_body else None
        if node.type in language.namespaces:
            return self._defined(node, is_open=True) if has_body else None
        return self._value(node) if node.type in language.values else None

    def _wrapped(self, node: Node, depth: int) -> _Definition | None:
        first, last = _line_range(node)
        for child in node.named_children:
            inner = self._definition(child, depth + 1)
            if inner is None and child.type in FUNCTION_VALUES:  # `export default () => …`
                inner = self._defined(child, is_open=False)
            if inner:
                # `typedef struct { … } name;` has its name outside.
                names = self._names(node) or inner.names
                return replace(inner, first=first, last=last, names=names)
        return None

    def _value(self, node: Node) -> _Definition | None:
        """`const login = () => …`, `Session.prototype.close = function …`, `close: function …`."""
        holder = node
        for child in node.named_children:
            if child.type in self.language.namespaces:
                return self._definition(child)
            if child.type in ("variable_declarator", "assignment_expression"):
                holder = child
                break
        value = holder.child_by_field_name("value") or holder.child_by_field_name("right")
        if value is None or value.type not in FUNCTION_VALUES:
            return None
        is_class = value.type == "class"
        is_open = is_class and _is_large(value)
        return _Definition(value, *_line_range(node), self._names(holder), is_open, is_class)

    def _defined(self, node: Node, *, is_open: bool, members: bool = False) -> _Definition:
        return _Definition(node, *_line_range(node), self._names(node), is_open, members)

    def _names(self, node: Node) -> tuple[str, ...]:
        """What a node defines, as a path: `Session::close` is Session, close."""
        if node.type == "type_declaration" and node.named_children:
            node = node.named_children[0]  # Go: the name is in the first specification
        named = next(filter(None, map(node.child_by_field_name, _NAME_FIELDS)), None)
        if named is None:
            return ()
        names = _path(self._text(_innermost(named)))
        receiver = node.child_by_field_name("receiver")
        if receiver and (owner := _RECEIVER.search(self._text(receiver))):
            return (owner[1], *names)
        return names

    def _with_comments(self, first: int, free: int) -> int:
        """The line on which the comments directly above a definition begin."""
        while (above := self._attached.get(first - 1)) is not None and above >= free:
            first = above
        return first

    def _before(self, node: Node) -> str:
        """What stands on a node's line before it."""
        start = node.start_byte - node.start_point[1]
        return self.source[start : node.start_byte].decode("utf-8", "replace")

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _innermost(node: Node) -> Node:
    """C's declarators nest: `*name(int)[4]` declares `name`."""
    while node.type.endswith("_declarator"):
        inner = node.child_by_field_name("declarator") or next(iter(node.named_children), None)
        if inner is None:
            break
        node = inner
    return node


def _path(name: str) -> tuple[str, ...]:
    name = " ".join(name.split())[:_LONGEST_NAME].strip("'\"`")
    while (shorter := _TYPE_ARGUMENTS.sub("", name)) != name and shorter.strip():
        name = shorter.strip()
    if _DOTTED.fullmatch(name):
        return tuple(part for part in _SEPARATOR.split(name) if part and part != "prototype")
    return (name,) if name else ()


def _line_range(node: Node) -> tuple[int, int]:
    """First and last line; a node that ends at the margin ends on the line before."""
    # By index: in tree-sitter 0.26.0, `.row` ends the process (CPython 3.11).
    first, (last, column) = node.start_point[0] + 1, node.end_point
    return first, max(first, last if column == 0 else last + 1)


def _is_large(node: Node) -> bool:
    first, last = _line_range(node)
    return last - first >= WHOLE_LINES


def _for_the_grammar(lines: TextLines) -> bytes:
    """The text with one `\\n` a line, so that the grammar counts lines as we do."""
    kept = (
        lines.text[span.start : span.end]
        for span in (lines.span(number, number) for number in range(1, len(lines) + 1))
    )
    # A NUL ends the text for some scanners.
    return ("\n".join(kept) + "\n").replace("\0", " ").encode("utf-8", "replace")


def _paragraphs(lines: TextLines, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Runs of lines without a blank one; a long run is cut by its number of lines."""
    start: int | None = None
    for number in range(first, last + 1):
        if _is_blank(lines, number):
            if start is not None:
                yield start, number - 1
            start = None
        elif start is None:
            start = number
        elif number - start >= WHOLE_LINES:
            yield start, number - 1
            start = number
    if start is not None:
        yield start, last


def _is_blank(lines: TextLines, number: int) -> bool:
    span = lines.span(number, number)
    return not lines.text[span.start : span.end].strip()
