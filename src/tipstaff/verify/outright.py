"""Words that stand right behind a denial, and copies that leave one out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import DENIAL
from tipstaff.verify.denied_words import reaches
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.exchanges import LIGHT
from tipstaff.verify.source_clauses import NEARLY_ALL
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known
from tipstaff.verify.verbs import verbs_of

# Words that tell little, and yet may be what is denied: "I do not have a figure".
THINGS = frozenset(
    terms(
        "figure value table section document item amount total complain complained ask asked "
        "argue argued reply replied explain explained write wrote add added call called"
    )
)
IF_NOT = re.compile(
    r"\b(?:if|unless|should|in case|where)\b[^,.;]*?"
    r"(?:\b(?:not|no|never|without)\b|n['’]t\b)[^,.;]*",
    re.IGNORECASE,
)
_RIGHT_BEHIND = re.compile(
    r"(?:\b(?:not|never|without|neither|cannot)\b|n['’]t\b)"
    r"(?: (?:being|been|be|yet|have|having|to|so|a|an|the))* "
    r"(?P<word>(?!exceed)[a-z]+(?:ed|nd|ing|wn|en))\b",
    re.IGNORECASE,
)
_WITHOUT = re.compile(
    r"\bwithout (?:any |further |additional |extra |more |separate |prior )*(?P<word>[a-z]{3,})",
    re.IGNORECASE,
)
_DENIED_VERB = re.compile(
    r"\b(?:does|do|did|will|would|can|could|may|must|has|have|had|is|are|was|were)"
    r"(?: not|n['’]t)(?: (?:be|been|have|yet|also|even))* (?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
# "The venue's and not ours" denies nothing of the venue.
_NOT_OURS = re.compile(
    r"\W*not (?:ours|mine|yours|theirs|his|hers|us|them|me|you)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n")
_REPORTING = re.compile(
    r"^[^.;,:]{2,60}?\b(?:said|says|reported|reports|noted|confirmed|explained|answered|wrote|added|"
    r"told \w+(?: \w+)?)(?: that)? ",
    re.IGNORECASE,
)
# So much of the words of a unit and a statement is common to them if one copies the other.
_COPIED = 0.85
_ALLOWED = re.compile(
    r"\b(?:may|can|(?:is|are) (?:allowed|permitted|free) to) (?:also |still |then |be )*([a-z]+)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(r"\b(?:shall|may|must|can|will) not\b|\bcannot\b|\bcan['’]t\b", re.IGNORECASE)
NOT_WITHOUT = re.compile(r"\b(?:not|no|never|nobody|cannot)\b[^.;]{0,160}\bwithout\b", re.I)
_MODALS = frozenset(terms("may shall must can will should"))

_DONE_VERB = re.compile(
    r"\b(?:was|were|is|are|been|has|have|had)(?: \w+ly)? "
    r"(?P<verb>\w{3,}(?:ed|en|wn|ung|ought|elt))\b",
    re.IGNORECASE,
)
_NEAR_DENIAL = 25


def denies_affirmed_verb(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a verb is denied that every clause which has it affirms: "does not confirm", and
    "do not publish it; the laboratory confirms it"."""
    if any(one.is_row for one in evidence):
        return False
    clauses = [clause for one in evidence for clause in one.clauses]
    told = " ".join(one.text for one in evidence)
    if_not = [match.span() for match in IF_NOT.finditer(statement.plain) if IF_NOT.search(told)]
    for match in _DENIED_VERB.finditer(statement.plain):
        if any(start <= match.start() < end for start, end in if_not):
            # "If it is not accepted" may be "if it is not".
            continue
        for verb in set(terms(match["verb"])) - LIGHT - STOP_WORDS:
            having = [clause for clause in clauses if verb in clause.terms]
            if having and not any(one.denied or one.lacks for one in having):
                return True
    return False


def affirms_denied_verb(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what is said to have been done was, by every sentence that has its verb, not: "was
    repeated, although …", and "It was not repeated"."""
    if any(one.is_row for one in evidence):
        return False
    told = [one.text for one in evidence]
    for match in _DONE_VERB.finditer(statement.plain):
        if DENIAL.search(statement.plain[max(match.start() - _NEAR_DENIAL, 0) : match.start()]):
            continue
        verb = re.escape(match["verb"])
        not_done = re.compile(rf"\b(?:not|never)(?: yet| been| ever)* {verb}\b", re.IGNORECASE)
        having = [text for text in told if re.search(rf"\b{verb}\b", text, re.IGNORECASE)]
        if having and all(not_done.search(text) for text in having):
            return True
    return False


def denied_outright(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a word is affirmed that the evidence has only right behind a denial: "without being
    bound to do so"."""
    if statement.denies or statement.lacks or any(one.is_row for one in evidence):
        return False
    if _denied_by_nearest(statement, evidence):
        return True
    said = set(statement.words) - LIGHT
    for one in evidence:
        denied = {
            term
            for match in _RIGHT_BEHIND.finditer(one.text)
            for term in terms(match["word"])
            if term in said
        }
        denied |= {
            word
            for match in _WITHOUT.finditer(one.text)
            for word in said
            if is_known(word, terms(match["word"])) or _is_made_of(match["word"], word)
        }
        for term in denied:
            free = _WITHOUT.sub(" ", _RIGHT_BEHIND.sub(" ", one.text))
            others = [free, *(other.text for other in evidence if other is not one)]
            if not any(term in terms(text) for text in others):
                return True
    return False


def _is_made_of(noun: str, verb: str) -> bool:
    """A payment is what is paid."""
    return noun.lower() in (f"{verb}ment", f"{verb}ments", f"{verb}ing", f"{verb}ance")


def _denied_by_nearest(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the one sentence that has more of a statement than any other denies its verb: "it
    is called when … . It is not called when …"."""
    own = frozenset(statement.words) | (THINGS & set(terms(statement.plain)))
    scored = sorted(
        (
            (len(own & set(terms(sentence))), sentence)
            for one in evidence
            for sentence in _SENTENCE.split(one.text)
        ),
        reverse=True,
    )
    if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return False
    share, nearest = scored[0]
    behind = {term for match in _RIGHT_BEHIND.finditer(nearest) for term in terms(match["word"])}
    if 2 * share >= len(own) and not behind.isdisjoint(verbs_of(statement.plain)):
        # However common its verb: what is "not included" is not included.
        return True
    return share >= _COPIED * len(own) and not own.isdisjoint(behind)


def permits_denied(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether something is said to be allowed where the nearest sentence forbids, and nothing that
    it does not forbid is called so: "it may go on while the notice is in force"."""
    said = _ALLOWED.search(statement.plain)
    if said is None or statement.denies:
        return False
    words = frozenset(terms(statement.plain)) - STOP_WORDS
    nearest = max(evidence, key=lambda one: len(words & one.own_terms))
    forbids = _FORBIDS.search(nearest.text) and DENIAL.search(nearest.text)
    if nearest.is_row or not forbids or NOT_WITHOUT.search(nearest.text):
        return False
    left = frozenset().union(*(one.terms for one in nearest.clauses if not one.denied))
    return not any(is_known(term, left) for term in terms(said[1]))


def denies_copy(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement has all the words of a unit and another number of denials."""
    own = frozenset(terms(statement.plain)) - STOP_WORDS - _MODALS
    denials = len(DENIAL.findall(statement.plain))
    return any(
        len(own & one.own_terms)
        >= _COPIED
        * len(
            own | {word for word in one.sequence if word not in _MODALS and not word[0].isdigit()}
        )
        and sum(
            len(DENIAL.findall(clause.text))
            for clause in one.clauses
            if (clause.terms & own and reaches(clause, own))
            or (clause.terms <= STOP_WORDS and not _NOT_OURS.match(clause.text))
        )
        != denials
        for one in evidence
        if not one.is_row
    )


def denies_otherwise(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether one clause has all that a statement has, and both deny, but not equally often: "may
    assign it without consent", and "may not assign it without consent"."""
    words = frozenset(statement.words)
    denials = len(DENIAL.findall(statement.plain))
    if not denials or len(words) < NEARLY_ALL or len(statement.clauses) > 1:
        return False
    having = [
        len(DENIAL.findall(clause.text))
        for one in evidence
        if not one.is_row
        for clause in one.clauses
        if words <= clause.terms and clause.denied
    ]
    return bool(having) and all((count - denials) % 2 for count in having)


def is_copy(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement is a unit, word by word."""
    said = terms(statement.plain)
    return any(said in (terms(one.text), terms(_REPORTING.sub("", one.text))) for one in evidence)
