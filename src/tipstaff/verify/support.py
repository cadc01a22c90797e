"""Whether evidence supports a statement, by rules.

Every figure, date, name and quotation of the statement must be in the evidence after
normalisation, and belong to what the statement says it is of; denial and direction must agree;
its telling words must be covered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.domain.classification import Support
from tipstaff.facts.quantities import Quantity, quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.addressed import without_orders
from tipstaff.verify.attributions import reporting_terms
from tipstaff.verify.bounds import is_bounded
from tipstaff.verify.defined import in_defined_terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT, counts_the_same, exchanged, foreign, is_of_other
from tipstaff.verify.facts_found import facts_missing
from tipstaff.verify.framing import is_plain_frame
from tipstaff.verify.irregular_forms import PAST
from tipstaff.verify.modality import supposes_only
from tipstaff.verify.naming import ANYWHERE, Home, is_named
from tipstaff.verify.plainly_other import refuses_unsaid
from tipstaff.verify.presenting import PAPERS, PRESENTING
from tipstaff.verify.quantifiers import reason_given
from tipstaff.verify.reasons import AGAINST, FEW_WORDS, MISPLACED, NOT_SAID, REPAIRED
from tipstaff.verify.said_otherwise import said_otherwise
from tipstaff.verify.set_forms import (
    value_left_out,
)
from tipstaff.verify.statement import Statement, read_statement
from tipstaff.verify.subjects import calls_it_other
from tipstaff.verify.synonyms import is_form, is_known
from tipstaff.verify.turned_in_place import DECISIVE
from tipstaff.verify.turned_round import turned_round
from tipstaff.verify.verbs import deeds_of, verbs_of
from tipstaff.verify.windows import Window, windows

# Share of a statement's telling words that its evidence must have; figures, times and names are
# compared apart. Calibrated on tests/drafts/tuning.
ENTAILED = 0.7
WEAK = 0.6
LEAST_SAID = 3
# With another verb so much must be said beside it.
# An entry of a log, and what it says was done.
_ENTRY_WORDS = 4
_DECISIVE = frozenset(term for word in DECISIVE for term in terms(word))
_DONE = re.compile(rf"\b(?:[a-z]{{3,}}ed|{'|'.join(sorted(PAST))})\b")
_OTHER_VERB = 0.7
_MANY_WORDS = 6
_OTHER_FIGURE = 0.6
# Figures, names and times that stand for themselves.
_MANY_FACTS = 2
# So much of it stands there in its words, where a model may know the others.
_KNOWN = 0.34
# What a word counts that any report is written with.
_LIGHT_COSTS = 0.6
_TELL_LITTLE = LIGHT | PRESENTING | PAPERS
# Common as they are, of a row they tell how far it has come.
_ENDINGS = frozenset(terms("received delivered paid supplied sent started ended"))
_UN = re.compile(
    r"\b(?:un(?!der|it|ion|iq|til|less)|dis)[a-z]{3,}(?:ed|able)\b|\bundisputed\b", re.I
)
_EXACT_DIGITS = 3
_LARGE = 1000

# Each is held against every figure of the place: more are a table, and no sentence.
_MOST_FIGURES = 60
_TOO_MANY_FIGURES = "It has more figures than a sentence can be checked for."


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """UNVERIFIED with the reason why it is withheld, in words that repeat nothing of it; `by_words`
    if its figures, times, names, quotations and denials agree and only its words do not;
    `in_source_words` if it only repeats its place."""

    support: Support
    reason: str = ""
    by_words: bool = False
    in_source_words: bool = False


def check_support(
    text: str,
    evidence: Sequence[Sequence[EvidenceText]],
    *,
    least: float = WEAK,
    home: Home = ANYWHERE,
) -> SupportVerdict:
    """How well what was cited supports a statement. `evidence` has the units of each citation in
    their order; what stands far apart in an item does not support together."""
    evidence = without_orders(text, evidence)
    if not any(evidence):
        return SupportVerdict(Support.UNVERIFIED, "Nothing was cited for it.")
    statement = read_statement(in_defined_terms(text, evidence, home.called))
    if len(statement.figures) > _MOST_FIGURES:
        return SupportVerdict(Support.UNVERIFIED, _TOO_MANY_FIGURES)
    worst = SupportVerdict(Support.UNVERIFIED, NOT_SAID)
    tried = windows(statement, evidence)
    for number, window in enumerate(tried):
        verdict = _within(statement, window, least, home)
        if verdict.support is not Support.UNVERIFIED:
            return _wider_against(statement, window, tried, home) or verdict
        if number == 0:
            worst = verdict
            if verdict.reason in AGAINST - {MISPLACED}:
                # The words that are nearest to it contradict it: others do not help.
                return verdict
    return worst


def _wider_against(
    statement: Statement, window: Window, tried: Sequence[Window], home: Home
) -> SupportVerdict | None:
    """What is against a statement where some of its words are told, beside what supports the
    others: "…, and rates may be raised twice a year", "The board accepted the offer of £7"."""
    if statement.denies:
        # What denies is near many sentences that affirm something else.
        return None
    lacking = [word for word in statement.words if word not in window.terms]
    for other in tried:
        beside = any(one is own for one in other.units for own in window.units)
        if other is window or not beside or other.terms.isdisjoint(lacking):
            continue
        verdict = _within(statement, other, WEAK, home)
        if verdict.reason in AGAINST - {MISPLACED}:
            return verdict
    return None


def may_support(text: str, units: Sequence[EvidenceText], least: float = REPAIRED) -> bool:
    """Whether units have as many of a statement's words as it takes to repair it: a look before
    the check, which costs more."""
    statement = read_statement(text)
    known = frozenset().union(*(one.terms for one in units))
    facts = len(statement.figures) + len(statement.names) + bool(statement.times)
    held = sum(is_form(word, known) for word in statement.words) + facts
    return held >= least * (len(statement.words) + facts)


def tells_other_figure(text: str, units: Sequence[EvidenceText]) -> bool:
    """Whether one unit has most of a statement's words and figures of its own: what it says, it
    says with these, and no other place makes it so."""
    statement = read_statement(text)
    words = statement.words
    return any(
        one.own_figures
        # Of somebody else, or of another day, it tells nothing here.
        and all(is_named(name, one.people_terms) for name in statement.names)
        and statement.times <= one.times
        and sum(is_known(word, one.terms) for word in words) >= _OTHER_FIGURE * max(len(words), 1)
        and any(is_known(word, one.own_terms) for word in words)
        for one in units
    )


def said_much(text: str) -> bool:
    """Whether there is enough in a statement to find its source by."""
    statement = read_statement(text)
    exact = sum(_is_exact(figure) for figure in statement.figures)
    facts = len(statement.figures) + exact + len(statement.names) + bool(statement.times)
    return len(statement.words) + facts >= LEAST_SAID or bool(statement.quotes)


def _is_exact(figure: Quantity) -> bool:
    return figure.digits >= _EXACT_DIGITS or abs(figure.value) >= _LARGE


def _within(statement: Statement, window: Window, least: float, home: Home) -> SupportVerdict:
    if reason := facts_missing(statement, window, least, home):
        return SupportVerdict(Support.UNVERIFIED, reason)
    if reason := turned_round(statement, window):
        return SupportVerdict(Support.UNVERIFIED, reason)
    moved = said_otherwise(statement, window)
    # A citation that nobody gave rests on the very words.
    knows = is_form if least >= REPAIRED else is_known
    unknown = [word for word in statement.words if not knows(word, window.terms | moved)]
    if statement.quotes and len(statement.words) <= FEW_WORDS:
        if is_plain_frame(statement, window):
            return SupportVerdict(Support.QUOTED, in_source_words=True)
        return SupportVerdict(Support.UNVERIFIED, NOT_SAID)
    everywhere = {
        word
        for word in unknown
        if home.is_everywhere(word) and not is_of_other(word, statement, window.units)
    }
    strange = foreign(unknown, window.units, everywhere, window.cited_terms)
    if reason := _unsaid(statement, window, unknown, strange, least):
        return SupportVerdict(Support.UNVERIFIED, reason)
    # Some of its words stand there, and others are others: what they mean, a model may say. What
    # became of a row stands in its cell.
    by_words = len(statement.words) - len(unknown) >= _KNOWN * len(statement.words)
    by_words = by_words and not any(one.states for one in window.units)
    # A word or two are no statement: anybody says them.
    facts = statement.names or statement.figures or statement.times
    by_words = by_words and (len(statement.words) >= LEAST_SAID or bool(facts))
    # In a row no verb is told, and of a place that nobody cited what somebody does, or what is done
    # to them, must stand there.
    if least >= REPAIRED or any(one.is_row for one in window.units):
        by_words = by_words and deeds_of(statement.plain).isdisjoint(unknown)
    # "Undisputed" denies something, and is no other word for anything.
    denied = {term for word in _UN.findall(statement.plain) for term in terms(word)}
    by_words = by_words and denied.isdisjoint(unknown)
    if exchanged(statement, window.units):
        return SupportVerdict(Support.UNVERIFIED, NOT_SAID, by_words=by_words)
    paper = frozenset().union(*(one.paper_terms for one in window.units))
    share = _share(statement, unknown, frozenset(w for w in unknown if is_known(w, paper)))
    if _has_other_words(statement, strange, unknown, least) or share < least:
        return SupportVerdict(Support.UNVERIFIED, NOT_SAID, by_words=by_words)
    # Of a figure in a row its headers say all; what it is said to do is the teller's.
    told = bool(statement.figures) and all(one.is_row for one in window.units)
    told = told and not _does_otherwise(statement, window, strange, unknown)
    strange = [] if told and share >= _OTHER_VERB else strange
    if strange or share < max(ENTAILED, least) or all(one.synthesis for one in window.units):
        # TIP §3.5: that the synthesis says so is not that the context does.
        return SupportVerdict(Support.WEAK, by_words=by_words)
    return SupportVerdict(Support.QUOTED if statement.quotes else Support.ENTAILED)


def _does_otherwise(
    statement: Statement, window: Window, strange: Sequence[str], unknown: Sequence[str]
) -> bool:
    """Whether an entry of a log says what was done ("Letter of claim received"), and a statement
    has another verb; or a row says of no such deed that something was paid, sent or withdrawn."""
    if not _DECISIVE.isdisjoint(strange):
        return True
    every = (words for one in window.units for _, words in one.cells)
    entries = [words for words in every if len(words.split()) >= _ENTRY_WORDS]
    verbs = verbs_of(statement.plain)
    if any(map(_DONE.search, entries)) and not verbs.isdisjoint(strange):
        return True
    # "Same tube ten minutes later" is a remark: no header says what was done then.
    stated = {figure.value for figure in statement.figures}
    remarks = any(one.value in stated for words in entries for one in quantities(words))
    return remarks and not verbs.isdisjoint(set(unknown) - _TELL_LITTLE)


def _unsaid(
    statement: Statement,
    window: Window,
    unknown: Sequence[str],
    strange: Sequence[str],
    least: float,
) -> str:
    """Why words that the evidence does not have make a statement another one, or nothing."""
    if _is_other_reason(statement, unknown):
        return "The cited words give no such reason."
    if least >= REPAIRED and (
        _only_headings_say(statement, window)
        or _is_reported_elsewhere(statement, window)
        or supposes_only(statement, window.units)
        or (is_bounded(statement.plain) and not is_bounded(window.told))
    ):
        return NOT_SAID
    if _ended_otherwise(statement, window, set(unknown) - set(strange)):
        return NOT_SAID
    if value_left_out(statement, window.units):
        return NOT_SAID
    if _only_titles_say(statement, window) or calls_it_other(statement, window.units):
        return NOT_SAID
    if _is_scattered(statement, window):
        return NOT_SAID
    if refuses_unsaid(
        statement.plain, "\n".join(one.text for one in (*window.units, *window.paragraph))
    ):
        return NOT_SAID
    return "" if counts_the_same(statement, window.terms) else NOT_SAID


def _has_other_words(
    statement: Statement, strange: Sequence[str], unknown: Sequence[str], least: float
) -> bool:
    return bool(strange) and (
        least >= REPAIRED or not _only_other_verb(statement, strange, unknown)
    )


def _is_reported_elsewhere(statement: Statement, window: Window) -> bool:
    """Whether somebody is said to have said or asked something, and here is only named."""
    said = reporting_terms(statement)
    if not said or not said.isdisjoint(window.terms):
        return False
    speakers = [terms(one.author or one.writer) for one in window.units]
    return not any(is_named(name, words) for name in statement.names for words in speakers)


def _ended_otherwise(statement: Statement, window: Window, unknown: set[str]) -> bool:
    """Whether a statement says of a row that it is what others of its bundle are, and the row's own
    state is something else: "passed", and "result: regrow"."""
    states = [words for one in window.units for words in one.states]
    ended = verbs_of(statement.plain) & unknown - (_TELL_LITTLE - _ENDINGS)
    if not statement.figures and not statement.times:
        # "Rejected images: 402" says of no batch that it was rejected.
        ended |= verbs_of(statement.plain) & _counted_of(window)
    return bool(states and ended) and not any(
        is_known(verb, terms(words)) for verb in ended for words in states
    )


def _counted_of(window: Window) -> set[str]:
    """Words that rows have only in the headers of what they count."""
    cells = [cell for one in window.units for cell in one.cells]
    heads = {term for head, words in cells if words[:1].isdigit() for term in terms(head)[:-1]}
    return heads - {term for _, words in cells for term in terms(words)}


def _only_titles_say(statement: Statement, window: Window) -> bool:
    """Whether a sentence has one word of a statement, and its title and headings the others: that
    the minutes "were approved" is not that the board approved a project."""
    if any(one.is_row for one in window.units) or statement.figures or statement.quotes:
        return False
    own = frozenset().union(*(one.named_terms for one in (*window.units, *window.paragraph)))
    telling = [word for word in statement.words if word not in _TELL_LITTLE]
    return len(telling) > LEAST_SAID and sum(is_known(word, own) for word in telling) < 2


def _is_scattered(statement: Statement, window: Window) -> bool:
    """Whether a statement with nothing to look up has its words from several sentences, none of
    which has a third of them: "nobody has taken responsibility for the data in the register"."""
    looked_up = statement.figures or statement.times or statement.names or statement.quotes
    if looked_up or len(statement.words) <= LEAST_SAID or any(one.is_row for one in window.units):
        return False
    return all(
        sum(is_known(word, one.own_terms) for word in statement.words)
        < _KNOWN * len(statement.words)
        for one in window.units
    )


def _only_headings_say(statement: Statement, window: Window) -> bool:
    """Whether a row has less of a statement than what stands above it: a name under "Award" is not
    the one that was awarded."""
    if not statement.words or not all(one.is_row for one in window.units):
        return False
    own = frozenset().union(*(one.own_terms for one in window.units))
    return 2 * sum(is_form(word, own) for word in statement.words) < len(statement.words)


def _is_other_reason(statement: Statement, unknown: Sequence[str]) -> bool:
    """Whether half of the reason that a statement gives is not in the evidence, however much of the
    rest is."""
    reason = set(terms(reason_given(statement.plain))).intersection(statement.words)
    return len(reason) > 1 and 2 * len(reason.intersection(unknown)) >= len(reason)


def _only_other_verb(statement: Statement, strange: Sequence[str], unknown: Sequence[str]) -> bool:
    """Whether all that the evidence lacks is one verb, and what can be looked up (figures, times)
    is there: "the wind peaked at 57 knots" under "highest wind"."""
    if len(strange) > 1 or strange[0] not in verbs_of(statement.plain):
        return False
    looked_up = bool(statement.figures or statement.times or statement.codes)
    many = len(statement.words) - len(unknown) >= _MANY_WORDS
    return (looked_up or many) and _share(statement, unknown) >= _OTHER_VERB


def _share(
    statement: Statement, unknown: Sequence[str], of_paper: frozenset[str] = frozenset()
) -> float:
    """How much of a statement the evidence has. Of few words none may be missing: it is the one
    that matters. `of_paper` are words that tell whose paper it is."""
    if not unknown:
        return 1.0
    little = _TELL_LITTLE | of_paper
    missing = sum(_LIGHT_COSTS if word in little else 1 for word in unknown)
    facts = len(statement.figures) + len(statement.names) + _moments(statement)
    few = LEAST_SAID - bool(statement.figures or statement.names)
    if len(statement.words) <= few and facts < _MANY_FACTS and not _TELL_LITTLE.issuperset(unknown):
        return 0.0
    known = len(statement.words) - len(unknown) + facts
    return known / (known + missing) if facts or len(statement.words) > few else 0.0


def _moments(statement: Statement) -> int:
    """A day and a time of day are two facts, and so are two days."""
    return max(sum(mark[0] in "dt" for mark in statement.times), bool(statement.times))
