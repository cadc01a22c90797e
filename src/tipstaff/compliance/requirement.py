"""The requirement manifest: every MUST, SHALL, REQUIRED and SHOULD as data, with how it is tested.

`requirements/*.toml`, one file a section, come in; requirements in the specification's order go
out. A requirement says how it is tested or why it is not: there is no third way.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LEVELS = ("MUST", "MUST NOT", "SHALL", "SHALL NOT", "REQUIRED", "SHOULD", "SHOULD NOT")
# The specifications, as their files name them, in the order in which they build on each other.
TIP = "TIP 1.0"
ENTERPRISE = "TIP Enterprise Addendum 1.1"
TRANSPARENCY = "com.ragu.retrieval-transparency 1.0"
SPECIFICATIONS = (TIP, ENTERPRISE, TRANSPARENCY)
_WAYS = ("wire", "unit", "inspection", "divergence", "deferred")
_FIELDS = frozenset(("id", "section", "level", "behaviour", *_WAYS))


class BadManifest(ValueError):
    """A file of the manifest is not as it should be; its words say where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """`wire` are ids of cases that judge any server, `unit` tests of this project. `divergence` is
    where this implementation differs, `deferred` what is left open, each in a sentence."""

    id: str
    spec: str
    section: str
    level: str
    behaviour: str
    wire: tuple[str, ...] = ()
    unit: tuple[str, ...] = ()
    inspection: str = ""
    divergence: str = ""
    deferred: str = ""

    @property
    def is_absolute(self) -> bool:
        return not self.level.startswith("SHOULD")

    @property
    def is_tested(self) -> bool:
        return bool(self.wire or self.unit)

    @property
    def way(self) -> str:
        """The strongest of the ways in which it is held to."""
        return next(way for way in _WAYS if getattr(self, way))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One file: a top-level section of a specification."""

    spec: str
    number: str
    title: str
    requirements: tuple[Requirement, ...]


@cache
def sections() -> tuple[Section, ...]:
    """Every section that has a requirement, in the specifications' order."""
    read = [
        _section(file.name, tomllib.loads(file.read_text(encoding="utf-8")))
        for file in files(__package__).joinpath("requirements").iterdir()
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(read, key=_order))


def requirements() -> Iterator[Requirement]:
    for section in sections():
        yield from section.requirements


def _order(section: Section) -> tuple[int, int, str]:
    number = section.number
    return (
        SPECIFICATIONS.index(section.spec),
        int(number) if number.isdigit() else 1_000,
        number,
    )


def _section(name: str, content: Mapping[str, Any]) -> Section:
    spec, number = content["spec"], content["section"]
    if spec not in SPECIFICATIONS:
        raise BadManifest(f"{name}: there is no specification '{spec}'.")
    rows = tuple(_requirement(name, spec, number, row) for row in content["requirement"])
    return Section(spec=spec, number=number, title=content["title"], requirements=rows)


def _requirement(name: str, spec: str, number: str, row: Mapping[str, Any]) -> Requirement:
    where = f"{name}, {row.get('id', 'a requirement without an id')}"
    if unknown := sorted(set(row) - _FIELDS):
        raise BadManifest(f"{where}: unknown {', '.join(unknown)}.")
    if row["level"] not in LEVELS:
        raise BadManifest(f"{where}: '{row['level']}' is no level of RFC 2119.")
    if not any(row.get(way) for way in _WAYS):
        raise BadManifest(f"{where}: neither how it is tested nor why it is not.")
    own = re.split(r"\.", row["section"])[0]
    if number.isdigit() and own.isdigit() and own != number:
        raise BadManifest(f"{where}: section {row['section']} does not belong to {number}.")
    many = {way: tuple(row[way]) for way in ("wire", "unit") if way in row}
    return Requirement(**{"spec": spec, **row, **many})
