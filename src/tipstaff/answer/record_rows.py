"""Settings, objects of data and constants of code as rows: a key is the header of its value.

`"port_ellary": {"charger_kw": 2200}` says what a row "port ellary" says that has 2200 kW under
"charger". Of objects those are read that are cited, of settings the cited lines: a neighbour's
value belongs to the neighbour.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tipstaff.answer.key_words import read_cell, words_of

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')
# "[cache]" is the head of a section and no list.
_IS_OBJECT = re.compile(r'\s*(?:\{|\[\s*(?:[{\["\d-]|$)|"[^"\n]*"\s*:)')
_SETTING = re.compile(
    r"(?P<indent>\s*)(?:(?:export|const|let|var|val|final|static|public|private)\s+)*"
    r"(?:[\"'](?P<quoted>[^\"'\n]{1,60})[\"']|(?P<key>[A-Za-z_][\w.-]*))"
    r"(?:\s*:\s*[\w\[\], |.]+?(?=\s=\s))?\s*"
    r"(?::=|[:=](?![=:]))\s*(?P<value>.*?)\s*[,;]?\s*"
)
_SECTION = re.compile(r"\s*\[+(?P<name>[\w.\" -]+)\]+\s*")
_COMMENT = re.compile(r"\s*(?:#+|//+|--|;)\s?(?P<words>.*?)\s*")
_REMARK = re.compile(r"\s+(?:#|//)\s(?P<words>.*)$")
# What code says of itself at its head, and what it only brings in.
_ABOUT = re.compile(r"(?P<mark>\"{3}|'{3})(?P<words>[^\n]+?)(?P=mark)\s*")
_IMPORT = re.compile(r"(?:import|from|using|package|#include|require|use)\b[^=]*$")
# 23:00 as code has it.
_CLOCK = re.compile(r"(?:datetime\.)?time\((\d{1,2}),\s*(\d{1,2})(?:,\s*0)?\)")
# 12_000 is twelve thousand.
_IN_DIGITS = re.compile(r"(?<=\d)_(?=\d)")
# Several values on one line.
_PAIR = re.compile(r"[\"']([^\"'\n]+)[\"']\s*:([^{}\[\],]+)")
# timedelta(minutes=40) is "40 minutes".
_LASTING = re.compile(r"(?:\b\w+\.)?\btimedelta\((weeks|days|hours|minutes|seconds)=([\d._]+)\)")
_WORDS = re.compile(r"(?!(?:true|false|null)\b)[^\W\d]{3,}")
# Decimal("15.00") is 15.00.
_WRAPPED = re.compile(r"\b(?:Decimal|Fraction|float|int|timedelta)\([\"']?([\d._/-]+)[\"']?\)")
_BULLET = re.compile(r"(\s*)- +")
_ITEM = re.compile(r"\s*- +(?P<value>\"[^\"]*\"|'[^']*'|[^:=\[{\"']+?)\s*")
# What an item of a list is called.
_NAMES = frozenset(("name", "id", "title", "label", "key"))
# An item stands deeper than its bullet, and what is in it deeper still.
_HALF = 0.5
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """`group` is shared by the values of one object; `note` is the comment above it,
    `about` the one above all of them."""

    path: tuple[str, ...]
    group: int
    key: str
    value: str
    start: int
    end: int
    note: str = ""
    about: str = ""


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
    return [
        _row([one for one in some if _is_cited(one, cited) or _tells_which(one, some[0])])
        for some in grouped.values()
        if any(_is_cited(one, cited) for one in some)
    ]


def _is_cited(leaf: _Leaf, cited: Sequence[_Span]) -> bool:
    return any(start < leaf.end and leaf.start < end for start, end in cited)


def _tells_which(leaf: _Leaf, first: _Leaf) -> bool:
    """An object is called by its name, or by the words that it begins with."""
    return leaf.key.lower() in _NAMES or (leaf is first and _WORDS.match(leaf.value) is not None)


def _row(leaves: Sequence[_Leaf]) -> RecordRow:
    path = leaves[0].path
    cells: list[tuple[str, str]] = [("", ", ".join(map(words_of, path)))] if path else []
    read: dict[str, list[str]] = {}
    for leaf in leaves:
        head, words = read_cell(leaf.key, leaf.value, path)
        read.setdefault(head, []).append(words)
    cells += [(head, ", ".join(words)) for head, words in read.items()]
    cells += [(words_of(leaf.key), leaf.note) for leaf in leaves if leaf.note]
    cells += [("", about) for about in dict.fromkeys(leaf.about for leaf in leaves) if about]
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
    place = _Place()
    note, start = "", 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        if name := _SECTION.fullmatch(line):
            place = _Place([(-1, name["name"], start)])
        elif comment := _COMMENT.fullmatch(line):
            note = f"{note} {comment['words']}".strip()
        elif leaf := place.read(line.rstrip("\n"), (start, end), _own_note(note, line, found)):
            found += leaf
            note = ""
        elif told := _ABOUT.fullmatch(line):
            found.append(_Leaf((), 0, "about", told["words"], start, end))
        elif _IMPORT.match(line) or line.strip() in ("", "{", "}", "},", "]", "],", ")", "---"):
            note = ""
        elif any(low < end and start < high for low, high in cited):
            return []
        start = end
    return [leaf for leaf in found if leaf.key]


def _own_note(note: str, line: str, before: Sequence[_Leaf]) -> str:
    """A comment at the head of a list is not of its first item only."""
    return "" if before and not before[-1].key and _BULLET.match(line) else note


@dataclass(slots=True)
class _Place:
    """Where in a file of settings a line stands: the depth, name and start of all that is open
    there. An item of a list has no name but the one that it gives itself."""

    open: list[tuple[float, str, int]] = field(default_factory=list)
    # The comment above what is open, by its start: it is of all that is in it.
    notes: dict[int, str] = field(default_factory=dict)

    def read(self, line: str, span: _Span, note: str) -> list[_Leaf]:
        """The value on a line; one without a key, where the line only opens something."""
        if bullet := _BULLET.match(line):
            self._close(len(bullet[1].expandtabs(4)) + _HALF)
            item = _ITEM.fullmatch(line)
            if item and self.open:
                # A value of a list is one of what the list is called.
                *around, own = self.open
                group = around[-1][2] if around else -1
                value, told = _without_remark(item["value"], note)
                names = tuple(name for _, name, _ in around if name)
                return [_Leaf(names, group, own[1], value.strip("\"'"), *span, told)]
            self.open.append((len(bullet[1].expandtabs(4)) + _HALF, "", span[0]))
            line = f"{bullet[1]}  {line[bullet.end() :]}"
        setting = _SETTING.fullmatch(_LASTING.sub(r"\2 \1", line))
        if setting is None or "(" in _WRAPPED.sub("", _CLOCK.sub("", setting["value"])):
            return []
        self._close(len(setting["indent"].expandtabs(4)))
        if pairs := _pairs(setting["value"]):
            names = (*(name for _, name, _ in self.open if name), setting["key"])
            return [
                _Leaf(names, span[0], key, _IN_DIGITS.sub("", value.strip("\"' ")), *span, note)
                for key, value in pairs
            ]
        return [self._setting(setting, span, note)]

    def _close(self, depth: float) -> None:
        while self.open and self.open[-1][0] >= depth:
            self.open.pop()

    def _setting(self, match: re.Match[str], span: _Span, note: str) -> _Leaf:
        value, told = _without_remark(match["value"], note)
        key = match["quoted"] or match["key"]
        if value in ("", "{", "[", "|", ">"):
            self.open.append((len(match["indent"].expandtabs(4)), key, span[0]))
            self.notes[span[0]] = told
            return _Leaf((), 0, "", "", *span)
        value = _WRAPPED.sub(r"\1", value)
        value = _CLOCK.sub(lambda clock: f"{int(clock[1]):02}:{int(clock[2]):02}", value)
        value = _IN_DIGITS.sub("", value.rstrip(",").strip("\"'"))
        group = self.open[-1][2] if self.open else 0
        if self.open and not self.open[-1][1] and key.lower() in _NAMES:
            self.open[-1] = (self.open[-1][0], value, group)
        path = tuple(name for _, name, _ in self.open if name)
        return _Leaf(path, group, key, value, *span, told, self.notes.get(group, ""))


def _pairs(value: str) -> list[tuple[str, str]]:
    """What stands in one pair of braces, and nothing within it does."""
    if not (value.startswith("{") and value.endswith("}")) or value.count("{") > 1:
        return []
    return _PAIR.findall(value)


def _without_remark(value: str, note: str) -> tuple[str, str]:
    """A value, and what is remarked beside it or above it."""
    remark = _REMARK.search(f" {value}")
    if remark is None:
        return value, note
    return value[: max(remark.start() - 1, 0)].strip(), f"{note} {remark['words']}".strip()
