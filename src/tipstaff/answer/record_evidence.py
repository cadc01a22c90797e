"""Data, settings and logs as evidence: each cited value, or line, is a row of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tipstaff.answer.record_rows import record_rows
from tipstaff.verify.evidence_text import EvidenceText

# A line that begins with a time, a key or a section.
_RECORD = re.compile(r"\s*(?:\[?\d{1,4}[:-]\d{2}|[\w.-]+\s*[=:]|\[[\w.-]+\]|<\w+>|[#;]|$)")
_LEAST_RECORDS = 3
SETTINGS = frozenset(("application/yaml", "text/yaml", "text/x-yaml", "application/x-yaml"))


def are_records(lines: Sequence[str]) -> bool:
    return len(lines) >= _LEAST_RECORDS and all(map(_RECORD.match, lines))


def by_object(units: Sequence[EvidenceText]) -> tuple[EvidenceText, ...]:
    """Values of one object of data, each a unit of its own in a long one, as the row that they are
    together."""
    made: list[EvidenceText] = []
    for one in units:
        last = made[-1] if made else None
        above = one.surroundings.rsplit(" | ", 1)[0]
        if (
            last is not None
            and len(one.cells) == 1
            and last.is_row
            and one.author == last.author
            and one.cells[0][0] not in {head for head, _ in last.cells}
            and last.surroundings.startswith(f"{above} | ")
            and above.count(" | ")
            and not one.nearby
        ):
            made[-1] = replace(
                last,
                text=f"{last.text}; {one.text}",
                literal="",
                cells=(*last.cells, *one.cells),
                surroundings=f"{last.surroundings} | {one.surroundings.rsplit(' | ', 1)[1]}",
            )
        else:
            made.append(one)
    return tuple(made)


def end_of_key(text: str, start: int) -> int:
    """Where what stands under a key ends: at the next line that is indented no more than it."""
    start = text.rfind("\n", 0, start) + 1
    lines = text[start:].splitlines(keepends=True)
    end = start + len(lines[0])
    for line in lines[1:]:
        if line.strip() and _indent(line) <= _indent(lines[0]):
            break
        end += len(line)
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def as_rows(
    whole: EvidenceText, nearby: str, text: str, cited: Sequence[tuple[int, int]]
) -> list[EvidenceText]:
    return [
        replace(
            whole,
            text="; ".join(f"{head}: {words}" if head else words for head, words in row.cells),
            literal="",
            surroundings=" | ".join((whole.surroundings, *row.keys)),
            cells=row.cells,
            nearby=nearby,
        )
        for row in record_rows(text, cited)
    ]
