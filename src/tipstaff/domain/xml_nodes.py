"""An XML text → its elements with their places, and the path steps that lead to them.

Expat says where things begin; it reads no external entity and, because a default handler is
set, replaces no entity in content. Places are characters of the text that came in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from tipstaff.domain.data_nodes import MAX_DEPTH, DataNodes, NotWellFormed, TooDeep
from tipstaff.domain.document import Span

# A name and which one of that name among its siblings; None where it is the only one.
XmlStep = tuple[str, int | None]

_TAG = re.compile(r"""</?[^\s/>]++(?:[^"'<>]|"[^"]*+"|'[^']*+')*+>""")
_NAME = re.compile(r"<([^\s/>]++)")
_ATTRIBUTE = re.compile(r"""\s([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")
_STEP = re.compile(
    r"""/(text\(\)|@\*|@?(?!\.)(?:(?!::)[^\s/\[\]()|@*=<>'",!+])+)\s*(?:\[\s*(\d{1,9})\s*\])?"""
)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ASIDE_ENDS = {"<!--": "-->", "<?": "?>"}


@dataclass(slots=True)
class XmlNodes:
    """Elements as nodes; `asides` are comments and instructions, `cdata` the brackets of
    character data sections, both in order."""

    nodes: DataNodes = field(default_factory=DataNodes)
    asides: list[Span] = field(default_factory=list)
    cdata: list[Span] = field(default_factory=list)
    declares_entities: bool = False


def scan_xml(text: str) -> XmlNodes:
    """The elements of a whole document, or of one element cut out of it; node 0 is the root."""
    scanner = _Scanner(text)
    scanner.run()
    return scanner.found


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.content = text.encode("utf-8", "surrogatepass")
        self.found = XmlNodes()
        self.open: list[int] = []
        self.byte = self.character = 0
        self.expat = expat.ParserCreate("utf-8")

    def run(self) -> None:
        parser = self.expat
        # As if a DTD stood outside: a reference to an entity unknown here is no error.
        parser.UseForeignDTD(True)
        parser.StartElementHandler = lambda _name, _attributes: self._open()
        parser.EndElementHandler = lambda _name: self._close()
        parser.CommentHandler = lambda _text: self._aside("<!--")
        parser.ProcessingInstructionHandler = lambda _target, _text: self._aside("<?")
        parser.StartCdataSectionHandler = lambda: self._cdata(len("<![CDATA["))
        parser.EndCdataSectionHandler = lambda: self._cdata(len("]]>"))
        parser.EntityDeclHandler = lambda *_declaration: self._entity()
        parser.DefaultHandler = lambda _text: None
        try:
            parser.Parse(self.content, True)
        except expat.ExpatError as error:
            raise NotWellFormed(f"{expat.ErrorString(error.code)} in line {error.lineno}") from None

    def _position(self) -> int:
        """The character at which the current event stands; events come in order."""
        byte = self.expat.CurrentByteIndex
        if byte > self.byte:
            self.character += len(self.content[self.byte : byte].decode("utf-8", "ignore"))
            self.byte = byte
        return self.character

    def _open(self) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise TooDeep(f"it nests more than {MAX_DEPTH} levels deep")
        start = self._position()
        node = self.found.nodes.open(start, self._tag_end(start))
        self.open.append(node)

    def _close(self) -> None:
        node = self.open.pop()
        nodes = self.found.nodes
        if self.text[nodes.values[node] - 2] == "/":  # <empty/>
            nodes.close(node, nodes.values[node], nodes.values[node])
        else:
            start = self._position()
            nodes.close(node, start, self._tag_end(start))

    def _tag_end(self, start: int) -> int:
        match = _TAG.match(self.text, start)
        if match is None:
            raise NotWellFormed(f"there is no tag at character {start}")
        return match.end()

    def _aside(self, opening: str) -> None:
        start = self._position()
        if self.open:
            closing = _ASIDE_ENDS[opening]
            end = self.text.find(closing, start + len(opening))
            self.found.asides.append(Span(start, end + len(closing)))

    def _cdata(self, length: int) -> None:
        start = self._position()
        self.found.cdata.append(Span(start, start + length))

    def _entity(self) -> None:
        self.found.declares_entities = True


def name_of(text: str, nodes: DataNodes, node: int) -> str:
    match = _NAME.match(text, nodes.starts[node])
    return match[1] if match else ""


def attributes_in(text: str, start: int, end: int) -> Iterator[tuple[str, Span, Span]]:
    """The attributes of an opening tag: name, the whole of it, and its value."""
    for match in _ATTRIBUTE.finditer(text, start, end):
        yield match[1], Span(match.start(1), match.end()), Span(match.start(2) + 1, match.end() - 1)


def references_in(text: str, start: int, end: int) -> Iterator[tuple[Span, str]]:
    """References to characters (`&amp;`, `&#233;`) and what they stand for. Entities that a file
    declares are none of these and stay as they are."""
    for match in _REFERENCE.finditer(text, start, end):
        if match[3]:
            yield Span(*match.span()), _PREDEFINED[match[3]]
            continue
        code = int(match[1]) if match[1] else int(match[2], 16)
        if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
            yield Span(*match.span()), chr(code)


def children_by_step(text: str, nodes: DataNodes, node: int) -> Iterator[tuple[XmlStep, int]]:
    """Child elements by name, counted where several have one name."""
    names = [(name_of(text, nodes, child), child) for child in nodes.children(node)]
    total = Counter(name for name, _ in names)
    seen: Counter[str] = Counter()
    for name, child in names:
        seen[name] += 1
        yield (name, seen[name] if total[name] > 1 else None), child


def find_xml(text: str, found: XmlNodes, steps: tuple[XmlStep, ...]) -> list[Span]:
    """What stands at the end of a path that starts below node 0; all matches, in order."""
    nodes = found.nodes
    here = [0]
    for number, step in enumerate(steps):
        if number == len(steps) - 1 and step[0] == "text()":
            content = [Span(nodes.values[node], nodes.closings[node]) for node in here]
            return [span for span in content if text[span.start : span.end].strip()]
        if number == len(steps) - 1 and step[0].startswith("@"):
            return [
                whole
                for node in here
                for name, whole, _ in attributes_in(text, nodes.starts[node], nodes.values[node])
                if step[0] in ("@" + name, "@*")
            ]
        here = [
            child
            for node in here
            for name, child in children_by_step(text, nodes, node)
            if meets(name, step)
        ]
    return [nodes.span(node) for node in here]


def meets(name: XmlStep, step: XmlStep) -> bool:
    """Whether an element is among those that a step asks for: `item` asks for every item."""
    return name[0] == step[0] and step[1] in (None, name[1] or 1)


def write_step(step: XmlStep) -> str:
    return f"/{step[0]}" if step[1] is None else f"/{step[0]}[{step[1]}]"


def read_steps(path: str) -> tuple[XmlStep, ...] | None:
    """The steps of `/root/item[2]/name`; None for queries."""
    steps: list[XmlStep] = []
    position = 0
    path = path.removesuffix("/")
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            return None
        steps.append((match[1].strip(), int(match[2]) if match[2] else None))
        position = match.end()
    return tuple(steps)
