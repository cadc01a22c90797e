"""The lines of a mail's body → its paragraphs, each with who says it and whether it is quoted.

What is repeated from other mails is kept and marked: lines behind `>`, and what follows
"On … wrote:", "-----Original Message-----" or a block of From:, Sent:, To:, Subject: lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tipstaff.domain.document import BlockKind

_LINE_END = re.compile(r"\r\n|\r|\n")
_PREFIX = re.compile(r"[ \t]?(?:>[ \t]?)+")
_BULLET = re.compile(r"\s*(?:[-*•‣–·]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_RULE = re.compile(r"\s*([-=_*~#])\1{2,}\s*")
_SEPARATOR = re.compile(
    r"\s*(?:-{2,}\s*(?:Original|Forwarded|Ursprüngliche|Weitergeleitete|Message d.origine"
    r"|Mensaje original|Messaggio originale)\b[^-]{0,40}-{2,}"
    r"|Begin forwarded message:|Anfang der weitergeleiteten Nachricht:)\s*",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(?:On|Le|El|Il)\s(?P<when>.{5,300}?)\s(?:wrote|a\sécrit|escribió|ha\sscritto)(?:\s(?:to|à|a)\s[^:]{2,80}?)?\s?:"
    r"|(?:Am|Op)\s.{5,200}?\s(?:schrieb|schreef)\s(?P<who>.{2,200}?)\s?:",
    re.S,
)
_SOMEBODY_WROTE = re.compile(
    r"(?P<who>[^:]{2,80}?)\s(?:wrote|writes|schrieb)(?:\sto\s[^:]{2,80}?)?\s?:"
)
# A ruled line that names who wrote what follows it, and when.
_NAMED_RULE = re.compile(
    r"\s*[-=_]{3,}\s*(?P<who>[A-ZÀ-Þ][^,\d\n]{2,60}),\s[^\n]{0,60}\d[^\n]{0,40}?[-=_]{3,}\s*"
)
_FROM = re.compile(r"[\s*_]*(?:From|Von|De|Da|Van)\s?:[\s*_]*(?P<who>\S.*)")
_SENT = re.compile(r"[\s*_]*(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Verzonden)\s?:")
_OTHER_HEADER = re.compile(
    r"[\s*_]*(?:To|Cc|Bcc|Subject|Reply-To|Importance|Attachments?"
    r"|An|Betreff|À|Objet|Para|Asunto|Oggetto|Aan|Onderwerp)\s?:"
)
_CLOCK_TAIL = re.compile(
    r"^[\s,]*(?:[AaPp]\.?[Mm]\.?\b|Uhr\b|(?:GMT|UTC|[A-Z]{2,4}T)\b|\([^)]*\))?[\s,]*"
)
_ADDRESS = re.compile(r"<([^<>\s]+@[^<>\s]+)>|\[mailto:([^\]\s]+)\]")


@dataclass(frozen=True, slots=True)
class BodyLine:
    """One line as shown. `prefix` characters of it say only how deep it is quoted; `hidden`
    are ranges of it that a reader does not see, with the reason."""

    text: str
    depth: int = 0
    prefix: int = 0
    hidden: tuple[tuple[int, int, str], ...] = ()

    @property
    def words(self) -> str:
        return self.text[self.prefix :]


@dataclass(frozen=True, slots=True)
class Paragraph:
    lines: tuple[BodyLine, ...]
    kind: BlockKind | None  # None for a ruled line: no words
    author: str | None
    quoted: bool


class _Voices:
    """Who speaks at which depth of quotation, as far as introducing lines say so."""

    def __init__(self, sender: str | None) -> None:
        self._authors = {0: sender}
        self._is_quoting = False

    def at(self, depth: int) -> tuple[str | None, bool]:
        return self._authors.get(depth), depth > 0 or self._is_quoting

    def introduce(self, author: str | None, depth: int, next_depth: int) -> None:
        """A line at one depth announces what follows, deeper or at the same depth."""
        depth = max(depth, next_depth)
        self._authors = {key: value for key, value in self._authors.items() if key < depth}
        self._authors[depth] = author
        if depth == 0:
            self._is_quoting = True


def plain_lines(text: str) -> list[BodyLine]:
    """The lines of a plain text, with the depth that their `>` give them."""
    lines = []
    for line in map(str.rstrip, _LINE_END.split(text)):
        match = _PREFIX.match(line)
        prefix = match[0] if match else ""
        lines.append(BodyLine(line, prefix.count(">"), len(prefix)))
    return lines


def paragraphs(lines: Sequence[BodyLine], sender: str | None) -> Iterator[Paragraph]:
    """Every line that says something, in order, with its author as far as that is told."""
    voices = _Voices(sender)
    for start, end in _runs(lines):
        position = start
        while position < end:
            first, depth = position, lines[position].depth
            kind, position, introduced = _piece(lines, position, end)
            author, quoted = voices.at(depth)
            if introduced is not None:
                voices.introduce(introduced or None, depth, _depth_behind(lines, position))
                author, quoted = introduced or None, True
            yield Paragraph(tuple(lines[first:position]), kind, author, quoted)


def _runs(lines: Sequence[BodyLine]) -> Iterator[tuple[int, int]]:
    """Lines of one depth between empty ones."""
    start: int | None = None
    for number, line in enumerate(lines):
        if start is not None and (not line.words.strip() or line.depth != lines[start].depth):
            yield start, number
            start = None
        if start is None and line.words.strip():
            start = number
    if start is not None:
        yield start, len(lines)


def _piece(
    lines: Sequence[BodyLine], start: int, end: int
) -> tuple[BlockKind | None, int, str | None]:
    """What begins at a line of a run: its kind, its end, and whom it introduces ("" for
    somebody unnamed, None for nobody)."""
    if _RULE.fullmatch(lines[start].words):
        return None, start + 1, None
    if introduced := _introduction(lines, start, end):
        return BlockKind.PARAGRAPH, *introduced
    is_item = _BULLET.match(lines[start].words) is not None
    position = start + 1
    while position < end and not (
        _RULE.fullmatch(lines[position].words)
        or _introduction(lines, position, end)
        or _begins_an_item(lines, position, end, in_list=is_item)
    ):
        position += 1
    return BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH, position, None


def _begins_an_item(lines: Sequence[BodyLine], at: int, end: int, *, in_list: bool) -> bool:
    """A line that merely happens to begin with "15. " is no list; two such lines are."""
    if not _BULLET.match(lines[at].words):
        return False
    return in_list or any(_BULLET.match(line.words) for line in lines[at + 1 : min(end, at + 6)])


def _introduction(lines: Sequence[BodyLine], start: int, end: int) -> tuple[int, str] | None:
    """The end of lines that introduce somebody's words, and who that is."""
    words = lines[start].words
    if _SEPARATOR.fullmatch(words):
        return start + 1, ""
    if match := _NAMED_RULE.fullmatch(words):
        return start + 1, _name(match["who"])
    if match := _FROM.match(words):
        last = _end_of_headers(lines, start, end)
        return (last, _name(match["who"])) if last else None
    if words.lstrip().startswith(("On ", "Le ", "El ", "Il ", "Am ", "Op ")):
        for last in range(start + 1, min(end, start + 3) + 1):
            joined = " ".join(line.words.strip() for line in lines[start:last])
            if match := _WROTE.fullmatch(joined):
                who = match["who"]
                return last, _name(who) if who else _name_behind_the_time(match["when"])
    match = _SOMEBODY_WROTE.fullmatch(words.strip())
    if match and _depth_behind(lines, start + 1) > lines[start].depth:
        return start + 1, _name(match["who"])
    return None


def _end_of_headers(lines: Sequence[BodyLine], start: int, end: int) -> int | None:
    """Behind a block of From:, Sent:, To:, Subject: lines, or None if it is none."""
    sent = others = 0
    last = start + 1
    for position in range(start + 1, min(end, start + 12)):
        words = lines[position].words
        if _SENT.match(words):
            sent += 1
        elif _OTHER_HEADER.match(words):
            others += 1
        elif "@" not in words and not words.startswith((" ", "\t")):
            break
        last = position + 1
    # Behind ">" nobody else writes so: there a name and a day are enough.
    return last if sent and (others or lines[start].depth) else None


def _depth_behind(lines: Sequence[BodyLine], position: int) -> int:
    """The depth of the next line that says something."""
    for line in lines[position : position + 20]:
        if line.words.strip():
            return line.depth
    return 0


def _name_behind_the_time(when: str) -> str:
    """ "Tue, 11 Nov 2025 at 18:06, Tomas Verhaegen <t@x.example>" → "Tomas Verhaegen"."""
    numbers = list(re.finditer(r"\S*\d\S*", _ADDRESS.sub("", when)))
    tail = _ADDRESS.sub("", when)[numbers[-1].end() :] if numbers else when
    address = _ADDRESS.search(when)
    return _name(_CLOCK_TAIL.sub("", tail)) or (address[1] or address[2] if address else "")


def _name(text: str) -> str:
    """The name of a mailbox, or its address if it has none."""
    address = _ADDRESS.search(text)
    name = " ".join(_ADDRESS.sub("", text).split()).strip(" ,;*_\"'")
    return name or (address[1] or address[2] if address else "")
