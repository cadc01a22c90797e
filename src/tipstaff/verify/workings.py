"""What a withheld sentence works out rightly: the bare sum, of figures and days that stand at the
places that it cites.

Of what these are and whether they may be taken together nobody has verified; but that £3,480 less
£2,500 are £980 is so whatever they are, and from one day to another it is so many days. So a sum is
told without the sentence, beside the lines that its figures stand in. What could be read in another
way is not told: torn and rough figures, numbers of clauses, other units, days without a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from itertools import combinations, permutations

from tipstaff.facts.moments import Moment, between, moments, nearest
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.durations import in_base, joined
from tipstaff.verify.worked_out import rounds_to

# More figures than these are a table, and some of them make any other.
_MOST, _MOST_SUMMED, _MOST_MOMENTS = 8, 14, 6
_HOURS, _MANY_HOURS = 24, 96
_EXACT_DIGITS = 3
_SIGNS = {"GBP": "£", "EUR": "€", "USD": "$", "JPY": "¥"}
# "12 500", "12'500", "5,25,000", "3.750,85", "6½", "5.4.2024", "£5 4s", and other dollars than one.
_TORN = re.compile(
    r"\d[ \u00a0\u202f'’]\d{3}(?!\d)|\d\s?[½¼¾⅓⅔⅕⅛]|\d\.\d{3},\d|\d,\d{2},\d|"
    r"\d\.\d{1,2}\.\d|\d/\d|\d ?[sd]\b|[A-Z]\$|[₹₽₩₺₴₦₱฿₫]|"
    r"\b(?:CAD|AUD|NZD|HKD|SGD|ZAR|HUF|CZK|RON|TRY|INR|CNY|BRL)\b"
)
_SCALED = re.compile(
    r"[\(£€$’' ](?:in )?(?:thousands|millions|000s?)\b|\b(?:thousands|millions) of\b|[’']000",
    re.IGNORECASE | re.ASCII,
)
_ROUGH = re.compile(
    r"(?:\b(?:about|around|nearly|almost|roughly|approximately|approx\.?|some|circa|ca?\.|close to|"
    r"just (?:under|over)|at least|at most|up to|over|under|(?:more|less|fewer|later|earlier) than|"
    r"within)|[~≈<>≥≤±])\s*$",
    re.IGNORECASE | re.ASCII,
)
# "£980 more than £2,500": by how much is said.
_COMPARED = re.compile(
    r"\d[\w%.,]*(?: \w+){0,2} (?:more|less|fewer|later|earlier) than\s*$",
    re.IGNORECASE | re.ASCII,
)
# At a place a bound is a figure like others.
_ABOUT = re.compile(
    r"(?:\b(?:about|around|nearly|almost|roughly|approximately|approx\.?|some|circa|ca?\.|close to|"
    r"just (?:under|over))|[~≈±])\s*$",
    re.IGNORECASE | re.ASCII,
)
_LABELLED = re.compile(
    r"(?:\b(?:clauses?|sections?|articles?|paragraphs?|rules?|parts?|items?|pages?|nos?\.?|numbers?|"
    r"figures?|tables?|schedules?|annex|chapters?|points?|lines?|rows?|version|phase|week|day|year|"
    r"level|grade|stage|step|room|lot|unit|block|bay|berth|class|group|minutes)"
    r"(?: \d[\d.]*(?:,| and| to|[-–]))*|[§#])\s*$",
    re.IGNORECASE | re.ASCII,
)
_WORKS = re.compile(
    r"\b(?:together|altogether|in all|in total|total\w*|sums?|comes?|came|add(?:s|ed)?|amounts?|"
    r"amounted|makes?|made|more|less|fewer|higher|lower|longer|shorter|dearer|cheaper|above|below|"
    r"differ\w*|leav(?:es?|ing)|left|remain\w*|minus|plus|exceed\w*|short|shortfall|surplus|reduc\w+|"
    r"gain\w*|rose|rise|grew|fell|increase\w*|decrease\w*|times|multipl\w+|gap|balance|apart|share|"
    r"percent|per cent|of)\b|%",
    re.IGNORECASE | re.ASCII,
)
_ADDS = re.compile(
    r"\b(?:together|altogether|in all|in total|total(?:s|led|ling)?|sums?|(?:comes?|came|adds? up|"
    r"added up|amounts?|amounted) to|makes?|made)\b",
    re.IGNORECASE | re.ASCII,
)
_MORE = re.compile(
    r" (?:more|less|fewer|higher|lower|longer|shorter|later|earlier)\b", re.IGNORECASE | re.ASCII
)
# What a sum of money is for each of: "for each Day", "a sample", "each".
_RATE = re.compile(
    r"\s*(?:(?:for )?(?:each|every)|per|an?)\s+(?:full |whole )?(?P<of>[a-z]+)|"
    r"\s+(?P<each>each|apiece)\b",
    re.IGNORECASE | re.ASCII,
)
_NOUN = re.compile(r"\s?(?P<noun>(?:percentage points?|[A-Za-z°²³]+))")
_SHORT_UNIT = 3
_OF = re.compile(r"\s+of\b", re.IGNORECASE | re.ASCII)
# That one time is held against another.
_COMPARES = re.compile(
    r"\b(?:after|before|within|later|earlier|late|in time|too (?:late|soon|early)|expired|lapsed|"
    r"overdue|out of time)\b",
    re.IGNORECASE | re.ASCII,
)
_RANGE = re.compile(r"\s*(?:to|until|till|and|through|[-–])\s*", re.IGNORECASE | re.ASCII)
_INCLUSIVE = re.compile(r"\b(?:inclusive|included|including|both days)\b", re.IGNORECASE | re.ASCII)
_OTHER_DAYS = re.compile(
    r"\b(?:work(?:ing|s)?|business|bank(?:ing)?|clear|week|court|trading)[\s-]*days?\b|"
    r"\bwork-?days?\b|\bdays on which\b",
    re.IGNORECASE | re.ASCII,
)
_OTHER_DAY = re.compile(
    r"\b(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)(?:day|nesday|urday)?\b|\bovernight\b|\bmidnight\b|"
    r"\b(?:next|following|previous|same|day|morning|evening) (?:day|morning|before|after)\b|"
    r"\b(?:yesterday|tomorrow)\b|\d{1,2}[./]\d{1,2}[./]\d",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Working:
    """A sum in words, and what of it stands in the context."""

    text: str
    of: tuple[Quantity | Moment, ...]


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure with what it counts: its unit, its currency, or the noun behind it."""

    quantity: Quantity
    kind: str

    @property
    def value(self) -> Decimal:
        return in_base(self.quantity)

    @property
    def measure(self) -> Measure:
        return self.quantity.measure


def workings(statement: str, told: Sequence[str]) -> list[Working]:
    """The sums of a statement that come out, of figures and times that stand in what is told."""
    found = [*_sums(statement, told), *_spans(statement, told)]
    return list({one.text: one for one in found}.values())


def _sums(statement: str, told: Sequence[str]) -> Iterator[Working]:
    if not _WORKS.search(statement) or _TORN.search(statement):
        return
    if _SCALED.search(statement):
        return
    told = [text for text in told if not _SCALED.search(text)]
    stand = [(text, _figures(text, _ABOUT)) for text in told]
    own = _figures(statement, _ROUGH)
    others = [one for one in own if one.value and _stands(one, stand)]
    figures = [one for one in own if one not in others and not one.quantity.text.isalpha()]
    told_any = False
    for figure in figures:
        if how := _comes_out(figure, others, statement, told):
            # A figure that has been worked out may be worked with.
            others.append(figure)
            told_any = True
            yield how
    for figure in others if _ADDS.search(statement) and not told_any else ():
        # What a sum comes to may stand there itself.
        left = [one for one in others if one is not figure and one.kind == figure.kind]
        if len(left) == len(others) - 1 and (how := _total_of(left, figure, statement)):
            yield how
            break


def _figures(text: str, rough: re.Pattern[str]) -> list[_Figure]:
    """Those that can be reckoned with: neither rough nor numbers of clauses."""
    every = joined(outside_dates(quantities(text), text), text)
    return [
        _Figure(one, _kind(one, text))
        for one in every
        if (
            not rough.search(before := text[max(0, one.start - 40) : one.start])
            or _COMPARED.search(before)
        )
        and not _LABELLED.search(before)
    ]


def _kind(figure: Quantity, text: str) -> str:
    if figure.measure is Measure.PERCENT:
        return "%"
    if figure.measure is Measure.MONEY:
        return figure.unit
    if figure.measure is Measure.DURATION:
        other = _OTHER_DAYS.search(figure.text) or _OTHER_DAYS.match(text[figure.start :])
        return f"{'other ' if other else ''}{figure.unit}"
    if _MORE.match(text, figure.end):
        return ""
    noun = _NOUN.match(text, figure.end)
    return _singular(noun["noun"]) if noun else ""


def _singular(noun: str) -> str:
    return "".join(terms(noun)[:1]) or noun.lower()


def _stands(figure: _Figure, stand: Sequence[tuple[str, Sequence[_Figure]]]) -> bool:
    """Whether a place has a figure; of money the cell may have it bare, under "damages_gbp"."""
    if any(_is_same(figure, one) for _, some in stand for one in some):
        return True
    money = figure.measure is Measure.MONEY and figure.quantity.digits >= _EXACT_DIGITS
    return money and any(
        one.measure is Measure.NUMBER and one.quantity.value == figure.quantity.value
        for text, some in stand
        for one in some
        if _names_currency(text, figure.kind)
    )


def _names_currency(text: str, currency: str) -> bool:
    sign = _SIGNS.get(currency)
    if sign is not None and sign in text:
        return True
    return bool(re.search(rf"(?<![A-Za-z]){currency}(?![A-Za-z])", text, re.IGNORECASE))


def _is_same(one: _Figure, other: _Figure) -> bool:
    """Whether a figure of a statement is one of a place: a cell may leave out its unit, and what a
    bare number counts stands in its header."""
    if one.quantity.value != other.quantity.value or one.measure is not other.measure:
        return one.value == other.value and one.measure is other.measure is Measure.DURATION
    return one.measure is Measure.NUMBER or one.kind == other.kind


def _comes_out(
    figure: _Figure, others: Sequence[_Figure], statement: str, told: Sequence[str]
) -> Working | None:
    for alike in _alike(figure, others, statement):
        if how := _total_of(alike, figure, statement):
            return how
        if len(alike) <= _MOST and (how := _apart(alike, figure, statement)):
            return how
    return _product(figure, others, statement, told) if len(others) <= _MOST else None


def _alike(figure: _Figure, others: Sequence[_Figure], statement: str) -> Iterator[list[_Figure]]:
    """Those of the same kind; for "4 more" the kinds that there are two of."""
    if figure.measure is Measure.NUMBER and _MORE.match(statement, figure.quantity.end):
        kinds = dict.fromkeys(one.kind for one in others if one.kind not in ("%", ""))
        for kind in kinds:
            yield [one for one in others if one.kind == kind and one.measure is not Measure.MONEY]
    elif figure.kind:
        yield [one for one in others if one.kind == figure.kind]


def _value(figure: _Figure, among: Sequence[_Figure]) -> Decimal:
    """ "4 more", of days."""
    if figure.measure is Measure.NUMBER and among[0].measure is Measure.DURATION:
        return figure.quantity.value * among[0].value / among[0].quantity.value
    return figure.value


def _total_of(figures: Sequence[_Figure], result: _Figure, statement: str) -> Working | None:
    summed = [one for one in figures if not one.quantity.text.isalpha()]
    if not 1 < len(summed) <= _MOST_SUMMED or not _ADDS.search(statement):
        return None
    if _total(summed) != _value(result, summed):
        return None
    return _told(" + ", summed, result, statement)


def _apart(alike: Sequence[_Figure], figure: _Figure, statement: str) -> Working | None:
    """What is left of the first, what two differ by, or a sum of some."""
    summed = [one for one in alike if not one.quantity.text.isalpha()]
    if len(summed) > 2:
        first = max(summed, key=lambda one: one.value)
        rest = [one for one in summed if one is not first]
        if first.value - _total(rest) == _value(figure, summed):
            return _told(" − ", [first, *rest], figure, statement)
    for one, other in combinations(alike, 2):
        less, more = sorted((one, other), key=lambda two: two.value)
        if more.value - less.value == _value(figure, alike):
            return _told(" − ", (more, less), figure, statement)
    for count in range(2, len(summed)) if _ADDS.search(statement) else ():
        for some in combinations(summed, count):
            if _total(some) == _value(figure, summed):
                return _told(" + ", some, figure, statement)
    return None


def _total(figures: Sequence[_Figure]) -> Decimal:
    return sum((one.value for one in figures), Decimal(0))


def _product(
    figure: _Figure, others: Sequence[_Figure], statement: str, told: Sequence[str]
) -> Working | None:
    if figure.measure is Measure.PERCENT:
        return _share(figure, others, statement)
    for one, other in permutations(others, 2):
        if one.measure is Measure.PERCENT and other.kind == figure.kind != "":
            if figure.measure is not Measure.DURATION and _is_part(one, figure, other, statement):
                return _told(" of ", (one, other), figure, statement)
        elif (
            one.measure is figure.measure is Measure.MONEY
            and one.kind == figure.kind
            and one.quantity.value * other.quantity.value == figure.quantity.value
            and _is_rate(one, other, (statement, *told))
        ):
            return _told(" × ", (other, one), figure, statement)
    return _parts_of(figure, others, statement)


def _is_part(share: _Figure, part: _Figure, whole: _Figure, statement: str) -> bool:
    """Whether it is said of what so many per cent are, and they come to that."""
    value = share.value * whole.value / 100
    exact = value == part.value
    return bool(_OF.match(statement, share.quantity.end)) and (
        exact or (part.quantity.digits >= _EXACT_DIGITS and rounds_to(value, part.quantity))
    )


def _share(figure: _Figure, others: Sequence[_Figure], statement: str) -> Working | None:
    for part, whole in permutations(others, 2):
        if part.kind == whole.kind != "" and part.measure not in (
            Measure.PERCENT,
            Measure.DURATION,
        ):
            share = part.value / whole.value * 100
            if share < 100 and rounds_to(share, figure.quantity):
                return _told(" ÷ ", (part, whole), figure, statement, exact=share == figure.value)
    return None


def _parts_of(figure: _Figure, others: Sequence[_Figure], statement: str) -> Working | None:
    """ "25% of £4,275 and 40% of £6,720 come to £3,756.75"."""
    pairs = list(zip(others[::2], others[1::2], strict=False))
    if len(others) % 2 or len(pairs) < 2:
        return None
    if not all(
        share.measure is Measure.PERCENT
        and whole.kind == figure.kind != ""
        and _OF.match(statement, share.quantity.end)
        for share, whole in pairs
    ):
        return None
    if sum((s.value * w.value / 100 for s, w in pairs), Decimal(0)) != figure.value:
        return None
    words = " + ".join(f"{_written(s, statement)} of {_written(w, statement)}" for s, w in pairs)
    told = tuple(one.quantity for one in others)
    return Working(f"{words} = {_written(figure, statement)}", told)


def _is_rate(money: _Figure, count: _Figure, texts: Sequence[str]) -> bool:
    """Whether the money is said to be for each of what is counted."""
    if count.measure not in (Measure.NUMBER, Measure.DURATION):
        return False
    for text in texts:
        for one in quantities(text):
            if one.measure is not Measure.MONEY or one.value != money.quantity.value:
                continue
            rate = _RATE.match(text, one.end)
            if rate is not None and (rate["each"] or _singular(rate["of"]) == _unit(count)):
                return True
    return False


def _unit(count: _Figure) -> str:
    return _singular(count.quantity.unit) if count.measure is Measure.DURATION else count.kind


def _told(
    sign: str,
    figures: Sequence[_Figure],
    result: _Figure,
    statement: str,
    *,
    exact: bool = True,
) -> Working:
    words = sign.join(_written(one, statement) for one in figures)
    if sign == " of ":
        exact = figures[0].value * figures[1].value / 100 == result.value
    ending = _written(result, statement)
    if sign == " − " and result.measure is Measure.PERCENT:
        # 20% − 15% are not 5% of anything.
        ending = f"{result.quantity.value:f} percentage points"
    equals = "=" if exact else "≈"
    return Working(f"{words} {equals} {ending}", tuple(one.quantity for one in figures))


def _written(figure: _Figure, statement: str) -> str:
    """As it stands there; a number with the short unit behind it."""
    one = figure.quantity
    text = f"{one.value:f}" if one.text.strip().isalpha() else one.text.strip()
    unit = _NOUN.match(statement, one.end) if figure.measure is Measure.NUMBER else None
    short = unit is not None and len(unit["noun"]) <= _SHORT_UNIT and _is_unit(unit["noun"])
    return text + (unit.group() if unit and short else "")


def _is_unit(word: str) -> bool:
    return word in (
        "km",
        "m",
        "cm",
        "mm",
        "kg",
        "g",
        "mg",
        "t",
        "l",
        "ml",
        "ha",
        "kW",
        "kWh",
        "MWh",
        "bar",
        "°C",
    )


def _spans(statement: str, told: Sequence[str]) -> Iterator[Working]:
    """The time between two days, or two times of day, that a statement compares."""
    stated = _stated(statement)
    compares = bool(_COMPARES.search(statement)) and not stated
    if not compares and not stated:
        return
    by_text = [moments(text) for text in told]
    named = [one for some in by_text for one in some]
    lengths = {one for text in told for one in _lengths(text)}
    own = [one.with_year_of(named) for one in moments(statement)]
    if len(own) > _MOST_MOMENTS:
        return
    pairs = [pair for pair in combinations(own, 2) if pair[0].is_day == pair[1].is_day]
    found = []
    for first, second in pairs:
        stand = [_is_named(one, named) for one in (first, second)]
        if (all(stand) or (any(stand) and stated & lengths)) and _are_of_one_zone(
            first, second, named
        ):
            found.append((first, second))
    for first, second in found:
        if first.is_day and any(map(_OTHER_DAYS.search, (statement, *told))):
            # Of those nothing is known, and others beside them would mislead.
            continue
        if not first.is_day and not _are_of_one_day(first, second, statement, told, by_text):
            continue
        span = between(first, second)
        by_length = span is None or not first.is_day or _is_range(first, second, statement)
        span = span if span is not None else nearest(first, second)
        if not span:
            continue
        is_stated = Decimal(int(abs(span).total_seconds())) in stated
        if is_stated or (compares and not by_length and len(found) == 1):
            yield _from_to(*((first, second) if span > timedelta(0) else (second, first)), span)


def _is_named(one: Moment, named: Sequence[Moment]) -> bool:
    """Whether a moment stands there; its year may stand with another day."""
    if one.is_in(named):
        return True
    bare = [other for other in named if not other.year]
    return any(other.year == one.year for other in named) and one.in_any_year().is_in(bare)


def _are_of_one_zone(first: Moment, second: Moment, named: Sequence[Moment]) -> bool:
    zones = {other.zone for one in (first, second) for other in named if one.is_in([other])}
    return first.clock is None or len(zones) <= 1


def _is_range(first: Moment, second: Moment, statement: str) -> bool:
    """ "Closed from 18 to 20 May" and "18 to 20 May inclusive" are more than lies between."""
    apart = statement[first.end : second.start]
    return bool(_RANGE.fullmatch(apart) or _INCLUSIVE.search(statement))


def _are_of_one_day(
    first: Moment,
    second: Moment,
    statement: str,
    told: Sequence[str],
    by_text: Sequence[Sequence[Moment]],
) -> bool:
    """Whether no two days are named where these times of day stand."""
    having = [
        (text, some)
        for text, some in zip(told, by_text, strict=True)
        if any(one.is_in(some) for one in (first, second))
    ]
    days = {one.day for _, some in having for one in some if one.is_day}
    texts = (statement, *(text for text, _ in having))
    return len(days) <= 1 and not any(map(_OTHER_DAY.search, texts))


def _stated(statement: str) -> set[Decimal]:
    """How long it is said to have been, in seconds; a limit is none."""
    every = joined(outside_dates(quantities(statement), statement), statement)
    return {in_base(one) for one in every if _is_length(one) and not _is_limit(one, statement)}


def _lengths(text: str) -> set[Decimal]:
    every = joined(outside_dates(quantities(text), text), text)
    return {in_base(one) for one in every if _is_length(one)}


def _is_length(figure: Quantity) -> bool:
    return figure.measure is Measure.DURATION and figure.unit not in ("month", "quarter", "year")


def _is_limit(figure: Quantity, statement: str) -> bool:
    """ "Within 30 days", "the 12 hours allowed": what it is held against, not how long it was."""
    before = statement[: figure.start]
    return bool(_ROUGH.search(before) or re.search(r"\bthe (?:\w+ ){0,2}$", before))


def _from_to(first: Moment, second: Moment, span: timedelta) -> Working:
    return Working(f"From {first.text} to {second.text}: {_length(abs(span))}", (first, second))


def _length(span: timedelta) -> str:
    hours, seconds = divmod(int(span.total_seconds()), 3600)
    minutes, seconds = divmod(seconds, 60)
    days = 0
    if hours >= _MANY_HOURS or not (hours % _HOURS or minutes or seconds):
        days, hours = divmod(hours, _HOURS)
    parts = ((days, "day"), (hours, "hour"), (minutes, "minute"), (seconds, "second"))
    return " ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in parts if count)
