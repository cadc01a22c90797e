"""The tree inside a JSON or XML text: nodes in the order of the text, as columns of numbers.

A node runs from `starts[n]` (its key or its opening tag) to `ends[n]`; its value or content is
`values[n]` to `closings[n]`. A node's descendants are the nodes up to `nexts[n]`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from tipstaff.domain.document import Span

# Deeper than any honest file; what nests further is refused rather than followed.
MAX_DEPTH = 500


class NotWellFormed(ValueError):
    """The text breaks the grammar of its format; says how, as the end of a sentence."""


class TooDeep(NotWellFormed):
    """The text nests deeper than `MAX_DEPTH`."""


class DataNodes:
    """Filled in order by a scanner: `open` a node, its descendants, then `close` it."""

    __slots__ = ("closings", "ends", "nexts", "starts", "values")

    def __init__(self) -> None:
        self.starts = array("l")
        self.values = array("l")
        self.closings = array("l")
        self.ends = array("l")
        self.nexts = array("l")

    def __len__(self) -> int:
        return len(self.starts)

    def open(self, start: int, value: int) -> int:
        for column, number in (
            (self.starts, start),
            (self.values, value),
            (self.closings, value),
            (self.ends, value),
            (self.nexts, len(self) + 1),
        ):
            column.append(number)
        return len(self) - 1

    def close(self, node: int, closing: int, end: int) -> None:
        self.closings[node] = closing
        self.ends[node] = end
        self.nexts[node] = len(self)

    def extend(self, others: DataNodes) -> None:
        """Takes over a whole tree of the same text behind the nodes that there are."""
        shift = len(self)
        for name in ("starts", "values", "closings", "ends"):
            getattr(self, name).extend(getattr(others, name))
        self.nexts.extend(following + shift for following in others.nexts)

    def children(self, node: int) -> Iterator[int]:
        child = node + 1
        while child < self.nexts[node]:
            yield child
            child = self.nexts[child]

    def is_leaf(self, node: int) -> bool:
        return self.nexts[node] == node + 1

    def span(self, node: int) -> Span:
        return Span(self.starts[node], self.ends[node])
