"""Times named in text, in one form: "third quarter" and "Q3" are one period.

A period is a set of marks: `q3`, `m09`, `y2025`, `d30`, `h1`, `t14:30`, `year 2`. Two texts speak
of different times if they name different marks of one sort.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from tipstaff.facts.months import MONTHS
from tipstaff.facts.number_words import ORDINAL_WORDS, ordinal_value, spelled_value
from tipstaff.facts.quantities import Measure, Quantity

_MONTH = "|".join(name if name == "may" else f"{name}|{name[:3]}" for name in MONTHS) + "|sept"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3,
             "4th": 4, "fifth": 5, "5th": 5}  # fmt: skip
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_QUARTER = re.compile(
    r"\bq([1-4])(?![\w-])|\bq([1-4])(?=[ '’-]?(?:fy)?\d{2,4}\b)|"
    r"\b(first|second|third|fourth|1st|2nd|3rd|4th)[ -]quarter\b|\bquarter ([1-4])\b",
    re.IGNORECASE,
)
# "Year 2", "the second year", "phase 3": which of a row of like things.
_ORDINAL = "first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th"
_NUMBERED = re.compile(
    rf"\b(year|phase|stage|step|round|period|part|week|day|visit|cycle)[ _-](\d{{1,2}})\b(?![.,]\d)"
    rf"(?![/-]\d)|"
    rf"\b({_ORDINAL})[ -](year|phase|stage|round|period|visit|cycle)\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"\bh([12])\b|\b(first|second) half\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d$€£.,#/-])(?:fy ?|fiscal(?: year)? )?((?:19|20)\d{2})"
                   r"(?!\d|%|[.,]\d|\s?(?:[kmc]?m|kg|[kM]Wh?|ml|°C|percent|met(?:er|re)s?|"
                   r"lit(?:er|re)s?|tonnes?|euros?|pounds?|dollars?|francs?)\b)",
                   re.IGNORECASE)  # fmt: skip
_NAMED_MONTH = re.compile(rf"\b({_MONTH})\b\.?(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?",
                          re.IGNORECASE)  # fmt: skip
_DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:[–-]\d{{1,2}})?\s+(?:of\s+)?({_MONTH})\b", re.IGNORECASE
)
# "Between 16 and 27 June", "12–18 July": the first day has the month of the second.
_DAY_RANGE = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+(?:and|to|until)\s+|\s?[–-]\s?)"
    rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH})\b",
    re.IGNORECASE,
)
_SPELLED_DAY = re.compile(rf"({ORDINAL_WORDS})\s+(?:of\s+)?({_MONTH})\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?<![\d:])([01]?\d|2[0-3])[:.]([0-5]\d)(?:\s?([ap])\.?m\b)?(?![\d:%])", re.IGNORECASE
)
# Which half of the day is meant is not said: it is taken for the first.
_SPOKEN_CLOCK = re.compile(
    r"\b(half|quarter) (past|to) (one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"1[0-2]|[1-9])\b",
    re.IGNORECASE,
)
# "5 pm"; with minutes it is a clock's.
_HOUR = re.compile(r"(?<![\d:.,])(1[0-2]|[1-9])\s?([ap])\.?m\b", re.IGNORECASE)
# In small letters: where none of these stands, no month is named.
_ANY_MONTH = re.compile("|".join(name[:3] for name in MONTHS))
_ANY_DIGIT = re.compile(r"\d")
# Of what is written without digits.
_TIME_WORDS = ("quarter", "half", "noon", "mid", "first", "second", "third", "fourth", "fifth")
_AT_NOON = re.compile(r"\b(?<!after)(noon|midday|midnight)\b", re.IGNORECASE)
_NOON = {"noon": "t12:00", "midday": "t12:00", "midnight": "t00:00"}
_MONTH_MARKS = {name[:3]: f"m{at:02}" for at, name in enumerate(MONTHS, 1)}
_DATED = (_NAMED_MONTH, _DAY_MONTH, _DAY_RANGE)
_ISO = re.compile(r"\b((?:19|20)\d{2})-(\d{2})(?:-(\d{2}))?(?:\b|(?=T\d))")


@lru_cache(maxsize=16_384)
def periods(text: str) -> frozenset[str]:
    """Every mark of a time that a text names."""
    small = text.lower()
    found = _days_of_months(text) if _ANY_MONTH.search(small) else set()
    # Most texts name no time, and are not read again for each form of one.
    if _ANY_DIGIT.search(text):
        found |= _in_digits(text)
    elif not any(word in small for word in _TIME_WORDS):
        return frozenset(found)
    for match in _QUARTER.finditer(text):
        number = match[1] or match[2] or match[4]
        found.add(f"q{number or _ORDINALS[match[3].lower()]}")
    for match in _HALF.finditer(text):
        found.add(f"h{match[1] or _ORDINALS[match[2].lower()]}")
    for match in _SPOKEN_CLOCK.finditer(text):
        hour = int(spelled_value(match[3])) if match[3].isalpha() else int(match[3])
        minutes = (30 if match[1].lower() == "half" else 15) * (-1 if match[2] == "to" else 1)
        hour, minutes = divmod(hour * 60 + minutes, 60)
        found.add(f"t{hour % 24:02}:{minutes:02}")
    found |= {_NOON[match[1].lower()] for match in _AT_NOON.finditer(text)}
    for match in _NUMBERED.finditer(text):
        noun = (match[1] or match[4]).lower()
        number = match[2] or _ORDINALS[match[3].lower()]
        found.add(f"{noun} {number}")
    return frozenset(found)


def _in_digits(text: str) -> set[str]:
    """Years, dates and times of day."""
    found = {f"y{match[1]}" for match in _YEAR.finditer(text)}
    for match in _CLOCK.finditer(text):
        if _is_clock(match):
            late = (match[3] or "").lower() == "p" and int(match[1]) < 12
            found.add(f"t{int(match[1]) + 12 * late:02}:{match[2]}")
    for match in _HOUR.finditer(text):
        found.add(f"t{int(match[1]) % 12 + 12 * (match[2].lower() == 'p'):02}:00")
    for match in _ISO.finditer(text):
        found |= {f"y{match[1]}", f"m{match[2]}"}
        if match[3]:
            found.add(f"d{match[3]}")
    return found


def _days_of_months(text: str) -> set[str]:
    found: set[str] = set()
    for match in _NAMED_MONTH.finditer(text):
        # "may" is mostly a verb: a month only where it is written as a name.
        if match[1] != "may" and not (match[1].islower() and len(match[1]) == 3):
            found.add(_month(match[1]))
            if match[2] and int(match[2]) <= 31:
                found.add(f"d{int(match[2]):02}")
    for match in _DAY_MONTH.finditer(text):
        found |= {f"d{int(match[1]):02}", _month(match[2])}
    for match in _DAY_RANGE.finditer(text):
        found |= {f"d{int(match[1]):02}", f"d{int(match[2]):02}"}
    for match in _SPELLED_DAY.finditer(text):
        found |= {f"d{ordinal_value(match[1]):02}", _month(match[2])}
    return found


@lru_cache(maxsize=8_192)
def calendar_days(text: str) -> frozenset[tuple[str, str]]:
    """The days that a text names with their month, as marks: 24 June is d24 of m06."""
    found = {
        (f"d{match[3]}", f"m{match[2]}")
        for match in (_ISO.finditer(text) if "-" in text else ())
        if match[3]
    }
    if not _ANY_MONTH.search(text.lower()):
        return frozenset(found)
    for match in _NAMED_MONTH.finditer(text):
        if match[2] and int(match[2]) <= 31:
            found.add((f"d{int(match[2]):02}", _month(match[1])))
    for match in _DAY_MONTH.finditer(text):
        found.add((f"d{int(match[1]):02}", _month(match[2])))
    for match in _SPELLED_DAY.finditer(text):
        found.add((f"d{ordinal_value(match[1]):02}", _month(match[2])))
    return frozenset(found)


def outside_dates(figures: Iterable[Quantity], text: str) -> list[Quantity]:
    """The figures of a text that are no part of a date or of a time of day."""
    return [
        figure
        for figure in figures
        if figure.measure is not Measure.NUMBER
        or not any(start <= figure.start < end for start, end in _dates(text))
    ]


@lru_cache(maxsize=8_192)
def _dates(text: str) -> tuple[tuple[int, int], ...]:
    if not _ANY_DIGIT.search(text):
        return ()
    named = _DATED if _ANY_MONTH.search(text.lower()) else ()
    patterns = (_YEAR, *named, _HOUR, _ISO)
    found = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    return (*found, *(match.span() for match in _CLOCK.finditer(text) if _is_clock(match)))


def _is_clock(match: re.Match[str]) -> bool:
    """ "14.5" may be any number; a full stop parts hours from minutes only with am or pm."""
    return ":" in match.group() or bool(match[3])


def in_other_words(text: str) -> list[str]:
    """How else the quarters of a text are written: a keyword search knows only letters."""
    words = ("first", "second", "third", "fourth")
    other = []
    for mark in sorted(periods(text)):
        if mark[0] == "q":
            name = words[int(mark[1]) - 1]
            other += [mark.upper()] if name in text.lower() else [f"{name} quarter"]
    return other


def worded_as(question: str, passage: str) -> str:
    """A question with its quarters written as the passage writes them: a reader knows only "
    "words."""
    told = passage.lower()

    def word(match: re.Match[str]) -> str:
        number = int(match[1] or match[2] or match[4] or _ORDINALS[(match[3] or "first").lower()])
        name = f"{('first', 'second', 'third', 'fourth')[number - 1]} quarter"
        code = f"Q{number}"
        if name in told and code.lower() not in told:
            return name
        return code if code.lower() in told and name not in told else match.group()

    return _QUARTER.sub(word, question)


def conflict(asked: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a text speaks of another time than was asked for: it names a mark of some sort,
    but none of those asked for."""
    for sort in {sort_of(mark) for mark in asked}:
        wanted = {mark for mark in asked if sort_of(mark) == sort}
        named = {mark for mark in said if sort_of(mark) == sort}
        if named and not named & wanted:
            return True
    return False


def sort_of(mark: str) -> str:
    """What a mark tells: `d` a day, `m` a month, `y` a year, `t` a time of day."""
    return mark.split(maxsplit=1)[0] if " " in mark else mark[0]


def covered(asked: frozenset[str], said: frozenset[str]) -> float:
    """The share of the marks asked for that are named; 1 where none was asked for."""
    return len(asked & said) / len(asked) if asked else 1.0


def _month(name: str) -> str:
    return _MONTH_MARKS[name.lower()[:3]]
