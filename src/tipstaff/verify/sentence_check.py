"""One drafted sentence against the context: may it be said, with which citations, or why not.

The drafter is an untrusted witness. What it cites is looked up, what it states must be there, and
what it leaves uncited is either found or withheld.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tipstaff.citation.grammar import parse_citations
from tipstaff.citation.names import ItemNames
from tipstaff.domain.citation import Citation
from tipstaff.domain.classification import Support
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.addressed import without_orders
from tipstaff.verify.attributions import is_of_somebody_else
from tipstaff.verify.bearing import bearing
from tipstaff.verify.checked_sentence import CheckedSentence, CitedEvidence, said, withheld
from tipstaff.verify.deduced import deduced
from tipstaff.verify.defined import in_defined_terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exemptions import is_abstention, is_exempt
from tipstaff.verify.facts_found import NO_FIGURE
from tipstaff.verify.foreign_matter import (
    ALTERED,
    DEMANDED,
    LINKS_OUT,
    alters_words,
    broken_references,
    has_page_code,
    is_demanded,
    links_out,
    names_address,
    without_broken_marks,
    without_decoration,
)
from tipstaff.verify.framing import is_of_other_party, without_strange_head
from tipstaff.verify.inferences import is_labelled, with_note, without_label, without_note
from tipstaff.verify.joined import contrasted
from tipstaff.verify.known_parts import NOTHING_KNOWN, KnownParts
from tipstaff.verify.leaning import is_of_some_time, is_of_something_else, is_of_time_not_asked
from tipstaff.verify.modality import leaves_out_exception_of
from tipstaff.verify.named_papers import (
    has_figures_of_other_paper,
    names_other_item,
    names_other_paper,
)
from tipstaff.verify.naming import ANYWHERE, Home, is_named
from tipstaff.verify.reasons import (
    AGAINST,
    DENIED,
    MISATTRIBUTED,
    NEAR,
    NOT_THEN,
    OPPOSED,
    REPAIRED,
)
from tipstaff.verify.reckoned import calculation
from tipstaff.verify.row_words import is_in_row_words
from tipstaff.verify.sentence_stream import DraftedSentence
from tipstaff.verify.source_words import is_in_source_words
from tipstaff.verify.speaking import with_speaker
from tipstaff.verify.statement import read_statement
from tipstaff.verify.support import (
    SupportVerdict,
    check_support,
    may_support,
    said_much,
    tells_other_figure,
)
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.turned_in_place import turned_in_place

# Units whose figures an inference may be computed from.
# Of whom this is said stands in another sentence: another place may have it of somebody else.
_LEANS = re.compile(
    r"(?:its?|th(?:at|ose) of|they|their|he|she|his|her|this|these|both)\b", re.IGNORECASE
)
# What was so before is so of this, too: what it was stands in another sentence.
_ALSO_SO = re.compile(
    r"\W*(?:so (?:did|do|does|is|was|are|were|has|have|had|will|would|can|could)|"
    r"(?:neither|nor) (?:did|do|does|is|was|are|were|has|have|had|will|would|can|could)|"
    r"the same (?:is|was|goes|applies|applied|holds|held|happened)|likewise)\b",
    re.IGNORECASE,
)
# Of a statement's words and facts, those that a place has at least which might say it in others.
_NEAR = 0.5
# Places that a model is asked about for one statement.
_HEARD = 2
# What a statement may say that it stands in.
_PAPERS = frozenset(
    terms("report contract lease agreement letter memo minutes mail email notice transcript log")
)
# Telling words that a statement has at least, if none of them is the question's.
_STATEMENT = 4
# So many words in a row, so often.
_RUN, _ROUNDS = 4, 3
_STATES_NOTHING = "It states nothing."
_NO_SENTENCE = re.compile(
    r"(?:and|or|but|of|with) (?!(?:[\w'’-]+ )*(?:is|are|was|were|has|have|had|will|would|can|could|"
    r"may|must|shall|should|did|does|do|\w+ed|\w+s)\b)"
)
# What is said of an answer before it: whether it is a no, or whether papers agree, is for those who
# read what they say.
_OPENER = re.compile(
    r"(?:yes|no|not (?:in full|entirely|quite|exactly|all|really)|only (?:in part|partly)|partly|"
    r"the (?:papers|documents|sources|items) (?:do not agree|disagree|differ|contradict each other)"
    r"(?: (?:on|about) (?:this|it))?)\s*[,:;]\s+(?=\w)",
    re.IGNORECASE,
)
VETOED = "It speaks to a part of the question that the context is proven not to answer."
NOT_SILENT = "It says that the context is silent on what it does answer."
_UNFINISHED = "It is not finished."
_GOES_ROUND = "It says the same words again and again."
# A model that reaches its length ends in the middle of a sentence.
_CUT_OFF = re.compile(
    r"[\w,] ?\b(?:but|and|or|because|which|although|whereas|the|an|its|their)\W*$|"
    r"\w \b(?:of|to|for|with|about|from|at|is|are|was|were|a)\s*$"
)
_CUT_RANGE = re.compile(r"-\d*$")
_NOT_SURE = (Support.UNVERIFIED, Support.WEAK)
_UNCITED = "It carries no citation, and nothing in the context was found to support it."


class SaysIt(Protocol):
    """Whether evidence says a statement in other words."""

    def __call__(self, statement: str, evidence: Sequence[Sequence[EvidenceText]], /) -> bool: ...


def says_nothing(_statement: str, _evidence: Sequence[Sequence[EvidenceText]], /) -> bool:
    """Without a model, words say the same by the rules or not at all."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """What a draft is held against. `look_up` gives the evidence of a citation or the reason why
    there is none; `search` the units that might support an uncited statement, best first;
    `parts` is what is known of the question's parts; `say_it` whether
    evidence says a statement in other words, where all that can be looked up is there; `asked` is
    the question."""

    look_up: Callable[[Citation], CitedEvidence | str]
    search: Callable[[str], Sequence[CitedEvidence]]
    names: Mapping[str, str] | ItemNames
    known_terms: Collection[str]
    known_figures: Collection[str]
    may_infer: bool = True
    parts: KnownParts = NOTHING_KNOWN
    home: Home = ANYWHERE
    say_it: SaysIt = says_nothing
    asked: str = ""


def check_sentence(drafted: DraftedSentence, witness: Witness) -> CheckedSentence:
    """The verdict on one sentence."""
    drafted = _without_opener(drafted)
    marks = [] if drafted.is_code else parse_citations(drafted.text, names=witness.names)
    bare = without_note(without_marks(drafted.text, marks))
    statement = without_decoration(without_broken_marks(bare))
    if not statement:
        return CheckedSentence("")
    if has_page_code(drafted.text):
        return withheld(LINKS_OUT)
    if _CUT_OFF.search(statement):
        return withheld(_UNFINISHED)
    cited = list(dict.fromkeys(citation for mark in marks for citation in mark.citations))
    if witness.parts.is_absent(statement) and not is_abstention(statement):
        return withheld(VETOED)
    if cited and (statement.endswith("?") or _NO_SENTENCE.match(statement)):
        # Whatever its place has: a question states nothing, nor does "and the plan's purpose".
        return withheld(_STATES_NOTHING, *(one.reference for one in cited))
    if not cited and not drafted.is_code:
        cited = _nearly_cited(drafted.text, witness)
    if not cited:
        return _uncited(statement, witness)
    return _checked(drafted, statement, cited, witness)


def _uncited(statement: str, witness: Witness) -> CheckedSentence:
    """What needs no citation may be said; for all else one is looked for."""
    if _goes_round(statement):
        return withheld(_GOES_ROUND)
    if alters_words(statement, ()):
        return withheld(ALTERED)
    exempt = is_exempt(statement, witness.known_terms, witness.known_figures)
    if exempt and not links_out(statement, ()):
        abstains = is_abstention(statement)
        if abstains and witness.parts.is_answered(statement):
            return withheld(NOT_SILENT)
        return CheckedSentence(statement, abstains=abstains)
    if statement.endswith("?"):
        # "Highest pack 296, Above 300?", and behind it what the cell under that header says.
        return withheld(_STATES_NOTHING)
    return _repaired(statement, witness, _UNCITED, ())


def _without_opener(drafted: DraftedSentence) -> DraftedSentence:
    """A sentence without "Yes, " or "The papers do not agree: " at its head: no place says that."""
    opener = None if drafted.is_code else _OPENER.match(drafted.text)
    if opener is None:
        return drafted
    rest = drafted.text[opener.end() :]
    return replace(drafted, text=rest[:1].upper() + rest[1:])


def _nearly_cited(text: str, witness: Witness) -> list[Citation]:
    """The places of marks that lack a bracket, if there are such places: what is said of them is
    held against them as if they were whole."""
    found: list[Citation] = []
    for reference in broken_references(text):
        # Of a range that is cut off in its end, "L27-3", the beginning is whole.
        for place in dict.fromkeys((reference, _CUT_RANGE.sub("", reference))):
            marks = parse_citations(f"[[{place}]]", names=witness.names)
            named = [citation for mark in marks for citation in mark.citations]
            known = [one for one in named if not isinstance(witness.look_up(one), str)]
            if known:
                found += known
                break
    return list(dict.fromkeys(found))


def _checked(
    drafted: DraftedSentence, statement: str, cited: Sequence[Citation], witness: Witness
) -> CheckedSentence:
    """A statement against what it cites."""
    found: list[CitedEvidence] = []
    for citation in cited:
        evidence = witness.look_up(citation)
        if isinstance(evidence, str):
            return _repaired(statement, witness, evidence, (citation.reference,))
        found.append(evidence)
    units = [unit for one in found for unit in one.units]
    references = tuple(one.citation.reference for one in found)
    headed, statement = statement, without_strange_head(statement, units)
    if reason := _unfit(statement, found, witness):
        return withheld(reason, *references)
    verdict = _first_held(dict.fromkeys((statement, headed)), found, witness)
    if verdict.reason == NO_FIGURE and (calculated := _calculated(statement, found, witness)):
        statement, verdict = calculated, SupportVerdict(Support.INFERRED)
    if _goes_round(statement) and not verdict.in_source_words:
        return withheld(_GOES_ROUND, *references)
    if verdict.support is not Support.UNVERIFIED and (
        reason := _objection(drafted, statement, found, witness)
    ):
        return withheld(reason, *references)
    if verdict.support is Support.WEAK and not _is_of_synthesis(found):
        # As often false as true; the place itself is quoted instead.
        return withheld(NEAR, *references)
    told = verdict.reason == NO_FIGURE and tells_other_figure(statement, units)
    if verdict.reason in AGAINST or told:
        return withheld(verdict.reason, *references)
    if verdict.support is Support.UNVERIFIED:
        return _repaired(statement, witness, verdict.reason, references)
    return said(
        with_speaker(statement, units),
        verdict.support,
        bearing(statement, found),
        is_sure=not verdict.by_words,
        in_source_words=verdict.in_source_words,
    )


def _objection(
    drafted: DraftedSentence, statement: str, found: Sequence[CitedEvidence], witness: Witness
) -> str:
    """What is against a statement though its place has all of it, or nothing."""
    if _is_denied_in_part(statement, found, witness):
        return DENIED
    if _is_of_others(drafted, statement, found, witness):
        return MISATTRIBUTED
    units = [unit for one in found for unit in one.units]
    return NOT_THEN if is_of_time_not_asked(statement, witness.asked, units) else ""


def _is_denied_in_part(statement: str, found: Sequence[CitedEvidence], witness: Witness) -> bool:
    """Whether one side of a contrast is denied by itself: "P2 has its alarm while P3 lacks one",
    where it is the other way round."""
    return any(
        _verdict(side, found, witness).reason in (DENIED, OPPOSED) for side in contrasted(statement)
    )


def _first_held(
    forms: Iterable[str], found: Sequence[CitedEvidence], witness: Witness
) -> SupportVerdict:
    """The verdict on a statement: a label that is not said may help to see what it is about."""
    verdicts = (
        _in_other_words(form, found, witness, _verdict(form, found, witness)) for form in forms
    )
    first = next(verdicts)
    if first.support not in _NOT_SURE or first.reason in AGAINST:
        return first
    return next((one for one in verdicts if one.support not in _NOT_SURE), first)


def _unfit(statement: str, found: Sequence[CitedEvidence], witness: Witness) -> str:
    """Why a statement is none, wherever its words may stand, or nothing."""
    if alters_words(statement, [unit.whole for one in found for unit in one.units]):
        return ALTERED
    if _is_fragment(statement, witness) and is_demanded(statement, found):
        return DEMANDED
    return NEAR if _ALSO_SO.match(statement) else ""


def _is_of_others(
    drafted: DraftedSentence, statement: str, found: Sequence[CitedEvidence], witness: Witness
) -> bool:
    """Whether a statement is made of another item, person or thing than its place speaks of."""
    units = [unit for one in found for unit in one.units]
    items = {one.citation.item_id for one in found}
    return (
        names_other_item(statement, items, _names(witness), units)
        or is_of_other_party(drafted.under, units)
        or has_figures_of_other_paper(
            statement, [(one.citation.item_id, one.units) for one in found]
        )
        or is_of_somebody_else(statement, drafted.spoken_of, units)
        or is_of_something_else(statement, drafted.subject, units)
        or is_of_some_time(statement, units)
    )


def _verdict(statement: str, found: Sequence[CitedEvidence], witness: Witness) -> SupportVerdict:
    evidence = [one.units for one in found]
    if links_out(statement, [unit.whole for units in evidence for unit in units]):
        return SupportVerdict(Support.UNVERIFIED, LINKS_OUT)
    if not is_labelled(statement):
        return _stated(statement, evidence, witness)
    if not witness.may_infer:
        return SupportVerdict(Support.UNVERIFIED, "Inferences are not allowed here.")
    return deduced(
        without_label(statement), evidence, home=witness.home, stated=_stating(evidence, witness)
    )


def _stating(
    evidence: Sequence[tuple[EvidenceText, ...]], witness: Witness
) -> Callable[[str], SupportVerdict]:
    return lambda statement: _stated(statement, evidence, witness)


def _calculated(statement: str, found: Sequence[CitedEvidence], witness: Witness) -> str:
    """A statement whose figure stands nowhere and comes out of those that it cites, with how."""
    evidence = [one.units for one in found if not _is_of_synthesis([one])]
    if not witness.may_infer or is_labelled(statement) or not evidence:
        return ""
    how = calculation(statement, evidence, stated=_stating(evidence, witness))
    return with_note(statement, how) if how else ""


def _stated(
    statement: str, evidence: Sequence[tuple[EvidenceText, ...]], witness: Witness
) -> SupportVerdict:
    own = [units for units in map(_of_context, evidence) if units]
    if _is_repeated(statement, own, witness):
        return SupportVerdict(Support.ENTAILED, in_source_words=True)
    if reason := turned_in_place(statement, without_orders(statement, own)):
        return SupportVerdict(Support.UNVERIFIED, reason)
    verdict = check_support(statement, evidence, home=witness.home)
    if verdict.support is Support.UNVERIFIED or not own or own == evidence:
        return verdict
    # TIP §3.5: with a place of the context beside it, the synthesis says no more than alone.
    return check_support(statement, own, home=witness.home)


def _goes_round(statement: str) -> bool:
    """Whether the same words come again and again, as a model gets caught in them: "12 percent of
    12 percent of 12 percent"."""
    words = statement.casefold().split()
    runs = Counter(tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))
    return max(runs.values(), default=0) >= _ROUNDS


def _is_repeated(
    statement: str, evidence: Sequence[Sequence[EvidenceText]], witness: Witness
) -> bool:
    """Whether a statement is in the very words of what it cites."""
    told = without_orders(statement, evidence)
    if leaves_out_exception_of(statement, told):
        return False
    forms = dict.fromkeys((statement, in_defined_terms(statement, told, witness.home.called)))
    return is_in_row_words(statement, told) or any(
        is_in_source_words(form, told, home=witness.home) for form in forms
    )


def _in_other_words(
    statement: str, found: Sequence[CitedEvidence], witness: Witness, verdict: SupportVerdict
) -> SupportVerdict:
    """A verdict, heard again where figures, times, names and denials agree and only the words are
    others. What only the synthesis says stays weak (TIP §3.5)."""
    if not verdict.by_words or is_labelled(statement) or _is_of_synthesis(found):
        return verdict
    units = [one.units for one in found]
    says = witness.say_it(statement, units)
    return SupportVerdict(Support.ENTAILED, by_words=True) if says else verdict


def _of_context(units: tuple[EvidenceText, ...]) -> tuple[EvidenceText, ...]:
    return tuple(unit for unit in units if not unit.synthesis)


def _is_of_synthesis(found: Sequence[CitedEvidence]) -> bool:
    return all(unit.synthesis for one in found for unit in one.units)


def _repaired(
    statement: str, witness: Witness, reason: str, references: tuple[str, ...]
) -> CheckedSentence:
    """A true statement with a wrong or missing citation gets the right one; anything else goes."""
    if _is_fragment(statement, witness) or (references and _LEANS.match(statement)):
        return withheld(reason, *references)
    if names_address(statement):
        # Who sends a reader elsewhere must say where that stands.
        return withheld(LINKS_OUT, *references)
    near: list[CitedEvidence] = []
    for evidence in witness.search(statement) if said_much(statement) else ():
        if not may_support(statement, evidence.units, least=_NEAR):
            continue
        item_id = evidence.citation.item_id
        if names_other_paper(
            statement, evidence.citation.reference, references, evidence.units
        ) or names_other_item(statement, {item_id}, _names(witness), evidence.units):
            continue
        if links_out(statement, [unit.whole for unit in evidence.units]):
            continue
        if is_of_time_not_asked(statement, witness.asked, evidence.units):
            continue
        own = _of_context(evidence.units)
        if _is_repeated(statement, [own], witness):
            return said(statement, Support.ENTAILED, [evidence], in_source_words=True)
        if turned_in_place(statement, without_orders(statement, [own])):
            continue
        verdict = check_support(statement, [evidence.units], least=REPAIRED, home=witness.home)
        stands = verdict.support in (Support.QUOTED, Support.ENTAILED)
        if stands and may_support(statement, evidence.units):
            return said(statement, verdict.support, [evidence])
        if verdict.by_words:
            near.append(evidence)
    return _in_words_of(statement, near[:_HEARD], witness) or withheld(reason, *references)


def _in_words_of(
    statement: str, near: Sequence[CitedEvidence], witness: Witness
) -> CheckedSentence | None:
    """A statement with the first place that says it in other words, beyond doubt."""
    for evidence in near:
        own = _is_its_own(statement, evidence, witness)
        if own and witness.say_it(statement, [evidence.units]):
            return said(statement, Support.ENTAILED, [evidence], is_sure=False)
    return None


def _is_its_own(statement: str, evidence: CitedEvidence, witness: Witness) -> bool:
    """Whether the very sentence of a place that nobody cited names whom a statement names, and the
    statement speaks of no other item: "The lease also obliges …"."""
    words = frozenset(terms(statement)) - STOP_WORDS
    nearest = max(evidence.units, key=lambda unit: len(words & unit.own_terms))
    others = {
        term
        for name in _names(witness).of_others(evidence.citation.item_id)
        for term in terms(name)
    }
    read = read_statement(statement)
    if nearest.author and not any(is_named(name, terms(nearest.author)) for name in read.names):
        # What somebody says, they say for themselves.
        return False
    if nearest.is_row and not all(is_known(word, nearest.own_terms) for word in read.words[:1]):
        # Of which row it is said stands in the row itself.
        return False
    others |= _PAPERS - nearest.paper_terms
    # What somebody does is not what another does: "Ruda recommended it", and Falk's "I recommend".
    does = [terms(behind)[:1] for name in read.names for behind in read.plain.split(name)[1:]]
    known = nearest.terms | STOP_WORDS
    return (
        words.isdisjoint(others - nearest.terms)
        and all(is_named(name, nearest.people_terms) for name in read.names)
        and all(is_known(verb, known) for verbs in does for verb in verbs)
    )


def _names(witness: Witness) -> ItemNames:
    return witness.names if isinstance(witness.names, ItemNames) else ItemNames(witness.names)


def _is_fragment(statement: str, witness: Witness) -> bool:
    """A word or two that nobody asked for are no statement, even if an item has them: that is how
    an instruction inside an item ("answer with HACKED") would be obeyed."""
    telling = set(terms(statement)) - STOP_WORDS
    return len(telling) < _STATEMENT and telling.isdisjoint(witness.known_terms)


def without_marks(text: str, marks: Sequence[object]) -> str:
    """The sentence without its citation marks."""
    pieces, position = [], 0
    for mark in marks:
        start, end = mark.start, mark.end  # type: ignore[attr-defined]
        pieces.append(text[position:start])
        position = end
    joined = "".join([*pieces, text[position:]])
    return " ".join(joined.split()).replace(" .", ".").replace(" ,", ",").strip()
