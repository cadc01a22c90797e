"""What is known of a question's parts before a model is heard: which the context answers, which it
is proven not to answer. A sentence of a draft is held against the part that it speaks to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.lexical.analysis import STOP_WORDS, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownParts:
    """The words of parts that are `answered` beyond doubt, of those that are proven `absent`, and
    of all others, which are `open`."""

    answered: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    open: tuple[str, ...] = ()

    def is_answered(self, statement: str) -> bool:
        """Whether a sentence that calls the context silent speaks to what it answers."""
        others = (*self.open, *self.absent)
        if not self.answered:
            return False
        return not others or _shared(statement, self.answered) > _shared(statement, others)

    def is_absent(self, statement: str) -> bool:
        """Whether a sentence speaks to what the context is proven not to answer."""
        others = (*self.open, *self.answered)
        if not self.absent or not others:
            return False
        return _shared(statement, self.absent) > _shared(statement, others)


NOTHING_KNOWN = KnownParts()


def _shared(statement: str, parts: Sequence[str]) -> int:
    said = _telling(statement)
    return max(len(said & _telling(part)) for part in parts)


def _telling(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - STOP_WORDS
