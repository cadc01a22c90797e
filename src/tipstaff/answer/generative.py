"""Answers drafted by a language model and released sentence by sentence, each one checked first.

The model is an untrusted witness: nothing that it says leaves before the sentence and its
citations have been held against the bytes (TIP §3.4.3). What fails is withheld and said to be.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from tipstaff.answer.disclosure import LIMITS
from tipstaff.answer.prompt import ASKS, BuiltPrompt
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.response import CheckedCitation, Claim, Gap, Released, RemovedClaim
from tipstaff.errors import QueryTimeout
from tipstaff.llm.model import Finished, Message, Model, Prompt, UsageReport
from tipstaff.llm.window import must_fit
from tipstaff.verify.addressed import without_orders
from tipstaff.verify.checked_sentence import (
    CheckedSentence,
    rests_on_synthesis,
    said,
    withheld,
)
from tipstaff.verify.entailed import near_units
from tipstaff.verify.leaning import Lost
from tipstaff.verify.sentence_check import VETOED, Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence, SentenceStream
from tipstaff.verify.support_checker import heard_on, second_opinion

_LOST = "Whom or what it is about stands in a sentence that was withheld."
LEAKED = "It repeats how the question was put to the model."
# TIP §3.5: what the sender says is not what the context supports.
_ONLY_SYNTHESIS = (
    "Only the synthesis says this, and no context item was found to support it: {topic}."
)
_DOUBTED = "The support checker did not confirm it."
QUOTES_PROTECTED = "It would quote an item that may only be asked about."


@dataclass(slots=True)
class Testimony:
    """What became of a draft: filled while sentences are released, whole at the end."""

    text: str = ""
    claims: list[Claim] = field(default_factory=list)
    citations: list[CheckedCitation] = field(default_factory=list)
    removed: list[RemovedClaim] = field(default_factory=list)
    # What was withheld, in the drafter's words: for the drafter only.
    failed: list[tuple[str, str]] = field(default_factory=list)
    # What of the sentences before was withheld: whom or what the next one speaks of.
    lost: Lost = field(default_factory=Lost)
    gaps: list[Gap] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    ending: str = "stop"

    @property
    def collapsed(self) -> bool:
        """Nothing of it held: neither a claim nor an honest abstention."""
        return not self.claims and not self.gaps


async def testify(
    model: Model,
    built: BuiltPrompt,
    *,
    witness: Witness,
    context: ContextWitness,
    max_tokens: int,
    timeout_s: float,
    testimony: Testimony,
    repairs: bool,
) -> AsyncGenerator[Released, None]:
    """The sentences of a draft that hold, as soon as each is whole and checked. `timeout_s` is for
    the checks as well."""
    deadline = asyncio.get_running_loop().time() + timeout_s
    prompt = Prompt(
        system=built.system,
        messages=(Message(role="user", content=built.question),),
        repairs=repairs,
        about=built.about,
    )
    must_fit(prompt, model, max_tokens=max_tokens)
    sentences = SentenceStream()
    pieces = model.stream(prompt, max_tokens=max_tokens, timeout_s=timeout_s)
    async with aclosing(pieces) as parts:
        async for part in parts:
            if isinstance(part, UsageReport):
                testimony.input_tokens += part.input_tokens
                testimony.output_tokens += part.output_tokens
            elif isinstance(part, Finished):
                testimony.ending = part.reason
            else:
                for sentence in sentences.feed(part.text):
                    checked = _checked(sentence, built, witness)
                    checked = await _before(deadline, timeout_s, heard(checked, context))
                    if released := _judged(sentence, checked, context, testimony):
                        yield released
    for sentence in sentences.finish():
        checked = _checked(sentence, built, witness)
        checked = await _before(deadline, timeout_s, heard(checked, context))
        if released := _judged(sentence, checked, context, testimony):
            yield released


async def _before(
    deadline: float, timeout_s: float, hearing: Awaitable[CheckedSentence]
) -> CheckedSentence:
    """TIP §14.5: who checks has no more time than who drafts."""
    try:
        async with asyncio.timeout_at(deadline):
            return await hearing
    except TimeoutError as problem:
        raise QueryTimeout(timeout_seconds=math.ceil(timeout_s)) from problem


def _judged(
    sentence: DraftedSentence,
    checked: CheckedSentence,
    context: ContextWitness,
    testimony: Testimony,
) -> Released | None:
    if checked.claim is not None and testimony.lost.leaves_open(sentence.text):
        # Behind another sentence it would be said of somebody else.
        checked = withheld(_LOST, *checked.claim.citations)
    checked = _within_limits(checked, context)
    if checked.removed is not None:
        testimony.lost.take_out()
    elif checked.claim is not None:
        # "Details are listed below." names nobody.
        testimony.lost.let_stand(checked.claim.text)
    if checked.removed is not None:
        testimony.removed.append(checked.removed)
        # What is beyond a limit is not wrong, and nobody is asked to mend it; nor to answer what
        # cannot be answered.
        if checked.removed.reason not in (*LIMITS, VETOED):
            testimony.failed.append((sentence.text, checked.removed.reason))
        return None
    if checked.claim is not None:
        testimony.claims.append(checked.claim)
        testimony.citations += checked.citations
        if rests_on_synthesis(checked.evidence):
            topic = checked.claim.text.strip(" .")[:160]
            testimony.gaps.append(Gap(topic, _ONLY_SYNTHESIS.format(topic=topic)))
    if checked.abstains:
        topic = checked.text.strip(" .")
        testimony.gaps.append(Gap(topic[:160], checked.text))
    if not checked.text:
        return None
    before = sentence.before if testimony.text else ""
    text = before + checked.text
    testimony.text += text
    return Released(text, checked.citations)


async def heard(checked: CheckedSentence, context: ContextWitness) -> CheckedSentence:
    """A second opinion on what the rules let through, where one is wanted."""
    if checked.claim is None:
        return checked
    checker = heard_on(context.checker, in_source_words=checked.in_source_words)
    if checker is None:
        return checked
    claim = checked.claim
    evidence = without_orders(claim.text, [one.units for one in checked.evidence])
    passages = near_units(claim.text, [unit for units in evidence for unit in units])
    support = await second_opinion(
        checker, claim.text, passages, claim.support, unheard=context.on_unheard
    )
    if support is Support.UNVERIFIED:
        return withheld(_DOUBTED, *claim.citations)
    is_sure = claim.confidence is Confidence.HIGH
    return said(claim.text, support, checked.evidence, is_sure=is_sure)


def _checked(sentence: DraftedSentence, built: BuiltPrompt, witness: Witness) -> CheckedSentence:
    frame = f"{ASKS}:".casefold()
    if built.marker.strip("<>") in sentence.text or frame in sentence.text.casefold():
        return CheckedSentence("", removed=RemovedClaim(LEAKED))
    return check_sentence(sentence, witness)


def _within_limits(checked: CheckedSentence, context: ContextWitness) -> CheckedSentence:
    """What may be said of items that may only be asked about (TIP §13.4.2): none of their words in
    a row, whatever is cited, and no excerpt. And no more than the limits allow (§13.3.2)."""
    if checked.removed is not None or not checked.text:
        return checked
    items = [one.item_id for one in checked.citations]
    if item_id := context.repeats_protected(checked.text):
        return CheckedSentence("", removed=RemovedClaim(QUOTES_PROTECTED, (item_id,)))
    if reason := context.objection(checked.text, items):
        return CheckedSentence("", removed=RemovedClaim(reason, tuple(items)))
    shown = tuple(
        context.shown(one) if context.may_show(one.item_id) else replace(one, text_excerpt="")
        for one in checked.citations
    )
    return replace(checked, citations=shown)
