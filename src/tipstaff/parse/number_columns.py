"""Many stored numbers under one format, each shown exactly as `NumberFormat.show` shows it.

A column of a large sheet is mostly of one kind, and for the usual kinds one step shows all of
it; whatever is unusual is shown number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tipstaff.parse.number_format import NumberFormat

_LONGEST_WHOLE = 15  # digits that a spreadsheet keeps


def show_column(number_format: NumberFormat, raws: Sequence[str]) -> Sequence[str]:
    """The very same sequence where every number is shown as it is stored."""
    if number_format.is_general:
        return raws if _are_whole(raws) else _general(number_format, raws)
    return once_each(lambda some: _formatted(number_format, some), raws)


def once_each(show: Callable[[Sequence[str]], Sequence[str]], raws: Sequence[str]) -> Sequence[str]:
    """Each different text shown once, where many are the same."""
    different = list(set(raws))
    if len(different) * 2 > len(raws):
        return show(raws)
    shown = dict(zip(different, show(different), strict=True))
    return [shown[raw] for raw in raws]


def _are_whole(raws: Sequence[str]) -> bool:
    """Whether all are whole numbers from 0 up, in digits that a spreadsheet would write."""
    digits = "".join(raws)
    if not (digits.isascii() and digits.isdigit()) or max(map(len, raws)) > _LONGEST_WHOLE:
        return False
    # Two line ends between numbers, so that each "0" has one of its own on either side.
    apart = "\n" + "\n\n".join(raws) + "\n"
    return apart.count("\n0") == apart.count("\n0\n")


def _general(number_format: NumberFormat, raws: Sequence[str]) -> Sequence[str]:
    numbers = _numbers(raws)
    # Beyond ten digits a whole number is shown in full and any other is not; zero has no sign.
    if numbers is None or not -1e10 < min(numbers) <= max(numbers) < 1e10 or 0.0 in numbers:
        return once_each(lambda some: list(map(number_format.show, some)), raws)
    return ("%.10G\n" * len(numbers) % tuple(numbers)).split("\n")[:-1]


def _formatted(number_format: NumberFormat, raws: Sequence[str]) -> Sequence[str]:
    form = number_format.simple_form
    numbers = _numbers(raws) if form is not None else None
    if form is None or numbers is None:
        return list(map(number_format.show, raws))
    before, spec, after, factor = form
    shown = f"{_literal(before)}{{:{spec}}}{_literal(after)}".format
    texts = list(map(shown, map(factor.__mul__, numbers)))
    if min(numbers) <= 0 or max(numbers) >= 1e12:
        for index, number in enumerate(numbers):
            if not 0 < number < 1e12:
                texts[index] = number_format.show(raws[index])
    return texts


def _numbers(raws: Sequence[str]) -> list[float] | None:
    """All of them as numbers; None where one is none, or is not a number by name."""
    try:
        numbers = list(map(float, raws))
    except ValueError:
        return None
    total = sum(numbers)
    return numbers if total == total and "".join(raws).isascii() else None  # noqa: PLR0124


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
