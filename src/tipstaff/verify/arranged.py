"""A support checker that has learned how statements are arranged beside their places when they are
true: what a draft exchanges, leaves out or puts in shows there, whatever the words mean.

It knows nothing of meaning and is heard beside the model of support, which reads for meaning and
hardly sees the order of words (docs/decisions/0034-how-words-are-arranged.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tipstaff.domain.classification import Support
from tipstaff.errors import UsageError
from tipstaff.models import ARRANGEMENT
from tipstaff.read.forest import Forest, forest_in
from tipstaff.verify.arrangement import traits
from tipstaff.verify.inferences import computed_in, is_labelled, without_label

# In logits. Chosen on drafts that it had not been taught with.
_DOUBTED = 0.3


def arrangement_checker(*, model: str) -> ArrangementChecker:
    """`arrangement`: the built-in one; there is no other."""
    if model:
        raise UsageError(
            f"There is no model of arrangements '{model}'.",
            suggestion="Use support_checker = arrangement.",
        )
    return ArrangementChecker(forest_in(ARRANGEMENT))


class ArrangementChecker:
    """A support checker: it withholds what is arranged as false statements are."""

    name = "arrangement"
    of_other_words = True

    def __init__(self, forest: Forest) -> None:
        self._forest = forest

    async def check(self, statement: str, passages: Sequence[str]) -> Support:
        if not passages:
            return Support.UNVERIFIED
        if is_labelled(statement):
            statement = without_label(statement)
            if computed_in(statement, passages):
                # What was worked out stands nowhere: the rules have done the sum again.
                return Support.ENTAILED
        logit = await asyncio.to_thread(self.logit, statement, passages)
        return Support.UNVERIFIED if logit < _DOUBTED else Support.ENTAILED

    def logit(self, statement: str, passages: Sequence[str]) -> float:
        """How likely a statement that is so arranged is true; nothing to compare is not."""
        counted = traits(statement, passages)
        return self._forest.logit(counted) if counted is not None else -float("inf")

    async def aclose(self) -> None:
        """Nothing is held: the trees are the process's."""
