"""A JSONPath query asked of the nodes of a JSON text: the nodes it selects, in order.

After each step a node counts once, so that no chain of `..` multiplies; filters inside filters
still do, and the work they may do is counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tipstaff.citation.json_query import (
    AllOf,
    AnyOf,
    Call,
    Comparison,
    Every,
    Exists,
    Filter,
    Index,
    JsonQuery,
    Literal,
    Name,
    Not,
    Operand,
    Segment,
    Slice,
    Test,
)
from tipstaff.citation.query_limits import Work
from tipstaff.domain.data_nodes import DataNodes
from tipstaff.domain.json_nodes import key_of


class _Nothing:
    """What a path that leads nowhere is worth: equal to itself and to no value."""


_NOTHING = _Nothing()


class JsonSelection:
    """One query's walk. `is_lines` says that node 0 stands for the lines of JSON Lines."""

    def __init__(self, text: str, nodes: DataNodes, work: Work, *, is_lines: bool = False) -> None:
        self.text = text
        self.nodes = nodes
        self.work = work
        self.is_lines = is_lines
        self._from_root: dict[JsonQuery, list[int]] = {}

    def select(self, query: JsonQuery, current: int = 0) -> list[int]:
        if query.from_root and query in self._from_root:
            return self._from_root[query]
        here = [0 if query.from_root else current]
        for segment in query.segments:
            found: set[int] = set()
            for node in self._with_descendants(here) if segment.descends else here:
                found.update(self._chosen(node, segment))
            here = sorted(found)
        if query.from_root:
            self._from_root[query] = here
        return here

    def _with_descendants(self, here: Sequence[int]) -> Iterator[int]:
        """Each node of the subtrees once: of nodes in order, a later one is inside or behind."""
        position = -1
        for node in here:
            yield from range(max(node, position), self.nodes.nexts[node])
            position = max(position, self.nodes.nexts[node])

    def _chosen(self, node: int, segment: Segment) -> Iterator[int]:
        self.work.spend()
        if self.nodes.is_leaf(node):
            return
        children = list(self.nodes.children(node))
        is_array = self._is_array(node)
        for selector in segment.selectors:
            self.work.spend(len(children))
            match selector:
                case Every():
                    yield from children
                case Filter(test):
                    yield from (child for child in children if self._holds(test, child))
                case Name(name):
                    yield from self._named(children, name, is_array=is_array)
                case Index(number) if is_array and -len(children) <= number < len(children):
                    yield children[number]
                case Slice(first, last, step) if is_array and step:
                    yield from children[slice(first, last, step)]

    def _named(self, children: list[int], name: str, *, is_array: bool) -> Iterator[int]:
        """Of duplicate keys the last counts; people write `$.items.0` for `$.items[0]`."""
        if is_array:
            if name.isdecimal() and len(name) < 12 and int(name) < len(children):
                yield children[int(name)]
            return
        for child in reversed(children):
            if key_of(self.text, self.nodes, child) == name:
                yield child
                return

    def _is_array(self, node: int) -> bool:
        return self.text[self.nodes.values[node]] == "[" or (self.is_lines and node == 0)

    def _holds(self, test: Test, node: int) -> bool:
        self.work.spend()
        match test:
            case AnyOf(tests):
                return any(self._holds(one, node) for one in tests)
            case AllOf(tests):
                return all(self._holds(one, node) for one in tests)
            case Not(one):
                return not self._holds(one, node)
            case Exists(query):
                return bool(self.select(query, node))
            case Comparison(left, sign, right):
                return _compared(self._worth(left, node), sign, self._worth(right, node))

    def _worth(self, operand: Operand, node: int) -> object:
        match operand:
            case Literal(value):
                return value
            case JsonQuery():
                found = self.select(operand, node)
                return self._value(found[0]) if len(found) == 1 else _NOTHING
            case Call("count", JsonQuery() as query):
                return len(self.select(query, node))
            case Call("value", argument):
                return self._worth(argument, node)
            case Call(_, argument):
                measured = self._worth(argument, node)
                return len(measured) if isinstance(measured, str | list | dict) else _NOTHING

    def _value(self, node: int) -> object:
        words = self.text[self.nodes.values[node] : self.nodes.ends[node]]
        self.work.spend_on_text(len(words))
        try:
            return json.loads(words)
        except (ValueError, RecursionError):  # a broken line; a number of thousands of digits
            return _NOTHING


def _compared(left: object, sign: str, right: object) -> bool:
    match sign:
        case "==":
            return _same(left, right)
        case "!=":
            return not _same(left, right)
        case "<":
            return _less(left, right)
        case ">":
            return _less(right, left)
        case "<=":
            return _less(left, right) or _same(left, right)
        case _:
            return _less(right, left) or _same(left, right)


def _less(left: object, right: object) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    return _is_number(left) and _is_number(right) and left < right  # type: ignore[operator]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(left: object, right: object) -> bool:
    """Equal in value and in JSON's kind (`true` is not 1), without recursion."""
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            pending.extend((value, other[key]) for key, value in one.items())
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) is not isinstance(other, bool) or one != other:
            return False
    return True
