"""A question to an indexed bundle with a language model: drafted, checked, released sentence by
sentence. Where the model fails, the answer without one stands in, and says so."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from tipstaff.answer.antecedents import antecedents
from tipstaff.answer.asked_aspects import asked_aspects
from tipstaff.answer.gate import is_proven_absent
from tipstaff.answer.generative import Testimony, testify
from tipstaff.answer.own_words import in_own_words, is_said
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Question
from tipstaff.answer.repair import Repair, repair_request
from tipstaff.answer.testimony_response import instead, response_of_testimony, response_without
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.asking import Interrogation, Remembered, Settled
from tipstaff.domain.classification import Classification, Confidence, Support
from tipstaff.domain.draft import ClaimKind
from tipstaff.domain.response import Claim, Notice, NoticeKind, Released, Response, Usage
from tipstaff.domain.retrieval import Strategy
from tipstaff.errors import (
    LimitError,
    ModelUnavailable,
    QueryTimeout,
    RateLimited,
    ServiceError,
    TipstaffError,
)
from tipstaff.llm.model import Model, UsageReport, estimated_cost_usd, too_small
from tipstaff.prompting import Asked, Prompting
from tipstaff.retrieve.auto_strategy import chosen_strategy
from tipstaff.verify.entailed import OtherWords, other_words_named
from tipstaff.verify.known_parts import KnownParts
from tipstaff.verify.leaning import Lost
from tipstaff.verify.sentence_check import Witness, says_nothing
from tipstaff.verify.support_checker import SupportChecker, checker_named, used_by
from tipstaff.verify.verifier import VerifiedClaim

# A call with no time left is made, and times out as any other.
_AT_LEAST_S = 0.05
_NOT_USED = UsageReport(0, 0)
_CUT_SHORT = {
    "length": "The model's answer reached its length limit and ends early.",
    "refused": "The model's service ended the answer by its own rules.",
}
_ENDED_ODDLY = "The model's answer did not end in the ordinary way."
_NOT_ASKED = "The model was not asked: what the question is about is not in the context."
_NO_MORE_SOURCES = "For {count} more of the withheld statements no source is quoted."
_FOUND_NOTHING = "The model found nothing on this in the context; this answer is made without it."
_COLLAPSED = "None of the model's statements could be verified; this answer is made without it."
_SAID_NOTHING = "The model made no statement; this answer is made without it."
_UNHEARD = "'{name}' could not be heard ({problem}) What only it could confirm was withheld."


@dataclass(kw_only=True)
class ModelInterrogation(Interrogation):
    """As an interrogation without a model, with a witness that drafts."""

    model: Model
    fallback: Model | None = None
    checker: SupportChecker | None = field(init=False)
    other_words: OtherWords | None = field(init=False)
    _said: list[tuple[str, str]] = field(default_factory=list)
    _aspects: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.checker = checker_named(self.indexed.settings.support_checker)
        self.other_words = other_words_named(self.indexed.settings.other_words)

    @property
    def model_name(self) -> str:
        return self.model.name

    def remember(self, exchanges: Sequence[Remembered]) -> None:
        super().remember(exchanges)
        self._said += [(one.understood, one.said) for one in exchanges]

    def keep_last(self, exchanges: int) -> None:
        super().keep_last(exchanges)
        del self._said[:-exchanges]

    async def aclose(self) -> None:
        for model in filter(None, (self.model, self.fallback)):
            await model.aclose()
        if self.checker is not None:
            await self.checker.aclose()

    async def respond(
        self, question: Question, full: str
    ) -> AsyncGenerator[Released | Settled, None]:
        """Checked words as soon as they may be said; last, the whole response."""
        if question.is_meta:
            yield Settled(response=self.refusal(question))
            return
        offline = await asyncio.to_thread(self.answers, question)
        without_model = await asyncio.to_thread(self.offline_response, question, offline)
        parts = self._known_parts(question, offline, without_model)
        # What is proven not to be there is nobody's to fill, and nobody is asked for it.
        open_parts = [part.text for part in question.parts if part.text not in parts.absent]
        if not open_parts:
            self._said.append((full, without_model.text))
            told = Notice(NoticeKind.MODEL, _NOT_ASKED)
            yield Settled(response=without_model, notices=(told,))
            return
        held = self.guard.disclosure.set_back()
        asked_for = full if len(open_parts) == len(offline) else " ".join(open_parts)
        session = _Hearing(self, asked_for, parts)
        async with aclosing(session.released()) as spoken:
            async for released in spoken:
                yield released
        testimony, notices = session.testimony, session.notices
        if testimony.collapsed:
            told_why = _COLLAPSED if testimony.removed else _SAID_NOTHING
            notices.append(Notice(NoticeKind.FALLBACK_MODEL, told_why))
            self.guard.disclosure.put_back(held)
            abstains = without_model.classification is Classification.ABSTENTION
            said = {claim.text for claim in without_model.claims}
            lines = await asyncio.to_thread(session.in_own_words, anchored=abstains, said=said)
            response = response_without(testimony, without_model, lines, offline)
        elif not testimony.claims and without_model.claims:
            # Nobody has verified that the context is silent, and something of it was verified.
            notices.append(Notice(NoticeKind.FALLBACK_MODEL, _FOUND_NOTHING))
            self.guard.disclosure.put_back(held)
            removed = (*testimony.removed, *without_model.removed)
            response = replace(without_model, removed=removed)
        else:
            response = response_of_testimony(testimony, offline, without_model)
        if testimony.ending != "stop":
            notices.append(Notice(NoticeKind.MODEL, _CUT_SHORT.get(testimony.ending, _ENDED_ODDLY)))
        self._said.append((full, response.text))
        yield self._settled(response, session)

    def _settled(self, response: Response, hearing: _Hearing) -> Settled:
        usage = hearing.usage
        return Settled(
            response=response,
            model=hearing.model.name,
            notices=tuple(hearing.notices),
            usage=Usage(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                estimated_cost_usd=hearing.cost_usd,
            ),
        )

    def _known_parts(
        self, question: Question, offline: Sequence[PartAnswer], without_model: Response
    ) -> KnownParts:
        """What the answer without a model has shown of each part of a question."""
        absent, answered, left = [], [], []
        is_sure = without_model.confidence is not Confidence.LOW
        for part, answer in zip(question.parts, offline, strict=True):
            if not answer.says_something and (
                answer.proven or is_proven_absent(part, self.context())
            ):
                absent.append(part.text)
            elif answer.says_something and is_sure and not answer.gaps:
                answered.append(part.text)
            else:
                left += [part.text, *(gap.topic for gap in answer.gaps)]
        return KnownParts(answered=tuple(answered), absent=tuple(absent), open=tuple(left))

    def prompting(self, model: Model) -> Prompting:
        return Prompting(
            context=self.context(),
            model=model,
            grounding=self.grounding,
            answer_tokens=self.answer_tokens(model),
            summarised=self.boundary.summarised(),
        )

    def answer_tokens(self, model: Model) -> int:
        """The least of what the settings, the model and the query's budget allow."""
        most = min(self.indexed.settings.max_response_tokens, model.max_output_tokens)
        return most if self.response_tokens is None else max(1, min(most, self.response_tokens))

    def witnesses(
        self, on_unheard: Callable[[str, Exception], None] = lambda _name, _problem: None
    ) -> ContextWitness:
        return ContextWitness(
            context=self.context(),
            resolve=self.boundary.resolve,
            has_integrity=self.boundary.has_integrity,
            permitted=self.boundary.may_cite,
            objection=self.guard.disclosure.objection,
            shown=self.guard.disclosure.shown,
            checker=self.checker,
            on_search=self._support_searches.append,
            on_unheard=on_unheard,
            say_it=self.other_words.say_it if self.other_words else says_nothing,
        )

    def aspects(self, query: str, limit: int) -> list[str]:
        """As the model took the question apart, if it was asked and had something to say."""
        asked = self._aspects.get(query, ())
        return list(asked[:limit]) or super().aspects(query, limit)

    async def take_apart(self, query: str, model: Model, *, timeout_s: float) -> UsageReport:
        """Enterprise §5.2.2, step 1: before a search by aspects the model is asked for them."""
        options, scope = self.context().options, self.context().scope
        strategy = options.strategy
        if strategy is Strategy.AUTO:
            strategy, _ = chosen_strategy(query, tokens=scope.tokens, options=options)
        if strategy is not Strategy.MULTI_PASS or query in self._aspects:
            return UsageReport(0, 0)
        asked = await asked_aspects(
            model,
            query,
            limit=options.max_sub_queries,
            timeout_s=timeout_s,
        )
        self._aspects[query] = asked.queries
        return asked.usage

    def said(self) -> Sequence[tuple[str, str]]:
        return tuple(self._said)


class _Hearing:
    """One query before one model, or before the other one when the first is not there."""

    def __init__(self, interrogation: ModelInterrogation, query: str, parts: KnownParts) -> None:
        self._of = interrogation
        self._query = query
        self._parts = parts
        self.model = interrogation.model
        self.testimony = Testimony()
        self.usage = UsageReport(0, 0)
        self.cost_usd: float | None = 0.0
        self.notices: list[Notice] = []
        self._better: list[Claim] = []
        self._held: list[Released] = []
        # TIP §14.5: for the whole answer, however often a model is asked for it.
        self._timeout_s = interrogation.indexed.settings.timeout_s
        self._deadline = time.monotonic() + self._timeout_s
        # What a query that failed has used is not this one's.
        used_by(interrogation.checker)

    async def released(self) -> AsyncGenerator[Released, None]:
        try:
            async with aclosing(self._of_either()) as spoken:
                async for released in spoken:
                    yield released
        except QueryTimeout as problem:
            raise self._as_allowed(problem) from problem

    async def _of_either(self) -> AsyncGenerator[Released, None]:
        try:
            async with aclosing(self._heard()) as spoken:
                async for released in spoken:
                    yield released
        except (ModelUnavailable, RateLimited) as problem:
            fallback = self._of.fallback
            if fallback is None or not self.testimony.collapsed:
                raise
            # TIP §14.2: another model only where one was named, and said to be.
            self.notices = [
                Notice(NoticeKind.FALLBACK_MODEL, _other(self.model, fallback, problem))
            ]
            self.model, self.testimony = fallback, Testimony()
            async with aclosing(self._heard()) as spoken:
                async for released in spoken:
                    yield released

    async def _heard(self) -> AsyncGenerator[Released, None]:
        self.notices += _warnings(self.model)
        await self._take_apart()
        asked = await asyncio.to_thread(
            self._of.prompting(self.model).asked, self._query, self._of.said()
        )
        self.notices += asked.notices
        self._held.clear()
        async with aclosing(self._spoken(asked)) as spoken:
            async for released in spoken:
                # Small talk, or that nothing is there, would be all that is left of a draft of
                # which nothing holds.
                self._held.append(released)
                if self.testimony.claims:
                    for words in self._held:
                        yield words
                    self._held.clear()

    async def _spoken(self, asked: Asked) -> AsyncGenerator[Released, None]:
        """A draft, what is better of its second try, and the lines for what still failed."""
        async with aclosing(self._testimony(asked, self.testimony, repairs=False)) as spoken:
            async for released in spoken:
                yield released
        self._count(self.testimony)
        if self.testimony.collapsed:
            # What is held back is not said before a second try, either.
            self.testimony.text = ""
            self._held.clear()
        if not self.testimony.failed:
            return
        first = len(self.testimony.claims)
        if self._of.indexed.settings.repair_rounds:
            async with aclosing(self._repaired(asked)) as spoken:
                async for released in spoken:
                    yield released
        self._better = self.testimony.claims[first:]
        if not self.testimony.collapsed and (lines := await asyncio.to_thread(self.in_own_words)):
            yield self._quoted(lines)

    async def _take_apart(self) -> None:
        """By grammar where the model fails at it; that it is not there at all is known soon."""
        try:
            left = self._seconds_left()
            self._add(await self._of.take_apart(self._query, self.model, timeout_s=left))
        except (ModelUnavailable, RateLimited):
            raise
        except (LimitError, ServiceError) as problem:
            told = self._as_allowed(problem).message
            words = f"The model could not be asked for the question's aspects: {told}"
            self.notices.append(Notice(NoticeKind.MODEL, words))

    async def _repaired(self, asked: Asked) -> AsyncGenerator[Released, None]:
        """One round: the model is told what failed and why, and may say it better."""
        request = replace(asked, built=repair_request(asked.built, self.testimony))
        repair = Repair(self.testimony)
        # It begins behind sentences that it does not go on from.
        testimony = Testimony(lost=Lost(thing=True, person=True))
        try:
            async with aclosing(self._testimony(request, testimony, repairs=True)) as spoken:
                async for released in spoken:
                    if better := repair.taken(released, testimony):
                        yield better
        except (LimitError, ServiceError) as problem:
            told = self._as_allowed(problem).message
            words = f"The model could not be asked again for what was withheld: {told}"
            self.notices.append(Notice(NoticeKind.MODEL, words))
        self._count(testimony)
        if testimony.ending != "stop":
            words = _CUT_SHORT.get(testimony.ending, _ENDED_ODDLY)
            self.notices.append(Notice(NoticeKind.MODEL, f"When it was asked again: {words}"))

    def in_own_words(
        self, *, anchored: bool = False, said: Collection[str] = ()
    ) -> list[VerifiedClaim]:
        """What is still withheld, as the context has it; what was said better, or is `said`
        already, is not."""
        context = self._of.witnesses()
        verifier = self._of.boundary.verifier()
        lines, left = in_own_words(
            self.testimony.failed,
            witness=self._witness(context),
            context=context,
            verifier=verifier,
            anchor=self._query if anchored else "",
            worked=[one.text for one in self.testimony.claims if one.support is Support.INFERRED],
        )
        if left:
            self.notices.append(Notice(NoticeKind.LIMITED, _NO_MORE_SOURCES.format(count=left)))
        better = {at for one in self._better for at in one.citations}
        lines = [
            one
            for one in lines
            if one.draft.kind is ClaimKind.INFERENCE
            or (
                not better.issuperset(one.claim.citations)
                and not is_said(one.claim, self.testimony.claims)
            )
        ]
        shown = " ".join((self.testimony.text, *(one.claim.text for one in lines)))
        lines += antecedents(self._better, said=shown, context=context, verifier=verifier)
        return [
            replace(one, citations=tuple(map(context.shown, one.citations)))
            for one in lines
            if one.claim.text not in said
            and not context.objection(one.claim.text, [cited.item_id for cited in one.citations])
        ]

    def _quoted(self, lines: Sequence[VerifiedClaim]) -> Released:
        """Lines as they join what was said."""
        testimony = self.testimony
        citations = tuple(cited for one in lines for cited in one.citations)
        text = f"\n\n{instead(lines)}"
        testimony.text += text
        testimony.claims += [one.claim for one in lines]
        testimony.citations += citations
        return Released(text, citations)

    def _witness(self, context: ContextWitness) -> Witness:
        return context.witness(
            self._query,
            may_infer=self._of.grounding != "strict",
            parts=self._parts,
        )

    def _testimony(
        self, asked: Asked, testimony: Testimony, *, repairs: bool
    ) -> AsyncGenerator[Released, None]:
        witness = self._of.witnesses(self._unheard)
        return testify(
            self.model,
            asked.built,
            witness=self._witness(witness),
            context=witness,
            max_tokens=self._of.answer_tokens(self.model),
            timeout_s=self._seconds_left(),
            testimony=testimony,
            repairs=repairs,
        )

    def _seconds_left(self) -> float:
        return max(self._deadline - time.monotonic(), _AT_LEAST_S)

    def _as_allowed(self, problem: TipstaffError) -> TipstaffError:
        """What ran out is the time of the whole answer, however little of it a request had."""
        if not isinstance(problem, QueryTimeout):
            return problem
        return QueryTimeout(timeout_seconds=self._timeout_s)

    def _unheard(self, name: str, problem: Exception) -> None:
        told = problem.message if isinstance(problem, TipstaffError) else type(problem).__name__
        words = _UNHEARD.format(name=name, problem=f"{told.rstrip('.')}.")
        notice = Notice(NoticeKind.MODEL, words)
        if notice not in self.notices:
            self.notices.append(notice)

    def _count(self, testimony: Testimony) -> None:
        self._add(UsageReport(testimony.input_tokens, testimony.output_tokens))
        for model, usage in used_by(self._of.checker):
            self._add(usage, model)

    def _add(self, usage: UsageReport, model: Model | None = None) -> None:
        if usage == _NOT_USED:
            return
        # Each request has its own price: some cost more above a length.
        cost = estimated_cost_usd(model or self.model, usage)
        if cost is None or self.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += cost
        self.usage = UsageReport(
            self.usage.input_tokens + usage.input_tokens,
            self.usage.output_tokens + usage.output_tokens,
        )


def _warnings(model: Model) -> list[Notice]:
    """TIP §10.3.4."""
    if not too_small(model):
        return []
    words = f"'{model.name}' is smaller than TIP recommends for interrogation (30B)."
    return [Notice(NoticeKind.MODEL, words)]


def _other(model: Model, fallback: Model, problem: TipstaffError) -> str:
    return (
        f"'{model.name}' could not answer ({problem.message}) '{fallback.name}' answered instead."
    )
