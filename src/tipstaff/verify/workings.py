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
from decimal import Decimal
from itertools import combinations, permutations

from tipstaff.facts.moments import Moment
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.durations import in_base, joined
from tipstaff.verify.spans import OTHER_DAYS, ROUGH, spans
from tipstaff.verify.worked_out import rounds_to

# More figures than these are a table, and some of them make any other.
_MOST, _MOST_SUMMED = 8, 14
# In characters: a sentence, and a line that one can look at.
_LONGEST, _LONGEST_TOLD = 1_000, 8_000
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
    if len(statement) > _LONGEST:
        return []
    told = [text for text in told if len(text) <= _LONGEST_TOLD]
    times = (Working(text, of) for text, of in spans(statement, told))
    found = [*_sums(statement, told), *times]
    return list({one.text: one for one in found}.values())


def _sums(statement: str, told: Sequence[str]) -> Iterator[Working]:
    if not _WORKS.search(statement) or _TORN.search(statement):
        return
    if _SCALED.search(statement):
        return
    told = [text for text in told if not _SCALED.search(text)]
    stand = [(text, _figures(text, _ABOUT)) for text in told]
    own = _figures(statement, ROUGH)
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
        other = OTHER_DAYS.search(figure.text) or OTHER_DAYS.match(text[figure.start :])
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
