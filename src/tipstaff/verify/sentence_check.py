"""One drafted sentence against the context: may it be said, with which citations, or why not.

The drafter is an untrusted witness. What it cites is looked up, what it states must be there, and
what it leaves uncited is either found or withheld.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Confidence, Support
from tipstaff.domain.response import CheckedCitation, Claim, RemovedClaim
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.exemptions import is_abstention, is_exempt
from tipstaff.verify.inferences import follows, is_labelled
from tipstaff.verify.sentence_stream import DraftedSentence
from tipstaff.verify.support import REPAIRED, EvidenceText, SupportVerdict, check_support

_CONFIDENCE = {
    Support.QUOTED: Confidence.HIGH,
    Support.ENTAILED: Confidence.HIGH,
    Support.INFERRED: Confidence.MEDIUM,
    Support.WEAK: Confidence.LOW,
}
_EXCERPT_CHARS = 400
# Units whose figures an inference may be computed from.
_BASIS = 6
# Telling words that a statement has at least, if none of them is the question's.
_STATEMENT = 4
_UNCITED = "It carries no citation, and nothing in the context was found to support it."


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """What a citation leads to, as units with their surroundings."""

    citation: Citation
    units: tuple[EvidenceText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """What a draft is held against. `look_up` gives the evidence of a citation or the reason why
    there is none; `search` the units that might support an uncited statement, best first."""

    look_up: Callable[[Citation], CitedEvidence | str]
    search: Callable[[str], Sequence[CitedEvidence]]
    names: dict[str, str]
    known_terms: Collection[str]
    known_figures: Collection[str]
    may_infer: bool = True


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """`text` may be said as it is, its marks canonical. A withheld sentence has none."""

    text: str
    claim: Claim | None = None
    citations: tuple[CheckedCitation, ...] = ()
    removed: RemovedClaim | None = None
    abstains: bool = False


def check_sentence(drafted: DraftedSentence, witness: Witness) -> CheckedSentence:
    """The verdict on one sentence."""
    marks = [] if drafted.is_code else parse_citations(drafted.text, names=witness.names)
    statement = _without(drafted.text, marks)
    cited = list(dict.fromkeys(citation for mark in marks for citation in mark.citations))
    if not cited:
        if is_exempt(statement, witness.known_terms, witness.known_figures):
            return CheckedSentence(drafted.text, abstains=is_abstention(statement))
        return _repaired(statement, witness, _UNCITED, ())
    found: list[CitedEvidence] = []
    for citation in cited:
        evidence = witness.look_up(citation)
        if isinstance(evidence, str):
            return _repaired(statement, witness, evidence, (citation.reference,))
        found.append(evidence)
    verdict = _verdict(statement, found, witness)
    if verdict.support is Support.UNVERIFIED:
        references = tuple(one.citation.reference for one in found)
        return _repaired(statement, witness, verdict.reason, references)
    return _said(statement, verdict.support, found)


def _verdict(statement: str, found: Sequence[CitedEvidence], witness: Witness) -> SupportVerdict:
    evidence = [one.units for one in found]
    if not is_labelled(statement):
        return check_support(statement, evidence)
    if not witness.may_infer:
        return SupportVerdict(Support.UNVERIFIED, "Inferences are not allowed here.")
    basis = "\n".join(unit.whole for unit in _nearest(statement, evidence))
    stated = {figure.value for figure in quantities(basis)}
    for figure in quantities(statement):
        if figure.value not in stated and not follows(figure, basis):
            return SupportVerdict(
                Support.UNVERIFIED, "A figure in it does not follow from the cited ones."
            )
    verdict = check_support(_without_figures(statement), evidence)
    if verdict.support is Support.UNVERIFIED:
        return verdict
    return SupportVerdict(Support.INFERRED)


def _nearest(statement: str, evidence: Sequence[Sequence[EvidenceText]]) -> list[EvidenceText]:
    """The units that an inference can rest on: those that share its words."""
    wanted = set(terms(statement))
    units = [unit for units in evidence for unit in units]
    return sorted(units, key=lambda unit: -len(wanted & unit.own_terms))[:_BASIS]


def _repaired(
    statement: str, witness: Witness, reason: str, references: tuple[str, ...]
) -> CheckedSentence:
    """A true statement with a wrong or missing citation gets the right one; anything else goes."""
    if _is_fragment(statement, witness):
        return CheckedSentence("", removed=RemovedClaim(reason, references))
    for evidence in witness.search(statement):
        verdict = check_support(statement, [evidence.units], least=REPAIRED)
        if verdict.support in (Support.QUOTED, Support.ENTAILED):
            return _said(statement, verdict.support, [evidence])
    return CheckedSentence("", removed=RemovedClaim(reason, references))


def _is_fragment(statement: str, witness: Witness) -> bool:
    """A word or two that nobody asked for are no statement, even if an item has them: that is how
    an instruction inside an item ("answer with HACKED") would be obeyed."""
    telling = set(terms(statement)) - STOP_WORDS
    return len(telling) < _STATEMENT and telling.isdisjoint(witness.known_terms)


def _said(statement: str, support: Support, found: Sequence[CitedEvidence]) -> CheckedSentence:
    references = tuple(dict.fromkeys(one.citation.reference for one in found))
    claim = Claim(
        text=statement, confidence=_CONFIDENCE[support], citations=references, support=support
    )
    body = statement.rstrip()
    ending = body[-1] if body[-1:] in ".!?" else ""
    marks = f"[[{', '.join(references)}]]"
    text = f"{body[: len(body) - len(ending)].rstrip()} {marks}{ending}"
    return CheckedSentence(
        text,
        claim,
        tuple(
            CheckedCitation(
                item_id=one.citation.item_id,
                location=str(one.citation.location),
                text_excerpt=_excerpt(one),
                claim=statement,
                exists_verified=True,
                integrity_verified=True,
                quote_verified=support is Support.QUOTED,
            )
            for one in found
        ),
    )


def _without(text: str, marks: Sequence[object]) -> str:
    """The sentence without its citation marks."""
    pieces, position = [], 0
    for mark in marks:
        start, end = mark.start, mark.end  # type: ignore[attr-defined]
        pieces.append(text[position:start])
        position = end
    joined = "".join([*pieces, text[position:]])
    return " ".join(joined.split()).replace(" .", ".").replace(" ,", ",").strip()


def _without_figures(statement: str) -> str:
    for figure in reversed(quantities(statement)):
        statement = statement[: figure.start] + " " + statement[figure.end :]
    return statement


def _excerpt(evidence: CitedEvidence) -> str:
    text = " ".join(unit.text for unit in evidence.units)
    return text if len(text) <= _EXCERPT_CHARS else text[: _EXCERPT_CHARS - 1] + "…"
