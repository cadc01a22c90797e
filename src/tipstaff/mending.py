"""An index that is found damaged while it is asked → the same index, built again, asked again.

Whoever asks does not notice. Numbers of chunks stay what they were, since an index follows from
its bundle; where they do not, because an item could not be read this time, nothing is answered.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tipstaff.domain.document import Chunk
from tipstaff.domain.scope import IndexedItems, Scope
from tipstaff.errors import RetrievalFailed
from tipstaff.lexical.bm25 import Postings
from tipstaff.store.store import DamagedIndex, Nearest, OpenIndex

Answer = TypeVar("Answer")


class MendingIndex:
    """An open index that is asked through `rebuild` where it is damaged."""

    def __init__(self, index: OpenIndex, rebuild: Callable[[], OpenIndex]) -> None:
        self.embedder = index.embedder
        self.dimensions = index.dimensions
        self._index = index
        self._rebuild = rebuild
        self._items: IndexedItems | None = None
        # Aspects of a question are searched side by side; one of them builds.
        self._lock = threading.Lock()

    @property
    def items(self) -> IndexedItems:
        self._items = self._asked(lambda index: index.items)
        return self._items

    def postings(self, terms: Sequence[str], scope: Scope) -> list[Postings]:
        return self._asked(lambda index: index.postings(terms, scope))

    def nearest(self, query: npt.NDArray[np.int16], scope: Scope, limit: int) -> Nearest:
        return self._asked(lambda index: index.nearest(query, scope, limit))

    def chunks(self, numbers: Sequence[int]) -> list[Chunk]:
        return self._asked(lambda index: index.chunks(numbers))

    def vectors(self, numbers: Sequence[int]) -> npt.NDArray[np.int16]:
        return self._asked(lambda index: index.vectors(numbers))

    def check(self) -> None:
        self._asked(lambda index: index.check())

    def close(self) -> None:
        self._index.close()

    def _asked(self, ask: Callable[[OpenIndex], Answer]) -> Answer:
        index = self._index
        try:
            return ask(index)
        except DamagedIndex:
            return ask(self._mended(index))

    def _mended(self, damaged: OpenIndex) -> OpenIndex:
        with self._lock:
            if self._index is damaged:
                self._index = self._rebuild()
                damaged.close()
            # A scope that was made before names chunks by the numbers of then.
            if self._items not in (None, self._index.items):
                raise RetrievalFailed(
                    "The index was damaged; it was built again, and is not the same.",
                    suggestion="Ask again.",
                )
            return self._index
