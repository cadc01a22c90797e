"""Text in, citation marks with exact character ranges out (TIP §5.1, §5.2).

Everything between `[[` and `]]` outside code is a mark, whether or not it names anything
that exists: a made-up citation must be seen to be refused. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tipstaff.citation.code_spans import code_ranges
from tipstaff.citation.names import ItemNames
from tipstaff.domain.citation import (
    SYNTHESIS_ID,
    SYNTHESIS_NAMES,
    Citation,
    CitationMark,
    CitedPart,
)
from tipstaff.domain.location import Section, WholeItem, read_location

# No honest mark is longer; an unclosed one is given up here.
MAX_MARK_CHARS = 2_000

_OPENING = re.compile(r"\[{2,}")
_QUOTED = re.compile(r"'(?:[^']|'')*'")
_BRACKETS_AND_BLANK_LINES = re.compile(r"\[+|\]+|\n[ \t]*\n")


def parse_citations(
    text: str, *, names: Mapping[str, str] | ItemNames | None = None
) -> tuple[CitationMark, ...]:
    """Every mark of a text, in order.

    `names` maps what may be cited to ids (`Bundle.citable_names`). With it, labels with
    spaces, colons and commas are understood, and `[[report:p4, p7]]` cites one item twice.
    """
    known = names if names is None or isinstance(names, ItemNames) else ItemNames(names)
    marks = []
    for start, end in _mark_ranges(text):
        parts = tuple(_parts(text, start + 2, end - 2, known))
        if parts:
            marks.append(CitationMark(start, end, parts))
    return tuple(marks)


def parse_citation(text: str, *, names: Mapping[str, str] | None = None) -> Citation | None:
    """One citation as a person types it, with or without its brackets."""
    stripped = text.strip()
    bracketed = stripped if stripped.startswith("[[") else f"[[{stripped}]]"
    marks = parse_citations(bracketed, names=names)
    if len(marks) == 1 and marks[0].end == len(bracketed) and len(marks[0].parts) == 1:
        return marks[0].parts[0].citation
    return None


def _mark_ranges(text: str) -> Iterator[tuple[int, int]]:
    code = iter([*code_ranges(text), (len(text) + 1, len(text) + 1)])
    code_start, code_end = next(code)
    position = 0
    while match := _OPENING.search(text, position):
        start = match.end() - 2
        while code_end <= start:
            code_start, code_end = next(code)
        if code_start <= start:
            position = code_end
            continue
        end = _end_of_mark(text, start + 2)
        if end is None or end > code_start:
            position = match.end()
            continue
        yield start, end
        position = end


def _end_of_mark(text: str, start: int) -> int | None:
    """Behind the `]]` that closes a mark whose inside begins at `start`.

    Single brackets inside must pair up (`[[config:$.a[0]]]`); a second `[[` or a blank
    line means that this was no mark.
    """
    depth = 0
    limit = min(len(text), start + MAX_MARK_CHARS)
    for match in _BRACKETS_AND_BLANK_LINES.finditer(text, start, limit):
        run = match[0]
        if run[0] == "\n" or run.startswith("[["):
            return None
        if run[0] == "[":
            depth += 1
            continue
        closing = len(run)
        if closing >= depth + 2:
            return match.start() + depth + 2
        if closing > depth:
            return None
        depth -= closing
    return None


def _parts(text: str, start: int, end: int, known: ItemNames | None) -> Iterator[CitedPart]:
    pieces = list(_split_at_commas(text, start, end))
    previous: str | None = None
    index = 0
    while index < len(pieces):
        taken, citation = _longest(text, pieces, index, known, previous)
        if citation is not None:
            piece_start, piece_end = pieces[index][0], pieces[index + taken - 1][1]
            yield CitedPart(*_trimmed(text, piece_start, piece_end), citation)
            previous = citation.item_id
        index += taken


def _longest(
    text: str,
    pieces: list[tuple[int, int]],
    index: int,
    known: ItemNames | None,
    previous: str | None,
) -> tuple[int, Citation | None]:
    """The citation that begins at a piece, and how many pieces it takes (labels hold commas)."""
    if known is not None:
        for taken in range(min(known.most_commas + 1, len(pieces) - index), 0, -1):
            reference = text[pieces[index][0] : pieces[index + taken - 1][1]].strip()
            last_piece = pieces[index + taken - 1]
            # The name itself must reach into the last piece, or the comma is a separator.
            reach = len(reference) - (last_piece[1] - last_piece[0]) if taken > 1 else 0
            if (found := known.split(reference, at_least=reach)) is not None:
                return taken, Citation(found[0], read_location(found[1]))
    reference = text[slice(*pieces[index])].strip()
    if known is not None and previous is not None and _is_only_a_location(reference):
        return 1, Citation(previous, read_location(reference))
    name, _, location = reference.partition(":")
    if not name.strip():
        return 1, None
    item_id = " ".join(name.split())
    if item_id.casefold() in SYNTHESIS_NAMES:
        item_id = SYNTHESIS_ID
    return 1, Citation(item_id, read_location(location))


def _is_only_a_location(reference: str) -> bool:
    return not isinstance(read_location(reference), Section | WholeItem)


def _split_at_commas(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Commas inside brackets (`$[0,1]`) and inside quoted sheet names do not separate."""
    depth, piece_start, position = 0, start, start
    while position < end:
        character = text[position]
        if character == "'" and text[position - 1] in "[:":
            quoted = _QUOTED.match(text, position, end)
            position = quoted.end() if quoted else position + 1
            continue
        if character == "[":
            depth += 1
        elif character == "]":
            depth -= 1
        elif character == "," and depth <= 0:
            yield piece_start, position
            piece_start = position + 1
        position += 1
    yield piece_start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
