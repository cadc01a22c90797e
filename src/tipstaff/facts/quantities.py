"""Figures in text: money, percentages, counts, durations, each with its value and its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import lru_cache
from itertools import zip_longest

from tipstaff.facts.number_words import ANY_NUMBER_WORD, NUMBER_WORDS, spelled_value


class Measure(StrEnum):
    MONEY = "money"
    PERCENT = "percent"
    DURATION = "duration"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Quantity:
    """`digits` says how many digits were written: 48.6 million may be 48.62 million, rounded."""

    value: Decimal
    measure: Measure
    text: str
    start: int
    end: int
    unit: str = ""  # the currency, the unit of time, or the noun behind a count
    digits: int = 0

    def agrees_with(self, other: Quantity) -> bool:
        """Equal, or equal once the more exact is rounded as the other is."""
        if self.value == other.value:
            return True
        rough, exact = sorted((self, other), key=lambda one: one.digits)
        if rough.digits == 0 or rough.value == 0:
            return False
        step = Decimal(10) ** (rough.value.copy_abs().adjusted() - rough.digits + 1)
        return abs(exact.value - rough.value) <= step / 2


_SCALES = {
    "thousand": 3, "k": 3, "million": 6, "mn": 6, "m": 6, "mm": 6, "billion": 9, "bn": 9, "b": 9,
    "trillion": 12,
}  # fmt: skip
_CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "usd": "USD", "eur": "EUR",
               "gbp": "GBP", "dollars": "USD", "euros": "EUR", "pounds": "GBP", "us$": "USD",
               "euro": "EUR", "chf": "CHF", "francs": "CHF", "zloty": "PLN", "zlotys": "PLN",
               "pln": "PLN", "kronor": "SEK", "sek": "SEK", "kroner": "NOK", "nok": "NOK",
               "dkk": "DKK", "rupees": "INR", "yen": "JPY",
}  # fmt: skip
_NAMED = "dollars|euros?|pounds|francs|zlotys?|kronor|kroner|rupees|yen"
_TIME = r"second|minute|hour|day|week|month|quarter|year|fortnight"
_KIND_OF_DAY = r"(?:(?:calendar|working|business|consecutive|full|whole|clear)\s)?"
# "2 h 25 min". A lone "m" may be metres or millions, and "s" a plural.
_SHORT_TIMES = {"h": "hour", "hr": "hour", "min": "minute"}
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|approx\.?|circa|some|close to|"
    r"just (?:under|over|above|below))\s*$",
    re.IGNORECASE,
)
# Between two figures a dash is no minus; "mm" are millions of money and else millimetres.
_FIGURE = re.compile(
    r"(?P<open>\()?(?P<minus>(?<![\d%])[-−–](?=[\d$€£])|\bminus (?=\d))?"
    r"(?P<currency>us\$|[$€£¥]|\b(?:usd|eur|gbp|chf|sek|nok|dkk|pln)\s?)?"
    r"(?P<minus2>[-−](?=\d))?"
    r"(?P<number>\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion|mn|bn|(?(currency)mm|(?!))|"
    # "3.4m" are millions; "1.5 m" are metres, unless it is money.
    r"[kb](?![\w/²³])|(?(currency)m(?![\w/²³])|(?<=\d)m(?![\w/²³])))\b)?"
    r"(?P<percent>\s?%|\s?percent\b|\s?per cent\b|\s?percentage points?\b)?"
    # "74 second repairs" are no 74 seconds.
    rf"(?:[\s-]?(?:{_KIND_OF_DAY}(?!(?<=\d\s)(?<!\b1\s)second [a-z]+s\b)(?P<time>{_TIME})s?|"
    r"(?P<short>h|hrs?|mins?))\b)?"
    rf"(?:\s(?P<after>usd|eur|gbp|chf|sek|nok|dkk|pln|{_NAMED})\b|(?P<pence>p|\s?pence)\b)?",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_OF_A_CELL = ("", ":", ";", "|", "=", "\n", "\t")
# "340g" is 340 g; other letters make a code.
_MEASURED = re.compile(r"(?:kg|mg|g|ml|cl|mm|cm|km|kw|kwh|mwh)\b", re.IGNORECASE)
_PARTS_NAMED = re.compile(r"\s+(?:pence|cents?|p)\b", re.IGNORECASE)
# So near a figure stands what belongs to it; a whole text would be read for each of its figures.
_NEAR = 40
# Longer texts are read once, and are not worth keeping.
_SHORT = 1024
_SPELLED = re.compile(
    rf"(?P<words>{NUMBER_WORDS})(?!-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|factor)\b)"
    rf"(?P<percent>\s+percent\b|\s+per cent\b)?"
    rf"(?:[\s-]{_KIND_OF_DAY}(?P<time>{_TIME})s?\b)?"
    rf"(?:\s(?P<after>{_NAMED})\b)?",
    re.IGNORECASE,
)


# Of a year a quarter is a time. "A fifth" may be the one behind the fourth: of something it is a
# part, and where it is said how nearly.
_PART = re.compile(
    r"(?<!first )(?<!second )(?<!last )\b(?:(?P<count>an?|one|two|three|four|seven|nine) )?"
    r"(?P<part>quarter|fifth|half|third|tenth)s?"
    r"(?= of (?!\d|(?:the|an?) (?:year|quarter|month|week|day|hour|[mb]illion)))|"
    r"(?:(?<=about )|(?<=roughly )|(?<=nearly )|(?<=almost )|(?<=under )|(?<=over )|"
    r"(?<=more than )|(?<=less than ))(?P<some>an?|one|two|three|four) "
    r"(?P<rough>quarter|fifth|third|tenth)s?"
    r"(?=[.,;]|$| (?:is|are|was|were|came|went|has|have|had|took|[a-z]{2,}ed)\b)|"
    r"\b(?P<few>one|two|three|four|seven|nine) (?:in|out of) (?P<each>two|three|four|five|ten)\b"
    rf"(?! (?:to\b|{_TIME}|(?:hundred|thousand|[mb]illion)\b)|-)",
    re.IGNORECASE,
)
_ANY_PART = re.compile(
    "quarter|half|fifth|third|tenth|fortnight|(?:one|two|three|four|seven|nine) (?:in|out of) ",
    re.IGNORECASE,
)
_ONE_OF = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_OF_HOUR = re.compile(
    r"\b(?:(?P<count>a|three) quarters? of an|(?P<half>half) an?|"
    r"(?P<thirds>a|one|two) thirds? of an) hour\b|"
    r"\b(?P<whole>an?|one|two|three|four|five|six) (?P<unit>hour|minute|day|week|month|year)s? "
    r"and (?P<more>a half|a quarter|three quarters)\b|"
    r"\b(?P<year>half an?|(?:a|three) quarters? of a|(?:a|two) thirds? of a) year\b|"
    r"\b(?P<fortnight>a fortnight)\b",
    re.IGNORECASE,
)
_OF_YEAR = {"half": 6, "quarter": 3, "third": 4}
_DAYS_OF_FORTNIGHT = 14
_QUARTER_MINUTES, _THIRD_MINUTES = 15, 20
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PARTS_OF = _COUNTS | {"seven": 7, "nine": 9, "ten": 10}
_MORE = {"a half": Decimal("0.5"), "a quarter": Decimal("0.25"), "three quarters": Decimal("0.75")}


def quantities(text: str) -> list[Quantity]:
    """Every figure of a text, in order; spelled ones among them. Parts of codes and of dates
    are not figures."""
    return list(_read(text) if len(text) <= _SHORT else _found(text))


def _found(text: str) -> tuple[Quantity, ...]:
    written = _figures(text) if _DIGIT.search(text) else ()
    spelled = tuple(_spelled(text)) if ANY_NUMBER_WORD.search(text.lower()) else ()
    if parts := tuple(_parts(text)):
        covered = {at for part in parts for at in range(part.start, part.end)}
        spelled = (*(one for one in spelled if one.start not in covered), *parts)
    found = _with_small_change(sorted((*written, *spelled), key=lambda one: one.start), text)
    return tuple(
        _like_its_end(one, other, text) if other is not None else one
        for one, other in zip_longest(found, found[1:])
    )


def _with_small_change(found: list[Quantity], text: str) -> list[Quantity]:
    """ "Two pounds forty" are £2.40, as one says it."""
    made: list[Quantity] = []
    for one in found:
        whole = made[-1] if made else None
        if whole is not None and _is_small_change(whole, one, text):
            named = _PARTS_NAMED.match(text, one.end)
            end = named.end() if named else one.end
            words = text[whole.start : end]
            value = whole.value + one.value / 100
            made[-1] = replace(whole, value=value, text=words, end=end, digits=3)
        else:
            made.append(one)
    return made


def _is_small_change(whole: Quantity, one: Quantity, text: str) -> bool:
    if whole.measure is not Measure.MONEY or not whole.text[-1:].isalpha():
        return False
    between = text[whole.end : one.start]
    if one.measure is not Measure.NUMBER or one.value >= 100 or between not in (" ", " and "):
        return False
    if _PARTS_NAMED.match(text, one.end):
        return True
    behind = text[one.end : one.end + 1]
    return between == " " and one.text.isalpha() and behind in ("", ".", ",", ";", "?", "!")


def _like_its_end(one: Quantity, other: Quantity, text: str) -> Quantity:
    """In "from 20 to 59 minutes" both are minutes."""
    between = text[one.end : other.start].strip() if other.start - one.end < _NEAR else ""
    before = text[max(one.start - _NEAR, 0) : one.start].rstrip().lower()
    ranged = between in ("to", "–", "-") and before.endswith("from")
    ranged = ranged or (between == "and" and before.endswith("between"))
    pence = text[other.start : other.end].endswith("pence")
    if not ranged or one.measure is not Measure.NUMBER:
        return one
    if not pence and other.measure not in (Measure.DURATION, Measure.PERCENT):
        return one
    value = one.value / 100 if pence else one.value
    return replace(one, value=value, measure=other.measure, unit=other.unit)


# A sentence is held against many others, and a row against many questions.
_read = lru_cache(maxsize=8_192)(_found)


def only_figure(text: str) -> Quantity | None:
    """The figure that a text, such as a cell, consists of; None if there is anything else."""
    found = quantities(text)
    if len(found) != 1 or text.strip(" ()*") not in (found[0].text, f"{found[0].text})"):
        return None
    return found[0]


def _figures(text: str) -> Iterator[Quantity]:
    for match in _FIGURE.finditer(text):
        start, end = match.start("number"), match.end("number")
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        if before.isalnum() or before in "_#" or (before in "-/." and _joined(text, start)):
            continue
        bound = match["scale"] or match["short"] or match["pence"]
        if after.isalpha() and not (bound or _MEASURED.match(text, end)):
            continue
        number = match["number"].replace(",", "").replace("_", "")
        try:
            value = Decimal(number)
        except InvalidOperation:
            continue
        value *= Decimal(10) ** _SCALES.get((match["scale"] or "").lower(), 0)
        if match["pence"]:
            value /= 100
        closed = match["open"] and text[match.end() : match.end() + 1] == ")"
        # "Go to 15 ($4,393,690)" is a remark; in a cell of its own it is a loss.
        closed = closed and text[: match.start()].rstrip(" ")[-1:] in _OF_A_CELL
        if match["minus"] or match["minus2"] or (closed and match["currency"]):
            value = -value
        yield Quantity(
            value,
            _measure(match),
            match.group().strip(" ("),
            match.start(),
            match.end(),
            _unit(match),
            _digits(number, text[max(match.start() - _NEAR, 0) : match.start()]),
        )


def _digits(number: str, before: str) -> int:
    """How many digits are meant: of "about 410" only those before the noughts."""
    written = number.replace(".", "").lstrip("0")
    return len(written.rstrip("0")) if _ABOUT.search(before) else len(written)


def _joined(text: str, start: int) -> bool:
    """Whether a figure hangs on what stands before it: R-04, 2025-09, v1.2."""
    return start >= 2 and text[start - 2].isalnum()


def _measure(match: re.Match[str]) -> Measure:
    if match["percent"]:
        return Measure.PERCENT
    if match["currency"] or match["after"] or match["pence"]:
        return Measure.MONEY
    return Measure.DURATION if match["time"] or match["short"] else Measure.NUMBER


def _unit(match: re.Match[str]) -> str:
    money = (match["currency"] or match["after"] or "").strip().lower()
    if money:
        return _CURRENCIES.get(money, money.upper())
    if match["pence"]:
        return "GBP"
    short = (match["short"] or "").casefold().removesuffix("s")
    # Casefold: the long s of old print is one.
    return _SHORT_TIMES.get(short, (match["time"] or "").casefold())


def _parts(text: str) -> Iterator[Quantity]:
    """ "Three quarters of the ration" are 75 percent of it."""
    if not _ANY_PART.search(text):
        return
    hours: set[int] = set()
    for match in _OF_HOUR.finditer(text):
        unit = (match["unit"] or "minute").lower()
        quarters = 2 if match["half"] else _COUNTS[(match["count"] or "a").lower()]
        value = Decimal(_QUARTER_MINUTES * quarters)
        if match["whole"]:
            value = _COUNTS[match["whole"].lower()] + _MORE[match["more"].lower()]
        elif match["thirds"]:
            value = Decimal(_THIRD_MINUTES * _COUNTS[match["thirds"].lower()])
        if match["year"]:
            value, unit = Decimal(_months(match["year"].lower())), "month"
        if match["fortnight"]:
            value, unit = Decimal(_DAYS_OF_FORTNIGHT), "day"
        place = (match.group(), match.start(), match.end())
        hours.update(range(*match.span()))
        yield Quantity(value, Measure.DURATION, *place, unit=unit, digits=2)
    for match in _PART.finditer(text):
        if match.start() in hours:
            continue
        count = (match["count"] or match["some"] or match["few"] or "").lower()
        part = (match["part"] or match["rough"] or "").lower()
        if not count and part != "half":
            continue
        each = _ONE_OF[part] if part else _PARTS_OF[match["each"].lower()]
        value = Decimal(100 * _PARTS_OF.get(count, 1)) / each
        if value < 100:
            place = (match.group(), match.start(), match.end())
            yield Quantity(value, Measure.PERCENT, *place, digits=2)


def _months(part: str) -> int:
    """Of "half a" year, or of "three quarters of a" year."""
    count = _COUNTS.get(part.split(maxsplit=1)[0], 1)
    return count * next(months for word, months in _OF_YEAR.items() if word in part)


def _spelled(text: str) -> Iterator[Quantity]:
    for match in _SPELLED.finditer(text):
        words = match["words"].lower()
        counts = match["percent"] or match["time"] or match["after"]
        if not counts and words == "one":
            continue
        value = spelled_value(words)
        measure = Measure.NUMBER
        if match["percent"]:
            measure = Measure.PERCENT
        elif match["after"]:
            measure = Measure.MONEY
        elif match["time"]:
            measure = Measure.DURATION
        time = (match["time"] or "").lower()
        unit = _CURRENCIES[match["after"].lower()] if match["after"] else time
        yield Quantity(
            value,
            measure,
            match.group(),
            match.start(),
            match.end(),
            unit,
            len(value.normalize().as_tuple().digits),
        )
