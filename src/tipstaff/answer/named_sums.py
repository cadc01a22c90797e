"""What several things that a question names come to together (TIP §6.2): their rows in one table,
added up with the working shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tipstaff.answer.arithmetic import inference, shown
from tipstaff.answer.breakdown import rows_for
from tipstaff.answer.claims import claim_from, unit_note
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gate import absent_name
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.periods import covered, periods
from tipstaff.facts.quantities import Quantity, only_figure
from tipstaff.lexical.analysis import terms

_TOGETHER = re.compile(
    r"\b(?:together|combined|altogether|in (?:total|all|sum)|sum of|total of|add(?:s|ed)? up)\b",
    re.IGNORECASE,
)
_THING = r"[\w’'&-]+(?: [\w’'&-]+){0,4}"
_LIST = re.compile(rf"(?:{_THING}, )*{_THING},? and {_THING}", re.IGNORECASE)
_FRAME = re.compile(
    r"^(?:(?:what|how much|how many|which)|is|are|was|were|do|does|did|will|would|the|sum|total|"
    r"combined|cost|costs|price|amount|value|of|for|together)\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:cost|costs|come|comes|came|amount|amounts|add|adds|make|makes|take|takes|total|"
    r"together|combined|altogether|in|to|up|is|are|was|were|be|have|has)\b.*$",
    re.IGNORECASE,
)


def answer_named_sum(part: Part, context: AnswerContext) -> PartAnswer | None:
    """None where no sum of named things is asked for, or no one table has all of them."""
    if not _TOGETHER.search(part.text) or absent_name(part, context):
        return None
    names = named_together(part.text)
    if len(names) < 2:
        return None
    rows = rows_for(names, context)
    if len(rows) < len(names) or len({row.key for row in rows.values()}) < len(names):
        return None
    found = _one_column(part, [rows[name] for name in names])
    if found is None:
        return None
    claims = tuple(claim_from(row, context, cell=cell) for row, cell, _ in found)
    total = sum((figure.value for _, _, figure in found), Decimal(0))
    words = f"{shown(total, found[0][2])}{unit_note(found[0][0])}"
    working = f"{' + '.join(figure.text for _, _, figure in found)} = {words}"
    cited = tuple(one for claim in claims for one in claim.citations)
    told = inference(f"together they come to {words}.", working, cited)
    return PartAnswer(
        paragraphs=(Paragraph(claims=claims, as_list=True), Paragraph(claims=(told,)))
    )


def named_together(text: str) -> list[str]:
    """ "What do the roof, the floor and the doors cost together?": roof, floor, doors."""
    best: list[str] = []
    for match in _LIST.finditer(_TOGETHER.sub(" ", text).strip(" ?.")):
        words = [_plain(one) for one in re.split(r",\s*(?:and\s+)?|\s+and\s+", match.group())]
        if all(words) and len(words) > len(best):
            best = words
    return best


def _plain(words: str) -> str:
    plain, before = " ".join(words.split()), ""
    while plain != before:
        plain, before = _FRAME.sub("", plain), plain
    return _TAIL.sub("", plain).strip()


def _one_column(
    part: Part, rows: Sequence[EvidenceUnit]
) -> list[tuple[EvidenceUnit, int, Quantity]] | None:
    """The figures of one column: the only one, or the one that the question tells by its time or
    by words of its header."""
    headers = dict.fromkeys(header for header, _, _ in rows[0].cells[1:] if header)
    fitting = [(header, found) for header in headers if (found := _figures(rows, header))]
    if part.periods:
        fitting = [one for one in fitting if covered(part.periods, periods(one[0])) == 1]
    if len(fitting) > 1:
        named = {header: len(set(terms(header)) & set(part.terms)) for header, _ in fitting}
        most = max(named.values())
        fitting = [one for one in fitting if most and named[one[0]] == most]
    return fitting[0][1] if len(fitting) == 1 else None


def _figures(rows: Sequence[EvidenceUnit], header: str) -> list[tuple[EvidenceUnit, int, Quantity]]:
    found = []
    for row in rows:
        cells = [number for number, (head, _, _) in enumerate(row.cells) if head == header]
        figure = only_figure(row.cells[cells[0]][1]) if len(cells) == 1 else None
        if figure is None:
            return []
        found.append((row, cells[0], figure))
    alike = {(figure.measure, figure.unit) for _, _, figure in found}
    return found if len(alike) == 1 else []
