"""A synthesis audited: every claim held against what it cites, and the whole scored.

What a recipient may not see does not exist here either: the audit is made of the bundle inside a
grounding boundary, whose synthesis is without what rests on other items.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.citation import SYNTHESIS_ID, Citation
from tipstaff.domain.scope import Filter
from tipstaff.domain.text_lines import TextLines
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.synthesis.arithmetic import recomputed
from tipstaff.synthesis.audited import (
    AuditedClaim,
    AuditedPassage,
    Standing,
    SynthesisAudit,
    scored,
)
from tipstaff.synthesis.claims import SynthesisClaim, claims_of
from tipstaff.synthesis.judging import Judge, Judgement
from tipstaff.synthesis.staleness import newer_items, newer_passages
from tipstaff.synthesis.stated_facts import is_stated
from tipstaff.synthesis.totals import wrong_totals
from tipstaff.synthesis.uncited import found_in_context, judge_uncited
from tipstaff.verify.checked_sentence import CitedEvidence
from tipstaff.verify.statement import read_statement

Progress = Callable[[str, int, int], None]
_EXCERPT_CHARS = 400
_MOST_PASSAGES = 3
# Claims of the same section whose figures are added up: a table and the sentence behind it.
_BESIDE = 5
_SECOND_HEADING = re.compile(r"^\s{0,3}##+\s", re.MULTILINE)
_BYLINE = "It says whose paper this is."
_SOURCES = "It lists an item."


def audit_synthesis(
    boundary: GroundingBoundary, context: AnswerContext, *, progress: Progress | None = None
) -> SynthesisAudit:
    """Every sentence of the synthesis as this recipient has it, checked against the context that
    exists for them. No model is asked. A bundle without a synthesis has no claims."""
    bundle = boundary.bundle
    synthesis = bundle.synthesis
    text = synthesis.text if synthesis else ""
    claims = claims_of(text, bundle.citable_names())
    auditor = _Auditor(boundary=boundary, context=context, text=text, claims=claims)
    audited = []
    for number, claim in enumerate(claims):
        audited.append(auditor.audited(number))
        if progress:
            progress(claim.heading, number + 1, len(claims))
    done = tuple(audited)
    score, counts = scored(done)
    return SynthesisAudit(
        id=bundle.id,
        title=bundle.title,
        version=bundle.version,
        file=synthesis.file if synthesis else SYNTHESIS_ID,
        score=score,
        counts=counts,
        claims=done,
        text=text,
        newer_items=newer_items(bundle),
    )


@dataclass(kw_only=True)
class _Auditor:
    boundary: GroundingBoundary
    context: AnswerContext
    text: str
    claims: Sequence[SynthesisClaim]

    def audited(self, number: int) -> AuditedClaim:
        claim = self.claims[number]
        judgement = self._judged(number)
        if wrong := self._totals.get(number):
            judgement = replace(judgement, standing=Standing.CONTRADICTED, reason=wrong)
        found = judgement.evidence
        is_found = judgement.standing is Standing.UNCITED
        passages = self._passages(claim.text, found)
        newer: tuple[AuditedPassage, ...] = ()
        if judgement.standing in (Standing.SUPPORTED, Standing.WEAK):
            newer = self._passages(claim.text, self._newer(claim))
        return AuditedClaim(
            text=claim.text,
            standing=judgement.standing,
            reason=judgement.reason,
            line=self._lines.number(claim.start),
            start=claim.start,
            end=claim.end,
            heading=claim.heading,
            citations=tuple(one.reference for one in claim.citations),
            passages=() if is_found else passages,
            computed=judgement.computed,
            elsewhere=passages if is_found else self._elsewhere(claim, judgement),
            newer=newer,
        )

    def _judged(self, number: int) -> Judgement:
        claim = self.claims[number]
        beside = [
            one.sentence
            for one in self.claims[max(number - _BESIDE, 0) : number]
            if one.heading == claim.heading
        ]
        if claim.citations:
            return self._judge.judge(claim, claim.citations, beside)
        if claim.end < self._head and not claim.is_row:
            return Judgement(standing=Standing.VIEW, reason=_BYLINE)
        if claim.is_row and self._lists_item(claim.text):
            return Judgement(standing=Standing.VIEW, reason=_SOURCES)
        return judge_uncited(claim, self._judge, self.claims, beside)

    def _lists_item(self, row: str) -> bool:
        """A row of the list of sources names an item and claims nothing."""
        first = row.split(";", 1)[0].strip("` ")
        return first in self.boundary.bundle.citable_names()

    def _newer(self, claim: SynthesisClaim) -> Sequence[CitedEvidence]:
        cited = [one.item_id for one in claim.citations]
        return newer_passages(claim.text, cited, self.boundary.bundle, self._witness, self._figures)

    def _elsewhere(self, claim: SynthesisClaim, judgement: Judgement) -> tuple[AuditedPassage, ...]:
        """Where the context says what the cited place does not."""
        if judgement.standing not in (Standing.UNSUPPORTED, Standing.CITATION_BROKEN):
            return ()
        return self._passages(claim.text, found_in_context(claim.text, self._judge))

    def _passages(
        self, statement: str, evidence: Sequence[CitedEvidence]
    ) -> tuple[AuditedPassage, ...]:
        said = set(terms(statement))
        shown = []
        for one in evidence[:_MOST_PASSAGES]:
            nearest = max(one.units, key=lambda unit: len(said & unit.own_terms), default=None)
            words = " ".join(nearest.text.split())[:_EXCERPT_CHARS] if nearest else ""
            item_id = one.citation.item_id
            is_shown = item_id == SYNTHESIS_ID or self.boundary.quotable(item_id)
            shown.append(
                AuditedPassage(
                    item_id=item_id,
                    location=str(one.citation.location),
                    text_excerpt=words if is_shown else "",
                )
            )
        return tuple(shown)

    @cached_property
    def _lines(self) -> TextLines:
        return TextLines.of(self.text)

    @cached_property
    def _head(self) -> int:
        """Before the first section stands whose paper it is."""
        section = _SECOND_HEADING.search(self.text)
        return section.start() if section else 0

    @cached_property
    def _figures(self) -> Sequence[Quantity]:
        return [one for claim in self.claims for one in quantities(claim.text)]

    @cached_property
    def _totals(self) -> Mapping[int, str]:
        return wrong_totals(self.claims)

    @cached_property
    def _witness(self) -> ContextWitness:
        return ContextWitness(
            context=self.context,
            resolve=self.boundary.resolve,
            has_integrity=self.boundary.has_integrity,
            permitted=self.boundary.may_cite,
        )

    @cached_property
    def _judge(self) -> Judge:
        home = self._witness.witness("", may_infer=False).home
        return Judge(
            witness=self._witness,
            home=home,
            is_outside=self._is_outside,
            established=self._established,
        )

    def _established(self, figure: Quantity) -> Citation | None:
        """Where another claim cites a figure, if it stands there or that claim has its working."""
        for claim in self.claims:
            statement = read_statement(claim.text)
            same = [
                one
                for one in statement.figures
                if one.value == figure.value and one.measure is figure.measure
            ]
            for citation in claim.citations if same else ():
                found = self._witness.look_up(citation)
                if not isinstance(found, CitedEvidence):
                    continue
                if is_stated(figure, found.units) or recomputed(
                    same[0], statement.plain, [claim.sentence]
                ):
                    return citation
        return None

    def _is_outside(self, name: str) -> bool:
        """Whether no item has any word of a name."""
        scope = Filter().scope([one for one in self.context.items if one.id != SYNTHESIS_ID])
        wanted = [term for term in terms(name) if not term.isdigit()]
        if not wanted or all(self._witness.is_common(word) for word in name.split()):
            return False
        return not any(len(one.chunks) for one in self.context.index.postings(wanted, scope))
