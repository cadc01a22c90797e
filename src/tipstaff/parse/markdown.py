"""Markdown: the text is the file's own; syntax is marked so that readers see only the words.

Blocks come from markdown-it's line maps; front matter is one block of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Block, BlockKind, CellTable, Document, Mark, MarkKind, Span
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.leftovers import with_leftovers
from tipstaff.parse.markdown_tags import hidden_elements, tag_marks
from tipstaff.parse.parser import Parser, Source

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*$", re.S | re.M)
# A number of four digits is a year, however its line begins.
_FIRST_PREFIX = re.compile(r"[ \t]*(?:>[ \t]?|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,3}[.)][ \t]+)+")
# A paragraph that goes on has neither bullets nor numbers: "in\n12. The mean" is the twelfth.
_NEXT_PREFIX = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.M)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]*|[ \t]+#+[ \t]*$|\r?\n[ \t]{0,3}(?:=+|-+)[ \t]*$")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_LINK = re.compile(
    r"(?<![\\!\[])(!?\[)((?:[^\[\]\\\n]|\\.)*)(\]\((?:[^()\n]|\([^()\n]*\))*\)|\]\[[^\]\n]*\])"
)
_EMPHASIS = re.compile(
    r"(?<![\\*])(\*{1,3})(?=\S)(?P<star>[^*\n]+?)(?<=\S)\1(?!\*)"
    r"|(?<![\w\\])(_{1,3})(?=\S)(?P<low>[^_\n]+?)(?<=\S)\3(?!\w)"
    r"|(?<!\\)(~~)(?=\S)(?P<gone>[^~\n]+?)(?<=\S)\5"
)
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_BAR_OR_CODE = re.compile(r"(?<!\\)\||(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
_LEAVES = ("fence", "code_block", "html_block", "inline")
_SYNTAX = "Markdown syntax"


def parse(source: Source) -> Document:
    text = decode_text(source.content)
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = TextLines.of(text)
        self.blocks: list[Block] = []
        self.marks: list[Mark] = []
        self.cells = CellTable()
        self.path: list[tuple[int, str]] = []
        self.code: list[Span] = []
        self.tables = 0

    def read(self) -> Document:
        body = self._front_matter()
        for token, containers in _leaves(_engine().parse(_as_lines(self.text, self.lines, body))):
            self._leaf(token, containers)
        self.marks += hidden_elements(self.text, self.code)
        blocks, marks = with_leftovers(self.lines, self.blocks, self.marks)
        return Document(
            text=self.text,
            blocks=blocks,
            marks=marks,
            cells=self.cells,
            lines_are_the_files=True,
        )

    def _front_matter(self) -> int:
        """The number of lines that front matter takes."""
        match = _FRONT_MATTER.match(self.text)
        if match is None:
            return 0
        span = self.lines.trimmed(Span(match.start(), match.end()))
        self._add(BlockKind.PARAGRAPH, span)
        return self.lines.number(match.end() - 1)

    def _leaf(self, token: Token, containers: list[str]) -> None:
        first, last = (token.map or [0, 0])[0] + 1, (token.map or [0, 0])[1]
        if last < first or first > len(self.lines):
            return
        lines = self.lines.span(first, min(last, len(self.lines)))
        span = self.lines.trimmed(lines)
        if not len(span) and token.type == "inline":
            # A paragraph of no-break spaces has no words and is counted all the same, so that
            # those behind it keep their numbers where words were withheld.
            span = lines
        if not len(span):
            return
        if token.type == "heading_open":
            self._heading(int(token.tag[1:]), span)
        elif token.type == "tr_open":
            self._row(span, is_header="thead_open" in containers)
        elif token.type in ("fence", "code_block"):
            self._code(token, span)
        elif token.type in ("inline", "html_block"):
            in_list = any(name in ("list_item_open",) for name in containers)
            self._mark_lines(span)
            self._mark_inline(span)
            self._add(BlockKind.LIST_ITEM if in_list else BlockKind.PARAGRAPH, span)

    def _heading(self, level: int, span: Span) -> None:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        known = len(self.marks)
        for match in _HEADING.finditer(self.text, span.start, span.end):
            if match.start() == span.start or match.end() == span.end:
                self._mark(match.span())
        self._mark_inline(span)
        self._add(BlockKind.HEADING, span, level=level)
        self.path.append((level, self._words(span, self.marks[known:])))

    def _code(self, token: Token, span: Span) -> None:
        if token.type == "fence":
            for number in {self.lines.number(span.start), self.lines.number(span.end - 1)}:
                line = self.lines.span(number, number)
                if self.text[line.start : line.end].strip().startswith(("```", "~~~")):
                    self._mark((line.start, line.end))
        self.code.append(span)
        self._add(BlockKind.CODE_DEFINITION, span)

    def _row(self, span: Span, *, is_header: bool) -> None:
        cells = list(_row_cells(self.text, span))
        if is_header:
            self.tables += 1
            self._header = range(len(self.cells.headers), len(self.cells.headers) + len(cells))
            self.cells.headers.extend(self.text[start:end] for start, end in cells)
            self._table_first_line = self.lines.number(span.start)
            self._mark_delimiter_row(span)
        row = self.lines.number(span.start) - self._table_first_line + (1 if is_header else 0)
        position = span.start
        self._mark((span.start, cells[0][0] if cells else span.end))
        for index, (start, end) in enumerate(cells):
            position = end
            self.cells.add(
                table=self.tables,
                row=row,
                column=index + 1,
                start=start,
                end=end,
                header_id=self._header[index] if index < len(self._header) else -1,
            )
            self._mark_inline(Span(start, end))
        self._mark((position, span.end))
        self._add(BlockKind.TABLE_ROW, span, table=self.tables)

    def _mark_delimiter_row(self, header: Span) -> None:
        number = self.lines.number(header.start) + 1
        if number <= len(self.lines):
            line = self.lines.span(number, number)
            self._mark((line.start, line.end))

    def _mark_lines(self, span: Span) -> None:
        """Bullets, numbers and quotation marks at the beginning of lines."""
        first = self.lines.span(*[self.lines.number(span.start)] * 2)
        if match := _FIRST_PREFIX.match(self.text, first.start, span.end):
            self._mark((span.start, match.end()))
        for match in _NEXT_PREFIX.finditer(self.text, min(first.end, span.end), span.end):
            self._mark(match.span())

    def _mark_inline(self, span: Span) -> None:
        code = [match.span() for match in _CODE_SPAN.finditer(self.text, span.start, span.end)]
        self.code += (Span(*bounds) for bounds in code)
        for match in _CODE_SPAN.finditer(self.text, span.start, span.end):
            self._mark((match.start(), match.start(2)))
            self._mark((match.end(2), match.end()))

        def outside_code(start: int) -> bool:
            return not any(first <= start < last for first, last in code)

        for match in _LINK.finditer(self.text, span.start, span.end):
            if outside_code(match.start()):
                self._mark(match.span(1))
                self._mark(match.span(3))
        for match in _EMPHASIS.finditer(self.text, span.start, span.end):
            if outside_code(match.start()):
                inside = match.span(match.lastgroup or "star")
                self._mark((match.start(), inside[0]))
                self._mark((inside[1], match.end()))
        self.marks += (mark for mark in tag_marks(self.text, span) if outside_code(mark.span.start))
        for match in _ESCAPE.finditer(self.text, span.start, span.end):
            if outside_code(match.start()):
                self._mark(match.span())

    def _mark(self, bounds: tuple[int, int]) -> None:
        start, end = bounds
        if end > start:
            self.marks.append(Mark(Span(start, end), MarkKind.MARKUP, _SYNTAX))

    def _add(
        self, kind: BlockKind, span: Span, *, level: int | None = None, table: int | None = None
    ) -> None:
        self.blocks.append(
            Block(
                kind=kind,
                span=span,
                location=self.lines.lines(span),
                headings=tuple(title for _, title in self.path),
                level=level,
                table=table,
            )
        )

    def _words(self, span: Span, marks: list[Mark]) -> str:
        """A span without the marks that were made in it."""
        words, position = [], span.start
        for mark in sorted(mark.span for mark in marks if span.contains(mark.span)):
            words.append(self.text[position : max(position, mark.start)])
            position = max(position, mark.end)
        return "".join([*words, self.text[position : span.end]]).strip()


def _engine() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": 30}).enable(["table", "strikethrough"])


def _as_lines(text: str, lines: TextLines, skipped: int) -> str:
    """The text with `\\n` for every line end, and front matter blank."""
    kept = (
        text[lines.span(number, number).start : lines.span(number, number).end]
        for number in range(skipped + 1, len(lines) + 1)
    )
    return "\n" * skipped + "\n".join(kept) + "\n"


def _leaves(tokens: list[Token]) -> Iterator[tuple[Token, list[str]]]:
    """Tokens that carry words, each with the names of the containers that it stands in."""
    containers: list[str] = []
    for token in tokens:
        if token.nesting == 1:
            if token.type in ("heading_open", "tr_open"):
                yield token, list(containers)
            containers.append(token.type)
        elif token.nesting == -1:
            containers.pop()
        elif token.type in _LEAVES and (
            token.type != "inline" or containers[-1] == "paragraph_open"
        ):
            yield token, list(containers)


def _row_cells(text: str, span: Span) -> Iterator[tuple[int, int]]:
    """The cells of a table row: between pipes that are neither escaped nor in code."""
    bars = [
        match.start()
        for match in _BAR_OR_CODE.finditer(text[span.start : span.end])
        if match[0] == "|"
    ]
    bounds = [-1, *bars, span.end - span.start]
    if bars and not text[span.start : span.start + bars[0]].strip():
        bounds = bounds[1:]
    if len(bounds) > 1 and not text[span.start + bounds[-2] + 1 : span.end].strip():
        bounds = bounds[:-1]
    for left, right in pairwise(bounds):
        raw = text[span.start + left + 1 : span.start + right]
        start = span.start + left + 1 + len(raw) - len(raw.lstrip())
        yield start, max(start, start + len(raw.strip()))


PARSER = Parser(name="markdown", version=3, media_types=("text/markdown",), parse=parse)
