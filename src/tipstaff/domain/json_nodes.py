"""A JSON text → its nodes with their places, and the JSONPath steps that lead to them.

Strict (RFC 8259) and iterative: no input makes it recurse. A member's node begins at its key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from tipstaff.domain.data_nodes import MAX_DEPTH, DataNodes, NotWellFormed, TooDeep
from tipstaff.domain.document import Span

# A key, an index, or a run of elements; "last" of a run is not part of it.
Step = str | int | tuple[int, int]

_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_TOKEN = re.compile(
    rf"""[ \t\n\r]*+(?:(?P<string>{_STRING})
    |(?P<scalar>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null)
    |(?P<sign>[{{}}\[\],:]))""",
    re.X,
)
_SPACE = re.compile(r"[ \t\n\r]*+")
_MEMBER_KEY = re.compile(rf"({_STRING})[ \t\n\r]*+:[ \t\n\r]*+")
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*")
_STEP = re.compile(
    r"""\.?\[\s*(?:'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)"
    |(?P<first>\d{1,12})?(?P<run>:)(?P<last>\d{1,12})?|(?P<index>\d{1,12}))\s*\]
    |\.(?P<name>[^.\[\]*]+)""",
    re.X,
)
_CLOSES = {"{": "}", "[": "]"}


def scan_json(text: str, start: int = 0, end: int | None = None) -> DataNodes:
    """The nodes of the one value that stands in a range of a text; node 0 is that value.

    The range may begin with a member's key: then node 0 begins there, too.
    """
    end = len(text) if end is None else end
    start = _after_space(text, start, end)
    key = _MEMBER_KEY.match(text, start, end)
    scanner = _Scanner(text, end)
    position = scanner.run(start, key.end() if key else start)
    if _after_space(text, position, end) != end:
        raise NotWellFormed(f"there is more behind the value, at character {position}")
    return scanner.nodes


def scan_json_lines(text: str, spans: Iterable[Span]) -> DataNodes:
    """One value a span, as the children of node 0; what is no JSON is a leaf."""
    nodes = DataNodes()
    root = nodes.open(0, 0)
    for span in spans:
        try:
            inside = scan_json(text, span.start, span.end)
        except NotWellFormed:
            nodes.close(nodes.open(span.start, span.start), span.end, span.end)
        else:
            nodes.extend(inside)
    nodes.close(root, len(text), len(text))
    return nodes


class _Scanner:
    def __init__(self, text: str, end: int) -> None:
        self.text = text
        self.end = end
        self.nodes = DataNodes()
        self.open: list[tuple[int, str]] = []  # containers: node, "{" or "["

    def run(self, start: int, position: int) -> int:
        """Reads one value and all that is in it; gives the place behind it."""
        position = self._value(start, position)
        while self.open:
            position = self._behind_a_value(position)
        return position

    def _value(self, start: int, position: int) -> int:
        """A scalar, or the beginning of a container with its first value."""
        while True:
            token = self._token(position)
            at = token.start(token.lastgroup or 0)
            node = self.nodes.open(at if start < 0 else start, at)
            opening = token["sign"]
            if opening is None:
                self.nodes.close(node, token.end(), token.end())
                return token.end()
            if opening not in _CLOSES:
                raise NotWellFormed(f"'{opening}' stands at character {at} instead of a value")
            if len(self.open) >= MAX_DEPTH:
                raise TooDeep(f"it nests more than {MAX_DEPTH} levels deep")
            self.open.append((node, opening))
            inside = self._token(token.end())
            if inside["sign"] == _CLOSES[opening]:
                return self._close(inside)
            start, position = self._next_member(opening, inside, token.end())

    def _behind_a_value(self, position: int) -> int:
        _, opening = self.open[-1]
        token = self._token(position)
        if token["sign"] == _CLOSES[opening]:
            return self._close(token)
        if token["sign"] != ",":
            raise NotWellFormed(f"a comma is missing at character {token.start()}")
        return self._value(*self._next_member(opening, self._token(token.end()), token.end()))

    def _next_member(self, opening: str, token: re.Match[str], position: int) -> tuple[int, int]:
        """Where the next node and its value begin; an element begins with its value (-1)."""
        if opening == "[":
            return -1, position
        colon = self._token(token.end()) if token["string"] is not None else None
        if colon is None or colon["sign"] != ":":
            raise NotWellFormed(f"a key and a colon are missing at character {position}")
        return token.start("string"), colon.end()

    def _close(self, token: re.Match[str]) -> int:
        node, _ = self.open.pop()
        self.nodes.close(node, token.start("sign"), token.end())
        return token.end()

    def _token(self, position: int) -> re.Match[str]:
        match = _TOKEN.match(self.text, position, self.end)
        if match is None:
            position = _after_space(self.text, position, self.end)
            where = "the text ends" if position == self.end else "this is no value"
            raise NotWellFormed(f"{where} at character {position}")
        return match


def _after_space(text: str, position: int, end: int) -> int:
    match = _SPACE.match(text, position, end)
    return match.end() if match else position


def key_of(text: str, nodes: DataNodes, node: int) -> str | None:
    """The key of a member, or None for an element of an array."""
    if nodes.starts[node] == nodes.values[node]:
        return None
    match = _MEMBER_KEY.match(text, nodes.starts[node])
    return str(json.loads(match[1])) if match else None


def children_by_step(text: str, nodes: DataNodes, node: int) -> Iterator[tuple[str | int, int]]:
    """Members by key and elements by index, in order."""
    for index, child in enumerate(nodes.children(node)):
        key = key_of(text, nodes, child)
        yield (index if key is None else key), child


def find_json(text: str, nodes: DataNodes, steps: tuple[Step, ...]) -> tuple[int, ...]:
    """The nodes at the end of a path: one, several for a run of elements, or none.

    Of duplicate keys the last counts, as in every JSON library.
    """
    here: tuple[int, ...] = (0,)
    for step in steps:
        found = [
            child
            for node in here
            for name, child in children_by_step(text, nodes, node)
            if _meets(name, step)
        ]
        here = tuple(found[-1:] if isinstance(step, str) else found)
    return here


def _meets(name: str | int, step: Step) -> bool:
    """People write `$.items.0` for `$.items[0]`; a container has either keys or indexes."""
    if isinstance(step, tuple):
        return isinstance(name, int) and step[0] <= name < step[1]
    return str(name) == str(step)


def write_step(step: Step) -> str:
    """A step in JSONPath; keys that need it are quoted so that a citation can hold them."""
    if isinstance(step, int):
        return f"[{step}]"
    if isinstance(step, tuple):
        return f"[{step[0]}:{step[1]}]"
    if _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    return "['" + "".join(map(_quoted, step)) + "']"


def _quoted(character: str) -> str:
    """Brackets, quotes and line ends would end a citation mark early."""
    if character in "'\"\\[]" or not character.isprintable():
        return "".join(f"\\u{unit:04x}" for unit in _utf16(character))
    return character


def _utf16(character: str) -> list[int]:
    code = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(code[at : at + 2], "big") for at in range(0, len(code), 2)]


def read_steps(path: str) -> tuple[Step, ...] | None:
    """The steps of a JSONPath (`$.a['b'][0]`) or a JSON Pointer (`/a/b/0`); None for queries."""
    if path.startswith("/"):
        parts = path[1:].split("/") if path != "/" else []
        names = (part.replace("~1", "/").replace("~0", "~") for part in parts)
        return tuple(int(name) if re.fullmatch(r"\d{1,12}", name) else name for name in names)
    steps: list[Step] = []
    position = 1
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            return None
        steps.append(_read_step(match))
        position = match.end()
    return tuple(steps)


def _read_step(match: re.Match[str]) -> Step:
    if match["index"] is not None:
        return int(match["index"])
    if match["run"] is not None:
        return int(match["first"] or 0), int(match["last"] or 10**12)
    if match["name"] is not None:
        return match["name"].strip()
    quoted: str = match["single"] if match["single"] is not None else match["double"]
    return unescaped(quoted)


def unescaped(quoted: str) -> str:
    """The inside of a quoted name or value, its escapes read as JSON reads them."""
    text = re.sub(r'\\(.)|"', _as_json_string, quoted, flags=re.S)
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return quoted


def _as_json_string(match: re.Match[str]) -> str:
    if match[1] == "'":
        return "'"
    return '\\"' if match[0] == '"' else match[0]
