"""The reader as support checker: asked for each fact of a statement that the rules let through.

A figure, a time or a name is taken out of the statement and asked for ("Mill Lane is to be supplied
by what time?"). A reader that finds another one of its kind at the cited place, and is sure of it,
has found what the statement ought to say. It never agrees to more than the rules did
(docs/decisions/0029-cross-examination.md).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tipstaff.domain.classification import Support
from tipstaff.errors import UsageError
from tipstaff.facts.names import names
from tipstaff.facts.periods import MONTH, periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.read.reader import Reader, reader_named
from tipstaff.verify.durations import joined
from tipstaff.verify.figures import is_label, same_measure, stated_in
from tipstaff.verify.statement import Statement, read_statement
from tipstaff.verify.support_checker import ROW

# Below this a reader guesses. Chosen on the drafts of the thirtieth to the forty-first hand.
_SURE = 0.85
# Of a row it is oftener wrong: thirteen true statements of seventeen sets, and no false one.
_SURE_OF_ROW = 0.9
_MOST = 6
_LONGEST = 1500
_ASKED = {
    Measure.MONEY: "how much",
    Measure.PERCENT: "what percentage",
    Measure.DURATION: "how long",
    Measure.NUMBER: "how many",
}
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)? {MONTH}(?: \d{{4}})?|{MONTH} \d{{4}}|\d{{4}}-\d\d-\d\d)\b"
)
_CLOCK = re.compile(r"(?<![\d.:£$€])\b\d{1,2}[:.]\d\d(?: ?[ap]\.?m\b)?(?![\d:%])")
_CURRENCY = re.compile(r"\b(?:CHF|EUR|GBP|USD|SEK|NOK|DKK|PLN) $")
_CLAUSE_NUMBER = re.compile(r"(?:^|[.;]\s|\b[A-Z]{3,} )\d+\.\d*\s?$")
_NUMBERED = re.compile(r"(?:[A-Z][\w-]*|chapter|plan|category|phase|section|clause|no\.?) $")
_WORKED_OUT = re.compile(
    r"\b(?:by|more|less|fewer|higher|lower|longer|shorter|cheaper|dearer|above|below|difference|total|"
    r"together|altogether|sum|in all|times|on average|each)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?]) ")
_WH = re.compile(
    r"\b(?:how (?:much|many|long)|what (?:percentage|date|time)|whom?)\b", re.IGNORECASE
)
_ROLES = frozenset(("The", "I", "We", "He", "She", "It", "They"))
# A name of two words, or behind a title: somebody, or a firm.
_WHO = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[A-ZÀ-Þ][a-zà-ÿ’'-]+(?: (?:& )?[A-ZÀ-Þ][a-zà-ÿ’'-]+)+|"
    r"(?:Dr|Mr|Mrs|Ms|Prof)\.? [A-ZÀ-Þ][a-zà-ÿ’'-]+"
)


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, where; and whether an answer is another one than was claimed."""

    asked: str
    passage: str
    claimed: Quantity | str
    said: str


def cross_examiner(*, model: str) -> CrossExaminer:
    """`reader` for the built-in one, `reader:NAME` for another."""
    named = model or "minilm"
    reader = reader_named(named, threads=1)
    if reader is None:
        raise UsageError(
            f"'{named}' reads nothing.", suggestion="Use support_checker = none to do without."
        )
    return CrossExaminer(reader)


class CrossExaminer:
    of_other_words = True

    def __init__(self, reader: Reader) -> None:
        self.name = f"reader:{reader.name}"
        self._reader = reader

    async def check(self, statement: str, passages: Sequence[str]) -> Support:
        if not passages:
            return Support.UNVERIFIED
        is_refuted = await asyncio.to_thread(self._is_refuted, statement, passages)
        return Support.UNVERIFIED if is_refuted else Support.ENTAILED

    async def aclose(self) -> None:
        """Nothing is held: the weights are the process's."""

    def _is_refuted(self, text: str, passages: Sequence[str]) -> bool:
        questions = list(_questions(read_statement(text), passages))[:_MOST]
        readings = self._reader.read([(one.asked, one.passage) for one in questions])
        return any(
            reading.probability >= _sure(one.passage)
            and _is_another(one, reading.start, reading.end)
            for one, reading in zip(questions, readings, strict=True)
        )


def _sure(passage: str) -> float:
    return _SURE_OF_ROW if ROW.match(passage) else _SURE


def _questions(statement: Statement, passages: Sequence[str]) -> Iterator[_Question]:
    plain = statement.plain
    lines = [passage.rsplit("\n", 1)[-1] for passage in passages]
    for figure in statement.figures:
        before = plain[: figure.start]
        if _NUMBERED.search(before) or is_label(figure, plain, lines):
            continue
        alone = not any(
            one is not figure and (same_measure(one, figure) or one.measure is Measure.NUMBER)
            for one in statement.figures
        )
        if not alone or (_WORKED_OUT.search(plain) and not _is_told(figure, plain, lines)):
            # Of two a reader takes either; what was worked out is nowhere to be found.
            continue
        if money := _CURRENCY.search(before):
            asked = f"{before[: money.start()]}how much{plain[figure.end :]}"
        else:
            asked = f"{before}{_ASKED[figure.measure]}{plain[figure.end :]}"
        yield _asked(asked, lines, figure.text, figure, plain)
    times = False
    for pattern, words in ((_DATE, "what date"), (_CLOCK, "what time")):
        found = list(pattern.finditer(plain))
        times = times or bool(found)
        for match in found if len(found) == 1 else ():
            asked = f"{plain[: match.start()]}{words}{plain[match.end() :]}"
            yield _asked(asked, lines, match.group(), match.group(), plain)
    people = list(_WHO.finditer(plain))
    # Beside a figure or a time it is that which is asked for.
    for match in people if len(people) == 1 and not statement.figures and not times else ():
        by = plain[: match.start()].endswith(" by ")
        if match.start() == 0 or by:
            asked = f"{plain[: match.start()]}{'whom' if by else 'Who'}{plain[match.end() :]}"
            yield _asked(asked, lines, match.group(), match.group(), plain)


def _is_told(figure: Quantity, said: str, lines: Sequence[str]) -> bool:
    return any(stated_in(figure, said, quantities(line), line, line) for line in lines)


def _asked(
    text: str, lines: Sequence[str], claimed: str, fact: Quantity | str, said: str
) -> _Question:
    asked = next((one for one in _SENTENCE.split(text) if _WH.search(one)), text)
    return _Question(f"{asked.rstrip(' .')}?", _place(lines, claimed, said), fact, said)


def _place(lines: Sequence[str], claimed: str, said: str) -> str:
    """Where it is asked: a row by itself, a sentence with those beside it."""
    words = frozenset(terms(said)) - STOP_WORDS
    last = terms(claimed)[-1:]

    def fits(at: int) -> tuple[bool, int]:
        own = frozenset(terms(lines[at]))
        return not own.isdisjoint(last), len(words & own)

    best = max(range(len(lines)), key=fits)
    if ROW.match(lines[best]):
        return lines[best][:_LONGEST]
    near = lines[max(best - 1, 0) : best + 2]
    return "\n".join(line for line in near if not ROW.match(line))[:_LONGEST]


def _is_another(one: _Question, start: int, end: int) -> bool:
    answer = one.passage[start:end]
    if isinstance(one.claimed, str):
        if _WHO.fullmatch(one.claimed):
            return _is_other_name(one.claimed, answer, one.passage)
        return _is_other_time(one.claimed, answer)
    found = [
        figure
        for figure in joined(quantities(one.passage), one.passage)
        if figure.start < end
        and start < figure.end
        and not _CLAUSE_NUMBER.search(one.passage[: figure.end])
        and (same_measure(figure, one.claimed) or figure.measure is Measure.NUMBER)
    ]
    if not found or stated_in(one.claimed, one.said, found, one.passage, one.passage):
        return False
    return not any(figure.value.copy_abs() == one.claimed.value.copy_abs() for figure in found)


def _is_other_time(claimed: str, answer: str) -> bool:
    said, told = periods(claimed), periods(answer)
    kinds = {mark[0] for mark in said if mark[0] in "dt"} or {mark[0] for mark in said}
    mine = {mark for mark in said if mark[0] in kinds}
    theirs = {mark for mark in told if mark[0] in kinds}
    return bool(theirs) and mine.isdisjoint(theirs)


def _is_other_name(claimed: str, answer: str, passage: str) -> bool:
    """Both are named there, and they are two."""
    mine = frozenset(terms(claimed))
    named = [name for name in names(answer) if name.split()[0] not in _ROLES]
    if mine.isdisjoint(terms(passage)) or not named or not answer[:1].isupper():
        return False
    return mine.isdisjoint(terms(answer))
