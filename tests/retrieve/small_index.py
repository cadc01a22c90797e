"""Small indexes from sentences, with vectors that follow words, so that tests need no model."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk, Span
from tipstaff.domain.location import Lines
from tipstaff.domain.scope import IndexedItem, Scope
from tipstaff.embed.embedder import unit
from tipstaff.embed.whole_numbers import whole_numbers
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.retrieve.strategies import Searcher
from tipstaff.store.embedded import EmbeddedIndex, EmbeddedStore
from tipstaff.store.store import IndexContents, IndexKey

_KEY = IndexKey(tenant="t", tez_id="z", digest="d")


def embed(text: str) -> npt.NDArray[np.int16]:
    """The sum of a fixed random direction for each term that tells something."""
    total = np.zeros(256, np.float64)
    for term in sorted(set(terms(text)) - STOP_WORDS):
        seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "little")
        total += np.random.default_rng(seed).standard_normal(256)
    return whole_numbers(unit(total))


def index_of(
    items: Mapping[str, Sequence[str]],
    *,
    tokens: int = 50,
    summaries: Mapping[str, str] | None = None,
) -> EmbeddedIndex:
    chunks: list[Chunk] = []
    made = []
    counts: list[dict[str, int]] = []
    for name, texts in items.items():
        own = [dict(Counter(terms(text))) for text in texts]
        made.append(
            IndexedItem(
                id=name,
                type="document",
                title=name.replace("-", " ").title(),
                first=len(chunks),
                chunks=len(texts),
                length=sum(sum(one.values()) for one in own),
                tokens=tokens * len(texts),
                summary=(summaries or {}).get(name, ""),
            )
        )
        counts += own
        for line, text in enumerate(texts, start=1):
            chunks.append(
                Chunk(
                    chunk_id=f"{name}-{line}",
                    item_id=name,
                    location=Lines(line, line),
                    text=text,
                    spans=(Span(0, len(text)),),
                    tokens=tokens,
                )
            )
    vectors = np.stack([embed(chunk.text) for chunk in chunks])
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder))
        store.write(
            _KEY,
            IndexContents(
                items=tuple(made),
                chunks=tuple(chunks),
                counts=tuple(counts),
                vectors=vectors,
                embedder="words",
            ),
        )
        index = store.open(_KEY)
    assert index is not None
    return index


def searcher(index: EmbeddedIndex, **options: object) -> Searcher:
    return Searcher(index=index, scope=Scope(index.items), embed=embed, **options)  # type: ignore[arg-type]


LEASE = {
    "lease": [
        "The monthly rent of the warehouse is 4,200 euros, payable on the first day.",
        "The tenant keeps the roof and the gutters in repair.",
        "Notice of termination must be given six months before the end of the term.",
        "The deposit amounts to three monthly rents.",
    ],
    "survey-report": [
        "The surveyor found water damage below the gutters on the north side.",
        "Repairing the roof will cost 18,500 euros according to two builders.",
        "The heating was replaced in 2019 and works.",
    ],
    "letters": [
        "Ms Okafor wrote that the landlord refuses to pay for the roof.",
        "The landlord answered on 3 May that notice was given too late.",
        "Lunch was served in the garden.",
    ],
}
