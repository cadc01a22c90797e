"""Who is meant by a name or a role, and what is theirs: units that they wrote, said or sent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.facts.roles import holders

# Where roles may be told: everything, as long as the bundle is not large.
_MOST_CHUNKS = 2_000
_HEAD_UNITS = 8


def people_named(who: str, context: AnswerContext) -> set[str]:
    """Everybody who is said to have the role; empty for a name."""
    return holders(who, texts_of(context))


def texts_of(context: AnswerContext) -> list[str]:
    numbers = [number for pair in context.scope.ranges() for number in range(*pair)]
    return [chunk.text for chunk in context.index.chunks(numbers[:_MOST_CHUNKS])]


def is_theirs(unit: EvidenceUnit, names: set[str], context: AnswerContext) -> bool:
    """They are its speaker or sender, or the author of the document that it stands in."""
    if unit.block.quoted and not unit.author:
        return False
    author = unit.author or unit.writer or writer_of(unit.item_id, names, context)
    return any(last_name(name) in author.casefold() for name in names) if author else False


def writer_of(item_id: str, names: set[str], context: AnswerContext) -> str:
    """Whom the head of a document names as its author: "Inspected on 9 May by …"."""
    head = context.units_of(item_id)[:_HEAD_UNITS]
    if any(unit.author for unit in head):
        return ""
    return next((name for name in sorted(names) if _signs(name, head)), "")


def last_name(name: str) -> str:
    return name.rsplit(maxsplit=1)[-1].casefold()


def _signs(name: str, head: Sequence[EvidenceUnit]) -> bool:
    # "Ada Byron, 9 May", and not "Ada Byron is a witness of this deed".
    called = re.escape(name)
    signed = re.compile(
        rf"\bby\s+{called}\b|^{called}\b(?!\s+(?:is|was|has|had|will|shall|may|[a-z]+ed)\b)",
        re.IGNORECASE,
    )
    return any(signed.search(unit.text) for unit in head)
