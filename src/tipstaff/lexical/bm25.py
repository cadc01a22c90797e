"""BM25 over exactly the chunks of a scope, from integer facts that a store gives.

Document frequencies and the average length are those of the scope alone; each chunk's score
is summed in the order of the sorted terms, so it has the same bits wherever it is computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

K1 = 1.2
B = 0.75

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term occurs within the scope: chunks in ascending order, how often in each, and
    the length in terms of each of these chunks."""

    chunks: Integers
    counts: Integers
    lengths: Integers


def scores(
    postings: Sequence[Postings], *, chunk_count: int, total_length: int
) -> tuple[Integers, Floats]:
    """Chunks with any of the terms, ascending, and the score of each in [0, 1]: its share of the
    highest score that these terms could reach (Enterprise §4.4)."""
    found = [entry for entry in postings if len(entry.chunks)]
    if not found or chunk_count == 0:
        return np.empty(0, np.int32), np.empty(0, np.float64)
    chunks = _distinct(np.concatenate([entry.chunks for entry in found]))
    sums = np.zeros(len(chunks), np.float64)
    average = total_length / chunk_count
    ceiling = 0.0
    for entry in postings:
        rarity = idf(len(entry.chunks), chunk_count)
        ceiling += rarity * (K1 + 1)
        if len(entry.chunks):
            counts = entry.counts.astype(np.float64)
            lengths = entry.lengths.astype(np.float64)
            weight = counts + K1 * (1 - B + B * lengths / average)
            sums[np.searchsorted(chunks, entry.chunks)] += rarity * counts * (K1 + 1) / weight
    return chunks, sums / ceiling


def _distinct(chunks: Integers) -> Integers:
    """Ascending. `np.unique` would do, but for it imports masked arrays: 10 ms of a search."""
    ordered = np.sort(chunks)
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def idf(document_frequency: int, chunk_count: int) -> float:
    """Never negative: a term in every chunk still counts a little."""
    return math.log(1 + (chunk_count - document_frequency + 0.5) / (document_frequency + 0.5))


def best(chunks: npt.NDArray[Any], values: npt.NDArray[Any], limit: int) -> npt.NDArray[np.intp]:
    """Positions of the best values, best first; equal ones in the order of their chunks."""
    candidates = np.arange(len(values))
    if len(values) > limit:
        least = np.partition(values, len(values) - limit)[len(values) - limit]
        candidates = np.flatnonzero(values >= least)
    order = np.lexsort((chunks[candidates], -values[candidates]))
    return candidates[order][:limit]
