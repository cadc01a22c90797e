"""What every embedder promises of every text (TIP §10.1.4, docs/decisions/0008).

`faults_of(embedder)` is empty for a good embedder. The promise that matters most: a vector
depends on its text alone, or what a recipient may not see could move a score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tipstaff.embed.embedder import MIN_DIMENSIONS, Embedder, Vector
from tipstaff.embed.whole_numbers import MAX_DIMENSIONS

_PLAIN = (
    "The supplier shall deliver the goods within thirty days of the order.",
    "Either party may end this agreement by written notice.",
    "Total revenue rose to $4.2 million in 2024.",
    "§ 12(3): 17,5 % – «Haftung» ist ausgeschlossen.",
    "契約は書面による通知により終了する。",
    "def area(radius): return 3.14159 * radius ** 2",
)
_ODD = (
    "\x00",
    "\u200b\u200d\ufeff",
    "half a character \ud800 here",
    "🏗️" * 40,
    "a" * 5_000,
    "\n\t| | |\n|---|---|\n",
    "[CLS] [SEP] [PAD] <s> </s> <|endoftext|>",
)
_BLANK = ("", " ", "\n\t\n")
_NEAR = ("The tenant pays the rent.", "Rent is paid by the tenant.", "Whales are mammals.")


def faults_of(embedder: Embedder, *, another: Callable[[], Embedder] | None = None) -> list[str]:
    """Every broken promise, in words; the suite's only entry. `another` makes a second embedder
    of the same kind, as the next process would."""
    if faults := [*_identity(embedder, another), *_shape(embedder)]:
        # The other promises are about vectors of the right shape.
        return faults
    return [
        *_repetition(embedder),
        *_company(embedder),
        *_length(embedder),
        *_sense(embedder),
    ]


def _identity(embedder: Embedder, another: Callable[[], Embedder] | None) -> Iterator[str]:
    if not MIN_DIMENSIONS <= embedder.dimensions <= MAX_DIMENSIONS:
        yield f"{embedder.dimensions} dimensions: fewer than {MIN_DIMENSIONS} or too many to keep"
    if not embedder.name or embedder.name not in embedder.fingerprint:
        yield "its fingerprint does not name it"
    before = embedder.fingerprint
    first = embedder.query(_PLAIN[0])
    if embedder.fingerprint != before:
        yield "its fingerprint changes when it is used"
    if another is not None:
        second = another()
        if second.fingerprint != before:
            yield "another of its kind has another fingerprint"
        elif not np.array_equal(second.query(_PLAIN[0]), first):
            yield "another of its kind has other vectors under the same fingerprint"


def _shape(embedder: Embedder) -> Iterator[str]:
    texts = [*_PLAIN, *_ODD, *_BLANK]
    made = list(embedder.passages(texts))
    if len(made) != len(texts):
        yield f"{len(texts)} texts became {len(made)} vectors"
        return
    if list(embedder.passages([])):
        yield "no texts became vectors"
    for role, vectors in (("passage", made), ("query", [embedder.query(text) for text in texts])):
        for text, vector in zip(texts, vectors, strict=True):
            fault = _fault(vector, embedder.dimensions, may_be_nothing=text not in _PLAIN)
            if fault:
                yield f"the {role} {text[:20]!r} {fault}"


def _fault(vector: Vector, dimensions: int, *, may_be_nothing: bool) -> str | None:
    if vector.shape != (dimensions,):
        return f"has the shape {vector.shape}"
    if not np.isfinite(vector).all():
        return "has numbers that are none"
    length = float(np.sqrt(np.sum(vector.astype(np.float64) ** 2)))
    if abs(length - 1) > 1e-3 and not (may_be_nothing and length == 0):
        return f"has the length {length:.4f}"
    return None


def _repetition(embedder: Embedder) -> Iterator[str]:
    for text in (*_PLAIN, *_ODD):
        if not np.array_equal(embedder.query(text), embedder.query(text)):
            yield f"the query {text[:20]!r} has another vector the second time"
        (once,), (again,) = embedder.passages([text]), embedder.passages([text])
        if not np.array_equal(once, again):
            yield f"the passage {text[:20]!r} has another vector the second time"


def _company(embedder: Embedder) -> Iterator[str]:
    """The same bits alone, in any order, and beside longer, shorter and equal texts."""
    texts = [*_PLAIN, *_ODD, _PLAIN[0], " ".join(_PLAIN) * 6]
    alone = [next(iter(embedder.passages([text]))) for text in texts]
    for name, order in (
        ("in a list", range(len(texts))),
        ("in a list turned round", range(len(texts) - 1, -1, -1)),
        ("in half a list", range(0, len(texts), 2)),
    ):
        together = embedder.passages([texts[index] for index in order])
        for index, vector in zip(order, together, strict=True):
            if not np.array_equal(vector, alone[index]):
                yield f"{texts[index][:20]!r} has another vector {name}"


def _length(embedder: Embedder) -> Iterator[str]:
    """Nothing of a long text may be left unread."""
    long = " ".join(f"Clause {number} concerns deliveries." for number in range(150))
    ends = [f"{long} The penalty is {what}." for what in ("nine million dollars", "a ripe banana")]
    first, second = embedder.passages(ends)
    if np.array_equal(first, second):
        yield "the end of a long text does not count"


def _sense(embedder: Embedder) -> Iterator[str]:
    """TIP §10.1.4, requirement 4: a paraphrase is nearer than something else."""
    tenant, paraphrase, whales = embedder.passages(_NEAR)
    if float(tenant @ paraphrase) <= float(tenant @ whales):
        yield "a paraphrase is no nearer than a sentence about something else"
