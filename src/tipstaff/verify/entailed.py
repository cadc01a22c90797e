"""What the built-in model of support says of a statement and the words that it rests on.

Rules compare figures, times, names, quotations and denials; whether other words say the same is a
matter of the language, and a model that was trained on drafts that lie knows more of it than a list
of synonyms. It is asked twice: what the rules let through and it does not believe is withheld, and
what only lacks the words of its place is said if it is sure
(docs/decisions/0030-other-words-by-a-model.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

from tipstaff.domain.classification import Support
from tipstaff.errors import UsageError
from tipstaff.lexical.analysis import terms
from tipstaff.lexical.english import is_english
from tipstaff.read.entailment import Entailment, shared
from tipstaff.verify.addressed import without_orders
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.inferences import computed_in, is_labelled, without_label
from tipstaff.verify.joined import joined_statements
from tipstaff.verify.statement import read_statement
from tipstaff.verify.support_checker import NONE, ROW
from tipstaff.verify.told_forms import in_told_forms

# A belief is the mean of two: of the words with what stands above them, and of the bare words. In
# the first it knows whom "we" are; in the second it sees best who did what to whom. In logits. What
# is not in the words of its place is said only if it is believed: a model may still quote it
# (docs/decisions/0031-the-witness-is-told.md).
_DOUBTED = 1.0
_BELIEVED = 1.0
# Of one of several statements in a sentence, without the others to say of whom and when it is.
_DOUBTED_OF_PART = -1.0
# By the words with what stands above them alone.
_SURE = 0.97
_DOUBTED_OF_ROW = 0.2
_DOUBTED_OF_ENTRY = 0.0
_ENTRY_WORDS = 6
_CERTAIN = 0.999
# With the units beside them.
_READ_UNITS = 12


def near_units(statement: str, units: Sequence[EvidenceText]) -> list[str]:
    """The units that a statement can come from, in their order: a whole item may be cited."""
    words = frozenset(terms(statement))
    nearest = sorted(range(len(units)), key=lambda at: -len(words & units[at].own_terms))
    chosen = {near for at in nearest[:_READ_UNITS] for near in (at - 1, at, at + 1)}
    return [unit.whole for at, unit in enumerate(units) if at in chosen]


def entailment_checker(*, model: str) -> EntailmentChecker:
    """`entailment`: the built-in one; there is no other."""
    if model:
        raise UsageError(
            f"There is no model of support '{model}'.",
            suggestion="Use support_checker = entailment.",
        )
    return EntailmentChecker(shared())


class EntailmentChecker:
    """A support checker: it withholds what it does not believe."""

    name = "entailment"
    of_other_words = True

    def __init__(self, entailment: Entailment) -> None:
        self._entailment = entailment

    async def check(self, statement: str, passages: Sequence[str]) -> Support:
        if not passages:
            return Support.UNVERIFIED
        if is_labelled(statement):
            statement = without_label(statement)
            if computed_in(statement, passages):
                # What was worked out stands nowhere: the rules have done the sum again.
                return Support.ENTAILED
        doubted = await asyncio.to_thread(self._doubts, statement, passages)
        return Support.UNVERIFIED if doubted else Support.ENTAILED

    def _doubts(self, statement: str, passages: Sequence[str]) -> bool:
        read = read_statement(statement)
        nearest = nearest_passage(statement, passages)
        if _is_row(nearest):
            # Under which header of which row a figure stands, the rules know better.
            return not read.figures and self._doubts_row(statement, passages, nearest)
        if not _is_believed(self._entailment, statement, passages, least=_DOUBTED):
            return True
        return not all(
            _is_believed(self._entailment, part, passages, least=_DOUBTED_OF_PART)
            for part in joined_statements(statement)
        )

    def _doubts_row(self, statement: str, passages: Sequence[str], nearest: str) -> bool:
        if _believed(self._entailment, statement, passages) < _DOUBTED_OF_ROW:
            return True
        # What an entry of a log tells in a sentence is read as one.
        return _tells_in_words(nearest) and not _is_believed(
            self._entailment, statement, passages, least=_DOUBTED_OF_ENTRY
        )

    async def aclose(self) -> None:
        """Nothing is held: the weights are the process's."""


def other_words_named(name: str) -> OtherWords | None:
    """Of a setting; None for `none`."""
    return None if name == NONE else OtherWords(shared())


class OtherWords:
    """Whether a statement that only lacks the words of its place says the same in its own."""

    def __init__(self, entailment: Entailment) -> None:
        self._entailment = entailment

    def say_it(
        self,
        statement: str,
        evidence: Sequence[Sequence[EvidenceText]],
        /,
    ) -> bool:
        """By the evidence without the sender's own reading (TIP §3.5). Not where a machine is told
        what to say; nor what is not English, or too long to be read at once."""
        heard = without_orders(statement, evidence)
        units = [unit for units in heard for unit in units if not unit.synthesis]
        if sum(map(len, heard)) < sum(map(len, evidence)):
            return False
        passages = near_units(statement, units)
        if not passages or not is_english(statement):
            return False
        nearest = nearest_passage(statement, passages)
        own = nearest.rsplit("\n", 1)[-1]
        if not _is_row(nearest) and not is_english(own):
            return False
        if not self._entailment.reads_whole(statement, nearest):
            return False
        return _believed(self._entailment, statement, passages) >= _SURE and _is_believed(
            self._entailment, statement, passages, least=_BELIEVED
        )


def _believed(entailment: Entailment, statement: str, passages: Sequence[str]) -> float:
    """In the draft's forms of figures or in those of the passages, whichever it knows better: that
    they are the same, the rules have seen."""
    forms = dict.fromkeys((statement, in_told_forms(statement, passages)))
    return max(entailment.probability(said, passages) for said in forms)


def belief(entailment: Entailment, statement: str, passages: Sequence[str]) -> float:
    """With what stands above the passages and without it, the mean in logits."""
    bare = [passage.rsplit("\n", 1)[-1] for passage in passages]
    headed = _logit(_believed(entailment, statement, passages))
    return (headed + _logit(_believed(entailment, statement, bare))) / 2


def _is_believed(
    entailment: Entailment, statement: str, passages: Sequence[str], *, least: float
) -> bool:
    headed = _logit(_believed(entailment, statement, passages))
    # However sure it were of the bare words.
    if headed + _logit(1) < 2 * least:
        return False
    return belief(entailment, statement, passages) >= least


def _logit(probability: float) -> float:
    held = min(max(probability, 1 - _CERTAIN), _CERTAIN)
    return math.log(held / (1 - held))


def _tells_in_words(passage: str) -> bool:
    cells = passage.rsplit("\n", 1)[-1].split("; ")
    return any(len(cell.split()) > _ENTRY_WORDS for cell in cells)


def _is_row(passage: str) -> bool:
    return bool(ROW.match(passage.rsplit("\n", 1)[-1]))


def nearest_passage(statement: str, passages: Sequence[str]) -> str:
    """The one that shares most words with a statement."""
    words = frozenset(terms(statement))
    return max(passages, key=lambda told: len(words.intersection(terms(told))))
