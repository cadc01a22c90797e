"""A statement with the figures and times of day of its place: a model that compares words takes
"two years" and "24 months" for two things, and the rules have seen that they are one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.verify.durations import in_base, joined
from tipstaff.verify.figures import same_measure, stated_in
from tipstaff.verify.measures import measured_in
from tipstaff.verify.statement import read_statement

_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b|\b(?:noon|midday|midnight)\b",
    re.IGNORECASE,
)

_UNIT = re.compile(r"\s?[^\s,.;:)]+")


def in_told_forms(statement: str, passages: Sequence[str]) -> str:
    """A statement in whose words the passages have its figures; what they have in the same form,
    or do not have, stays as it is."""
    told = "\n".join(passages)
    said = read_statement(statement).text
    known = outside_dates(quantities(told), told)
    places = [*known, *joined(known, told)]
    for figure in reversed(joined(outside_dates(quantities(said), said), said)):
        if figure.text.lower() in told.lower():
            continue
        same = next((one for one in places if _is_same(figure, one, said, told)), None)
        if same is not None:
            end, other_end = figure.end, same.end
            if measured_in(said, end) and measured_in(told, other_end):
                end, other_end = _behind_unit(said, end), _behind_unit(told, other_end)
            said = said[: figure.start] + told[same.start : other_end] + said[end:]
    return _with_clocks(said, told)


def _behind_unit(text: str, end: int) -> int:
    unit = _UNIT.match(text, end)
    return unit.end() if unit else end


def _is_same(figure: Quantity, other: Quantity, said: str, told: str) -> bool:
    if same_measure(figure, other) and in_base(figure) == in_base(other):
        return True
    return figure.measure is other.measure and stated_in(figure, said, [other], told)


def _with_clocks(said: str, told: str) -> str:
    known = {marks: match.group() for match in _CLOCK.finditer(told)
             if (marks := periods(match.group()))}  # fmt: skip
    return _CLOCK.sub(
        lambda match: (
            match.group()
            if match.group().lower() in told.lower()
            else known.get(periods(match.group()), match.group())
        ),
        said,
    )
