"""Gap analysis (TIP §9.4): what the documents raise and leave open, in their own words; where the
question asks for somebody's or some document's open points, only theirs."""

from __future__ import annotations

import re

from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gate import absent_name
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.people import is_theirs, people_named
from tipstaff.answer.question import Part
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.polarity import NEGATION, NOT_DONE, OPEN, OPEN_SECTION
from tipstaff.lexical.analysis import query_terms, terms

_MOST = 8
_PER_ITEM = 3
_HEAD_UNITS = 4
_LONGEST = 400
_OWN_WORK = 0.4
_OPEN_SECTION = 0.5
_ON_SUBJECT = 0.6
# Words of such a question that say nothing about its subject.
_FRAME = frozenset(
    terms(
        "topics questions information data missing gaps covered not addressed documents matters "
        "context raise leave left unanswered open unresolved need validate analysis bundle papers "
        "risks which what looked assessed included discussed mentioned still any are there admit "
        "say said yet know checking examined unexamined points things aspects"
    )
)
_WHOSE = re.compile(
    r"\b(?:did|does|do|has|have)\s+(?:the\s+|our\s+|its\s+)?(?P<who>[\w .'’-]{3,50}?)\s+(?:not|"
    r"never|"
    r"leave|left|omit|fail|say|said|admit|miss|skip|forget|acknowledge|concede)\b",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(
    r"(?:all |these |those )?(?:documents?|papers?|items?|files?|context|bundle|they|we|i|it)\b",
    re.IGNORECASE,
)


def answer_gap_analysis(part: Part, context: AnswerContext) -> PartAnswer:
    absent = absent_name(part, context)
    if absent:
        gap = Gap(absent, f"'{absent}' does not occur anywhere in the bundled context.")
        return PartAnswer(gaps=(gap,))
    who = _whose(part)
    found = [unit for item in context.items for unit in context.units_of(item.id) if is_open(unit)]
    if who:
        found = _of(who, found, context)
        if not found:
            return _nothing_open(who)
    subject = [term for term in part.terms if term not in _FRAME | set(terms(who))]
    ranked = sorted(found, key=lambda unit: (-_weight(unit, subject, context), unit.key))
    least = _OWN_WORK if who else _ON_SUBJECT if subject else 0.0
    ranked = [unit for unit in ranked if _weight(unit, subject, context) >= least] or ranked
    chosen = ranked[:_MOST] if who else _spread(ranked)
    if not chosen:
        gap = Gap("open points", "No document says that it leaves something open.")
        return PartAnswer(gaps=(gap,))
    claims = tuple(claim_from(unit, context, confidence=Confidence.MEDIUM) for unit in chosen)
    lead = "The context itself leaves these points open:"
    gaps = () if who else (
        Gap("what the context leaves open",
            "These points are raised in the documents and not settled in them."),
    )  # fmt: skip
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),), gaps=gaps)


def is_open(unit: EvidenceUnit) -> bool:
    """It says that something is not known, not done or not decided, or a section of such says
    it."""
    kind = unit.unit.kind
    if kind in (UnitKind.HEADING, UnitKind.CODE, UnitKind.NODE) or len(unit.text) > _LONGEST:
        return False
    if OPEN.search(unit.text) or NOT_DONE.search(unit.text):
        return True
    heading = unit.block.headings[-1] if unit.block.headings else ""
    if OPEN.search(heading) or NOT_DONE.search(heading):
        return True
    return bool(OPEN_SECTION.search(heading) and NEGATION.search(unit.text))


def _whose(part: Part) -> str:
    """The person, role or document whose open points are asked for."""
    who = part.attributed_to or ""
    if not who:
        match = _WHOSE.search(part.text)
        who = match["who"] if match else ""
    who = re.sub(r"^authors? of (?:the )?", "", who.strip(), flags=re.IGNORECASE)
    return "" if _EVERYBODY.match(who) else who


def _of(who: str, units: list[EvidenceUnit], context: AnswerContext) -> list[EvidenceUnit]:
    """Theirs by name or role; else those of the document that is called so."""
    people = people_named(who, context) or {who}
    theirs = [unit for unit in units if is_theirs(unit, people, context)]
    if theirs:
        return theirs
    wanted = set(query_terms(who))
    called = {item.id for item in context.items if wanted <= _called(item.id, context)}
    return [unit for unit in units if unit.item_id in called]


def _called(item_id: str, context: AnswerContext) -> set[str]:
    """The words of an item's title and head."""
    head = context.units_of(item_id)[:_HEAD_UNITS]
    return set(terms(" ".join([item_id, *(f"{unit.item_title} {unit.text}" for unit in head)])))


def _nothing_open(who: str) -> PartAnswer:
    gap = Gap(
        f"what {who} left open",
        f"The bundled context contains no statement of what {who} left open or did not look at.",
    )
    return PartAnswer(gaps=(gap,))


def _weight(unit: EvidenceUnit, subject: list[str], context: AnswerContext) -> float:
    """How much of the subject it has; what the author says of the own work, and sections that are
    about open points, come first."""
    held = sum(context.rarity(term) for term in subject if term in unit.all_terms)
    about = any(OPEN.search(heading) or NOT_DONE.search(heading) for heading in unit.block.headings)
    own = bool(NOT_DONE.search(unit.text))
    return held + (_OPEN_SECTION if about else 0.0) + (_OWN_WORK if own else 0.0)


def _spread(units: list[EvidenceUnit]) -> list[EvidenceUnit]:
    """The first few of each item, so that every document is heard."""
    taken: dict[str, int] = {}
    chosen = []
    for unit in units:
        if taken.get(unit.item_id, 0) < _PER_ITEM:
            taken[unit.item_id] = taken.get(unit.item_id, 0) + 1
            chosen.append(unit)
    return chosen[:_MOST]
