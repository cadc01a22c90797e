"""`automated_heuristic` (Enterprise §8.5): chunks, claims and citations judged without a model.

Claims are held against the bytes again, by the rules that withhold a model's false sentences; what
the response says of its own support is not believed. Where rules are not sure they say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.classification import Support
from tipstaff.domain.response import CheckedCitation, Claim
from tipstaff.eval.observation import Verdict
from tipstaff.eval.query_set import EvalQuery
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, query_terms, terms
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.inferences import follows
from tipstaff.verify.naming import ANYWHERE, Home
from tipstaff.verify.quotes import stands_in
from tipstaff.verify.support import check_support

# Of a query's telling words, the share that a chunk has if it speaks to it; nobody noted which do.
_SPEAKS_TO = 0.5
# Words of an expected answer that say nothing by themselves: "no,".
_TELLING_CHARS = 4


def relevance_by_rules(query: EvalQuery, item_id: str, text: str) -> Verdict:
    """§8.3.1: graded 3 to 0, and relevant from 2 on."""
    if _holds_answer(query, item_id, text):
        return Verdict(True, why="3: it has the noted answer")
    wanted = set(query_terms(query.query))
    shared = wanted & set(terms(text))
    share = len(shared) / max(len(wanted), 1)
    if item_id in query.needed_items and shared:
        return Verdict(True, is_edge=share < _SPEAKS_TO, why="2: of a relevant item, on the query")
    if share >= _SPEAKS_TO:
        # Items are noted that should be used (§8.3.4), not all that speak to the query.
        return Verdict(True, is_edge=True, why="2: on the query")
    return Verdict(False, is_edge=bool(shared), why="1: aside" if shared else "0: on nothing asked")


def _holds_answer(query: EvalQuery, item_id: str, text: str) -> bool:
    said = _flat(text)
    passages = [one for one in query.relevant_passages if one.item == item_id and one.text]
    if any(_flat(one.text) in said for one in passages):
        return True
    words = [word for group in query.expected for word in group if _tells(word)]
    return any(_flat(word) in said for word in words)


def _tells(word: str) -> bool:
    has_figure = any(character.isdigit() for character in word)
    return has_figure or len(word.strip(" ,.")) >= _TELLING_CHARS


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRules:
    """`evidence` has what each reference of the response leads to, or why to nothing."""

    evidence: Mapping[str, CitedEvidence | str]
    home: Home = ANYWHERE

    def faithfulness(self, claim: Claim) -> Verdict:
        """§8.3.2: an inference counts if it is marked as one, and if its basis is there."""
        found = [self.evidence.get(one, "It is no citation.") for one in claim.citations]
        missing = [one for one in found if isinstance(one, str)]
        if not found:
            return Verdict(False, why="nothing is cited for it")
        if missing:
            return Verdict(False, why=missing[0])
        units = [one.units for one in found if not isinstance(one, str)]
        if claim.support is Support.INFERRED:
            return _inferred(claim.text, units)
        return _supported(claim.text, units, self.home)

    def accuracy(self, citation: CheckedCitation, claims: Sequence[Claim]) -> Verdict:
        """§8.3.3: item and place exist, and the text there supports the claim; of a claim that
        rests on several places, each has to bear a part."""
        found = self.evidence.get(citation.reference, "It is no citation.")
        if isinstance(found, str):
            return Verdict(False, why=found)
        alone = _supported(citation.claim, [found.units], self.home)
        if alone.holds:
            return alone
        words = "\n".join(unit.whole for unit in found.units)
        is_there = _is_there(citation.text_excerpt, found.units)
        joint = [claim for claim in claims if len(claim.citations) > 1 or _is_inferred(claim)]
        if any(self.faithfulness(claim).holds for claim in joint) and (
            is_there or _bears(citation.claim, words)
        ):
            return Verdict(True, is_edge=True, why="it bears a part of the claim")
        if is_there:
            return Verdict(False, is_edge=True, why="the words are there and do not say the claim")
        return alone


_Units = Sequence[Sequence[EvidenceText]]


def _supported(text: str, evidence: _Units, home: Home) -> Verdict:
    verdict = check_support(text, evidence, home=home)
    if verdict.support is Support.UNVERIFIED:
        return Verdict(False, why=verdict.reason)
    if verdict.support is not Support.WEAK:
        return Verdict(True, why="supported")
    if any(stands_in(text, _without_marks(units)) for units in evidence):
        # The sender's own synthesis, in its words.
        return Verdict(True, is_edge=True, why="quoted")
    # §8.3.2 asks for direct support.
    return Verdict(False, is_edge=True, why="only weakly supported")


def _without_marks(units: Sequence[EvidenceText]) -> str:
    """A synthesis cites within its sentences; a quotation of one leaves that out."""
    words = "\n".join(unit.text for unit in units)
    for mark in reversed(parse_citations(words)):
        words = words[: mark.start].rstrip() + words[mark.end :]
    return words


def _inferred(text: str, evidence: _Units) -> Verdict:
    """A figure that is inferred stands in the basis or follows from it."""
    basis = "\n".join(unit.whole for units in evidence for unit in units)
    stated = {figure.value for figure in quantities(basis)}
    for figure in outside_dates(quantities(text), text):
        if figure.value not in stated and not follows(figure, basis):
            return Verdict(False, is_edge=True, why=f"{figure.text} does not follow from its basis")
    return Verdict(True, is_edge=True, why="marked as inferred")


def _is_inferred(claim: Claim) -> bool:
    return claim.support is Support.INFERRED


def _is_there(excerpt: str, units: Sequence[EvidenceText]) -> bool:
    """Whether an excerpt is of the cited words; rows are written in more than one way."""
    said = set(terms(excerpt))
    return bool(said) and (
        stands_in(excerpt, "\n".join(unit.whole for unit in units))
        or any(said <= unit.terms for unit in units)
    )


def _bears(claim: str, words: str) -> bool:
    return bool((set(terms(claim)) - STOP_WORDS) & set(terms(words)))
