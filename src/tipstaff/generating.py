"""A question to an indexed bundle with a language model: drafted, checked, released sentence by
sentence. Where the model fails, the answer without one stands in, and says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from tipstaff.answer.gate import absent_name
from tipstaff.answer.generative import Released, Testimony, testify
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.prompt import BuiltPrompt, build_prompt
from tipstaff.answer.prompt_items import prompt_items
from tipstaff.answer.question import Question
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.asking import Interrogation
from tipstaff.domain.classification import Classification, Support, lowest
from tipstaff.domain.response import (
    Inference,
    Notice,
    NoticeKind,
    Response,
    ResponseEnvelope,
    Usage,
)
from tipstaff.errors import ModelUnavailable, RateLimited, TipstaffError
from tipstaff.llm.model import Message, Model, UsageReport, estimated_cost_usd, too_small
from tipstaff.retrieve.loading import load
from tipstaff.tokens import count_tokens

# Room for the rules of the prompt, and what a few exchanges may take of the window.
_PROMPT_TOKENS = 1_500
_HISTORY_SHARE = 0.2
_CUT_SHORT = {
    "length": "The model's answer reached its length limit and ends early.",
    "refused": "The model's service ended the answer by its own rules.",
}
_ENDED_ODDLY = "The model's answer did not end in the ordinary way."
_NOT_ASKED = "The model was not asked: what the question is about is not in the context."
_COLLAPSED = "None of the model's statements could be verified; this answer is made without it."


@dataclass(kw_only=True)
class ModelInterrogation(Interrogation):
    """`ask` is the fold of `stream`: the same sentences, released one by one."""

    model: Model
    fallback: Model | None = None
    _said: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, query: str, *, released: Callable[[str], None] | None = None) -> ResponseEnvelope:
        return asyncio.run(self._last_of(query, released))

    async def stream(self, query: str) -> AsyncGenerator[Released | ResponseEnvelope, None]:
        """Checked words as soon as they may be said; last, the whole response."""
        question, full = self.begin(query)
        if question.is_meta:
            yield self.finish(query, full, self.refusal(question))
            return
        offline = self.answers(question)
        if self._is_vetoed(question, offline):
            envelope = self.finish(query, full, self.offline_response(question, offline))
            told = Notice(NoticeKind.MODEL, _NOT_ASKED)
            yield replace(envelope, notices=(*envelope.notices, told))
            return
        testimony, notices = Testimony(), self._warnings()
        built, history, cut = self._prompt(full)
        notices += cut
        model = self.model
        try:
            async with aclosing(self._testimony(model, built, history, full, testimony)) as spoken:
                async for released in spoken:
                    yield released
        except (ModelUnavailable, RateLimited) as problem:
            if self.fallback is None or testimony.text:
                raise
            # TIP §14.2: another model only where one was named, and said to be.
            notices.append(Notice(NoticeKind.FALLBACK_MODEL, _other(model, self.fallback, problem)))
            model, testimony = self.fallback, Testimony()
            async with aclosing(self._testimony(model, built, history, full, testimony)) as spoken:
                async for released in spoken:
                    yield released
        if testimony.collapsed:
            notices.append(Notice(NoticeKind.FALLBACK_MODEL, _COLLAPSED))
            response = self.offline_response(question, offline)
            response = replace(response, removed=(*testimony.removed, *response.removed))
        else:
            response = _response(testimony, offline)
        if testimony.ending != "stop":
            notices.append(Notice(NoticeKind.MODEL, _CUT_SHORT.get(testimony.ending, _ENDED_ODDLY)))
        self._said.append((full, response.text))
        envelope = self.finish(query, full, response)
        usage = UsageReport(testimony.input_tokens, testimony.output_tokens)
        yield replace(
            envelope,
            model=model.name,
            notices=(*envelope.notices, *notices),
            usage=Usage(
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                estimated_cost_usd=estimated_cost_usd(model, usage) or 0.0,
            ),
        )

    def _is_vetoed(self, question: Question, offline: Sequence[PartAnswer]) -> bool:
        """Whether every part asks for what is proven not to be there: then nobody may answer, and
        the model is not even asked."""
        return all(
            not answer.says_something and (answer.proven or absent_name(part, self.context()))
            for part, answer in zip(question.parts, offline, strict=True)
        )

    async def _last_of(
        self, query: str, released: Callable[[str], None] | None
    ) -> ResponseEnvelope:
        envelope: ResponseEnvelope | None = None
        async with aclosing(self.stream(query)) as parts:
            async for part in parts:
                if isinstance(part, ResponseEnvelope):
                    envelope = part
                elif released is not None:
                    released(part.text)
        for model in filter(None, (self.model, self.fallback)):
            await model.aclose()
        if envelope is None:
            raise RuntimeError("a stream ended without its response")
        return envelope

    def _testimony(
        self,
        model: Model,
        built: BuiltPrompt,
        history: list[Message],
        full: str,
        testimony: Testimony,
    ) -> AsyncGenerator[Released, None]:
        witness = ContextWitness(
            context=self.context(),
            resolve=self.boundary.resolve,
            has_integrity=self.boundary.has_integrity,
            permitted=self.boundary.may_cite,
            objection=self.guard.disclosure.objection,
        )
        settings = self.indexed.settings
        return testify(
            model,
            built,
            history=history,
            witness=witness.witness(full, may_infer=self.grounding != "strict"),
            context=witness,
            max_tokens=min(settings.max_response_tokens, model.max_output_tokens),
            timeout_s=settings.timeout_s,
            testimony=testimony,
        )

    def _prompt(self, full: str) -> tuple[BuiltPrompt, list[Message], list[Notice]]:
        """TIP §10.2 and §14.3: the synthesis whole, as much context as fits, then history."""
        context = self.context()
        bundle = self.indexed.opened.bundle
        synthesis = bundle.synthesis.text if bundle.synthesis else ""
        history, cut = self._history_within(int(self.model.window_tokens * _HISTORY_SHARE))
        spent = sum(count_tokens(one.content) for one in history)
        reserved = (
            _PROMPT_TOKENS
            + count_tokens(synthesis)
            + count_tokens(full)
            + spent
            + self.indexed.settings.max_response_tokens
        )
        retrieval = context.search(full, context.options)
        loaded = load(
            retrieval,
            index=context.index,
            scope=context.scope,
            window_tokens=self.model.window_tokens,
            reserved_tokens=reserved,
        )
        built = build_prompt(
            full,
            items=prompt_items(loaded, context),
            synthesis=synthesis,
            conversation=bundle.conversation,
            unquotable=[item.id for item in context.items if not context.quotable(item.id)],
            grounding=self.grounding,
        )
        return built, history, cut

    def _history_within(self, room: int) -> tuple[list[Message], list[Notice]]:
        """The last exchanges that fit; what is left out is said (TIP §8.1.4)."""
        kept: list[Message] = []
        for number, (asked, said) in enumerate(reversed(self._said)):
            cost = count_tokens(asked) + count_tokens(said)
            if cost > room:
                left = len(self._said) - number
                message = f"The {left} earliest exchanges of this session were left out."
                return kept, [Notice(NoticeKind.HISTORY_TRUNCATED, message)]
            room -= cost
            kept = [Message("user", asked), Message("assistant", said), *kept]
        return kept, []

    def _warnings(self) -> list[Notice]:
        """TIP §10.3.4."""
        if not too_small(self.model):
            return []
        words = f"'{self.model.name}' is smaller than TIP recommends for interrogation (30B)."
        return [Notice(NoticeKind.MODEL, words)]


def _other(model: Model, fallback: Model, problem: TipstaffError) -> str:
    return (
        f"'{model.name}' could not answer ({problem.message}) '{fallback.name}' answered instead."
    )


def _response(testimony: Testimony, offline: list[PartAnswer]) -> Response:
    """Class and confidence come from what held, never from what the model says of itself."""
    gaps = list(testimony.gaps)
    gaps += [gap for answer in offline if answer.proven for gap in answer.gaps]
    contradictions = tuple(two for answer in offline for two in answer.contradictions)
    claims = testimony.claims
    if not claims:
        kind = Classification.ABSTENTION
    elif gaps:
        kind = Classification.PARTIAL
    elif any(claim.support is Support.INFERRED for claim in claims):
        kind = Classification.INFERRED
    else:
        kind = Classification.GROUNDED
    text = testimony.text.strip()
    if testimony.removed:
        count = len(testimony.removed)
        text += f"\n\n({count} statement{'' if count == 1 else 's'} could not be verified and "
        text += f"{'was' if count == 1 else 'were'} withheld.)"
    return Response(
        text=text,
        classification=kind,
        confidence=lowest(claim.confidence for claim in claims),
        claims=tuple(claims),
        citations=tuple(testimony.citations),
        gaps=tuple(dict.fromkeys(gaps)),
        inferences=tuple(
            Inference(claim.text, claim.citations, claim.text)
            for claim in claims
            if claim.support is Support.INFERRED
        ),
        contradictions=contradictions,
        removed=tuple(testimony.removed),
    )
