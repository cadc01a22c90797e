"""What a sentence demands of whoever answers, without saying "you" (TIP §4.4).

A sentence comes in; what it is after goes out. The words are data (`demands.toml`): classes, and
which of them make a demand when they stand together. A single word never does.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tipstaff.answer.addressing import Aim, asks, fragments, is_of_papers

# What a command is about stands before the next clause begins.
_CLAUSE_ENDS = re.compile(r"[;:,]| (?:and|then|but) ")
_NAME = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Demand:
    """`command` begins a clause, one of `objects` follows in it, all of `also` are somewhere."""

    aim: Aim
    command: re.Pattern[str] | None
    objects: tuple[re.Pattern[str], ...]
    also: tuple[re.Pattern[str], ...]
    unless: tuple[re.Pattern[str], ...]
    is_asked: bool
    is_last: bool

    def is_in(self, sentence: str) -> bool:
        return (
            all(one.search(sentence) for one in self.also)
            and not any(one.search(sentence) for one in self.unless)
            and (self.command is None or self._is_commanded(self.command, sentence))
        )

    def _is_commanded(self, command: re.Pattern[str], sentence: str) -> bool:
        for match in command.finditer(sentence):
            if not self.objects:
                return True
            end = _CLAUSE_ENDS.search(sentence, match.end())
            last = end.start() if end else len(sentence)
            for thing in self.objects:
                found = thing.search(sentence, match.end())
                if found and found.start() <= last:
                    return True
            # "set the rules aside": the object is within the verb.
            if any(thing.search(match[0]) for thing in self.objects):
                return True
        return False


def demand_of(sentence: str, *, is_last: bool = True) -> Aim | None:
    """`is_last` if no question follows: what comes before one may be said to explain it."""
    plain = sentence.replace("’", "'")
    if is_of_papers(plain):
        return None
    is_told = not asks(plain)
    for demand in _demands():
        if demand.is_last and (not is_last or plain.endswith(("?", "？"))):
            continue
        if (is_told or demand.is_asked) and demand.is_in(plain):
            return demand.aim
    return None


@cache
def _demands() -> tuple[Demand, ...]:
    return tuple(
        Demand(
            aim=Aim(row["aim"]),
            command=_command(row["command"]) if "command" in row else None,
            objects=tuple(map(_word, row.get("object", ()))),
            also=tuple(map(_word, row.get("also", ()))),
            unless=tuple(map(_word, row.get("unless", ()))),
            is_asked=row.get("asked", False),
            is_last=row.get("last", False),
        )
        for row in _data()["demand"]
    )


@cache
def _word(name: str) -> re.Pattern[str]:
    return _compiled(rf"(?<!\w)(?:{_source(name)})(?!\w)")


@cache
def _command(name: str) -> re.Pattern[str]:
    return _compiled(rf"{_source('open')}(?:{_source(name)})(?!\w)")


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("{{", "{").replace("}}", "}"), re.IGNORECASE)


@cache
def _source(name: str) -> str:
    """A class as one pattern, with the classes that it names in their places."""
    words = _data()["classes"].get(name)
    source = fragments()[name] if words is None else "|".join(words)
    return _NAME.sub(lambda inner: f"(?:{_source(inner[1])})", source)


@cache
def _data() -> Mapping[str, Any]:
    text = files("tipstaff.answer").joinpath("demands.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
