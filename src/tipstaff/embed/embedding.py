"""Many texts into whole-number vectors, each computed once: from the cache where it is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tipstaff.embed.cache import VectorCache
from tipstaff.embed.embedder import Embedder
from tipstaff.embed.whole_numbers import whole_numbers

# What a killed process loses at most.
_KEPT_EVERY = 32


def embed_passages(
    texts: Sequence[str],
    *,
    embedder: Embedder,
    cache: VectorCache,
    progress: Callable[[int, int], None] | None = None,
) -> npt.NDArray[np.int16]:
    """One row a text, in order. `progress` is told how many are done, of how many."""
    keys = [cache.key("passage\0" + text) for text in texts]
    vectors = cache.get(keys)
    missing = _longest_first(
        {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
    )
    done = len(texts) - len(missing)
    fresh: dict[bytes, npt.NDArray[np.int16]] = {}
    if progress:
        progress(done, len(texts))
    try:
        made = embedder.passages(list(missing.values())) if missing else iter(())
        for key, vector in zip(missing, made, strict=True):
            vectors[key] = fresh[key] = whole_numbers(vector)
            done += 1
            if progress:
                progress(min(done, len(texts)), len(texts))
            if len(fresh) >= _KEPT_EVERY:
                cache.put(fresh)
                fresh = {}
    finally:
        cache.put(fresh)
    rows = np.zeros((len(texts), embedder.dimensions), np.int16)
    for row, key in enumerate(keys):
        rows[row] = vectors[key]
    return rows


def _longest_first(texts: Mapping[bytes, str]) -> dict[bytes, str]:
    """Texts of like length go into one batch, where there are batches; and no core is left with
    a long one at the end."""
    return dict(sorted(texts.items(), key=lambda pair: -len(pair[1])))


def embed_query(text: str, *, embedder: Embedder, cache: VectorCache) -> npt.NDArray[np.int16]:
    key = cache.key("query\0" + text)
    found = cache.get([key])
    if key not in found:
        found = {key: whole_numbers(embedder.query(text))}
        cache.put(found)
    return found[key]
