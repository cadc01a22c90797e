"""One claim of the synthesis against what it cites: the ladder from supported to contradicted.

The verifier's own check comes first: what it proves is supported. What it cannot prove is not
false: facts that are nowhere at the cited places are missing, the rest is weak.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tipstaff.answer.witnessing import ContextWitness
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Support
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.synthesis.arithmetic import counted, recomputed
from tipstaff.synthesis.audited import Standing
from tipstaff.synthesis.claims import SynthesisClaim
from tipstaff.synthesis.columns import from_columns
from tipstaff.synthesis.stated_facts import StatedFacts, stated_facts
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.naming import Home
from tipstaff.verify.reasons import DENIED, NEAR, OPPOSED
from tipstaff.verify.statement import Statement, read_statement
from tipstaff.verify.support import SupportVerdict, check_support

# Of so many telling words a place that speaks of the matter has at least this share.
_LEAST_WORDS, _LEAST_COVERAGE = 5, 0.25
# The nearest sentence has so much of a claim that it speaks of the same thing.
_SAME_THING, _SAME_WORDS, _FEW_WORDS = 0.8, 3, 2
_SAME_DENIED = 0.6
# Units whose figures are combined with those of the claim.
_NEAREST = 3

_QUOTED = "The cited words are quoted."
_ENTAILED = "The cited words say so."
_PIECEWISE = "Each part of it stands at the cited places."
_COMPUTED = "It follows from the cited figures."
_FACTS_THERE = (
    "Its figures, dates and names stand there; that the words say the same is not proven."
)
_MISSING = "Not at the cited place: {}."
_ELSEWHERE = "Not at the cited place, but where another claim cites it: {}."
_SILENT = "The cited words speak of something else."
_RIVAL = "The cited words say the same of another figure: {}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    standing: Standing
    reason: str
    evidence: tuple[CitedEvidence, ...] = ()
    computed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """`is_outside` says whether a name occurs in no item; `established` where another claim of the
    synthesis cites a figure that stands there."""

    witness: ContextWitness
    home: Home
    is_outside: Callable[[str], bool]
    established: Callable[[Quantity], Citation | None] = lambda _: None

    def judge(
        self, claim: SynthesisClaim, citations: Sequence[Citation], beside: Sequence[str] = ()
    ) -> Judgement:
        """`beside` are the sentences that arithmetic may draw on, too."""
        found = [self.witness.look_up(one) for one in citations]
        broken = [
            f"[[{citation.reference}]]: {why}"
            for citation, why in zip(citations, found, strict=True)
            if isinstance(why, str)
        ]
        if broken:
            return Judgement(standing=Standing.CITATION_BROKEN, reason=" ".join(broken))
        evidence = tuple(one for one in found if isinstance(one, CitedEvidence))
        return self._held_against(claim, evidence, beside)

    def _held_against(
        self, claim: SynthesisClaim, evidence: tuple[CitedEvidence, ...], beside: Sequence[str]
    ) -> Judgement:
        units = [unit for one in evidence for unit in one.units]
        if not units:
            return Judgement(standing=Standing.WEAK, reason=NEAR, evidence=evidence)
        verdict = self._verdict(claim.text, evidence)
        statement = read_statement(claim.text)
        if verdict.support in (Support.QUOTED, Support.ENTAILED):
            reason = _QUOTED if verdict.support is Support.QUOTED else _ENTAILED
            return Judgement(standing=Standing.SUPPORTED, reason=reason, evidence=evidence)
        facts = stated_facts(statement, units, self.is_outside)
        computed = _computed(claim, statement, facts, units, beside)
        lacking = [one for one in facts.missing_figures if one.text not in computed]
        told = tuple(computed.values())
        cited = {one.text: place for one in lacking if (place := self.established(one))}
        if cited and len(cited) == len(lacking) and not facts.missing:
            reason = _ELSEWHERE.format(", ".join(f"{one}: {two}" for one, two in cited.items()))
            return Judgement(
                standing=Standing.WEAK, reason=reason, evidence=evidence, computed=told
            )
        if lacking or facts.missing:
            standing, reason = _without(facts, lacking)
            return Judgement(standing=standing, reason=reason, evidence=evidence, computed=told)
        if reason := _turned_round(statement, facts, verdict):
            return Judgement(standing=Standing.CONTRADICTED, reason=reason, evidence=evidence)
        if self._holds_in_parts(claim, statement, facts, evidence, computed):
            reason = _COMPUTED if told else _PIECEWISE
            standing = Standing.SUPPORTED
        elif not facts.anchors and _says_nothing_of_it(facts):
            standing, reason = Standing.UNSUPPORTED, _SILENT
        else:
            standing = Standing.WEAK
            reason = _FACTS_THERE if facts.anchors else NEAR
        return Judgement(standing=standing, reason=reason, evidence=evidence, computed=told)

    def _verdict(self, text: str, evidence: Sequence[CitedEvidence]) -> SupportVerdict:
        return check_support(text, [one.units for one in evidence], home=self.home)

    def _holds_in_parts(
        self,
        claim: SynthesisClaim,
        statement: Statement,
        facts: StatedFacts,
        evidence: Sequence[CitedEvidence],
        computed: dict[str, str],
    ) -> bool:
        """A sentence about several rows is true if each of its clauses is; a part of a sentence
        may need the whole to be understood."""
        if computed and not facts.few and facts.coverage >= _SAME_THING:
            return True
        if claim.text != claim.sentence and self._is_proven(claim.sentence, evidence):
            return True
        clauses = [clause.text for clause in statement.clauses if clause.terms]
        return len(clauses) > 1 and all(self._is_proven(one, evidence) for one in clauses)

    def _is_proven(self, text: str, evidence: Sequence[CitedEvidence]) -> bool:
        return self._verdict(text, evidence).support in (Support.QUOTED, Support.ENTAILED)


def _computed(
    claim: SynthesisClaim,
    statement: Statement,
    facts: StatedFacts,
    units: Sequence[EvidenceText],
    beside: Sequence[str],
) -> dict[str, str]:
    """Figures that stand nowhere and follow from others, with the working."""
    said = [claim.sentence, *beside]
    cited = [unit.text for unit in units]
    words = set(statement.words)
    near = sorted(units, key=lambda unit: -len(words & unit.own_terms))[:_NEAREST]
    bases = (
        ([claim.sentence], False),
        (said, False),
        (cited, True),
        ([claim.sentence, *(unit.text for unit in near)], False),
        ([*said, *cited], False),
    )
    found = {}
    for figure in facts.missing_figures:
        tried = (
            recomputed(figure, statement.plain, basis, is_table=is_table)
            for basis, is_table in bases
        )
        working = next(filter(None, tried), "") or from_columns(figure, statement, units)
        if working:
            found[figure.text] = working
    rows = sum(unit.is_row for unit in units)
    for figure in facts.few:
        if working := counted(figure, rows):
            found[figure.text] = working
    return found


def _without(facts: StatedFacts, lacking: Sequence[Quantity]) -> tuple[Standing, str]:
    rival = _rival(facts, lacking)
    if rival and facts.words >= _FEW_WORDS and facts.nearest_coverage >= _SAME_THING:
        return Standing.CONTRADICTED, _RIVAL.format(rival)
    missing = ", ".join(dict.fromkeys((*(one.text for one in lacking), *facts.missing)))
    return Standing.UNSUPPORTED, _MISSING.format(missing)


def _rival(facts: StatedFacts, lacking: Sequence[Quantity]) -> str:
    """A figure of the same measure in the sentence that says nearly the same."""
    for figure in lacking:
        if figure.measure is Measure.NUMBER:
            continue
        for other in quantities(facts.nearest.text):
            if other.measure is figure.measure and other.unit == figure.unit:
                return f"{other.text}, not {figure.text}"
    return ""


def _turned_round(statement: Statement, facts: StatedFacts, verdict: SupportVerdict) -> str:
    """The verifier doubts much that it reads coarsely; it is believed where a plain sentence
    meets one that has nearly all its words."""
    if verdict.reason not in (DENIED, OPPOSED):
        return ""
    plain = len(statement.clauses) == 1 and not (statement.denies or statement.lacks)
    near = facts.words >= _SAME_WORDS and facts.nearest_coverage >= _SAME_DENIED
    return verdict.reason if plain and near and not statement.figures else ""


def _says_nothing_of_it(facts: StatedFacts) -> bool:
    return facts.words >= _LEAST_WORDS and facts.coverage < _LEAST_COVERAGE
