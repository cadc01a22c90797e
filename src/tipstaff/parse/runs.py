"""The words of one paragraph in the making: stretches of text, some of which are marked.

Formats with formatting give a paragraph as runs. Text goes in piece by piece, in order; the
whole text comes out with the ranges of its marks. Nothing that is added is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tipstaff.domain.document import MarkKind

# White space that HTML folds; a no-break space is a character like any other.
_FOLDED = re.compile(r"[ \t\n\r\f]+")
_SPACE = re.compile(r"\s+")


class Run(NamedTuple):
    """A stretch of text; `reason` says why it is marked, None that it is not."""

    text: str
    reason: str | None = None
    kind: MarkKind = MarkKind.HIDDEN


class RunMark(NamedTuple):
    """A marked range of the whole text of some runs."""

    start: int
    end: int
    kind: MarkKind
    reason: str


class Runs:
    """Runs in order. Falsy while there are no words in them."""

    def __init__(self, runs: list[Run] | None = None) -> None:
        self.runs = runs or []

    @classmethod
    def of(cls, text: str, reason: str | None = None) -> Runs:
        return cls([Run(text, reason)] if text else [])

    def __bool__(self) -> bool:
        return any(run.text and not run.text.isspace() for run in self.runs)

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @property
    def shown(self) -> str:
        """The words outside all marks, as one line: the title of a heading."""
        return " ".join("".join(run.text for run in self.runs if run.reason is None).split())

    def add(
        self, text: str, reason: str | None = None, *, kind: MarkKind = MarkKind.HIDDEN
    ) -> None:
        if text:
            self.runs.append(Run(text, reason, kind))

    def add_folded(self, text: str, reason: str | None = None) -> None:
        """Text whose white space is layout of the source: one space, and none after another."""
        folded = _FOLDED.sub(" ", text)
        if folded.startswith(" ") and (not self.runs or self.runs[-1].text[-1] in " \t\n"):
            folded = folded[1:]
        self.add(folded, reason)

    def extend(self, other: Runs) -> None:
        self.runs.extend(other.runs)

    def hidden(self, reason: str | None) -> Runs:
        """The same words, all of them hidden; what was hidden before keeps its reason."""
        if reason is None:
            return self
        return Runs([run if run.reason else Run(run.text, reason) for run in self.runs])

    def marks(self) -> Iterator[RunMark]:
        """The marked ranges, in order; neighbours with one reason are one range."""
        position = 0
        last: RunMark | None = None
        for run in self.runs:
            end = position + len(run.text)
            if run.reason is not None:
                mark = RunMark(position, end, run.kind, run.reason)
                if last and last.end == position and last[2:] == mark[2:]:
                    last = last._replace(end=end)
                else:
                    if last:
                        yield last
                    last = mark
            position = end
        if last:
            yield last

    def trimmed(self) -> Runs:
        """Without white space at either end."""
        runs = list(self.runs)
        while runs and not (text := runs[0].text.lstrip()):
            runs.pop(0)
        if runs:
            runs[0] = runs[0]._replace(text=text)
        while runs and not (text := runs[-1].text.rstrip()):
            runs.pop()
        if runs:
            runs[-1] = runs[-1]._replace(text=text)
        return Runs(runs)

    def on_one_line(self) -> Runs:
        """Trimmed, with one space for every stretch of white space: the text of a cell."""
        line = Runs()
        for run in self.trimmed().runs:
            text = _SPACE.sub(" ", run.text)
            if text.startswith(" ") and line.runs and line.runs[-1].text.endswith(" "):
                text = text[1:]
            line.add(text, run.reason, kind=run.kind)
        return line
