"""Whether the figures of a claim stand in what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache

from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.durations import SECONDS, in_base, joined
from tipstaff.verify.measures import EACH, measured_in, named_units, rate_behind


def figures_missing_from(claim: str, passages: Sequence[str]) -> list[str]:
    """The figures that a claim states and none of the cited passages does, as written."""
    known = [figure for passage in passages for figure in quantities(passage)]
    return [figure.text for figure in quantities(claim) if not _is_among(figure, known)]


def _is_among(figure: Quantity, known: Sequence[Quantity]) -> bool:
    return any(figure.value == other.value for other in known)


_SCALES = (
    (Decimal(1000), "thousand"),
    (Decimal(1_000_000), "million"),
    (Decimal(10**9), "billion"),
)
# A column of rates has its sign at its head.
RATE = re.compile(r"%|\bpercent|pct\b|_pct|per cent|\bsoc\b|_soc\b")


# The unit at the end of a key, or in brackets at the head of a row: timeout_ms, "length (minutes)".
_KEY_UNIT = re.compile(r"_(ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?)[\s\"'=:]{1,5}$")
_ROW_UNIT = re.compile(r"\((ms|seconds|minutes|hours|days)\)")
_KEY_SECONDS = {
    "ms": Decimal("0.001"), "s": Decimal(1), "sec": Decimal(1), "min": Decimal(60),
    "h": Decimal(3600),
}  # fmt: skip
_NOTHING = Decimal("0.000001")
_LABELS = frozenset(
    terms(
        "clause section week day site unit phase step version release chapter table item option "
        "paragraph article part level grade stage class group arm page line point rule amendment "
        "draft revision annex appendix schedule"
    )
)
# The word before a figure, and what else is counted with it: "lines 2 to" 6.
_LABELLED = re.compile(r"([^\W\d_]+)(?: \d+(?:,| to| and| or))* $")
_DEDUCTED = re.compile(r"\b(?:discount|rebate|credit|deduct|deduction|allowance)", re.IGNORECASE)
_MEGA_OR_MILLI = {("volume", Decimal(1_000_000)), ("volume", Decimal("0.001"))}
_THESE_MONTHS = re.compile(r"\b(?:same|these|those|the) three months$", re.IGNORECASE)
_SCALED = re.compile(r"thousand|[mb]illion|[\d ](?:k|m|bn|mn)\b", re.IGNORECASE)
_HALF = re.compile(r"(?<!first )(?<!second )(?<![\w-])half (?!past|of the (?:year|month)|year)")
# What may be more or less than nothing: its sign is what matters.
_HAS_A_SIGN = re.compile(
    r"\b(?:gain|profit|loss|surplus|deficit|income|revenue|earn|credit|receiv|positive|result|"
    r"balance|net|margin|flow|change|differ|varian|deviat|growth|return|equity|total|sum)\w*",
    re.IGNORECASE,
)
_PENCE = re.compile(r"\bpence\b")
_CENTS = re.compile(r"(?<!per )(?<![a-z])cents?\b")
_COUNTS = re.compile(r"\s+(?:of\b|[a-z]{3,}s\b)")
_NEARLY = 3
_HALF_PERCENT = Decimal("0.5")
_PARTS_OF_HUNDRED = {
    Decimal(25): "a quarter", Decimal(20): "a fifth", Decimal(50): "half", Decimal(10): "a tenth",
}  # fmt: skip
# A label stands so near to its number.
_NEAR = 60
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|some|close to|"
    r"just (?:under|over|above|below)|"
    r"(?:slightly|a little) (?:more|less|over|under)(?: than)?)\s*$",
    re.IGNORECASE,
)

_UNDER = re.compile(r"\b(?:under|below|less than|almost|nearly)\s*$", re.IGNORECASE)
_OVER = re.compile(r"\b(?:over|above|more than)\s*$", re.IGNORECASE)


def is_label(figure: Quantity, said: str, known: Iterable[str]) -> bool:
    """Whether a figure only tells one of several things: Amendment 1, clause 3.2, week_16."""
    before = _LABELLED.search(said[max(figure.start - _NEAR, 0) : figure.start])
    if before is None or before[1].lower() in STOP_WORDS:
        # "In seven cases" begins with a capital, and "in" is no name.
        return False
    named = before[1][0].isupper() or not _LABELS.isdisjoint(terms(before[1]))
    label = before.group().strip()
    return any(
        (named and _labelled(label, figure.text, text)) or _is_cell(label, figure.text, text)
        for text in known
    )


@lru_cache(maxsize=4096)
def _labelled(label: str, number: str, text: str) -> bool:
    if number not in text:
        return False
    plain, sought = text.lower().replace("_", " "), f"{label.lower()} {number.lower()}"
    at = plain.find(sought)
    while at >= 0:
        behind = plain[at + len(sought) : at + len(sought) + 2]
        goes_on = len(behind) > 1 and (behind[0].isalnum() or behind[0] == ".")
        if not plain[at - 1 : at].isalnum() and not (goes_on and behind[1].isdigit()):
            return True
        at = plain.find(sought, at + 1)
    return False


@lru_cache(maxsize=4096)
def _is_cell(label: str, number: str, text: str) -> bool:
    """ "Severity: 1" is severity 1."""
    if number not in text:
        return False
    cells = f"; {text.lower()};".replace("\n", "; ")
    return f"; {label.lower()}: {number.lower()};" in cells


def stated_in(
    figure: Quantity, said: str, known: Sequence[Quantity], words: str, around: str = ""
) -> bool:
    """Whether a figure of `said` is among those of the evidence's `words`, in whatever form: $3.4M
    is $3,400,000, 60 minutes are one hour, 48,620 under "$ thousands" is $48.62 million. A
    percentage is never a plain number, a currency never another, a millimetre no centimetre.
    `around` are the words beside them."""
    if not known:
        return False
    told = _in_small_letters(words, around)
    unit = measured_in(said, figure.end)
    if in_base(figure) in _added(figure, known, words) or _is_share(figure, known, words):
        return True
    if _is_told_in_words(figure, said, told):
        return True
    for other in known:
        if _is_timed_by_key(figure, other, words) or _is_deducted(figure, other, said, words):
            return True
        alike = _comparable(figure, other, told, said)
        if not alike or _is_of_other_kind(figure, other, said, words, told):
            continue
        theirs = measured_in(words, other.end)
        if unit and theirs:
            if _are_equal(figure.value, unit, other.value, theirs):
                return True
            if {unit, theirs} == _MEGA_OR_MILLI and "megalit" in told:
                # A header in small letters does not tell which "ml" is meant.
                return figure.value == other.value
            continue
        if unit and unit[1] not in named_units(told).get(unit[0], _unsaid(unit)):
            # "length_km: 14.2" is not in miles.
            continue
        if _is_as_much(figure, other, said, told):
            return True
    return False


def _is_told_in_words(figure: Quantity, said: str, told: str) -> bool:
    """What rose by a quarter rose by 25 percent; a quarter of a year is three months."""
    if figure.text.lower() == "half" and _HALF.search(told):
        return True
    if "quarter" in told and _THESE_MONTHS.search(said[: figure.end]):
        return True
    part = _PARTS_OF_HUNDRED.get(figure.value) if figure.measure is Measure.PERCENT else None
    # "By half past nine" nothing rose.
    return part is not None and bool(re.search(rf"\bby {part}\b(?! (?:past|to|an hour))", told))


@lru_cache(maxsize=4096)
def _in_small_letters(words: str, around: str) -> str:
    return f"{words}\n{around}".lower()


def _unsaid(unit: tuple[str, Decimal]) -> set[Decimal]:
    """The units that a bare figure may be in: of a setting nobody knows whether it is in seconds
    or in thousandths of them."""
    return set() if unit[0] == "short time" else {unit[1]}


def _are_equal(
    value: Decimal, unit: tuple[str, Decimal], other: Decimal, theirs: tuple[str, Decimal]
) -> bool:
    return unit[0] == theirs[0] and value * unit[1] == other * theirs[1]


def _is_as_much(figure: Quantity, other: Quantity, said: str, told: str) -> bool:
    bare = figure.measure is not other.measure and figure.value == other.value
    same = bare or in_base(figure) == in_base(other) or _is_in_parts(figure, other, told)
    same = same or _is_third(figure, other)
    same = same or (
        _CENTS.match(said[figure.end :].lstrip().lower()) is not None
        and other.measure is Measure.MONEY
        and other.value * 100 == figure.value
    )
    if same or _is_about(figure, in_base(other), other.measure, said):
        return True
    if _SCALED.search(other.text):
        # "$740 thousand" are not to be taken a thousand times again.
        return False
    return any(
        word in told
        and (
            figure.value in (other.value * scale, other.value / scale)
            or _is_about(figure, other.value * scale, other.measure, said)
        )
        for scale, word in _SCALES
    )


def _is_third(figure: Quantity, other: Quantity) -> bool:
    """A third has no last digit: 33 percent are one."""
    if figure.measure is not Measure.PERCENT or other.measure is not Measure.PERCENT:
        return False
    endless = figure.value % 1 and figure.text[0].isalpha()
    endless = endless or (other.value % 1 and other.text[0].isalpha())
    return bool(endless) and abs(figure.value - other.value) <= _HALF_PERCENT


def _is_of_other_kind(figure: Quantity, other: Quantity, said: str, words: str, told: str) -> bool:
    """Twenty pounds of money are no twenty kilos, and what is paid once is not paid every year."""
    if figure.measure is Measure.MONEY and measured_in(words, other.end) is not None:
        return True
    return _is_of_other_rate(rate_behind(said, figure.end), rate_behind(words, other.end), told)


def _is_of_other_rate(rate: str, theirs: str, told: str) -> bool:
    """What is paid once is not paid every year, and a jar is no kilogram."""
    if EACH in (rate, theirs) and " " in rate and " " in theirs:
        return rate != theirs
    rate, theirs = rate.replace(EACH, ""), theirs.replace(EACH, "")
    if rate and theirs:
        return rate != theirs
    # What is so much for each kilogram may be so much "£/kg" at the head of a column.
    return bool(rate) and " " not in rate and rate not in told


def _added(figure: Quantity, known: Sequence[Quantity], words: str) -> set[Decimal]:
    """ "One hour and ten minutes" are 70 minutes."""
    if figure.measure is not Measure.DURATION:
        return set()
    return {in_base(one) for one in joined(known, words) if one not in known}


def _is_timed_by_key(figure: Quantity, other: Quantity, words: str) -> bool:
    """8 seconds are "timeout_ms = 8000"."""
    if figure.measure is not Measure.DURATION or other.measure is not Measure.NUMBER:
        return False
    behind = measured_in(words, other.end)
    if behind and behind[0] == "short time":
        return abs(in_base(figure) - other.value * behind[1]) < _NOTHING
    unit = _KEY_UNIT.search(words[: other.start]) or _ROW_UNIT.search(words)
    if unit is None:
        return False
    name = unit[1] if unit[1] in _KEY_SECONDS else unit[1].removesuffix("s")
    return in_base(figure) == other.value * (_KEY_SECONDS.get(name) or SECONDS[name])


def _is_share(figure: Quantity, known: Sequence[Quantity], words: str) -> bool:
    """20 percent are `discount: 0.2`."""
    return figure.measure is Measure.PERCENT and any(
        one.measure is Measure.NUMBER and 0 < one.value < 1 and one.value * 100 == figure.value
        for one in known
        if not measured_in(words, one.end)
    )


def _is_in_parts(figure: Quantity, other: Quantity, told: str) -> bool:
    """In "from 46 to 49 pence" both are pence, and `fee_cents: 200` are 2 euros."""
    money, bare = (figure, other) if figure.measure is Measure.MONEY else (other, figure)
    if money.measure is not Measure.MONEY or bare.measure is not Measure.NUMBER:
        return False
    parts = _PENCE if money.unit == "GBP" else _CENTS
    return money.value * 100 == bare.value and bool(parts.search(told))


def _is_deducted(figure: Quantity, other: Quantity, said: str, words: str) -> bool:
    """A discount of $500 is written as -500."""
    if figure.value <= 0 or figure.value != -other.value:
        return False
    if figure.measure is Measure.MONEY is other.measure and ";" in words:
        # In accounts what is spent is written as less than nothing; a change, or a result, is not.
        head = words[: other.start].rsplit(";", 1)[-1]
        row = words.rsplit("\n", 1)[-1].split(";", 1)[0]
        return not any(map(_HAS_A_SIGN.search, (said, head, row)))
    return bool(_DEDUCTED.search(said) and _DEDUCTED.search(words))


def _is_about(figure: Quantity, value: Decimal, measure: Measure, said: str) -> bool:
    """ "About $3.82 million" are $3,820,600: as exact as it is written."""
    if not figure.value or not _ABOUT.search(said[: figure.start]):
        return False
    if (_UNDER.search(said[: figure.start]) and value > in_base(figure)) or (
        _OVER.search(said[: figure.start]) and value < in_base(figure)
    ):
        return False
    if figure.measure is Measure.PERCENT is measure and figure.text[0].isalpha():
        # "Just under half" are 49 percent.
        return abs(value - figure.value) <= _NEARLY
    step = Decimal(10) ** (figure.value.copy_abs().adjusted() - max(figure.digits, 2) + 1)
    return abs(value - in_base(figure)) <= step / 2


def same_measure(one: Quantity, other: Quantity) -> bool:
    """Whether two figures could be taken for one another."""
    kinds = {one.measure, other.measure}
    return len(kinds) == 1 or kinds == {Measure.MONEY, Measure.NUMBER}


def _comparable(one: Quantity, other: Quantity, told: str, said: str) -> bool:
    if Measure.PERCENT in (one.measure, other.measure):
        bare = Measure.NUMBER in (one.measure, other.measure)
        return one.measure is other.measure or (bare and bool(RATE.search(told)))
    if Measure.DURATION in (one.measure, other.measure):
        unit = one.unit or other.unit
        if one.measure is Measure.NUMBER and _COUNTS.match(said, one.end):
            # Six of them are no six months.
            return False
        return one.measure is other.measure or (
            # "Announced for nine months and took fourteen."
            Measure.NUMBER in (one.measure, other.measure)
            and bool(re.search(rf"(?<![a-z]){unit}", told))
        )
    money = one.measure is other.measure is Measure.MONEY
    return not money or one.unit == other.unit
