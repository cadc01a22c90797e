"""Verdicts → the five metrics of Enterprise §8.3, with what they were counted from.

A metric with nothing to count is not measured: it has no value, neither 0 nor 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tipstaff.eval.intervals import NOTHING, SEED, Count, bootstrap, wilson
from tipstaff.eval.observation import Observed, Unit, UnitKind, Verdict

METRICS = ("relevance", "faithfulness", "citation_accuracy", "completeness", "abstention_rate")
_OF_UNITS = {
    "relevance": UnitKind.CHUNK,
    "faithfulness": UnitKind.CLAIM,
    "citation_accuracy": UnitKind.CITATION,
}
_DIGITS = 4

# A unit nobody has judged has none.
Judge = Callable[[Observed, Unit], Verdict | None]


def by_rules(_: Observed, unit: Unit) -> Verdict:
    return unit.by_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    count: Count
    interval: tuple[float, float]

    @property
    def value(self) -> float | None:
        return None if self.count.share is None else round(self.count.share, _DIGITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Beside the metrics: abstentions where there was an answer (of the queries that have one),
    answers where there was none (of those that have none), and answers that held the words which
    the set's author expects (of those for which some are noted)."""

    metrics: Mapping[str, Metric]
    false_abstentions: Metric
    false_answers: Metric
    expected_words: Metric
    query_count: int
    unjudged: int = 0

    @property
    def values(self) -> dict[str, float]:
        """§8.4's `metrics`: those that were measured."""
        found = {name: metric.value for name, metric in self.metrics.items()}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def answered_nothing(self) -> bool:
        """Every query that has an answer was abstained from: what else is measured says little."""
        missed = self.false_abstentions.count
        return missed.total > 0 and missed.hits == missed.total


def measure(observed: Sequence[Observed], judge: Judge = by_rules, *, seed: int = SEED) -> Measured:
    """Counts are pooled over all queries, as the formulas of §8.3 have them."""
    metrics = {
        name: _clustered([_units(one, kind, judge) for one in observed], seed)
        for name, kind in _OF_UNITS.items()
    }
    metrics["completeness"] = _clustered([_completeness(one) for one in observed], seed)
    unanswerable = [one for one in observed if not one.query.answerable]
    answerable = [one for one in observed if one.query.answerable]
    metrics["abstention_rate"] = _once([one.is_correct_abstention for one in unanswerable])
    noted = [one for one in answerable if one.query.expected and not one.abstained]
    return Measured(
        metrics=metrics,
        false_abstentions=_once([one.is_false_abstention for one in answerable]),
        false_answers=_once([one.is_false_answer for one in unanswerable]),
        expected_words=_once([_says_expected(one) for one in noted]),
        query_count=len(observed),
        unjudged=sum(judge(one, unit) is None for one in observed for unit in one.units),
    )


def _units(observed: Observed, kind: UnitKind, judge: Judge) -> Count:
    verdicts = [judge(observed, unit) for unit in observed.units if unit.kind is kind]
    judged = [one for one in verdicts if one is not None]
    return Count(sum(one.holds for one in judged), len(judged))


def _completeness(observed: Observed) -> Count:
    """§8.3.4; an abstention that is as right as an answer left nothing out."""
    needed = observed.query.needed_items
    if observed.abstained and not observed.is_false_abstention:
        return NOTHING
    return Count(sum(item in observed.cited_items for item in needed), len(needed))


def _says_expected(observed: Observed) -> bool:
    said = observed.text.casefold()
    return all(any(word.casefold() in said for word in group) for group in observed.query.expected)


def _clustered(counts: Sequence[Count], seed: int) -> Metric:
    return Metric(count=sum(counts, NOTHING), interval=bootstrap(counts, seed=seed))


def _once(found: Sequence[bool]) -> Metric:
    count = Count(sum(found), len(found))
    return Metric(count=count, interval=wilson(count))
