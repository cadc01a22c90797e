"""What was observed when a query was asked: the response, and the units of it that are judged.

Units carry the words that a judge needs, so that a person can judge them on another day.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tipstaff.domain.classification import Classification
from tipstaff.eval.query_set import EvalQuery


class UnitKind(StrEnum):
    """What is judged of it: relevance (§8.3.1), faithfulness (§8.3.2), accuracy (§8.3.3)."""

    CHUNK = "chunk"
    CLAIM = "claim"
    CITATION = "citation"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`is_edge`: the judge is not sure, so that a person should look (§8.5)."""

    holds: bool
    is_edge: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """`text` is what is judged: the words of a chunk, or a claim; `evidence` are the words that
    its citations point at. It is `inferred` if the response marks it so, and `joint` if other
    citations bear it, too. `settled` units are a matter of fact and nobody is asked about them:
    a place that does not exist supports nothing."""

    kind: UnitKind
    number: int
    text: str
    reference: str = ""
    evidence: tuple[str, ...] = ()
    inferred: bool = False
    joint: bool = False
    settled: bool = False
    by_rules: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    query: EvalQuery
    model: str
    classification: Classification
    text: str
    cited_items: tuple[str, ...] = ()
    units: tuple[Unit, ...] = ()

    def unit_id(self, unit: Unit) -> str:
        return f"{self.query.id}/{unit.kind}/{unit.number}"

    @property
    def abstained(self) -> bool:
        return self.classification is Classification.ABSTENTION

    @property
    def is_correct_abstention(self) -> bool:
        """Of a query without an answer: left unanswered, or as its author also accepts."""
        return self.abstained or str(self.classification) in self.query.acceptable

    @property
    def is_false_abstention(self) -> bool:
        """The answer is in the context, and its author does not accept an abstention."""
        accepted = str(Classification.ABSTENTION) in self.query.acceptable
        return self.query.answerable and self.abstained and not accepted

    @property
    def is_false_answer(self) -> bool:
        return not self.query.answerable and not self.is_correct_abstention
