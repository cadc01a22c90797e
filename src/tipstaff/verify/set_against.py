"""Figures of rows set against each other: "had more guests than last year, 902 against 755".

Who compares so infers nothing: both figures stand there. Each must be of what it is said to be of,
and the first be more where it is said to be more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement

_THAN = re.compile(
    r"\b(?:(?P<up>more|higher|larger|greater|longer|bigger)|"
    r"(?:fewer|less|lower|smaller|shorter))\b[^.;]*?\bthan\b",
    re.IGNORECASE,
)
_BEYOND = re.compile(
    r"\b(?:(?P<over>over|above|exceed(?:s|ed)?|beyond|beat|surpass(?:es|ed)?)|"
    r"below|under|miss(?:es|ed)|(?:fell|falls) short of|short of)\b"
    r"(?: (?:its|the|their|his|her)| what (?:was|had been))? "
    r"(?P<plan>plan|budget|target|forecast|estimate|limit|quota)(?:n?ed|d)?\b",
    re.IGNORECASE,
)
_AIMED_AT = re.compile(
    r"\b(?:against|compared (?:with|to)|on|versus|for) (?:an?|its|the|their|our) (?:\w+ )?"
    r"(?P<plan>plan|budget|target|forecast|estimate|limit|quota) of (?=[£$€\d])",
    re.IGNORECASE,
)
_PAID_WORDS = r"paid|received|spent|collected|delivered|raised|invoiced|transferred"
_HAS_GOT = re.compile(
    r"\b(?:received|recovered|collected|got|"
    r"(?:was|were|been) (?:paid|refunded|reimbursed|given))\b",
    re.IGNORECASE,
)
_CLAIMS = re.compile(
    r"\b(?:claim(?:s|ed|ing)?|lodged|invoiced?|demand(?:s|ed)?|request(?:s|ed)?|applied|"
    r"application|pledged?|promised?|offer(?:s|ed)?|quoted?|asked|asks|wants|proposed?)\b",
    re.IGNORECASE,
)
_GOT = re.compile(
    r"\b(?:paid|pays?|payments?|received|receipts?|settled|recovered|refund\w*|reimburs\w+|"
    r"credited|collected|got|given|came in|accepted|transferred)\b",
    re.IGNORECASE,
)
_IS_PAID = re.compile(
    rf"\b(?:has|have|had|was|were)(?: been| all| already| now)* (?:{_PAID_WORDS})\b", re.IGNORECASE
)
_PAID = re.compile(rf"\b(?:{_PAID_WORDS}|actual(?:ly)?)\b", re.IGNORECASE)
_PROMISED = re.compile(
    r"\b(?:promise[sd]?|pledge[sd]?|budget(?:ed)?|planned|target|agreed|forecast|estimated?|"
    r"offered|committed|allocated|approved|ordered|due|expected)\b",
    re.IGNORECASE,
)
_DIFFERS = re.compile(
    r"\s+(?:(?P<up>more|higher|over|above)|less|lower|under|below|fewer)(?: than)? ", re.IGNORECASE
)
_MOVED_BY = re.compile(
    r"\b(?:(?P<up>up|rises?|rose|increase[sd]?|raised|grew|grows)|down|falls?|fell|reduced|cut|"
    r"lowered|decrease[sd]?|drops?|dropped) by $",
    re.IGNORECASE,
)
_FROM = re.compile(r",? from ", re.IGNORECASE)
_AGAINST = frozenset(("against", "versus", "vs", "compared with", "compared to", "to"))


def are_set_against(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether two figures of rows are compared as they stand there."""
    than = _THAN.search(statement.plain)
    if than is None or len(statement.figures) != 2:
        return False
    first, second = statement.figures
    between = statement.plain[first.end : second.start].strip()
    if first.start < than.end() or between not in _AGAINST:
        return False
    if first.value == second.value or (first.value > second.value) != bool(than["up"]):
        return False
    more = _telling(statement.plain[: than.start()])
    other = _telling(statement.plain[than.end() : first.start])
    mine, theirs = _belongs_to(first, evidence), _belongs_to(second, evidence)
    mine, theirs = mine - theirs, theirs - mine
    return bool(mine & (more - other)) and not mine & (other - more) and not theirs & (more - other)


def is_difference(figure: Quantity, statement: Statement) -> bool:
    """Whether a figure is by how much two others of a statement differ, and they differ that way:
    "£7,215, which is £385 less than the budget of £7,600", "up by 3p, from 42p to 45p"."""
    ends = [one for one in statement.figures if one.start > figure.end][:2]
    moved = _MOVED_BY.search(statement.plain[: figure.start])
    if moved and len(ends) == 2 and _FROM.match(statement.plain, figure.end):
        change = ends[1].value - ends[0].value
        return abs(change) == figure.value and (change > 0) == bool(moved["up"])
    than = _DIFFERS.match(statement.plain, figure.end)
    before = [one for one in statement.figures if one.end <= figure.start]
    behind = [one for one in statement.figures if than and one.start >= than.end()]
    if than is None or not before or not behind:
        return False
    mine, other = before[-1], behind[0]
    if not mine.measure is figure.measure is other.measure:
        return False
    more = mine.value - other.value
    return abs(more) == figure.value and (more > 0) == bool(than["up"])


def is_beyond_wrongly(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a row is said to be over its budget, or below its plan, and its figures say the
    contrary."""
    said = _BEYOND.search(statement.plain)
    if said is not None and any(_is_told_otherwise(said, one) for one in evidence):
        return True
    rows = [one for one in evidence if one.is_row]
    if said is None or len(rows) != 1 or len(rows) != len(evidence):
        return False
    (plan,) = terms(said["plan"])[:1]
    figures = [
        (plan in terms(head), found[0].value)
        for head, words in rows[0].cells
        if len(found := quantities(words)) == 1 and found[0].measure is not Measure.PERCENT
    ]
    places = [at for at, (is_plan, _) in enumerate(figures) if is_plan]
    if len(places) != 1 or len(figures) < 2:
        return False
    (at,) = places
    planned = figures[at][1]
    stated = {one.value for one in statement.figures}
    told = [value for is_plan, value in figures if not is_plan and value in stated]
    # The column beside the plan is what came of it: before it, if it is not the first.
    reached = told[0] if told else figures[at - 1 if at else 1][1]
    return reached != planned and (reached > planned) != bool(said["over"])


def _is_told_otherwise(said: re.Match[str], one: EvidenceText) -> bool:
    """ "Exceeded its target", and "£31,750, against a target of £40,000"."""
    aimed = _AIMED_AT.search(one.text)
    if one.is_row or aimed is None or aimed["plan"].lower() != said["plan"].lower():
        return False
    planned = next((figure for figure in one.own_figures if figure.start == aimed.end()), None)
    if planned is None:
        return False
    # Of a sentence with one other figure like it, that is what was reached.
    others = [
        figure.value
        for figure in one.own_figures
        if figure is not planned
        and (figure.measure, figure.unit) == (planned.measure, planned.unit)
    ]
    if planned.measure is Measure.NUMBER or len(others) != 1 or others[0] == planned.value:
        return False
    return (others[0] > planned.value) != bool(said["over"])


def is_only_promised(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what a row has as promised is said to be paid, and it has another sum as paid; or
    what a sentence has as claimed or offered is said to have been received."""
    if _PROMISED.search(statement.plain):
        return False
    stated = {figure.value for figure in statement.figures}
    if _HAS_GOT.search(statement.plain) and _is_only_claimed(statement, evidence):
        return True
    if not _IS_PAID.search(statement.plain):
        return False
    for row in evidence:
        holding = [
            (bool(_PROMISED.search(head)), bool(_PAID.search(head)), values)
            for head, words in row.cells
            if (values := {figure.value for figure in quantities(words)})
        ]
        promised = [values for is_promised, _, values in holding if is_promised]
        paid = [values for _, is_paid, values in holding if is_paid]
        others = [values for one, two, values in holding if not one and not two]
        if any(map(stated.intersection, promised)) and paid:
            return not any(map(stated.intersection, (*paid, *others)))
    return False


def _is_only_claimed(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    sums = {figure.value for figure in statement.figures if figure.measure is Measure.MONEY}
    having = [
        one.text
        for one in evidence
        if not one.is_row and sums & {figure.value for figure in one.own_figures}
    ]
    return bool(having) and all(_CLAIMS.search(one) and not _GOT.search(one) for one in having)


def _belongs_to(figure: Quantity, evidence: Sequence[EvidenceText]) -> frozenset[str]:
    """The header and the row of a figure, in words."""
    return frozenset(
        term
        for row in evidence
        for head, words in row.cells
        if any(one.value == figure.value for one in quantities(words))
        for term in _telling(f"{head} {row.cells[0][1]}")
    )


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if term not in STOP_WORDS)
