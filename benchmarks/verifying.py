"""How fast drafted sentences are checked: `python -m benchmarks.verifying`.

Every sentence of the adversarial drafts, as a model would send it: those with a good citation, and
those for which the context must be searched because theirs is wrong or missing. Each is checked as
it is in an answer, by the rules and by the small models that are heard by default; `rules` is what
the rules take of it. `first` is a response that looks everything up for the first time, as each
real one does; indexes are warm. Time is that of the processor. `machine` is what all cores check at
once by the clock, each in a process of its own, as a service runs.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from benchmarks.drafts import DRAFTS, AdversarialDraft, indexed_for, read_drafts
from tipstaff.answer.generative import heard
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.asking import Interrogation
from tipstaff.generating import ModelInterrogation
from tipstaff.llm.script_file import Script
from tipstaff.llm.scripted import Scripted
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence, SentenceStream

LEAST_CLAIMS_PER_S = 500
MOST_MEDIAN_MS = 5.0


@dataclass(slots=True)
class Timings:
    """Of each sentence: by the rules alone, in a response that begins, and in one that knows its
    evidence."""

    rules_s: list[float] = field(default_factory=list)
    first_s: list[float] = field(default_factory=list)
    known_s: list[float] = field(default_factory=list)


def witnesses(asked: Interrogation) -> ContextWitness:
    """As a response has them, by the rules alone."""
    return ContextWitness(
        context=asked.context(),
        resolve=asked.boundary.resolve,
        has_integrity=asked.boundary.has_integrity,
        permitted=asked.boundary.may_cite,
    )


async def timed(
    drafts: Sequence[AdversarialDraft], timings: Timings, clock: Callable[[], float]
) -> None:
    """One bundle: each draft by witnesses of its own."""
    with indexed_for(drafts[0].bundle, ()) as indexed:
        silent = Scripted("scripted:none", Script({}))
        asked = ModelInterrogation(indexed=indexed, model=silent)
        # Documents are cut into units once, by the answer without a model that comes first.
        for item in asked.context().items:
            asked.context().units_of(item.id)
        for draft in drafts:
            stream = SentenceStream()
            sentences = [*stream.feed(draft.text), *stream.finish()]
            rules, whole = witnesses(asked), asked.witnesses()
            by_rules = rules.witness(draft.query, may_infer=True)
            by_all = whole.witness(draft.query, may_infer=True)
            for sentence in sentences:
                started = clock()
                check_sentence(sentence, by_rules)
                timings.rules_s.append(clock() - started)
            for seconds in (timings.first_s, timings.known_s):
                for sentence in sentences:
                    seconds.append(await _seconds(sentence, by_all, whole, clock))


async def _seconds(
    sentence: DraftedSentence, witness: Witness, context: ContextWitness, clock: Callable[[], float]
) -> float:
    started = clock()
    await heard(check_sentence(sentence, witness), context)
    return clock() - started


def all_timed(clock: Callable[[], float]) -> Timings:
    timings = Timings()
    groups: dict[str, list[AdversarialDraft]] = {}
    for folder in ("tuning", "reported"):
        for draft in read_drafts(DRAFTS / folder):
            groups.setdefault(draft.bundle, []).append(draft)
    for drafts in groups.values():
        asyncio.run(timed(drafts, timings, clock))
    return timings


def main() -> None:
    # Models are read in a thread of their own; other work on the machine is not ours to measure.
    timings = all_timed(time.process_time)
    named = (("rules", timings.rules_s), ("first", timings.first_s), ("known", timings.known_s))
    for name, seconds in named:
        rate = len(seconds) / sum(seconds)
        median = statistics.median(seconds) * 1000
        slowest = statistics.quantiles(seconds, n=20)[-1] * 1000
        print(
            f"{name}: {len(seconds)} sentences, {rate:,.0f} claims/s, "
            f"median {median:.2f} ms, 95% within {slowest:.2f} ms "
            f"(target: {MOST_MEDIAN_MS} ms)"
        )
    cores = os.cpu_count() or 1
    # Each begins with nothing read: a fork would know what this process has.
    with ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("spawn")) as pool:
        every = list(pool.map(all_timed, [time.perf_counter] * cores))
    rules = sum(len(one.rules_s) / sum(one.rules_s) for one in every)
    models = sum(len(one.first_s) / sum(one.first_s) for one in every)
    print(
        f"machine: {cores} cores, {rules:,.0f} claims/s by the rules "
        f"(target: {LEAST_CLAIMS_PER_S}), {models:,.0f} with the small models"
    )


if __name__ == "__main__":
    main()
