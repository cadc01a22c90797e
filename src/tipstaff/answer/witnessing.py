"""The context as a drafted sentence is held against it: citations looked up, support searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.quotes import longest_shared_run
from tipstaff.verify.sentence_check import CitedEvidence, Witness
from tipstaff.verify.support import EvidenceText
from tipstaff.verify.verifier import MAX_UNQUOTED_RUN

_SEARCHED_PASSAGES = 5
_TRIED_UNITS = 6


@dataclass(kw_only=True)
class ContextWitness:
    """`resolve` finds the passage of a citation, `has_integrity` whether an item's bytes are those
    that were sent, `objection` why a statement about items is beyond a limit (TIP §13.3.2); what
    is looked up once is kept for the whole response."""

    context: AnswerContext
    resolve: Callable[[Citation], Resolution]
    has_integrity: Callable[[str], bool]
    permitted: Callable[[str], bool]
    objection: Callable[[str, Sequence[str]], str] = lambda _text, _items: ""
    _evidence: dict[tuple[str, int, int], EvidenceText] = field(default_factory=dict)
    _looked_up: dict[Citation, CitedEvidence | str] = field(default_factory=dict)

    def witness(self, question: str, *, may_infer: bool) -> Witness:
        """What a response to this question is held against."""
        titles = " ".join(item.title for item in self.context.items)
        return Witness(
            look_up=self.look_up,
            search=self.search,
            names=self._names(),
            known_terms=frozenset(terms(f"{question} {titles}")),
            known_figures=frozenset(figure.text for figure in quantities(question)),
            may_infer=may_infer,
        )

    def look_up(self, citation: Citation) -> CitedEvidence | str:
        if citation not in self._looked_up:
            self._looked_up[citation] = self._found(citation)
        return self._looked_up[citation]

    def search(self, statement: str) -> list[CitedEvidence]:
        """Units of the best passages that share most words with a statement."""
        options = replace(self.context.options, top_k=_SEARCHED_PASSAGES)
        wanted = set(terms(statement))
        units = [
            unit
            for found in self.context.search(statement, options).found
            for unit in self.context.units_in(found.chunk)
        ]
        units.sort(key=lambda unit: (-len(wanted & unit.own_terms), unit.key))
        return [CitedEvidence(unit.citation, (self._text(unit),)) for unit in units[:_TRIED_UNITS]]

    def quotes_too_much(self, text: str, citation: Citation) -> bool:
        """TIP §13.4.2: whether a sentence repeats words of an item that may not be quoted."""
        if self.context.quotable(citation.item_id) or citation.item_id == SYNTHESIS_ID:
            return False
        units = self.context.units_of(citation.item_id)
        return any(longest_shared_run(text, unit.text) > MAX_UNQUOTED_RUN for unit in units)

    def _found(self, citation: Citation) -> CitedEvidence | str:
        if not self.permitted(citation.item_id):
            return "It cites an item that is not in this context."
        passage = self.resolve(citation)
        if not isinstance(passage, Passage):
            return f"It cites a place that does not exist: {passage.reason}."
        if not self.has_integrity(citation.item_id):
            return "The cited item's bytes are not those that the sender hashed."
        units = [
            self._text(unit)
            for unit in self.context.units_of(citation.item_id)
            if any(span.overlaps(unit.unit.span) for span in passage.spans)
        ]
        return CitedEvidence(citation, tuple(units) or (EvidenceText(passage.text),))

    def _text(self, unit: EvidenceUnit) -> EvidenceText:
        if unit.key not in self._evidence:
            self._evidence[unit.key] = EvidenceText(unit.reader_text, unit.surroundings)
        return self._evidence[unit.key]

    def _names(self) -> dict[str, str]:
        """Only names of what this recipient may see: another item's name is no item here."""
        known = self.context.bundle.citable_names()
        return {name: target for name, target in known.items() if self.permitted(target)}
