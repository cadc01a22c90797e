"""Factual parts (TIP §9.1): the best sentence or cell, what agrees with it, what contradicts it."""

from __future__ import annotations

from dataclasses import replace

from tipstaff.answer.attribution import answer_attribution, answer_who_said
from tipstaff.answer.claims import claim_from, claim_of, trace_of
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.contradictions import Disagreement, answer_figure, disagreements, same
from tipstaff.answer.gate import ANSWER, Judgement, Verdict, gap_of, judge, topic_of
from tipstaff.answer.gathering import Candidate, Gathered, gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.premise import false_premise
from tipstaff.answer.question import AnswerKind, Part
from tipstaff.answer.rival_figures import with_rivals
from tipstaff.answer.scoring import SUBJECT_RARITY
from tipstaff.answer.wording import asked_about, ended
from tipstaff.domain.classification import Confidence
from tipstaff.domain.draft import DraftClaim, Paragraph
from tipstaff.domain.response import Contradiction, Gap, Position
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms

# What is sure enough to be said without hedging.
_HIGH = 0.65
_MOST_CLAIMS = 3
# A question that asks for no one thing gets the sentences that go on with the answer, too.
_CONTINUED = 2
# A name that occurs in no more passages is only mentioned.
_IN_PASSING = 3
# A further unit must be about as good as the best to be said beside it.
_BESIDE = 0.8

_SINGLE = frozenset(
    {
        AnswerKind.MONEY,
        AnswerKind.COUNT,
        AnswerKind.PERCENT,
        AnswerKind.DATE,
        AnswerKind.DURATION,
        AnswerKind.PERSON,
        AnswerKind.PLACE,
        AnswerKind.WORD,
    }
)


def answer_factual(part: Part, context: AnswerContext) -> PartAnswer:
    gathered = gather(part, context)
    if part.attributed_to:
        return answer_attribution(part, gathered, context)
    return (
        answer_who_said(part, gathered, context)
        or false_premise(part, gathered, context)
        or answer_from(part, gathered, context)
    )


def answer_from(part: Part, gathered: Gathered, context: AnswerContext) -> PartAnswer:
    """The answer that gathered evidence gives to a part, or the gap."""
    judgement = judge(part, gathered, context)
    if judgement.verdict is Verdict.GAP:
        return gap_answer(part, judgement, gathered, context)
    if judgement.verdict is Verdict.WEAK:
        return weak_answer(part, judgement, context)
    best, *rest = _told_first(judgement.candidates)
    if best.fitting and not best.is_exact and best.probability < ANSWER:
        return _every_fitting_cell(best, context)
    against = disagreements(best, judgement.candidates, about=_subject(part))
    if against:
        return contradiction(part, best, against, context)
    chosen = [best, *_beside(part, best, rest)]
    claims = [claim_of(one, context, part=part, confidence=_confidence(one)) for one in chosen]
    if part.kind is AnswerKind.ANY and not best.unit.is_row:
        claims[1:1] = [
            claim_from(
                unit, context, confidence=_confidence(best), trace=trace_of(best.found, context)
            )
            for unit in context.following(best.unit, _CONTINUED)
        ]
    return PartAnswer(paragraphs=(Paragraph(claims=tuple(merged(claims))),))


def _every_fitting_cell(best: Candidate, context: AnswerContext) -> PartAnswer:
    """Which column is meant is the asker's to say: none is chosen (TIP §3.3)."""
    claims = tuple(
        claim_from(
            best.unit,
            context,
            cell=cell,
            confidence=Confidence.MEDIUM,
            trace=trace_of(best.found, context),
        )
        for cell in best.fitting
    )
    lead = "More than one figure fits the question:"
    return PartAnswer(paragraphs=(Paragraph(lead=lead, claims=claims, as_list=True),))


def _subject(part: Part) -> set[str]:
    return set(part.terms) - {term for name in part.names for term in terms(name)}


def _told_first(candidates: tuple[Candidate, ...]) -> list[Candidate]:
    """A sentence that says what the exact cell says reads better; the cell then confirms it."""
    best, *rest = candidates
    figure = answer_figure(best)
    if best.unit.is_row and figure is not None:
        for one in rest:
            told = answer_figure(one)
            if not one.unit.is_row and one.probability >= ANSWER and told and same(told, figure):
                return [one, best, *(other for other in rest if other is not one)]
    return list(candidates)


def gap_answer(
    part: Part, judgement: Judgement, gathered: Gathered, context: AnswerContext
) -> PartAnswer:
    """An unanswered part, with what the context has that is nearest to it."""
    near = _passing_mentions(part, gathered, context)
    near += [one for one in judgement.candidates or gathered.candidates if _is_related(one)]
    near = [one for one in near if _is_on_what_is_named(part, one, context)]
    near = list({one.unit.key: one for one in near}.values())[:2]
    related = tuple(claim_of(one, context, confidence=Confidence.LOW) for one in near)
    gaps = (judgement.gap or gap_of(part),)
    return PartAnswer(gaps=gaps, related=related, proven=judgement.proven)


def _passing_mentions(part: Part, gathered: Gathered, context: AnswerContext) -> list[Candidate]:
    """Units that name what is asked about, where hardly any do (TIP §11.7): not an answer, but
    whoever asks should see how little there is."""
    rare = [
        name
        for name in part.names
        if 0 < min(map(context.occurs, terms(name)), default=0) <= _IN_PASSING
    ]
    return [
        one
        for name in rare
        for one in gathered.candidates
        if set(terms(name)) <= one.unit.own_terms
    ][:1]


def weak_answer(part: Part, judgement: Judgement, context: AnswerContext) -> PartAnswer:
    """TIP §5.4.3: related words, hedged, and the gap said plainly."""
    chosen = [
        one
        for one in judgement.candidates
        if _is_related(one) and _is_on_what_is_named(part, one, context)
    ][:2]
    if not chosen:
        return PartAnswer(gaps=(gap_of(part),))
    claims = tuple(claim_of(one, context, confidence=Confidence.LOW) for one in chosen)
    topic = asked_about(part)
    answer = PartAnswer(
        paragraphs=(
            Paragraph(
                claims=claims,
                lead="The context only touches on this; there is limited information:",
            ),
        ),
        gaps=(Gap(topic, ended(f"The bundled context does not directly address {topic}")),),
    )
    used = [one.unit for one in chosen]
    found = [one.unit for one in judgement.candidates]
    return with_rivals(answer, part, used=used, found=found, context=context)


def merged(claims: list[DraftClaim]) -> list[DraftClaim]:
    """Equal statements once, with all their citations (TIP §5.2)."""
    kept: dict[str, DraftClaim] = {}
    for claim in claims:
        known = kept.get(claim.text)
        kept[claim.text] = (
            claim if known is None else replace(known, citations=known.citations + claim.citations)
        )
    return list(kept.values())


def _beside(part: Part, best: Candidate, rest: list[Candidate]) -> list[Candidate]:
    """Further units: for one figure or name only what confirms it in another item, else whatever
    answers nearly as well."""
    chosen: list[Candidate] = []
    for one in rest:
        if one.probability < max(ANSWER, _BESIDE * best.probability):
            break
        if part.kind in _SINGLE:
            other_item = one.unit.item_id not in {two.unit.item_id for two in (best, *chosen)}
            if other_item and _confirms(best, one):
                chosen.append(one)
        elif one.answer:
            chosen.append(one)
        if len(chosen) + 1 >= _MOST_CLAIMS:
            break
    return chosen


def _confirms(best: Candidate, other: Candidate) -> bool:
    figures = quantities(best.answer)
    if figures:
        return any(one.value == figures[0].value for one in other.unit.figures)
    return bool(best.answer) and best.answer.casefold() in other.unit.text.casefold()


def contradiction(
    part: Part, best: Candidate, against: list[Disagreement], context: AnswerContext
) -> PartAnswer:
    """TIP §4.1 rule 8: every value with its source, none chosen."""
    sides = [best, *(one.candidate for one in against)]
    claims = [claim_of(one, context, part=part, confidence=_confidence(one)) for one in sides]
    values = [against[0].own, *(one.other for one in against)]
    positions = tuple(
        Position(value, claim.citations[0].citation.reference)
        for value, claim in zip(values, claims, strict=True)
    )
    topic = topic_of(part)
    return PartAnswer(
        paragraphs=(
            Paragraph(
                claims=tuple(claims),
                as_list=True,
                lead="The context is not consistent on this. The sources disagree:",
            ),
        ),
        contradictions=(Contradiction(topic, positions),),
    )


def _confidence(candidate: Candidate) -> Confidence:
    return Confidence.HIGH if candidate.probability >= _HIGH else Confidence.MEDIUM


def _is_related(candidate: Candidate) -> bool:
    """Enough in common with the question to be worth naming."""
    return candidate.features.together >= 0.2 and (
        candidate.features.coverage > 0.1 or candidate.features.similarity > 0.4
    )


def _is_on_what_is_named(part: Part, candidate: Candidate, context: AnswerContext) -> bool:
    """What is said of something else than the question names was excluded: it is no near miss."""
    telling = any(
        context.rarity(term) > SUBJECT_RARITY for name in part.names for term in terms(name)
    )
    return candidate.features.names > 0 or not telling
