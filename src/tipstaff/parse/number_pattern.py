"""The digits of a number format: `#,##0.00`, `0%`, `# ?/?`, `0.00E+00`, `000-00-0000`.

A pattern comes in and a function from numbers, from zero up, to text goes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from tipstaff.parse.date_format import Piece

# Half a unit of the 15th digit decides ties as decimal arithmetic does: 1.005 is 1.01.
TIES_UP = 1 + 1e-15

_DIGITS = frozenset("0#?")
_NUMBER = re.compile(r"[0#?.](?:[0#?.,/ ]*[0#?.,])?(?:/\d+)?(?:[eE][+-]0+)?")
_SIMPLE = re.compile(r"(#,##|#*)0(?:\.(0{0,20}))?")

Render = Callable[[float], "str | None"]


def general(raw: str) -> str:
    """A number without a format: ten digits, and whole numbers in full."""
    if raw.isdigit() and len(raw) < 16 and (raw[0] != "0" or raw == "0"):
        return raw
    number = float(raw)
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.10G}"


def number_renderer(pieces: tuple[Piece, ...]) -> Render:
    """Patterns with text between their digits are filled from the right; all others become
    one call of `format`."""
    around = _around_digits(pieces)
    if around is None:
        words = "".join(text for _, text in pieces)
        if "general" in words.lower():
            return lambda x: re.sub("(?i)general", general(repr(x)), words)
        return (lambda x: general(repr(x))) if "@" in words else lambda _: words
    before, digits, after = around
    if _DIGITS & set(digits.rpartition("\0")[2]) and "\0" in digits:
        return _filled(before, digits.replace("\0", ""), after)
    shown = _digits_renderer(digits, percents=_percents(pieces))
    return lambda x: before + shown(x) + after


def simple_pattern(pieces: tuple[Piece, ...]) -> tuple[str, str, str, float] | None:
    """What most formats are: text, a specification for `format`, text, and a factor."""
    around = _around_digits(pieces)
    match = _SIMPLE.fullmatch(around[1]) if around else None
    if around is None or match is None:
        return None
    spec = f"{',' if ',' in match[1] else ''}.{len(match[2] or '')}f"
    return around[0].lstrip(), spec, around[2].rstrip(), 100.0 ** _percents(pieces) * TIES_UP


def _around_digits(pieces: tuple[Piece, ...]) -> tuple[str, str, str] | None:
    """Text, digits, text; digits with text in their midst hold a NUL before that text."""
    patterns = [
        index
        for index, (kind, text) in enumerate(pieces)
        if kind == "pattern" and _DIGITS & set(text)
    ]
    if not patterns:
        return None
    before = "".join(text for _, text in pieces[: patterns[0]])
    after = "".join(text for _, text in pieces[patterns[-1] + 1 :])
    middle = "".join(text for _, text in pieces[patterns[0] : patterns[-1] + 1])
    digits = _NUMBER.search(middle)
    if digits is None:
        return None
    before += middle[: digits.start()]
    rest = middle[digits.end() :]
    if _DIGITS & set(rest):
        return before, digits[0] + "\0" + rest, after
    return before, digits[0], rest + after


def _percents(pieces: tuple[Piece, ...]) -> int:
    """Quoted, a percent sign is text; bare, it multiplies."""
    return min(sum(text.count("%") for kind, text in pieces if kind == "pattern"), 20)


def _digits_renderer(pattern: str, *, percents: int) -> Callable[[float], str]:
    mantissa, _, exponent = re.sub("[eE]", "E", pattern).partition("E")
    if "/" in mantissa:
        return _fraction_renderer(mantissa)
    whole, _, decimals = mantissa.rstrip(",").partition(".")
    scale = 100.0**percents / 1000.0 ** (len(mantissa) - len(mantissa.rstrip(",")))
    least, most = decimals.count("0"), sum(decimals.count(digit) for digit in _DIGITS)
    zeros = whole.count("0")
    if exponent:
        return _scientific_renderer(most, whole, exponent)
    thousands = "," if "," in whole else ""
    spec = f"{thousands}.{most}f"
    is_simple = most == least and whole.endswith("0") and zeros == 1

    def shown(number: float) -> str:
        number *= scale
        if number < 1e15:
            text = format(number * TIES_UP, spec)
            if is_simple:
                return text
        else:
            text = format(Decimal(repr(number)), spec)
        if most > least:
            text = text[: len(text) - (most - least)] + text[least - most :].rstrip("0")
            text = text if decimals else text.rstrip(".")
        head, dot, tail = text.partition(".")
        if zeros == 0 and head == "0":
            head = ""
        elif len(head) < zeros:
            head = head.rjust(zeros, "0")
        return head + dot + tail

    return shown


def _fraction_renderer(pattern: str) -> Callable[[float], str]:
    """`# ?/?`, `# ??/??`, `# ?/8`: the nearest fraction with as many digits below the line."""
    above, _, below = pattern.partition("/")
    has_whole = " " in above.strip()
    below = below.strip()
    fixed = int(below) if below.isdigit() and int(below) > 0 else None
    limit = 10 ** min(max(1, len(below)), 6) - 1

    def shown(number: float) -> str:
        if fixed:
            parts, of = round(number * fixed), fixed
        else:
            parts, of = Fraction(number).limit_denominator(limit).as_integer_ratio()
        if not has_whole:
            return f"{parts}/{of}"
        whole, rest = divmod(parts, of)
        if rest == 0:
            return str(whole)
        return f"{whole} {rest}/{of}" if whole else f"{rest}/{of}"

    return shown


def _scientific_renderer(decimals: int, whole: str, exponent: str) -> Callable[[float], str]:
    step, width = max(1, len(whole)), max(1, len(exponent) - 1)

    def shown(number: float) -> str:
        power = int(f"{number:E}".partition("E")[2]) // step * step if number else 0
        text = f"{number / 10.0**power:.{decimals}f}"
        sign = "-" if power < 0 else "+" if exponent.startswith("+") else ""
        return f"{text}E{sign}{abs(power):0{width}d}"

    return shown


def _filled(before: str, pattern: str, after: str) -> Render:
    """Text between digits: 123456789 under `000-00-0000` is 123-45-6789."""

    def render(number: float) -> str | None:
        digits = list(str(round(number)))
        places = [index for index, character in enumerate(pattern) if character in _DIGITS]
        shown = list(pattern)
        for index in reversed(places):
            digit = digits.pop() if digits else "0" if pattern[index] == "0" else ""
            shown[index] = ("".join(digits) + digit) if index == places[0] else digit
        return before + "".join(shown) + after

    return render
