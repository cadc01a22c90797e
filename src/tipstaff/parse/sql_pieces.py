"""SQL as pieces of whole lines: each CREATE statement by its name, the rest between them.

Not by a grammar: dialects differ too much (the one that comes as a wheel, tree-sitter-sql
0.3.11, finds errors in 152 of 164 SQL files, mostly PostgreSQL's own, over 45% of their lines).
A statement ends at its `;` outside strings, comments, dollar quotes and BEGIN … END, or where
its dialect says so (`DELIMITER`, a line `GO` or `/`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from tipstaff.domain.text_lines import TextLines
from tipstaff.parse.code_pieces import Piece, loose_pieces

_NAME = r"(?:\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\]|[\w$@#]+)"
_CREATE = re.compile(
    r"^[ \t]*CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?"
    r"(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL|FOREIGN|VIRTUAL|UNIQUE|CLUSTERED|"
    r"NONCLUSTERED|BITMAP|MATERIALIZED|RECURSIVE|EDITIONABLE|NONEDITIONABLE|CONSTRAINT|FORCE|"
    r"EVENT(?=\s+TRIGGER)|TRANSIENT|SECURE|DEFINER\s*=\s*\S+|SQL\s+SECURITY\s+\w+|"
    r"ALGORITHM\s*=\s*\w+)\s+)*"
    r"(?P<kind>TABLE|VIEW|FUNCTION|PROC(?:EDURE)?|TRIGGER|INDEX|TYPE(?:\s+BODY)?|SEQUENCE|SCHEMA|"
    r"DATABASE|DOMAIN|AGGREGATE|EVENT|PACKAGE(?:\s+BODY)?|ROLE|USER|EXTENSION|POLICY|RULE|SERVER|"
    r"SYNONYM|STAGE|STREAM|TASK|MACRO)\s+"
    r"(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"
    rf"(?P<name>{_NAME}(?:\s*\.\s*{_NAME})*)",
    re.I | re.M,
)
_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|'[^']*'|\"[^\"]*\"|`[^`]*`"
    r"|\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)"
    r"|\b(?P<word>BEGIN|CASE|END(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR))?)\b|(?P<stop>;)",
    re.I | re.S,
)
_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*$", re.I | re.M)
_BATCH_END = re.compile(r"^[ \t]*(?:GO|/)[ \t]*$", re.I | re.M)
_PROCEDURAL = re.compile(r"FUNCTION|PROC|TRIGGER|PACKAGE|EVENT|TYPE\s+BODY", re.I)
_COMMENT = re.compile(r"[ \t]*(?:--|#[ \t!]|/\*.*\*/[ \t]*$|\*/|\*[ \t]|/\*)")
_PART = re.compile(_NAME)


def pieces_of_sql(lines: TextLines) -> list[Piece]:
    statements = _Statements(lines.text)
    pieces: list[Piece] = []
    free = 1
    for match, end in statements:
        first = lines.number(match.start())
        if first < free:
            continue  # inside the statement before
        last = lines.number(max(match.end(), end) - 1)
        first = _with_comments(lines, first, free)
        pieces.extend(loose_pieces(lines, free, first - 1, ()))
        pieces.append(Piece(first, last, _path(match["name"])))
        free = last + 1
    pieces.extend(loose_pieces(lines, free, len(lines), ()))
    return pieces


class _Statements:
    """CREATE statements and where each ends, in one pass over the text."""

    def __init__(self, text: str) -> None:
        # Line ends of one kind, at the same offsets.
        self.text = text = text.replace("\r\n", " \n").replace("\r", "\n")
        self._delimiters = [(line.end(), line[1]) for line in _DELIMITER.finditer(text)]
        self._all_end = True

    def __iter__(self) -> Iterator[tuple[re.Match[str], int]]:
        end = 0
        found = list(_CREATE.finditer(self.text))
        starts = [*(match.start() for match in found[1:]), len(self.text)]
        for match, following in zip(found, starts, strict=False):
            if match.start() >= end:
                end = self._end(match, following)
                yield match, end

    def _end(self, match: re.Match[str], following: int) -> int:
        """Where a statement ends; `following` is the start of the next CREATE."""
        place = bisect_left(self._delimiters, (match.start(), ""))
        delimiter = self._delimiters[place - 1][1] if place else ";"
        if delimiter != ";":
            at = self.text.find(delimiter, match.end(), following)
            return at + len(delimiter) if at >= 0 else following
        procedural = _PROCEDURAL.match(match["kind"]) is not None
        if procedural and (batch := _BATCH_END.search(self.text, match.end(), following)):
            return batch.start()
        # One that never ends must not make every later one look through the whole file again.
        limit = len(self.text) if self._all_end else following
        depth = 0
        for token in _TOKEN.finditer(self.text, match.end(), limit):
            word = (token["word"] or "").upper()
            if procedural and word in ("BEGIN", "CASE"):
                depth += 1
            elif word == "END":
                depth = max(0, depth - 1)
            elif token["stop"] and depth == 0:
                return token.end()
        self._all_end = False
        return following


def _with_comments(lines: TextLines, first: int, free: int) -> int:
    while first > free and _COMMENT.match(lines.text, lines.starts[first - 2]):
        span = lines.span(first - 1, first - 1)
        if not lines.text[span.start : span.end].strip():
            break
        first -= 1
    return first


def _path(name: str) -> tuple[str, ...]:
    """`public."Order Items"` is public, Order Items."""
    return tuple(part.strip('"`[]') for part in _PART.findall(name))
