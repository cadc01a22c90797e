"""Whether a statement affirms what the evidence denies, or denies what it affirms.

Only the clauses that the statement's words come from count: what else is denied in the sentence
is another matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import DENIAL, LACK, NO_MOVE, Clause, clauses
from tipstaff.verify.denied_words import denied_words, reaches
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.measures import unit_terms
from tipstaff.verify.outright import (
    IF_NOT,
    NOT_WITHOUT,
    THINGS,
    affirms_denied_verb,
    denied_outright,
    denies_affirmed_verb,
    denies_copy,
    denies_otherwise,
    permits_denied,
)
from tipstaff.verify.source_clauses import GOVERNED, chosen_clauses
from tipstaff.verify.statement import Statement
from tipstaff.verify.suppositions import ASKS
from tipstaff.verify.synonyms import is_form, is_known, undone
from tipstaff.verify.verbs import verbs_of

_STAYS = re.compile(
    r"\b(?:stay|remain|keep|continue)(?:s|ed)?\b|\b(?:kept|same|still)\b", re.IGNORECASE
)
_NO_CHANGE = re.compile(r"\b(?:no|not(?: be)?) (?:change[sd]?|alter\w*|vary|varied)\b", re.I)
_CELL = re.compile(r"[^:]{1,40}: (?:\w+[ ,-]+){3}")
_ZERO = re.compile(r": [£$€]?0(?:\.0+)?(?: [a-z%]+)?$")
_BUT_NOT = re.compile(r"rather than|instead of", re.IGNORECASE)
_NEEDS = re.compile(
    r"\b(?:needs?|needed|requires?|required|only with|must (?:have|get|obtain)|subject to|"
    r"depends)\b",
    re.IGNORECASE,
)
_UNCHANGED = re.compile(r"\bunchanged\b", re.IGNORECASE)
# "Not before" and "nobody until" say when.
_UNTIL = re.compile(
    r"\b(?:not|nobody|nothing|never|no one|none)\b[^.;]*?\b(?:until|before)\b|"
    r"n['’]t\b[^.;]*?\b(?:until|before)\b",
    re.IGNORECASE,
)
_TURNED_DOWN = re.compile(
    rf"\b(?:reject(?:ed|s)?|refus(?:ed|es?)|declin(?:ed|es){NO_MOVE}|withdrawn|cancell?ed|deferred|postponed|"
    r"put off|waived|called off)\b",
    re.IGNORECASE,
)
_DENIES_ALL = re.compile(
    r"(?:no|(?:they|it|he|she|we|this) (?:is|are|was|were|do|does|did|has|have|will|can)"
    r"(?: not|n['’]t))[.!]?",
    re.IGNORECASE,
)
_NO_EFFECT = re.compile(r"(?:\bnot|n['’]t) (?:change|affect|alter|concern)\b", re.IGNORECASE)
_EFFECT = re.compile(r"\b(?:chang|affect|alter|concern)\w*", re.IGNORECASE)
_ORDERS = frozenset(terms("first second third fourth fifth sixth last next"))
_GOES_ON = re.compile(r"(?:they|it|these|this|those|he|she) ", re.IGNORECASE)
_UNLESS = re.compile(r"\bunless\b", re.IGNORECASE)
_RELATIVE = re.compile(r"(?<![\w’'-])(?:[\w’'-]+ ){1,3}[\w’'-]+, (?:which|who) [^.;,]+")
# Shorter words have other words behind such a beginning: "form" and "inform".
_PREFIXED = 5
_SAYS_FALSE = re.compile(
    r"(?<![\w-])(?<!percent )(?<!cent )(?<!% )(?:false|off|disabled|null|zero)(?![\w-])",
    re.IGNORECASE,
)


def contradicted(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a denial stands on one side only, in the clauses that the statement comes from."""
    if _is_condition(statement, evidence):
        return False
    wanted = set(statement.words) | (THINGS & set(terms(statement.plain)))
    # The clause that has the figure is the one that is retold.
    wanted |= {term for one in statement.figures for term in terms(one.text)}
    wanted |= _ORDERS & set(terms(statement.plain))
    if any(one.is_row for one in evidence):
        # In a table the name picks the column, and with it the "No" under it.
        wanted |= {term for name in statement.names for term in terms(name)}
        wanted |= {term for term in terms(statement.plain) if term not in STOP_WORDS}
    if denied_outright(statement, evidence) or _affirms_opposite(statement, evidence):
        return True
    if permits_denied(statement, evidence) or _affirms_denied(statement, evidence):
        return True
    if affirms_denied_verb(statement, evidence):
        return True
    if denies_affirmed_verb(statement, evidence) or _decides_against(statement, evidence):
        return True
    if statement.denies and any(
        f"un{word}" in one.own_terms for one in evidence for word in statement.words
    ):
        # "Not certain" is "uncertain".
        return False
    if not statement.denies and any(
        undone(word) in one.own_terms and DENIAL.search(one.text) and word not in one.own_terms
        for one in evidence
        for word in statement.words
    ):
        return False
    chosen = chosen_clauses(statement, wanted, evidence)
    chosen += [clause for one in evidence for clause in one.state_clauses]
    if denies_copy(statement, evidence) or denies_otherwise(statement, evidence):
        return True
    affirms = not any(DENIAL.search(one.text) for one in evidence)
    return _contradicts(statement, chosen, evidence, affirms=affirms)


def _affirms_denied(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement has a word, however common, that the cited sentences have in a denial
    only: "they took the decision", and "no decision was taken"."""
    if statement.denies:
        return False
    every = [clause for one in evidence if not one.is_row for clause in one.clauses]
    denied = frozenset().union(
        *(
            denied_words(one)
            for one in every
            if DENIAL.search(one.text) and not _does_else(statement, one, evidence)
        )
    )
    if not denied:
        return False
    affirmed = frozenset().union(
        *(one.terms for one in every if not one.denied),
        *(one.terms for one in evidence if one.is_row),
    )
    said = frozenset(terms(statement.plain)) - STOP_WORDS
    return any(is_form(word, denied) and not is_form(word, affirmed) for word in said)


def _affirms_opposite(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """ "Certain" where the evidence only has "uncertain", and nothing else that says it."""
    if statement.denies or statement.lacks:
        return False
    known = frozenset().union(*(one.own_terms for one in evidence))
    return any(
        any(f"{prefix}{word}" in known for prefix in ("un", "in", "im", "ir", "non", "dis"))
        and not any(word in one.terms for one in evidence)
        and not is_form(word, known)
        for word in statement.words
        if len(word) >= _PREFIXED
    )


def _decides_against(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether something is said to have been put off or turned down, and nothing there is."""
    said = _TURNED_DOWN.search(statement.plain)
    if said is None or statement.denies:
        return False
    known = frozenset().union(*(one.terms for one in evidence))
    if any(is_form(term, known) for term in terms(said.group())):
        return False
    return not any(clause.denied or clause.lacks for one in evidence for clause in one.clauses)


def _is_condition(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether all that a statement denies is what it supposes ("if the third is not clean"), and
    the evidence supposes so, too; or is "not until", which is when."""
    denials = [match.start() for match in DENIAL.finditer(statement.plain)]
    told = " ".join(one.text for one in evidence)
    if not denials and _NEEDS.search(statement.plain) and NOT_WITHOUT.search(told):
        # What "may not be done without" it needs it.
        return not DENIAL.search(NOT_WITHOUT.sub(" ", told))
    if not denials:
        # "Unless it is signed" is "if it is not signed".
        return bool(_UNLESS.search(statement.plain)) and len(DENIAL.findall(told)) == len(
            IF_NOT.findall(told)
        )
    if all(
        any(m.start() <= at < m.end() for m in _UNTIL.finditer(statement.plain)) for at in denials
    ):
        return bool(statement.times) and not DENIAL.search(told)
    supposed = [match.span() for match in IF_NOT.finditer(statement.plain)]
    return bool(IF_NOT.search(told) or _UNLESS.search(told)) and all(
        any(start <= at < end for start, end in supposed) for at in denials
    )


def _denies_the_same(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether some clause denies what the statement does: "not yet known", and "we do not know"."""
    own = [denied_words(one) for one in statement.clauses if one.denied]
    told = frozenset().union(
        *(denied_words(one) for unit in evidence for one in unit.clauses if one.denied),
        # A header may deny: `second_visit_after_no_access_days`.
        *(
            denied_words(one)
            for unit in evidence
            for head, _ in unit.cells
            for one in clauses(head)
            if one.denied
        ),
    )
    return bool(own) and all(any(is_known(word, told) for word in words) for words in own)


def _is_headed_by_denial(unit: EvidenceText) -> bool:
    """ "What we did not study" stands above what was not studied."""
    if unit.is_row:
        return False
    # "They are not." denies what was asked before.
    return bool(
        DENIAL.search(unit.surroundings.rsplit("|", 1)[-1]) or _DENIES_ALL.fullmatch(unit.text)
    )


def _says_beside(statement: Statement, unit: EvidenceText) -> bool:
    """Whether a statement says of something only what a relative clause says of it: "not before the
    timetable, which starts on 2 November"."""
    said = set(statement.words)
    return bool(said) and any(
        said <= set(terms(match[0])) and not DENIAL.search(match[0])
        for match in _RELATIVE.finditer(unit.text)
    )


def _does_else(statement: Statement, denied: Clause, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what is denied is only what a statement speaks of, and what it says of it is
    affirmed beside that: "she does not want the menu back, which was removed"."""
    if any(_says_beside(statement, unit) for unit in evidence if denied in unit.clauses):
        return True
    if any(one.is_row for one in evidence):
        return False
    if _is_said_of_it(statement, denied, evidence):
        return True
    verbs = verbs_of(statement.plain) - LIGHT
    if not verbs or not verbs.isdisjoint(denied.terms):
        return False
    affirmed = [
        one for unit in evidence if denied in unit.clauses for one in unit.clauses if not one.denied
    ]
    return all(any(verb in one.terms for one in affirmed) for verb in verbs)


def _is_said_of_it(statement: Statement, denied: Clause, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the next sentence goes on with what was denied, and affirms all that a statement says
    of it: "we do not agree to destroy the jars. They stay blocked until 26 March"."""
    facts = statement.times or statement.figures
    for before, unit in pairwise(evidence):
        if denied not in before.clauses or not _GOES_ON.match(unit.text):
            continue
        held = {one.value for one in statement.figures} <= {one.value for one in unit.own_figures}
        rest = set(statement.words) - denied.terms
        if facts and held and statement.times <= unit.times and rest and rest <= unit.own_terms:
            return not DENIAL.search(unit.text)
    return False


def _contradicts(
    statement: Statement,
    chosen: Sequence[Clause],
    evidence: Sequence[EvidenceText],
    *,
    affirms: bool,
) -> bool:
    """`affirms` says that the evidence denies nothing by grammar."""
    none = any(not one.value for one in statement.figures)
    chosen = [
        one
        for one in chosen
        if not _is_no_change(statement, one)
        and not _denies_other(statement, one)
        # "0 were rejected" says as much as "rejected: 0".
        and not (none and _ZERO.search(one.text))
    ]
    if statement.denies:
        denied = any(clause.denied for clause in chosen) or _denies_the_same(statement, evidence)
        denied = denied or any(map(_is_headed_by_denial, evidence))
    else:
        said = frozenset(terms(statement.plain)) - STOP_WORDS
        denied = any(
            reaches(clause, said) and not _does_else(statement, clause, evidence)
            for clause in chosen
            if clause.denied
        )
    if statement.denies and any(_ZERO.search(clause.text) for clause in chosen):
        # "cancelled: 0" says that none was.
        return False
    lacking = [
        clause
        for clause in chosen
        if clause.lacks and not _stays(statement, clause) and not ASKS.search(clause.text)
    ]
    if statement.denies:
        if affirms:
            lacking = [clause for clause in lacking if _is_of_denied(statement, clause)]
    else:
        # A clause that only has its figure, or words of any report, is another's.
        names = frozenset(term for name in statement.names for term in terms(name))
        telling = names | set(statement.words) - LIGHT
        lacking = [clause for clause in lacking if _lacked(clause, names) & telling]
    lacks = bool(lacking)
    if statement.denies:
        # What was skipped was not done; what "was not skipped" was.
        stopped = any(clause.lacks and not clause.denied for clause in statement.clauses)
        return not denied and (not lacks or (statement.lacks and not stopped))
    if denied:
        # "Nobody may" and "it is forbidden" are one thing; a "stop" that both name is no denial.
        return not _lacks_beyond(statement, chosen) and not _says_false(statement, chosen)
    return lacks and not statement.lacks


def _lacked(clause: Clause, names: frozenset[str]) -> frozenset[str]:
    """What a clause is without: "ten years rather than three" lacks the three only. Of whom this
    is said must stand there, too."""
    found = list(LACK.finditer(clause.text))
    only = found and all(_BUT_NOT.fullmatch(match.group()) for match in found)
    if not only or not names <= clause.terms:
        return clause.terms
    return frozenset(terms(clause.text[found[0].end() :]))


def _lacks_beyond(statement: Statement, chosen: Sequence[Clause]) -> bool:
    """Whether a statement denies by a word that the clauses which deny do not have."""
    told = frozenset().union(*(clause.terms for clause in chosen if clause.denied))
    return any(not told.issuperset(terms(one[0])) for one in LACK.finditer(statement.plain))


def _says_false(statement: Statement, chosen: Sequence[Clause]) -> bool:
    """Whether a statement says that a setting is off. In "may be switched off" off is what may be
    done, if the setting is called so."""
    heads = {
        word.lower()
        for clause in chosen
        if clause.denied
        for word in _SAYS_FALSE.findall(clause.text.rsplit(":", 1)[0])
    }
    return any(word.lower() not in heads for word in _SAYS_FALSE.findall(statement.plain))


def _is_of_denied(statement: Statement, clause: Clause) -> bool:
    """Whether a clause that lacks something speaks of what a statement denies."""
    told = {term for term in clause.terms if not term[:1].isdigit()} - STOP_WORDS - unit_terms()
    return any(
        not told.isdisjoint(one.terms) for one in statement.clauses if one.denied or one.lacks
    )


def _denies_other(statement: Statement, clause: Clause) -> bool:
    """Whether a cell with words of its own denies what the statement does not speak of: "report
    not received" beside the day on which it is due."""
    if statement.denies or not clause.denied:
        return False
    if _NO_EFFECT.search(clause.text) and not _NO_EFFECT.search(f"not {statement.plain}"):
        # What "does not change our charge" speaks of is the charge.
        return not _EFFECT.search(statement.plain)
    if not _CELL.match(clause.text):
        return False
    governed = [terms(match[1]) for match in GOVERNED.finditer(clause.text)]
    said = frozenset(terms(statement.plain))
    return bool(governed) and all(said.isdisjoint(own) for own in governed)


def _is_no_change(statement: Statement, clause: Clause) -> bool:
    """Whether all that a clause denies is a change, and the statement says that it stays so."""
    if not clause.denied or not _STAYS.search(statement.plain):
        return False
    return not DENIAL.search(_NO_CHANGE.sub(" ", clause.text))


def _stays(statement: Statement, clause: Clause) -> bool:
    """Whether all that a clause lacks is a change, and the statement says that it stays so."""
    if not _STAYS.search(statement.plain) or not _UNCHANGED.search(clause.text):
        return False
    return not LACK.search(_UNCHANGED.sub(" ", clause.text))
