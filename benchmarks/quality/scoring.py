"""Recall, mean reciprocal rank and nDCG of one ranking. Each gold passage counts once, at the
first place where it is found: overlapping chunks that hold the same words are one hit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

from benchmarks.quality.query_sets import Gold
from tipstaff.domain.document import Chunk

DEPTH = 10


@dataclass(frozen=True, slots=True)
class Scores:
    recall_1: float
    recall_5: float
    recall_10: float
    mrr: float
    ndcg_10: float


def scores(ranking: Sequence[Chunk], gold: Sequence[Gold]) -> Scores:
    places = sorted(place for one in gold if (place := _place(ranking, one)) is not None)
    return Scores(
        recall_1=_recall(places, gold, 1),
        recall_5=_recall(places, gold, 5),
        recall_10=_recall(places, gold, 10),
        mrr=1 / places[0] if places else 0.0,
        ndcg_10=_gain(places) / _gain(range(1, min(len(gold), DEPTH) + 1)),
    )


def mean(several: Sequence[Scores]) -> Scores:
    names = [field.name for field in fields(Scores)]
    return Scores(*(sum(getattr(one, name) for one in several) / len(several) for name in names))


def _place(ranking: Sequence[Chunk], gold: Gold) -> int | None:
    return next((n for n, chunk in enumerate(ranking[:DEPTH], 1) if gold.is_in(chunk)), None)


def _recall(places: Sequence[int], gold: Sequence[Gold], depth: int) -> float:
    return sum(place <= depth for place in places) / len(gold)


def _gain(places: Sequence[int]) -> float:
    """Discounted by place. Two gold passages in one chunk share its place, so the second takes
    the next one: no ranking gains more than the ideal."""
    gain, last = 0.0, 0
    for place in places:
        last = max(place, last + 1)
        gain += 1 / math.log2(last + 1)
    return gain
