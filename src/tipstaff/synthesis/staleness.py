"""Claims that a newer item has overtaken, and items that are newer than the synthesis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tipstaff.answer.witnessing import ContextWitness
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.item import ContextItem
from tipstaff.facts.periods import conflict, periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement, read_statement
from tipstaff.verify.synonyms import is_known

_DAY = re.compile(r"(?:19|20)\d{2}-\d{2}-\d{2}")
_DATED = ("updated", "modified", "last_modified", "date", "published", "created", "created_at")
# Nearly every word of a claim that says so little is in many sentences.
_LEAST_WORDS, _SAME_THING = 3, 0.9


def item_date(item: ContextItem) -> str:
    """The day that the sender gives an item, as ISO; nothing where none is given."""
    for where in (item.metadata, item.linked_source or {}):
        for name in (*_DATED, "last_synced"):
            if day := _day(where.get(name)):
                return day
    return ""


def newer_items(bundle: Bundle) -> tuple[str, ...]:
    """Items dated after the synthesis was written: it cannot have taken them into account."""
    written = _day(bundle.created_at)
    if not written:
        return ()
    return tuple(item.id for item in bundle.items if item_date(item) > written)


def newer_passages(
    text: str,
    cited: Sequence[str],
    bundle: Bundle,
    witness: ContextWitness,
    known: Sequence[Quantity],
) -> list[CitedEvidence]:
    """Passages of items newer than all that are cited, which say the same of another figure. What
    the synthesis states itself (`known`), it has taken into account."""
    dates = {item.id: item_date(item) for item in bundle.items}
    newest = max((dates.get(item_id, "") for item_id in cited), default="")
    statement = read_statement(text)
    if not newest or not statement.figures or len(statement.words) < _LEAST_WORDS:
        return []
    return [
        one
        for one in witness.search(text)
        if dates.get(one.citation.item_id, "") > newest
        and any(_overtakes(unit, statement, known) for unit in one.units)
    ]


def _overtakes(unit: EvidenceText, statement: Statement, known: Sequence[Quantity]) -> bool:
    words = statement.words
    if sum(is_known(word, unit.terms) for word in words) < _SAME_THING * len(words):
        return False
    if conflict(statement.times, periods(unit.whole)):
        return False
    there = quantities(unit.text)
    for figure in statement.figures:
        if figure.measure is Measure.NUMBER or any(figure.agrees_with(one) for one in there):
            continue
        for other in there:
            is_rival = other.measure is figure.measure and other.unit == figure.unit
            if is_rival and not any(other.agrees_with(one) for one in known):
                return True
    return False


def _day(value: Any) -> str:
    match = _DAY.match(str(value or ""))
    return match.group() if match else ""
