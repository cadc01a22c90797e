"""What somebody said, decided or wrote: it takes text by them, or text that reports them.

The mere mention of a person, or another's words on the subject, is not enough.
"""

from __future__ import annotations

import re
from itertools import pairwise

from tipstaff.answer.claims import claim_from, claim_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gate import absent_name, is_proven_absent
from tipstaff.answer.gathering import Candidate, Gathered
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.people import is_theirs, last_name, people_named, texts_of
from tipstaff.answer.question import Part
from tipstaff.answer.scoring import features_of, probability
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.domain.response import Gap
from tipstaff.facts.belonging import belongs
from tipstaff.lexical.analysis import STOP_WORDS, query_terms, terms
from tipstaff.verify.addressed import is_order

_SAYING = (
    r"(?:said|says|stated|states|told|wrote|writes|asked|asks|noted|notes|argued|argues|warned|"
    r"warns|proposed|proposes|recommended|recommends|reported|reports|explained|explains|added|"
    r"replied|replies|confirmed|confirms|decided|suggested|suggests|observed|raised|thinks|thought|"
    r"believes|believed|worries|insisted|insists|objected|objects|concluded|concludes|pointed out|"
    r"announced|announces|commented|agreed|disagreed|opposed|supported|wants|wanted|finds|found|"
    r"recommendation|view|opinion|in favour|in favor|requested|requests|advised|advises|set|"
    r"approved|approves|rejected|rejects)"
)
_SOMEBODY_SAYS = re.compile(rf"\b(?:he|she|they)\s+(?:\w+\s+){{0,2}}{_SAYING}\b", re.IGNORECASE)
_REMARKS = 3
_ENOUGH_TOPIC = 0.34
# Who speaks of a budget has not approved it.
_DEEDS = r"(?!(?:approve[ds]|rejects?|rejected|decided|agreed|set)\b)"
_WHO_SAID = re.compile(
    rf"^(?:who|which (?:person|speaker|director|member|engineer|party|\w+))\b.{{0,40}}?\b"
    rf"{_DEEDS}(?:{_SAYING}|admitted|insisted|claimed|promised|denied|conceded|complained|mentioned)\b"
    r"\s*(?:that|about|for|on|to)?\s*(?P<topic>.+)",
    re.IGNORECASE,
)
# Words of somebody whom the question does not name: most of what they are said to have said.
_MOST_OF_TOPIC = 0.6


def answer_attribution(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer:
    """Words by or about the person on the topic; else the gap, and who the person is."""
    who = part.attributed_to or ""
    people = people_named(who, context)
    absent = absent_name(part, context)
    if absent and not people:
        gap = Gap(absent, f"'{absent}' does not occur anywhere in the bundled context.")
        return PartAnswer(gaps=(gap,), proven=is_proven_absent(part, context))
    names = people or {who, *_speakers_for(who, context)}
    topic = set(query_terms(part.topic)) - set(terms(" ".join(names))) - STOP_WORDS
    said = _statements(part, names, topic, gathered, context)
    if said:
        claims = tuple(claim_of(one, context, confidence=_level(one, topic)) for one in said[:3])
        return PartAnswer(paragraphs=(Paragraph(claims=claims),))
    if spoken := _spoken(names, topic, context):
        claims = tuple(claim_from(unit, context, confidence=Confidence.MEDIUM) for unit in spoken)
        return PartAnswer(paragraphs=(Paragraph(claims=claims),))
    return _nothing_said(part, names, context, gathered)


def _speakers_for(who: str, context: AnswerContext) -> set[str]:
    """Those who write or speak for a firm: what they say is what it says."""
    if not who[:1].isupper():
        return set()
    texts = texts_of(context)
    return {author for author in context.speakers if belongs(author, who, texts)}


def _spoken(names: set[str], topic: set[str], context: AnswerContext) -> list[EvidenceUnit]:
    """What they say where their name stands only beside it, as in a recording; of several remarks
    those that speak most to the topic."""
    units = context.spoken_by([last_name(name) for name in names])
    total = sum(context.rarity(term) for term in topic)
    before = {
        one.key: other
        for item in context.items
        for other, one in pairwise(context.units_of(item.id))
    }
    shares = [
        sum(context.rarity(term) for term in topic if term in _on(unit, before.get(unit.key)))
        / (total or 1.0)
        for unit in units
    ]
    told = [at for at, share in enumerate(shares) if not topic or share >= _ENOUGH_TOPIC]
    best = sorted(told, key=lambda at: (-shares[at], at))[:_REMARKS]
    return [units[at] for at in sorted(best)]


def answer_who_said(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer | None:
    """ "Who said that …?": the speaker whose own words hold most of it; None if nobody's do."""
    match = _WHO_SAID.search(part.text)
    topic = set(query_terms(match["topic"])) if match else set()
    if not topic or absent_name(part, context):
        return None
    total = sum(context.rarity(term) for term in topic) or 1.0
    said = []
    for one in gathered.candidates:
        is_said = one.unit.author and one.unit.unit.kind is not UnitKind.HEADER
        if is_said and not one.features.wrong_time:
            held = sum(context.rarity(term) for term in topic if term in one.unit.own_terms)
            if held / total >= _MOST_OF_TOPIC:
                said.append((held / total, one))
    if not said:
        return None
    best = min(said, key=lambda pair: (-pair[0], pair[1].unit.key))[1]
    claim = claim_of(best, context, confidence=Confidence.MEDIUM)
    return PartAnswer(paragraphs=(Paragraph(claims=(claim,)),))


def _on(unit: EvidenceUnit, before: EvidenceUnit | None) -> frozenset[str]:
    """What a remark speaks of: its own words, and those of the question that it answers."""
    asked = before.own_terms if before and "?" in before.text else frozenset()
    return unit.all_terms | asked


def _statements(
    part: Part, names: set[str], topic: set[str], gathered: Gathered, context: AnswerContext
) -> list[Candidate]:
    """Units by or reporting one of the people that speak to the topic, best first."""
    units = {one.unit.key: one for one in gathered.candidates}
    for found in gathered.found:
        for unit in context.units_in(found.chunk):
            if unit.key not in units:
                facts = features_of(part, unit, found, None, context)
                units[unit.key] = Candidate(
                    unit=unit,
                    found=found,
                    features=facts,
                    probability=probability(facts, with_reader=False),
                )
    by_them = [one for one in units.values() if _is_by(one.unit, names, context)]
    total = sum(context.rarity(term) for term in topic) or 1.0
    scored = []
    for one in by_them:
        held = sum(context.rarity(term) for term in topic if term in one.unit.all_terms)
        share = held / total if topic else 1.0
        if share >= _ENOUGH_TOPIC:
            scored.append((share + one.probability, one))
    return [one for _, one in sorted(scored, key=lambda pair: (-pair[0], pair[1].unit.key))]


def _is_by(unit: EvidenceUnit, names: set[str], context: AnswerContext) -> bool:
    """By a person: they wrote it, they are its speaker, or it reports them as saying it."""
    return is_theirs(unit, names, context) or any(_reports(unit.text, name) for name in names)


def _reports(text: str, name: str) -> bool:
    """ "N. Petrosyan said that …", "Petrosyan (programme director): …", "according to Nadia
    Petrosyan"."""
    first, last = re.escape(name.split(maxsplit=1)[0]), re.escape(name.rsplit(maxsplit=1)[-1])
    subject = rf"\b(?:[A-Z]\.\s+|{first}\s+)?{last}\b"
    patterns = (
        rf"{subject}(?:\s+\([^)]*\))?,?\s+(?:\w+\s+){{0,2}}{_SAYING}\b",
        rf"^{subject}(?:\s+\([^)]*\))?\s*[:—-]\s",
        rf"\b(?:according to|{_SAYING} by|in the (?:view|opinion) of)\s+{subject}",
    )
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def _level(candidate: Candidate, topic: set[str]) -> Confidence:
    held = topic & candidate.unit.all_terms
    return Confidence.HIGH if len(held) == len(topic) else Confidence.MEDIUM


def _nothing_said(
    part: Part, names: set[str], context: AnswerContext, gathered: Gathered
) -> PartAnswer:
    who = " or ".join(sorted(names))
    topic = part.topic or "this"
    gap = Gap(
        f"what {who} said about {topic}",
        f"The bundled context contains no statement by {who} about {topic}; "
        "being named in a document is not a statement.",
    )
    related = _mentions(names, context, gathered)
    return PartAnswer(
        gaps=(gap,), related=related, proven=_is_silent(part, names, gathered, context)
    )


def _is_silent(part: Part, names: set[str], gathered: Gathered, context: AnswerContext) -> bool:
    """Whether it is beyond doubt that they said nothing: they are people, and nothing that names
    them speaks of the topic. What reports them in words that we do not know may be there else."""
    if not any(name[:1].isupper() and not name.isupper() for name in names):
        return False
    topic = set(query_terms(part.topic)) - set(terms(" ".join(names)))
    last_names = {last_name(name) for name in names}
    if context.spoken_by(last_names):
        # They do speak; on what, their words alone do not tell.
        return False
    for found in gathered.found:
        named = False
        for unit in context.units_in(found.chunk):
            here = any(last in unit.text.casefold() for last in last_names)
            # What they are reported to have said may be on the topic in other words.
            if here and (
                topic & unit.all_terms or any(_reports(unit.text, name) for name in names)
            ):
                return False
            named = named or here
            if named and _SOMEBODY_SAYS.search(unit.text):
                # "Ada Byron wrote it. In May she asked …".
                return False
    return True


def _mentions(
    names: set[str], context: AnswerContext, gathered: Gathered
) -> tuple[DraftClaim, ...]:
    last_names = {last_name(name) for name in names}
    found = [
        one
        for one in gathered.candidates
        if any(last in one.unit.text.casefold() for last in last_names)
        # What an item tells machines to say is nothing that anybody said of them (TIP §4.4).
        and not is_order(one.unit.text)
    ]
    return tuple(claim_of(one, context, confidence=Confidence.LOW) for one in found[:2])
