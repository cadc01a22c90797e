"""Lists of a Word document: the number that stands before a paragraph, counted as Word counts.

`numbering.xml` comes in; for each paragraph of a list its label goes out ("3.2", "(a)"), or
nothing for bullets and for numerals that are not known here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from tipstaff.parse.docx_names import W, as_number, number, switch, value
from tipstaff.parse.list_labels import letters, roman

_PLACEHOLDER = re.compile(r"%([1-9])")
_LEVELS = 9


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    restart: int | None = None
    is_legal: bool = False


@dataclass(slots=True)
class _List:
    """One `w:num`: the levels of its abstract list, with its own overrides."""

    abstract: str
    levels: dict[int, _Level]
    restarts: dict[int, int] = field(default_factory=dict)


class Numbering:
    def __init__(self, root: etree._Element | None) -> None:
        self._lists: dict[str, _List] = {}
        self._counters: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()
        if root is not None:
            self._read(root)

    def label(self, list_id: str, level: int) -> str:
        """Counts one paragraph of a list and gives what stands before it."""
        described = self._lists.get(list_id)
        level = min(max(level, 0), _LEVELS - 1)
        if described is None or level not in described.levels:
            return ""
        counters = self._counters.setdefault(described.abstract, {})
        if level in described.restarts and (list_id, level) not in self._begun:
            counters.pop(level, None)
        self._begun.add((list_id, level))
        start = described.restarts.get(level, described.levels[level].start)
        counters[level] = counters[level] + 1 if level in counters else start
        for deeper in [other for other in counters if other > level]:
            restart = described.levels.get(deeper, _Level()).restart
            if restart is None or 0 < level + 1 <= restart:
                del counters[deeper]
        return self._written(described, counters, level)

    def _written(self, described: _List, counters: dict[int, int], level: int) -> str:
        here = described.levels[level]
        if here.form in ("bullet", "none"):
            return ""
        known = True

        def numeral(match: re.Match[str]) -> str:
            nonlocal known
            index = int(match[1]) - 1
            other = described.levels.get(index, _Level())
            count = counters.get(index, other.start)
            written = _numeral(count, "decimal" if here.is_legal else other.form)
            known = known and written is not None
            return written or ""

        text = _PLACEHOLDER.sub(numeral, here.text).strip()
        return text if known else ""

    def _read(self, root: etree._Element) -> None:
        abstracts = {
            element.get(W + "abstractNumId", ""): element
            for element in root.iterfind(W + "abstractNum")
        }
        owners = {
            value(element, "styleLink"): name
            for name, element in abstracts.items()
            if value(element, "styleLink")
        }
        for element in root.iterfind(W + "num"):
            abstract = value(element, "abstractNumId") or ""
            found = abstracts.get(abstract)
            if found is not None and (link := value(found, "numStyleLink")):
                # A list that is a style's: its levels stand where the style says.
                abstract = owners.get(link, abstract)
                found = abstracts.get(abstract)
            if found is None:
                continue
            described = _List(abstract, _levels(found))
            for override in element.iterfind(W + "lvlOverride"):
                _override(described, override)
            self._lists[element.get(W + "numId", "")] = described


def _override(described: _List, override: etree._Element) -> None:
    level = as_number(override.get(W + "ilvl")) or 0
    described.levels.update(_levels(override))
    if (start := number(override, "startOverride")) is not None:
        described.restarts[level] = start


def _levels(parent: etree._Element) -> dict[int, _Level]:
    levels = {}
    for element in parent.iterfind(W + "lvl"):
        start = number(element, "start")
        levels[as_number(element.get(W + "ilvl")) or 0] = _Level(
            1 if start is None else start,
            value(element, "numFmt") or "decimal",
            value(element, "lvlText") or "",
            number(element, "lvlRestart"),
            bool(switch(element, "isLgl")),
        )
    return levels


def _numeral(count: int, form: str) -> str | None:
    """A number in one of Word's forms; None if the form is not known here."""
    forms = {
        "decimal": str(count),
        "decimalZero": f"{count:02d}",
        "lowerLetter": letters(count),
        "upperLetter": letters(count).upper(),
        "lowerRoman": roman(count),
        "upperRoman": roman(count).upper(),
        "none": "",
    }
    return forms.get(form)
