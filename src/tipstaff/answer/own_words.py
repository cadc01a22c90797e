"""What was withheld of a draft, as the context has it: the cited places in their own words.

A sentence that cannot be proven may be a lie, or the truth in words that the rules do not know.
Either way its reader is better served by the line that it came from than by a hole
(docs/decisions/0028-the-source-instead.md).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tipstaff.answer.antecedents import unit_before
from tipstaff.answer.claims import claim_from
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.generative import LEAKED, QUOTES_PROTECTED
from tipstaff.answer.telling_lines import telling_lines
from tipstaff.answer.witnessing import ContextWitness
from tipstaff.answer.worked_lines import WorkedLines, worked_lines
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import SYNTHESIS_ID, Citation
from tipstaff.domain.classification import Confidence
from tipstaff.domain.document import UnitKind
from tipstaff.domain.draft import DraftClaim
from tipstaff.domain.response import Claim
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, query_terms, terms
from tipstaff.verify.addressed import is_only_to_be_said
from tipstaff.verify.defined import defined_for
from tipstaff.verify.foreign_matter import DEMANDED, LINKS_OUT, without_broken_marks
from tipstaff.verify.sentence_check import NOT_SILENT, Witness, without_marks
from tipstaff.verify.synonyms import is_form, is_known
from tipstaff.verify.verifier import VerifiedClaim, Verifier

# Statements that are no claims about the context.
_SOURCELESS = frozenset((LEAKED, QUOTES_PROTECTED, DEMANDED, LINKS_OUT, NOT_SILENT))
# Of a statement's telling words so many must stand at its source: fewer where it was cited, and
# more where another place shall stand for the one that was.
_LEAST_CITED, _LEAST_FOUND, _BETTER = 0.3, 0.6, 0.3
# Where nothing is known to answer a question, the lines must have so many of its words, or of those
# of the statement that they stand for.
_LEAST_ANCHORED = 0.34
# A place that is no more than this is shown whatever it has of a statement.
_NARROW = 2
_LEAST_SAID = 3
# Lines for one statement: each further one must tell so many of its words more.
_MOST_FOR_ONE = 3
_LEAST_MORE = 2
# A figure that tells one thing from others: three digits, and no small count.
_EXACT, _EXACT_FROM = 3, 10
# At its head a contract names its parties.
_HEAD_UNITS = 12
# Statements that are answered so: a draft of which more failed is no draft.
_MOST = 8
_WORD = re.compile(r"[-−+£$€]?[\w'’]+%?")
_NUMBER = re.compile(r"\d+")
_ASKS = re.compile(r"\b(?:ask|question|wonder|want(?:s|ed)? to know|whether)", re.IGNORECASE)
# Another place must have the very words, the cited one others for them.
_Knows = Callable[[str, Collection[str]], bool]


@dataclass(frozen=True, slots=True)
class _Line:
    """What may be quoted, the words that it has, and those that stand around it, too; `before` is
    what it leans on."""

    claim: DraftClaim
    own: frozenset[str]
    around: frozenset[str]
    before: DraftClaim | None = None


def in_own_words(
    failed: Sequence[tuple[str, str]],
    *,
    witness: Witness,
    context: ContextWitness,
    verifier: Verifier,
    anchor: str = "",
    worked: Sequence[str] = (),
) -> tuple[list[VerifiedClaim], int]:
    """Lines of the context for statements that failed (with the reason), each line once and
    checked like any quotation; behind them the sums of those statements that come out; and for how
    many statements none was looked for any more. Where an `anchor` is given, only lines that speak
    to it. `worked` is what the answer has worked out already."""
    claims = [text for text, reason in failed if reason not in _SOURCELESS]
    found = [_lines_for(text, witness, context) for text in claims[:_MOST]]
    lines = {line.claim.text: line for some, _ in found for line in some}
    if anchor and _share(frozenset(query_terms(anchor)), list(lines.values())) < _LEAST_ANCHORED:
        sure = (some for some, share in found if share >= _LEAST_ANCHORED)
        lines = {line.claim.text: line for some in sure for line in some}
    lines |= {line.claim.text: line for line in _defining(claims[:_MOST], lines.values(), context)}
    sums: list[WorkedLines] = []
    if not anchor:
        sums = worked_lines(claims[:_MOST], witness=witness, context=context, worked=worked)
        for one in sums:
            lines |= {line.claim.text: line for line in _basis(one, lines, context)}
    claims_in_order = [claim for line in lines.values() for claim in (line.before, line.claim)]
    claims_in_order += [one.claim for one in sums]
    checked = [verifier.check(claim) for claim in dict.fromkeys(filter(None, claims_in_order))]
    return [one for one in checked if isinstance(one, VerifiedClaim)], len(claims[_MOST:])


def _basis(worked: WorkedLines, shown: Collection[str], context: ContextWitness) -> Iterator[_Line]:
    """The lines that the figures of a sum stand in, where none that is shown has them."""
    quoted = [words for cited in worked.claim.citations for words in cited.quotes]
    wanted = [words for words in quoted if not any(words in text for text in shown)]
    for unit in worked.units:
        for line in _of_unit(unit, (), context):
            if any(words in line.claim.text for words in wanted):
                yield line


def is_said(line: Claim, claims: Sequence[Claim]) -> bool:
    """Whether an answer has a line's words already, of the same place; of one that is shown with
    what it stands in, its own."""
    own = f" {' '.join(_WORD.findall(line.text.rpartition(' … ')[2]))} "
    ends = {_end(one) for one in line.citations}
    return any(
        own in f" {' '.join(_WORD.findall(one.text))} "
        and not ends.isdisjoint(map(_end, one.citations))
        for one in claims
    )


def _end(reference: str) -> tuple[str, str]:
    """The item, and the line or page that a place ends with."""
    item, _, place = reference.partition(":")
    numbers = _NUMBER.findall(place)
    return item, numbers[-1] if numbers else ""


def _lines_for(text: str, witness: Witness, context: ContextWitness) -> tuple[list[_Line], float]:
    """Those of the cited places, unless they have little of a statement and others have it; and
    how much of it they have."""
    marks = parse_citations(text, names=witness.names)
    cited = [citation for mark in marks for citation in mark.citations]
    statement = without_broken_marks(without_marks(text, marks))
    telling = frozenset(terms(statement)) - STOP_WORDS
    every = [one for one in _lines(cited, cited, context) if _tells(one, statement)]
    at_place = every if len(every) <= _NARROW else _best(telling, every)
    searched = [one.citation for one in context.search(statement)]
    # A line beside the right one is the commonest of wrong citations.
    searched += [Citation(one.item_id) for one in cited if context.is_short(one.item_id)]
    others = _lines(list(dict.fromkeys(searched)), (), context)
    others = [one for one in others if _tells(one, statement)]
    elsewhere = _best(telling, others, is_form)
    here, there = _share(telling, at_place), _share(telling, elsewhere, is_form)
    if there >= _LEAST_FOUND and (here < _LEAST_CITED or there - here >= _BETTER):
        return elsewhere, there
    is_shown = here >= _LEAST_CITED or len(every) <= _NARROW
    shown = at_place if is_shown else []
    if figured := _with_its_figure(statement, telling, every, others):
        return [*shown, figured], max(here, _LEAST_ANCHORED)
    return shown, here if is_shown else 0.0


def _tells(line: _Line, statement: str) -> bool:
    """Whether a line says anything of a statement: "On Monday Ada Byron wrote:" and a question do
    not, nor does it what somebody is told to say (TIP §4.4)."""
    words = line.claim.text.rstrip(' *_"”')
    if words.endswith("?") and not _ASKS.search(statement):
        return False
    return not words.endswith(":") and not is_only_to_be_said(line.claim.text, statement)


def _defining(
    statements: Sequence[str], lines: Iterable[_Line], context: ContextWitness
) -> list[_Line]:
    """Where a contract says who "the Supplier" is, if its lines do not say so and a statement that
    they stand for names the party."""
    told: dict[str, list[str]] = {}
    for line in lines:
        for cited in line.claim.citations[:1]:
            told.setdefault(cited.citation.item_id, []).append(line.claim.text)
    found = []
    for item_id, texts in told.items():
        for unit in context.context.units_of(item_id)[:_HEAD_UNITS]:
            if any(defined_for(one, "\n".join(texts), unit.text) for one in statements):
                found += _of_unit(unit, (), context)[:1]
    return [line for line in found if len(line.own) >= _LEAST_SAID]


def _with_its_figure(
    statement: str, telling: frozenset[str], cited: Sequence[_Line], others: Sequence[_Line]
) -> _Line | None:
    """The line elsewhere that has an exact figure of a statement, which the cited place has not,
    and some of its words: of which thing it is said, the reader sees there."""
    stated = _exact_figures(statement)
    if not stated or any(stated & _exact_figures(line.claim.text) for line in cited):
        return None
    having = [line for line in others if stated & _exact_figures(line.claim.text)]
    held = [sum(is_known(word, line.around) for word in telling) for line in having]
    best = max(held, default=0)
    return having[held.index(best)] if best >= max(2, _LEAST_CITED * len(telling)) else None


def _exact_figures(text: str) -> frozenset[Decimal]:
    return frozenset(
        one.value for one in quantities(text) if one.digits >= _EXACT and one.value >= _EXACT_FROM
    )


def _lines(
    places: Sequence[Citation], cited: Sequence[Citation], context: ContextWitness
) -> list[_Line]:
    units = {
        unit.key: unit
        for citation in places
        for unit in context.units_at(citation)
        # TIP §3.5: the synthesis is no source. §13.4.2: what may only be asked about is not quoted.
        if unit.item_id != SYNTHESIS_ID
        and unit.unit.kind is not UnitKind.HEADER
        and context.context.quotable(unit.item_id)
    }
    found = [line for unit in units.values() for line in _of_unit(unit, cited, context)]
    # "4. Deposit." is a heading, whatever it stands in.
    return [line for line in found if len(line.own) >= _LEAST_SAID]


def _of_unit(unit: EvidenceUnit, cited: Sequence[Citation], context: ContextWitness) -> list[_Line]:
    # What speaks to machines is no answer (TIP §4.4).
    if context.is_in_lines(unit):
        above = frozenset(terms(unit.surroundings))
        return [
            _Line(claim, own := frozenset(terms(claim.text)), own | above)
            for claim in telling_lines(unit, cited, context.lines_of(unit.item_id))
        ]
    if context.speaks_to_machines(unit):
        return []
    units = filter(None, (unit, unit_before(unit, context)))
    claim, *before = (
        claim_from(one, context.context, confidence=Confidence.MEDIUM) for one in units
    )
    return [_Line(claim, unit.own_terms, unit.all_terms, *before)]


def _best(telling: frozenset[str], lines: Sequence[_Line], knows: _Knows = is_known) -> list[_Line]:
    """The few lines that tell most of a statement, in their order."""
    held = [frozenset(word for word in telling if knows(word, line.own)) for line in lines]
    chosen: list[int] = []
    told: frozenset[str] = frozenset()
    for _ in range(min(_MOST_FOR_ONE, len(lines))):
        best = max(range(len(lines)), key=lambda at: len(held[at] - told))
        if len(held[best] - told) < (_LEAST_MORE if chosen else 1):
            break
        chosen.append(best)
        told |= held[best]
    return [lines[at] for at in sorted(chosen)]


def _share(wanted: frozenset[str], lines: Sequence[_Line], knows: _Knows = is_known) -> float:
    """How many of these words stand in lines or around them."""
    known = frozenset(term for line in lines for term in line.around)
    return sum(knows(word, known) for word in wanted) / len(wanted) if wanted else 1.0
