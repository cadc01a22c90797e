"""Settings, objects of data and constants of code as rows: a key is the header of its value.

`"port_ellary": {"charger_kw": 2200}` says what a row "port ellary" says that has 2200 kW under
"charger". Of objects those are read that are cited, of settings the cited lines: a neighbour's
value belongs to the neighbour.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tipstaff.answer.key_words import read_cell, words_of

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
# "[cache]" is the head of a section and no list.
_IS_OBJECT = re.compile(r'\s*(?:\{|\[\s*(?:[{\["\d-]|$)|"[^"\n]*"\s*:)')
_SETTING = re.compile(
    r"(?P<indent>\s*)(?:- )?(?:(?:export|const|let|var|val|final|static|public|private)\s+)*"
    r"[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?(?:\s*:\s*[\w\[\], |.]+?(?=\s=\s))?\s*"
    r"(?::=|[:=](?![=:]))\s*(?P<value>.*?)\s*[,;]?\s*"
)
_SECTION = re.compile(r"\s*\[+(?P<name>[\w.\" -]+)\]+\s*")
_COMMENT = re.compile(r"\s*(?:#+|//+|--|;)\s?(?P<words>.*?)\s*")
_REMARK = re.compile(r"\s+(?:#|//)\s(?P<words>.*)$")
# 23:00 as code has it.
_CLOCK = re.compile(r"(?:datetime\.)?time\((\d{1,2}),\s*(\d{1,2})(?:,\s*0)?\)")
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """`group` is shared by the values of one object; `note` is the comment above it."""

    path: tuple[str, ...]
    group: int
    key: str
    value: str
    start: int
    end: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class RecordRow:
    """`keys` are as they are written, for those who name them so."""

    cells: tuple[tuple[str, str], ...]
    keys: tuple[str, ...]


def record_rows(text: str, cited: Sequence[_Span]) -> list[RecordRow]:
    """The cited values of a block of data or settings, an object in a row; nothing where the cited
    lines say more than that."""
    if _IS_OBJECT.match(text):
        leaves = list(_of_objects(text))
    else:
        leaves = [leaf for leaf in _of_settings(text, cited) if _is_cited(leaf, cited)]
    grouped: dict[int, list[_Leaf]] = {}
    for leaf in leaves:
        grouped.setdefault(leaf.group, []).append(leaf)
    return [_row(some) for some in grouped.values() if any(_is_cited(one, cited) for one in some)]


def _is_cited(leaf: _Leaf, cited: Sequence[_Span]) -> bool:
    return any(start < leaf.end and leaf.start < end for start, end in cited)


def _row(leaves: Sequence[_Leaf]) -> RecordRow:
    path = leaves[0].path
    cells: list[tuple[str, str]] = [("", ", ".join(map(words_of, path)))] if path else []
    read: dict[str, list[str]] = {}
    for leaf in leaves:
        head, words = read_cell(leaf.key, leaf.value, path)
        read.setdefault(head, []).append(words)
    cells += [(head, ", ".join(words)) for head, words in read.items()]
    cells += [(words_of(leaf.key), leaf.note) for leaf in leaves if leaf.note]
    return RecordRow(tuple(cells), tuple(dict.fromkeys((*path, *(leaf.key for leaf in leaves)))))


def _of_objects(text: str) -> Iterator[_Leaf]:
    """The values of JSON, with the names of all that they stand in."""
    tokens = list(_TOKEN.finditer(text))
    stack: list[tuple[str, int]] = []
    key = ""
    for at, token in enumerate(tokens):
        word = token.group()
        if word in "{[":
            # A list of values is a value of its object, a list of objects several.
            objects = word == "{" or (at + 1 < len(tokens) and tokens[at + 1].group() == "{")
            group = token.start() if objects or not stack else stack[-1][1]
            stack.append((key, group))
            key = ""
        elif word in "}]":
            if stack:
                stack.pop()
        elif at + 1 < len(tokens) and tokens[at + 1].group() == ":":
            key = word.strip('"')
        elif word not in ":,":
            names = [name for name, _ in stack if name]
            own = key or (names.pop() if names else "")
            group = stack[-1][1] if stack else -1
            yield _Leaf(tuple(names), group, own, _value(word), token.start(), token.end())
            if not stack or tokens[at - 1].group() == ":":
                key = ""


def _value(token: str) -> str:
    """A string as it reads: `15 \\u00b0C` is 15 °C."""
    try:
        return str(json.loads(token)) if token.startswith('"') else token
    except ValueError:
        return token.strip('"')


def _of_settings(text: str, cited: Sequence[_Span]) -> list[_Leaf]:
    """The values of settings, line by line; of code only where nothing but constants is cited."""
    found: list[_Leaf] = []
    above: list[tuple[int, str]] = []
    section: tuple[str, ...] = ()
    note, group, start = "", 0, 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        setting = _SETTING.fullmatch(line.rstrip("\n"))
        if name := _SECTION.fullmatch(line):
            section, above, group = (name["name"],), [], start
        elif comment := _COMMENT.fullmatch(line):
            note = f"{note} {comment['words']}".strip()
        elif setting and "(" not in _CLOCK.sub("", setting["value"]):
            depth = len(setting["indent"].expandtabs(4))
            while above and above[-1][0] >= depth:
                above.pop()
                group = start
            if setting["value"] in ("", "{", "[", "|", ">"):
                above.append((depth, setting["key"]))
                group = start
            else:
                path = (*section, *(one for _, one in above))
                found.append(_setting(setting, path, group, (start, end), note))
            note = ""
        elif line.strip() in ("", "{", "}", "},", "]", "],", ")"):
            note = ""
        elif any(low < end and start < high for low, high in cited):
            return []
        start = end
    return found


def _setting(
    match: re.Match[str], path: tuple[str, ...], group: int, span: _Span, note: str
) -> _Leaf:
    value = match["value"]
    remark = _REMARK.search(value)
    if remark:
        value, note = value[: remark.start()], f"{note} {remark['words']}".strip()
    value = _CLOCK.sub(lambda clock: f"{int(clock[1]):02}:{int(clock[2]):02}", value)
    return _Leaf(path, group, match["key"], value.strip("\"'"), *span, note)
