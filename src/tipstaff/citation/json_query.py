"""A JSONPath query (RFC 9535) as written → what it asks for, as values.

Read are names, indexes, slices, `*`, `..`, lists of these, and filters with comparisons, `&&`,
`||`, `!`, `length()`, `count()` and `value()`. Regular expressions (`match`, `search`) are
refused: no one can say beforehand how long one takes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tipstaff.citation.query_limits import MAX_QUERY_CHARS, MAX_QUERY_NESTING, BadQuery
from tipstaff.domain.json_nodes import unescaped


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Every:
    """`*`: all members or elements."""


@dataclass(frozen=True, slots=True)
class Index:
    number: int  # from the end where negative


@dataclass(frozen=True, slots=True)
class Slice:
    first: int | None
    last: int | None
    step: int


@dataclass(frozen=True, slots=True)
class Filter:
    test: Test


@dataclass(frozen=True, slots=True)
class Segment:
    selectors: tuple[Name | Every | Index | Slice | Filter, ...]
    descends: bool  # `..`: at every depth


@dataclass(frozen=True, slots=True)
class JsonQuery:
    """From the root (`$`) or from the node that a filter looks at (`@`)."""

    from_root: bool
    segments: tuple[Segment, ...]

    @property
    def is_singular(self) -> bool:
        """Whether it can select one node at most, so that it has a value to compare."""
        return all(
            not segment.descends
            and len(segment.selectors) == 1
            and isinstance(segment.selectors[0], Name | Index)
            for segment in self.segments
        )


@dataclass(frozen=True, slots=True)
class Literal:
    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    argument: Operand


@dataclass(frozen=True, slots=True)
class Comparison:
    left: Operand
    sign: str
    right: Operand


@dataclass(frozen=True, slots=True)
class Exists:
    query: JsonQuery


@dataclass(frozen=True, slots=True)
class Not:
    test: Test


@dataclass(frozen=True, slots=True)
class AllOf:
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    tests: tuple[Test, ...]


Operand = Literal | JsonQuery | Call
Test = Comparison | Exists | Not | AllOf | AnyOf

_SPACE = re.compile(r"[ \t\r\n]*")
_NAME = re.compile(r"[^\x00-\x2c./\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]+")
_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""", re.S)
_SLICE = re.compile(r"(-?\d{1,12})?\s*:\s*(-?\d{1,12})?(?:\s*:\s*(-?\d{1,12})?)?")
_INTEGER = re.compile(r"-?\d{1,12}")
_SCALAR = re.compile(r"-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?|true|false|null")
_SIGN = re.compile(r"==|!=|<=|>=|<|>")
_CALL = re.compile(r"([a-z]\w*)\s*\(")
_FUNCTIONS = frozenset({"count", "length", "value"})


def read_json_query(text: str) -> JsonQuery:
    if len(text) > MAX_QUERY_CHARS:
        raise BadQuery(f"it is longer than {MAX_QUERY_CHARS:,} characters")
    reader = _Reader(text)
    query = reader.query()
    if reader.position < len(text):
        raise reader.odd("a step")
    return query


class _Reader:
    """Recursive descent; every descent is counted."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0

    def odd(self, expected: str) -> BadQuery:
        rest = self.text[self.position : self.position + 12]
        found = f"at '{rest}'" if rest else "at its end"
        return BadQuery(f"{expected} is missing {found}")

    def take(self, word: str) -> bool:
        self.take_match(_SPACE)
        if not self.text.startswith(word, self.position):
            return False
        self.position += len(word)
        return True

    def need(self, word: str) -> None:
        if not self.take(word):
            raise self.odd(f"'{word}'")

    def take_match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def query(self) -> JsonQuery:
        from_root = self.take("$")
        if not from_root and not self.take("@"):
            raise self.odd("'$' or '@'")
        segments = []
        while segment := self._segment():
            segments.append(segment)
        return JsonQuery(from_root, tuple(segments))

    def _segment(self) -> Segment | None:
        before = self.position
        descends = self.take("..")
        dotted = descends or self.take(".")
        if self.take("["):
            selectors = [self._selector()]
            while self.take(","):
                selectors.append(self._selector())
            self.need("]")
            return Segment(tuple(selectors), descends)
        if not dotted:
            self.position = before
            return None
        if self.take("*"):
            return Segment((Every(),), descends)
        name = self.take_match(_NAME)
        if name is None:
            raise self.odd("a name")
        if self.text.startswith("(", self.position):
            raise BadQuery(f"{name[0]}() stands behind a path; functions stand in filters")
        return Segment((Name(name[0]),), descends)

    def _selector(self) -> Name | Every | Index | Slice | Filter:
        if self.take("*"):
            return Every()
        if self.take("?"):
            return Filter(self._any())
        if quoted := self.take_match(_QUOTED):
            return Name(unescaped(quoted[1] if quoted[1] is not None else quoted[2]))
        if bounds := self.take_match(_SLICE):
            first, last, step = (int(bound) if bound else None for bound in bounds.groups())
            return Slice(first, last, 1 if step is None else step)
        if number := self.take_match(_INTEGER):
            return Index(int(number[0]))
        raise self.odd("a name in quotes, a number, '*' or a filter")

    def _any(self) -> Test:
        tests = [self._all()]
        while self.take("||"):
            tests.append(self._all())
        return tests[0] if len(tests) == 1 else AnyOf(tuple(tests))

    def _all(self) -> Test:
        tests = [self._test()]
        while self.take("&&"):
            tests.append(self._test())
        return tests[0] if len(tests) == 1 else AllOf(tuple(tests))

    def _test(self) -> Test:
        self.depth += 1
        if self.depth > MAX_QUERY_NESTING:
            raise BadQuery(f"it nests more than {MAX_QUERY_NESTING} levels deep")
        try:
            if self.take("!"):
                return Not(self._test())
            if self.take("("):
                test = self._any()
                self.need(")")
                return test
            return self._comparison()
        finally:
            self.depth -= 1

    def _comparison(self) -> Test:
        left = self._operand()
        self.take_match(_SPACE)
        sign = self.take_match(_SIGN)
        if sign is None:
            if isinstance(left, JsonQuery):
                return Exists(left)
            raise self.odd("a comparison")
        right = self._operand()
        for side in (left, right):
            if isinstance(side, JsonQuery) and not side.is_singular:
                raise BadQuery("a path that may lead to several values cannot be compared")
        return Comparison(left, sign[0], right)

    def _operand(self) -> Operand:
        self.take_match(_SPACE)
        if self.text[self.position : self.position + 1] in ("$", "@"):
            return self.query()
        if quoted := self.take_match(_QUOTED):
            return Literal(unescaped(quoted[1] if quoted[1] is not None else quoted[2]))
        if call := self.take_match(_CALL):
            return self._call(call[1])
        if scalar := self.take_match(_SCALAR):
            return Literal(json.loads(scalar[0]))
        raise self.odd("a path or a value")

    def _call(self, name: str) -> Call:
        if name not in _FUNCTIONS:
            raise BadQuery(f"the function {name}() is not known here")
        argument = self._operand()
        self.need(")")
        if name != "length" and not isinstance(argument, JsonQuery):
            raise BadQuery(f"{name}() counts what a path leads to")
        if name == "length" and isinstance(argument, JsonQuery) and not argument.is_singular:
            raise BadQuery("length() takes a path that leads to one value")
        return Call(name, argument)
