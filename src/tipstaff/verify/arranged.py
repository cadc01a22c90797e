"""A support checker that has learned how statements are arranged beside their places when they are
true: what a draft exchanges, leaves out or puts in shows there, whatever the words mean.

Arrangements know nothing of meaning, and the model of support reads for meaning and hardly sees the
order of words: the two are weighed together (docs/decisions/0034-how-words-are-arranged.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

from tipstaff.domain.classification import Support
from tipstaff.errors import UsageError
from tipstaff.models import ARRANGEMENT
from tipstaff.read.entailment import Entailment, shared
from tipstaff.read.forest import Forest, forest_in
from tipstaff.verify.arrangement import traits
from tipstaff.verify.entailed import belief
from tipstaff.verify.inferences import computed_in, is_labelled, without_label

# In logits: what the arrangement is worth, and a part of what the model of support believes, since
# of free words fewer stand there in their order. Chosen on drafts that neither was taught with.
_DOUBTED = 0.6
_OF_BELIEF, _MOST = 0.2, 5.0


def arrangement_checker(*, model: str) -> ArrangementChecker:
    """`arrangement`: the built-in one; there is no other."""
    if model:
        raise UsageError(
            f"There is no model of arrangements '{model}'.",
            suggestion="Use support_checker = arrangement.",
        )
    return ArrangementChecker(forest_in(ARRANGEMENT), shared())


class ArrangementChecker:
    """A support checker: it withholds what is arranged as false statements are."""

    name = "arrangement"
    of_other_words = True

    def __init__(self, forest: Forest, entailment: Entailment) -> None:
        self._forest = forest
        self._entailment = entailment

    async def check(self, statement: str, passages: Sequence[str]) -> Support:
        if not passages:
            return Support.UNVERIFIED
        if is_labelled(statement):
            statement = without_label(statement)
            if computed_in(statement, passages):
                # What was worked out stands nowhere: the rules have done the sum again.
                return Support.ENTAILED
        worth = await asyncio.to_thread(self.worth, statement, passages)
        return Support.UNVERIFIED if worth < _DOUBTED else Support.ENTAILED

    def worth(self, statement: str, passages: Sequence[str]) -> float:
        """How likely a statement that is so arranged is true; with nothing to compare it is not."""
        counted = traits(statement, passages)
        if counted is None:
            return -math.inf
        believed = belief(self._entailment, statement, passages)
        return self._forest.logit(counted) + _OF_BELIEF * max(-_MOST, min(_MOST, believed))

    async def aclose(self) -> None:
        """Nothing is held: the trees are the process's."""
