"""An XPath (1.0) from the root as written → what it asks for, as values.

Read are paths with `//`, `*`, `@`, `.`, `..`, `text()`, `node()`, the axes in `AXES`, predicates
with `and`, `or`, comparisons and arithmetic, `|`, and the functions in `FUNCTIONS`. Names are met
as the file writes them, prefix included; there are no variables and no extensions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tipstaff.citation.query_limits import MAX_QUERY_CHARS, MAX_QUERY_NESTING, BadQuery

AXES = frozenset(
    {"attribute", "child", "descendant", "descendant-or-self", "parent", "self"}
)  # fmt: skip
# How many arguments each takes: least, most.
FUNCTIONS = {
    "contains": (2, 2), "count": (1, 1), "false": (0, 0), "last": (0, 0), "local-name": (0, 1),
    "name": (0, 1), "normalize-space": (0, 1), "not": (1, 1), "number": (0, 1),
    "position": (0, 0), "starts-with": (2, 2), "string": (0, 1), "string-length": (0, 1),
    "true": (0, 0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    axis: str
    test: str  # a name, `*`, `text()` or `node()`
    predicates: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """From the root or, in a predicate, from the node that it looks at."""

    from_root: bool
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Union:
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    value: str | float


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Binary:
    sign: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Negative:
    of: Expression


Expression = Union | Constant | Call | Binary | Negative

_LEVELS = (("or",), ("and",), ("=", "!="), ("<=", ">=", "<", ">"), ("+", "-"), ("*", "div", "mod"))
_ANYWHERE = Step("descendant-or-self", "node()")
# As XML has it, roughly: every character beyond ASCII may stand in a name.
_FIRST = r"[^\x00-\x40\x5b-\x5e\x60\x7b-\x7f]"
_NAME = _FIRST + r"(?:[.0-9-]|" + _FIRST + ")*"
_TOKEN = re.compile(
    rf"""\s*(?:(?P<quoted>"[^"]*"|'[^']*')|(?P<number>\d{{1,30}}(?:\.\d{{0,30}})?|\.\d{{1,30}})
    |(?P<name>{_NAME}(?::(?:{_NAME}|\*))?)|(?P<sign>//|::|\.\.|!=|<=|>=|[/@.()\[\]|=<>+*,-]))""",
    re.X,
)


def read_xml_query(text: str) -> Union:
    if len(text) > MAX_QUERY_CHARS:
        raise BadQuery(f"it is longer than {MAX_QUERY_CHARS:,} characters")
    reader = _Reader(list(_tokens(text)))
    found = reader.union()
    if reader.token != ("end", ""):
        raise reader.odd("a step")
    if not all(path.from_root for path in found.paths):
        raise BadQuery("each of its paths must begin with '/'")
    return found


def _tokens(text: str) -> list[tuple[str, str]]:
    found = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise BadQuery(f"'{text[position : position + 12]}' is no part of an XPath")
        kind = match.lastgroup or ""
        found.append((kind, match[kind]))
        position = match.end()
    return [*found, ("end", "")]


class _Reader:
    """Recursive descent; every descent is counted."""

    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0

    @property
    def token(self) -> tuple[str, str]:
        return self.tokens[self.index]

    def odd(self, expected: str) -> BadQuery:
        found = f"at '{self.token[1]}'" if self.token[1] else "at its end"
        return BadQuery(f"{expected} is missing {found}")

    def take(self, *words: str) -> str | None:
        kind, word = self.token
        if kind in ("sign", "name") and word in words:
            self.index += 1
            return word
        return None

    def need(self, word: str) -> None:
        if not self.take(word):
            raise self.odd(f"'{word}'")

    def union(self) -> Union:
        paths = [self._path()]
        while self.take("|"):
            paths.append(self._path())
        return Union(tuple(paths))

    def _path(self) -> Path:
        steps: list[Step] = []
        opening = self.take("/", "//")
        if opening == "//":
            steps.append(_ANYWHERE)
        if opening != "/" or self._begins_a_step():
            steps.append(self._step())
            while divider := self.take("/", "//"):
                if divider == "//":
                    steps.append(_ANYWHERE)
                steps.append(self._step())
        return Path(opening is not None, tuple(steps))

    def _begins_a_step(self) -> bool:
        return self.token[0] == "name" or self.token[1] in ("*", "@", ".", "..")

    def _step(self) -> Step:
        if self.take("."):
            return Step("self", "node()")
        if self.take(".."):
            return Step("parent", "node()")
        axis = "attribute" if self.take("@") else "child"
        if self.tokens[self.index + 1 : self.index + 2] == [("sign", "::")]:
            axis = self.token[1]
            self.index += 2
            if axis not in AXES:
                raise BadQuery(f"the axis {axis} is not followed here")
        test = self._test()
        predicates = []
        while self.take("["):
            predicates.append(self.expression())
            self.need("]")
        return Step(axis, test, tuple(predicates))

    def _test(self) -> str:
        kind, word = self.token
        if word != "*" and kind != "name":
            raise self.odd("a name")
        self.index += 1
        if kind == "name" and self.take("("):
            self.need(")")
            if word not in ("text", "node"):
                raise BadQuery(f"{word}() is not looked for here")
            return f"{word}()"
        return word

    def expression(self, level: int = 0) -> Expression:
        if level == len(_LEVELS):
            return self._unary()
        left = self.expression(level + 1)
        while sign := self.take(*_LEVELS[level]):
            left = Binary(sign, left, self.expression(level + 1))
        return left

    def _unary(self) -> Expression:
        self.depth += 1
        if self.depth > MAX_QUERY_NESTING:
            raise BadQuery(f"it nests more than {MAX_QUERY_NESTING} levels deep")
        try:
            return Negative(self._unary()) if self.take("-") else self._primary()
        finally:
            self.depth -= 1

    def _primary(self) -> Expression:
        kind, word = self.token
        if kind in ("quoted", "number"):
            self.index += 1
            return Constant(word[1:-1] if kind == "quoted" else float(word))
        if self.take("("):
            inside = self.expression()
            self.need(")")
            return inside
        is_call = kind == "name" and self.tokens[self.index + 1] == ("sign", "(")
        return self._call() if is_call and word not in ("text", "node") else self.union()

    def _call(self) -> Call:
        name = self.token[1]
        if name not in FUNCTIONS:
            raise BadQuery(f"the function {name}() is not known here")
        self.index += 2
        arguments: list[Expression] = []
        if not self.take(")"):
            arguments.append(self.expression())
            while self.take(","):
                arguments.append(self.expression())
            self.need(")")
        least, most = FUNCTIONS[name]
        if not least <= len(arguments) <= most:
            raise BadQuery(f"{name}() takes another number of arguments")
        return Call(name, tuple(arguments))
