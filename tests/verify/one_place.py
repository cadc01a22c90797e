"""A witness for whom the context is one place: whatever is cited leads there."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.domain.citation import Citation
from tipstaff.domain.response import Claim
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.sentence_check import Witness, check_sentence
from tipstaff.verify.sentence_stream import DraftedSentence


def claim_of(
    statement: str, evidence: Sequence[EvidenceText], *, may_infer: bool = True
) -> Claim | None:
    """What becomes of a statement that cites it."""
    cited = CitedEvidence(Citation("paper"), tuple(evidence))
    witness = Witness(
        look_up=lambda _citation: cited,
        search=lambda _statement: (),
        names={"paper": "paper"},
        known_terms=frozenset(),
        known_figures=frozenset(),
        may_infer=may_infer,
    )
    return check_sentence(DraftedSentence(f"{statement} [[paper]].", ""), witness).claim
