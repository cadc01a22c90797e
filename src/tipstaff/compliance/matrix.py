"""How much of the specifications is tested, and how: for a terminal, as JSON, as a page.

`docs/conformance.md` is `page()`, written by `make conformance`. Only the manifest comes in, so
page and command cannot disagree.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from tipstaff.compliance.requirement import SPECIFICATIONS, Requirement, Section, sections

_INTRODUCTION = """\
Every MUST, MUST NOT, SHALL, REQUIRED and SHOULD of the specifications, in words of our own, with
how it is tested. Written by `make conformance` from `src/tipstaff/compliance/requirements/`;
`tip comply --matrix` prints the table. A wire test (`tip-…`, `enterprise-…`) judges any server by
its URL: `tip comply --url URL`. A requirement that is tested in several ways counts in each."""
_COLUMNS = ("requirements", "on the wire", "by unit tests", "inspected", "divergent", "deferred")


def coverage() -> list[tuple[str, tuple[int, ...]]]:
    """A row a specification and level: how many there are, and how many of them in which way. A
    requirement counts in every way in which it is tested."""
    rows = []
    for spec in SPECIFICATIONS:
        for name, absolute in (("MUST", True), ("SHOULD", False)):
            own = [one for one in _of(spec) if one.is_absolute is absolute]
            rows.append((f"{spec} {name}", _counts(own)))
    rows.append(("all", _counts(one for spec in SPECIFICATIONS for one in _of(spec))))
    return rows


def as_text() -> str:
    """`tip comply --matrix`."""
    rows = [("", tuple(_COLUMNS)), *((name, _shown(counts)) for name, counts in coverage())]
    wide = max(len(name) for name, _ in rows)
    lines = [
        name.ljust(wide)
        + "".join(cell.rjust(len(column) + 2) for cell, column in _in_columns(cells))
        for name, cells in rows
    ]
    return "\n".join([*lines, "", *_open_points()])


def as_json() -> dict[str, Any]:
    """`tip comply --matrix --json`."""
    return {
        "coverage": {name: dict(zip(_COLUMNS, counts, strict=True)) for name, counts in coverage()},
        "requirements": [
            {
                "id": one.id,
                "spec": one.spec,
                "section": one.section,
                "level": one.level,
                "behaviour": one.behaviour,
                "wire": list(one.wire),
                "unit": list(one.unit),
                "inspection": one.inspection,
                "divergence": one.divergence,
                "deferred": one.deferred,
            }
            for section in sections()
            for one in section.requirements
        ],
    }


def page() -> str:
    """`docs/conformance.md`."""
    header = "| | " + " | ".join(_COLUMNS) + " |\n|---|" + "--:|" * len(_COLUMNS)
    table = [f"| {name} | " + " | ".join(_shown(counts)) + " |" for name, counts in coverage()]
    parts = [
        "# Conformance",
        _INTRODUCTION,
        "\n".join([header, *table]),
        "## Where we differ, and what is open",
        "\n".join(f"- {line}" for line in _open_points()),
        *[part for section in sections() for part in _chapter(section)],
    ]
    return "\n\n".join(parts) + "\n"


def _in_columns(cells: Iterable[str]) -> Iterable[tuple[str, str]]:
    return zip(cells, _COLUMNS, strict=True)


def _of(spec: str) -> list[Requirement]:
    return [one for section in sections() if section.spec == spec for one in section.requirements]


def _counts(several: Iterable[Requirement]) -> tuple[int, ...]:
    rows = list(several)
    ways = ("wire", "unit", "inspection", "divergence", "deferred")
    return (len(rows), *(sum(1 for one in rows if getattr(one, way)) for way in ways))


def _shown(counts: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(str(count) for count in counts)


def _open_points() -> list[str]:
    every = [one for section in sections() for one in section.requirements]
    differing = [f"{one.id} differs: {one.divergence}" for one in every if one.divergence]
    return differing + [f"{one.id} deferred: {one.deferred}" for one in every if one.deferred]


def _chapter(section: Section) -> list[str]:
    rows = [
        f"| {one.id} | {one.level} | {one.behaviour} | {_how(one)} |"
        for one in section.requirements
    ]
    table = "\n".join(["| | | What holds | How it is tested |", "|---|---|---|---|", *rows])
    return [f"## {section.spec}, {section.number}: {section.title}", table]


def _how(one: Requirement) -> str:
    said = [f"`{case}`" for case in one.wire]
    said += [f"`{PurePosixPath(test).relative_to('tests')}`" for test in one.unit]
    said += [text for text in (one.inspection, one.divergence, one.deferred) if text]
    return "<br>".join(text.replace("|", "\\|") for text in said)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
