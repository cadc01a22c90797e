"""One location for several: the smallest place that has a name and holds them all."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.domain.location import (
    Cell,
    CellRange,
    DataPath,
    Lines,
    Location,
    Pages,
    Section,
    Slides,
    TimeRange,
    WholeItem,
)


def covering(locations: Sequence[Location]) -> Location:
    """Locations of one document in order; those of mixed kinds are covered by the item."""
    first = locations[0]
    if all(location == first for location in locations):
        return first
    match first:
        case Pages() | Lines() | Slides():
            same = [location for location in locations if isinstance(location, type(first))]
            if len(same) == len(locations):
                return type(first)(min(p.first for p in same), max(p.last for p in same))
        case TimeRange():
            times = [location for location in locations if isinstance(location, TimeRange)]
            if len(times) == len(locations):
                ends = [time.start_ms if time.end_ms is None else time.end_ms for time in times]
                return TimeRange(min(time.start_ms for time in times), max(ends))
        case CellRange():
            return _cells(first, locations)
        case Section():
            sections = [location for location in locations if isinstance(location, Section)]
            if len(sections) == len(locations) and len({s.name for s in sections}) == 1:
                return Section(first.name)
        case DataPath():
            return _path(locations)
    return WholeItem()


def _cells(first: CellRange, locations: Sequence[Location]) -> Location:
    ranges = [
        location
        for location in locations
        if isinstance(location, CellRange) and location.sheet == first.sheet
    ]
    if len(ranges) != len(locations):
        return WholeItem()
    return CellRange(
        first.sheet,
        Cell(min(r.first.column for r in ranges), min(r.first.row for r in ranges)),
        Cell(max(r.last.column for r in ranges), max(r.last.row for r in ranges)),
    )


def _path(locations: Sequence[Location]) -> Location:
    """The longest common beginning of several paths that ends where a step ends."""
    paths = [location.path for location in locations if isinstance(location, DataPath)]
    if len(paths) != len(locations):
        return WholeItem()
    common = paths[0]
    for path in paths[1:]:
        while common and not (path.startswith(common) and path[len(common) : len(common) + 1] in
                              ("", ".", "[", "/")):  # fmt: skip
            common = common[: max(common.rfind(mark) for mark in ".[/")] if len(common) > 1 else ""
    return DataPath(common) if common else WholeItem()
