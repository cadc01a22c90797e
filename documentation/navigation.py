"""Patterns in the navigation, opened: `decisions/*.md` is every page there.

What another command writes (conformance, reports of quality) takes its place when it is there, and
a page that nobody has placed goes to `*.md`. A section without pages is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any


def opened(nav: list[Any], pages: Collection[str]) -> list[Any]:
    """`pages` are all that there are, by their path. A page goes to the longest pattern that it
    matches, wherever that stands."""
    written = list(_entries(nav))
    patterns = sorted((one for one in written if _is_pattern(one)), key=len, reverse=True)
    found: dict[str, list[str]] = {one: [] for one in patterns}
    for page in sorted(set(pages) - set(written)):
        matching = [one for one in patterns if _matches(page, one)]
        if matching:
            found[matching[0]].append(page)
    return list(_opened(nav, found))


def _opened(nav: list[Any], found: Mapping[str, list[str]]) -> Iterator[Any]:
    for entry in nav:
        if isinstance(entry, str):
            yield from found.get(entry, [entry])
            continue
        for title, held in entry.items():
            inside = held if isinstance(held, str) else list(_opened(held, found))
            if inside:
                yield {title: inside}


def _entries(nav: list[Any]) -> Iterator[str]:
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for held in entry.values():
                yield from [held] if isinstance(held, str) else _entries(held)


def _is_pattern(entry: str) -> bool:
    return "*" in entry


def _matches(page: str, pattern: str) -> bool:
    """A star stops at a folder."""
    return page.count("/") == pattern.count("/") and fnmatchcase(page, pattern)
