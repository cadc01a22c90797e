"""A question that a table answers exactly: its row by the label, its column by the header.

No reader is needed for that: every word of the question is in the label, the header, or the
caption and headings around the table.
"""

from __future__ import annotations

import re

from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.facts.periods import covered, periods
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms

_FIGURES = frozenset({AnswerKind.MONEY, AnswerKind.COUNT, AnswerKind.PERCENT, AnswerKind.ANY})
# Words by which a period is named, and words that only ask: no label needs to have them.
_SAID_OTHERWISE = frozenset(
    terms(
        "first second third fourth quarter half year month week day q1 q2 q3 q4 much many amount "
        "figure value total number current january february march april may june july august "
        "september october november december end start beginning close"
    )
)


# "How much is taken": what is done with a quantity does not tell which one is meant.
_PARTICIPLE = r"[a-z]+(?:ed|en|wn|ld|nt)"
_DONE = re.compile(rf"\b(?:is|are|was|were|be|been|being)\s+(?P<done>{_PARTICIPLE})\b")
# "The p99 latency": the code names the column, the noun behind it only says what that is. Of
# "Q3 revenue" the noun is what is asked for.
_CODE_AND_NOUN = re.compile(
    r"\b(?!(?:[qh]\d|fy\d+|\d+(?:st|nd|rd|th))\b)(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+\s+(?P<noun>[a-z]+)\b",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(r"\([^()]*\)")


def looked_up(part: Part, unit: EvidenceUnit) -> int | None:
    """The number of the cell that answers a part exactly; None if it takes any judgement."""
    fitting = fitting_cells(part, unit)
    return fitting[0] if len(fitting) == 1 else None


def fitting_cells(part: Part, unit: EvidenceUnit) -> list[int]:
    """The cells of the very row that a question names. Several if more than one column is what it
    may mean: two Septembers, say."""
    if not unit.is_row or len(unit.cells) < 2 or part.kind not in _FIGURES:
        return []
    asked = set(part.terms)
    named = {term for name in part.names for term in terms(name)}
    told = _told_otherwise(part)
    focus = {term for term in asked - named - told if not term[0].isdigit()}
    label = {term for term in terms(_plain_label(unit, part)) if term not in STOP_WORDS}
    if _is_of_that_time(part, unit):
        return _by_header(unit, focus | named) if focus <= unit.all_terms else []
    # "Total" alone says nothing: a label must have a telling word of the question.
    if not label <= asked | _SAID_OTHERWISE or not (label & asked) - _SAID_OTHERWISE:
        return []
    if not focus or not focus <= unit.all_terms:
        return []
    return _by_time_and_words(part, unit, focus - label)


def _told_otherwise(part: Part) -> frozenset[str]:
    """Terms of the question that no label or header needs to have."""
    words = [match["done"] for match in _DONE.finditer(part.text)]
    words += [match["noun"] for match in _CODE_AND_NOUN.finditer(part.text)]
    return _SAID_OTHERWISE | set(terms(" ".join(words)))


def _plain_label(unit: EvidenceUnit, part: Part) -> str:
    """A row's label without its unit of measure and, where the question says in a word of its own
    what is done, without that: "Blood drawn (mL)" is the blood that is taken."""
    label = unit.cells[0][1]
    plain = _PARENTHESIS.sub(" ", label)
    if _DONE.search(part.text):
        plain = re.sub(rf"\s{_PARTICIPLE}\b", " ", plain)
    return plain if plain.strip() else label


def _is_of_that_time(part: Part, unit: EvidenceUnit) -> bool:
    """Whether a row is called by nothing but the time that is asked about."""
    label = unit.cells[0][1]
    said = periods(label)
    return bool(said) and said == part.periods and not any(map(str.isalpha, label))


def _by_header(unit: EvidenceUnit, wanted: set[str]) -> list[int]:
    """The figures under the headers that share most with the question."""
    shared = {
        number: len(wanted & set(terms(header)))
        for number, (header, words, _) in enumerate(unit.cells)
        if number and header and quantities(words)
    }
    most = max(shared.values(), default=0)
    return [number for number, count in shared.items() if count == most] if most else []


def _by_time_and_words(part: Part, unit: EvidenceUnit, left: set[str]) -> list[int]:
    """The columns that the question means: by its period, by what is left of its words."""
    fitting = []
    for number, (header, _, _) in enumerate(unit.cells[1:], start=1):
        time = covered(part.periods, periods(header) | _around(unit)) if part.periods else 1.0
        told = periods(header) & part.periods if part.periods else frozenset({"any"})
        words = left & set(terms(header))
        if time == 1.0 and (told or words):
            fitting.append((len(words), len(told), number))
    best = max((one[:2] for one in fitting), default=None)
    return [one[2] for one in fitting if one[:2] == best]


def _around(unit: EvidenceUnit) -> frozenset[str]:
    """The periods that the whole table stands under; those of its columns are not among them."""
    return periods(" | ".join([unit.item_title, *unit.block.headings, unit.near]))
