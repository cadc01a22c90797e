"""An XPath asked of the nodes of an XML text: the nodes it selects, in order.

Values are XPath's four: a list of nodes, text, a number, a truth. All work is counted.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tipstaff.citation.xml_axes import DOCUMENT, Leaf, XmlNode, XmlTree
from tipstaff.citation.xml_query import (
    Binary,
    Call,
    Constant,
    Expression,
    Negative,
    Path,
    Step,
    Union,
)

Value = list[XmlNode] | str | float | bool

_NUMBER = re.compile(r"\s*(-?(?:\d{1,30}(?:\.\d{0,300})?|\.\d{1,300}))\s*")
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "mod": math.fmod,
    "div": operator.truediv,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Context:
    node: XmlNode
    position: int = 1
    size: int = 1


class XmlSelection:
    def __init__(self, tree: XmlTree) -> None:
        self.tree = tree
        self.work = tree.work

    def select(self, union: Union, node: XmlNode = DOCUMENT) -> list[XmlNode]:
        found: dict[XmlNode, None] = {}
        for path in union.paths:
            found.update(self._followed(path, node))
        return sorted(found, key=self._order)

    def _order(self, node: XmlNode) -> tuple[int, int]:
        place = self.tree.place(node)
        return place.start, -place.end

    def _followed(self, path: Path, node: XmlNode) -> dict[XmlNode, None]:
        here: dict[XmlNode, None] = {DOCUMENT if path.from_root else node: None}
        for step in path.steps:
            found: dict[XmlNode, None] = {}
            for one in here:
                self.work.spend()
                found.update(dict.fromkeys(self._stepped(one, step)))
            here = found
        return here

    def _stepped(self, node: XmlNode, step: Step) -> list[XmlNode]:
        found = [one for one in self._along(node, step) if self._meets(one, step)]
        for predicate in step.predicates:
            contexts = [_Context(one, at, len(found)) for at, one in enumerate(found, start=1)]
            found = [context.node for context in contexts if self._kept(predicate, context)]
        return found

    def _along(self, node: XmlNode, step: Step) -> list[XmlNode]:
        """The nodes of an axis; text is only looked for where it is asked for."""
        tree = self.tree
        texts = step.test in ("text()", "node()")
        match step.axis:
            case "attribute":
                return [*tree.attributes(node)]
            case "self":
                return [node]
            case "parent":
                parent = tree.parent(node)
                return [] if parent is None else [parent]
            case "child":
                found: list[XmlNode] = [*tree.children(node)]
                return sorted([*found, *tree.texts(node)], key=self._order) if texts else found
            case "descendant":
                below = tree.descendants(node)
                inside = (
                    [text for one in (node, *below) for text in tree.texts(one)] if texts else []
                )
                return sorted([*below, *inside], key=self._order) if texts else [*below]
            case _:
                return [node, *tree.descendants(node)]

    def _meets(self, node: XmlNode, step: Step) -> bool:
        is_text = isinstance(node, Leaf) and not node.name
        if step.test in ("text()", "node()"):
            return is_text or step.test == "node()"
        if is_text or node == DOCUMENT:
            return False
        name = self.tree.name(node)
        if step.test.endswith(":*"):
            return name.startswith(step.test[:-1])
        return step.test in ("*", name)

    def _kept(self, predicate: Expression, context: _Context) -> bool:
        self.work.spend()
        value = self._value(predicate, context)
        if isinstance(value, float):
            return value == context.position
        return _truth(value)

    def _value(self, expression: Expression, context: _Context) -> Value:
        match expression:
            case Constant(value):
                return value
            case Union():
                return self.select(expression, context.node)
            case Negative(inner):
                return -self._number(self._value(inner, context))
            case Call(name, arguments):
                return self._called(name, [self._value(one, context) for one in arguments], context)
            case Binary("or" | "and" as sign, left, right):
                first = _truth(self._value(left, context))
                return first if first == (sign == "or") else _truth(self._value(right, context))
            case Binary(sign, left, right):
                values = self._value(left, context), self._value(right, context)
                if sign in _COMPARISONS:
                    return self._compared(sign, *values)
                return _calculated(sign, *map(self._number, values))

    def _called(self, name: str, values: list[Value], context: _Context) -> Value:
        own: Value = values[0] if values else [context.node]
        match name:
            case "last":
                return float(context.size)
            case "position":
                return float(context.position)
            case "true" | "false":
                return name == "true"
            case "not":
                return not _truth(own)
            case "count":
                return float(len(own)) if isinstance(own, list) else math.nan
            case "name" | "local-name":
                first = self.tree.name(own[0]) if isinstance(own, list) and own else ""
                return first.rpartition(":")[2] if name == "local-name" else first
            case "number":
                return self._number(own)
            case "contains":
                return self._string(values[1]) in self._string(own)
            case "starts-with":
                return self._string(own).startswith(self._string(values[1]))
        words = self._string(own)
        if name == "string-length":
            return float(len(words))
        return " ".join(words.split()) if name == "normalize-space" else words

    def _string(self, value: Value) -> str:
        if isinstance(value, list):
            return self.tree.string(value[0]) if value else ""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return str(int(value)) if value.is_integer() else str(value)
        return value

    def _number(self, value: Value) -> float:
        if isinstance(value, bool | float):
            return float(value)
        match = _NUMBER.fullmatch(self._string(value))
        return float(match[1]) if match else math.nan

    def _compared(self, sign: str, left: Value, right: Value) -> bool:
        """True for lists of nodes if it is for any one node of them (XPath 1.0 §3.4)."""
        if isinstance(left, bool) or isinstance(right, bool):
            left, right = _truth(left), _truth(right)
        rights = [self.tree.string(node) for node in right] if isinstance(right, list) else [right]
        lefts = [self.tree.string(node) for node in left] if isinstance(left, list) else [left]
        for one in lefts:
            self.work.spend(len(rights))
            if any(self._compared_values(sign, one, other) for other in rights):
                return True
        return False

    def _compared_values(self, sign: str, one: str | float, other: str | float) -> bool:
        if sign not in ("=", "!=") or isinstance(one, float) or isinstance(other, float):
            return _COMPARISONS[sign](self._number(one), self._number(other))
        return _COMPARISONS[sign](one, other)


def _truth(value: Value) -> bool:
    return bool(value) and not (isinstance(value, float) and math.isnan(value))


def _calculated(sign: str, left: float, right: float) -> float:
    try:
        return _ARITHMETIC[sign](left, right)
    except (ZeroDivisionError, ValueError, OverflowError):
        return math.nan
