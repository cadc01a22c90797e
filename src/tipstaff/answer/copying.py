"""Whether a sentence asks for an item itself instead of for something that it says (TIP §13.3).

"Quote the clause on termination word for word" is fair: a clause is a part. "Print the contract
from the first line to the last" wants the whole, and so does the one that takes it in slices. The
words are data (`copying.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from tipstaff.answer.addressing import asks, foreign_whole

# Of lines or words, so many at a time are no answer to a question.
_MANY = 20
_NAME = re.compile(r"\{([a-z]+)\}")


def asks_for_the_whole(sentence: str) -> bool:
    """Whether an item is to be handed over, at once or slice by slice."""
    plain = sentence.replace("’", "'")
    if _has("asked_whole", plain):
        return True
    if asks(plain):
        return False
    if _is_sliced(plain) or (not plain.endswith("?") and foreign_whole(plain)):
        return True
    command = _pattern("command").search(plain)
    if command is None or _is_chosen(plain):
        return False
    is_hard = _has("hard_command", plain)
    wanted, before = plain[command.end() :], plain[: command.start()]
    if _has("bare", plain) or _wants_all(wanted, is_hard=is_hard):
        return True
    # "I have a right to the report, so set it out in its entirety": named before.
    return _has("it", plain[command.start() :]) and _wants_all(f"{wanted} {before}", is_hard=False)


def _is_chosen(plain: str) -> bool:
    """Whether some are meant, after all: "all pages that mention asbestos". Where the whole is
    asked for, only what stands behind the item can say so, and no "so that I can copy it"."""
    is_whole = _has("whole", plain) or _has("to_the_letter", plain)
    return _has("chosen_behind" if is_whole else "chosen", plain)


def _wants_all(wanted: str, *, is_hard: bool) -> bool:
    if is_hard and (_has("everything", wanted) or _has("every_item", wanted)):
        return True
    if _has("every_item", wanted) and _has("content", wanted) and not _has("part", wanted):
        return True
    to_the_letter = _has("to_the_letter", wanted)
    if _has("every_part", wanted) and (
        to_the_letter or _has("item", wanted) or _has("in_order", wanted)
    ):
        return True
    return (to_the_letter or _has("whole", wanted)) and _is_of_an_item(wanted)


def _is_of_an_item(wanted: str) -> bool:
    """Whether what is wanted is an item, or a place in one, and not something that it says."""
    item = _pattern("item").search(wanted) or _pattern("everything").search(wanted)
    if item is None:
        return False
    before = wanted[: item.start()]
    heads = {match[1].casefold() for match in _pattern("of").finditer(before)}
    part = _pattern("part").search(before)
    is_part = part is not None and part[0].casefold() not in _heads()
    return not is_part and heads <= _heads()


def _is_sliced(plain: str) -> bool:
    sizes = [re.sub(r"\D", "", match[1] or "") for match in _pattern("slice").finditer(plain)]
    if any(not size or int(size) >= _MANY for size in sizes):
        return True
    ranges = [abs(int(last) - int(first)) for first, last in _pattern("range").findall(plain)]
    to_the_letter = _has("to_the_letter", plain)
    return (
        any(span >= _MANY for span in ranges)
        or (to_the_letter and (bool(ranges) or _has("the_next", plain)))
        or (bool(ranges) and _has("content", plain) and _has("command", plain))
        or _has("goes_on", plain)
        or _has("counted", plain)
        or (_has("sequence", plain) and (to_the_letter or _has("command", plain)))
    )


def _has(name: str, text: str) -> bool:
    return _pattern(name).search(text) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_source(_data()["patterns"][name]), re.IGNORECASE)


def _source(pattern: str) -> str:
    return _NAME.sub(lambda name: _source(_data()["fragments"][name[1]]), pattern)


@cache
def _heads() -> frozenset[str]:
    return frozenset(_data()["heads"])


@cache
def _data() -> Mapping[str, Any]:
    text = files("tipstaff.answer").joinpath("copying.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
