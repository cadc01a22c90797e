"""What embedders with models from a hub have in common: windows, and plain words when offline.

Their models are downloaded by their own libraries when such an embedder is chosen by name, and
at no other time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version

import numpy as np
import numpy.typing as npt

from tipstaff.embed.embedder import Vector, mean_of, unit
from tipstaff.embed.text_windows import by_tokens
from tipstaff.errors import MissingExtra, RetrievalFailed
from tipstaff.models import installed
from tipstaff.models.wordpiece import sendable

# TIP §10.1.4's open-source recommendation.
DEFAULT_MODEL = "BAAI/bge-large-en-v1.5"
# Special tokens, a prompt, and words that a cut makes into more tokens than they were.
_SPARE_TOKENS = 32

Spans = Callable[[str], Sequence[tuple[int, int]]]
Embed = Callable[[str], npt.ArrayLike]


class FromHub:
    """`spans` says where a text's tokens stand; `embed_…` read one text that is not too long."""

    def __init__(
        self,
        *,
        name: str,
        model: str,
        package: str,
        dimensions: int,
        max_tokens: int,
        spans: Spans,
        embed_passage: Embed,
        embed_query: Embed,
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self._size = max(max_tokens - _SPARE_TOKENS, 16)
        # The hub does not promise bytes; the library decides about pooling and prompts.
        self.fingerprint = f"{name} {model} {dimensions} {version(package)} {self._size} mean"
        self._spans = spans
        self._embed_passage = embed_passage
        self._embed_query = embed_query

    def passages(self, texts: Sequence[str]) -> Iterator[Vector]:
        """One at a time: in a batch a vector would depend on its neighbours' lengths."""
        return (self._embedded(text, self._embed_passage) for text in texts)

    def query(self, text: str) -> Vector:
        return self._embedded(text, self._embed_query)

    def _embedded(self, text: str, embed: Embed) -> Vector:
        text = sendable(text)
        windows = by_tokens(text, self._spans(text), size=self._size)
        return mean_of(unit(np.asarray(embed(window), np.float32)) for window in windows)


def needed(name: str, *, package: str) -> None:
    if not installed(package):
        raise MissingExtra(f"The embedder '{name}'", extra=name)


def not_loaded(name: str, model: str, problem: Exception) -> RetrievalFailed:
    """Every library fails in its own way without a network; the remedy is the same."""
    return RetrievalFailed(
        f"The model '{model}' of the embedder '{name}' could not be loaded: "
        f"{str(problem).strip().splitlines()[0][:200] if str(problem).strip() else problem!r}",
        suggestion="It is downloaded from the Hugging Face hub when it is first used, so the hub "
        "must be reachable once; --set embedder=minilm needs no network.",
    )
