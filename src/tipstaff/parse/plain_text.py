"""Plain text: paragraphs between blank lines, list items, and lines that stand as headings; of
chat logs, the messages."""

from __future__ import annotations

import re

from tipstaff.decoding import decode_text
from tipstaff.domain.document import Block, BlockKind, Document, Span
from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.chat_messages import ChatMessage, chat_messages
from tipstaff.parse.leftovers import with_leftovers
from tipstaff.parse.parser import Parser, Source

_BULLET = re.compile(r"\s*(?:[-*•‣–]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S")
_NUMBERED_HEADING = re.compile(
    r"(?:Section |Article |Part )?\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z][^.!?:;]{2,70}"
)
_SETTING = re.compile(r"\s*[\w.-]+\s*=\s*\S")
_SECTION_OR_REMARK = re.compile(r"\s*(?:\[[^\]\n]+\]\s*$|[#;])")
_RULE = re.compile(r"\s*([-=_*~#])\1{2,}\s*")


def parse(source: Source) -> Document:
    return parse_text(decode_text(source.content))


def parse_text(text: str) -> Document:
    """Blocks of a text that has no markup; a run of lines between blank ones is a paragraph."""
    lines = TextLines.of(text)
    every = [text[slice(*_bounds(lines, number, number))] for number in range(1, len(lines) + 1)]
    messages = chat_messages(every)
    prose_lines = messages[0].first - 1 if messages else len(lines)
    blocks = _prose(text, lines, prose_lines) + [_message(lines, one) for one in messages]
    covered, marks = with_leftovers(lines, blocks, ())
    return Document(text=text, blocks=covered, marks=marks, lines_are_the_files=True)


def _message(lines: TextLines, message: ChatMessage) -> Block:
    span = lines.trimmed(Span(*_bounds(lines, message.first, message.last)))
    return Block(
        kind=BlockKind.TRANSCRIPT_SEGMENT,
        span=span,
        location=lines.lines(span),
        author=message.author,
    )


def _prose(text: str, lines: TextLines, count: int) -> list[Block]:
    """The blocks of the first `count` lines."""
    blocks: list[Block] = []
    headings: list[tuple[int, str]] = []
    for first, last in _paragraphs(text, lines, count):
        words = text[slice(*_bounds(lines, first, last))]
        level = _heading_level(words) if first == last else None
        if level is not None:
            while headings and headings[-1][0] >= level:
                headings.pop()
        for start, end, is_item in _pieces(text, lines, first, last):
            span = lines.trimmed(Span(*_bounds(lines, start, end)))
            kind = BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH
            blocks.append(
                Block(
                    kind=BlockKind.HEADING if level is not None else kind,
                    span=span,
                    location=lines.lines(span),
                    headings=tuple(title for _, title in headings),
                    level=level,
                )
            )
        if level is not None:
            headings.append((level, words.strip()))
    return blocks


def _paragraphs(text: str, lines: TextLines, count: int) -> list[tuple[int, int]]:
    """Runs of lines that say something, as (first, last) line numbers."""
    runs: list[tuple[int, int]] = []
    open_run = False
    for number in range(1, count + 1):
        words = text[slice(*_bounds(lines, number, number))]
        if not words.strip() or _RULE.fullmatch(words):
            open_run = False
        elif open_run:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
            open_run = True
    return runs


def _pieces(text: str, lines: TextLines, first: int, last: int) -> list[tuple[int, int, bool]]:
    """A paragraph, parted where a bullet begins: (first line, last line, whether a list item).
    Of settings every line is an item of its own."""
    if _are_settings([text[slice(*_bounds(lines, n, n))] for n in range(first, last + 1)]):
        return [(number, number, True) for number in range(first, last + 1)]
    pieces: list[tuple[int, int, bool]] = []
    for number in range(first, last + 1):
        is_item = _BULLET.match(text, *_bounds(lines, number, number)) is not None
        if is_item or not pieces:
            pieces.append((number, number, is_item))
        else:
            pieces[-1] = (pieces[-1][0], number, pieces[-1][2])
    # A lone "1. Something" is a sentence or a heading, not a list.
    return pieces if len(pieces) > 1 else [(first, last, False)]


def _are_settings(lines: list[str]) -> bool:
    """Whether every line is `name = value`, a section's name or a remark, and two are settings."""
    told = sum(bool(_SETTING.match(line)) for line in lines)
    others = sum(bool(_SECTION_OR_REMARK.match(line)) for line in lines)
    return told > 1 and told + others == len(lines)


def _heading_level(words: str) -> int | None:
    line = words.strip()
    if len(line) > 80 or not any(character.isalpha() for character in line):
        return None
    if _NUMBERED_HEADING.fullmatch(line):
        return 1 + line.split()[0].rstrip(".").count(".")
    return 1 if line.isupper() and len(line) > 3 else None


def _bounds(lines: TextLines, first: int, last: int) -> tuple[int, int]:
    span = lines.span(first, last)
    return span.start, span.end


PARSER = Parser(
    name="plain_text",
    version=2,
    media_types=("text/plain", "text/*", "application/yaml"),
    parse=parse,
)
