"""One where there are several, each where it is all of them, the whole where it is a part, and
exceptions that nobody made: what changes how much is said, though every word of it stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known

_ONE = re.compile(r"\b(?:one|an? single|only one|just one)\s+(?P<noun>[a-z]{3,})(?<!s)\b", re.I)
_ANY_ONE = r"\b(?:one|single|an?|each|every|any|per|the|this|that)\s+(?:[\w-]+\s+)?"
_ONE_OF_THEM = re.compile(r"\bone (?:was|is|of|has|had|did|will)\b", re.IGNORECASE)
_PLURAL = re.compile(r"\b[a-z]{3,}(?<!s)s\b", re.IGNORECASE)
_EACH = re.compile(r"[\s\w]{0,14}?\b(?:each|apiece)\b", re.IGNORECASE)
_ALTOGETHER = re.compile(
    r"[\s\w]{0,14}?\b(?:in all|in total|altogether|together|combined|in sum)\b", re.IGNORECASE
)
_FULL = re.compile(r"\b(?:full|whole|entire|complete)\s+(?P<of>[\w-]+(?:\s[\w-]+)?)", re.IGNORECASE)
_PART_OF = re.compile(r"\s+of\s+(?P<of>[^.,;]{3,60})", re.IGNORECASE)
_WHOLE = 100
_EXCEPTION = re.compile(
    r"\b(?:except(?:ing)?|apart from|other than|unless|excluding|but not)\b", re.IGNORECASE
)
_EXCEPTED = re.compile(
    r"\b(?:except\w*|apart|other|others|unless|exclu\w*|only|not|no|never|without|otherwise|"
    r"but|save|nor|none|cannot|alone|if)\b|n['’]t\b",
    re.IGNORECASE,
)
_DENIALS = re.compile(r"\b(?:not|no|never|none|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
_MUST = re.compile(
    r"\b(?:must|shall|has to|have to|(?:is|are) (?:obliged|required|bound) to) (?P<verb>[a-z]+)",
    re.IGNORECASE,
)
_MUST_AT_ALL = re.compile(
    r"\b(?:must|shall|ha(?:s|ve|d) to|oblig\w+|requir\w+|bound|need\w*|only|not|no)\b",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:may|might|can|could) (?P<verb>[a-z]+)", re.IGNORECASE)
_CODE_ROW = re.compile(r"[{}();=]")


def overstates(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement says it of one, of each, of the whole or with an exception, and the words
    that it comes from do not."""
    return (
        _of_one(statement, evidence)
        or _of_each(statement, evidence)
        or _of_whole(statement, evidence)
        or _excepts(statement, evidence)
        or _obliges(statement, evidence)
    )


def _obliges(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """ "Must" where the evidence has "may"."""
    said = _MUST.search(statement.plain)
    if said is None or any(one.is_row for one in evidence):
        return False
    nearest = nearest_of(statement, evidence).text
    verb = frozenset(terms(said["verb"]))
    return not _MUST_AT_ALL.search(nearest) and any(
        verb & frozenset(terms(match["verb"])) for match in _MAY.finditer(nearest)
    )


def _of_one(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """ "In one step" for "in stages", "a single day" for "more than 30 days"."""
    nearest = nearest_of(statement, evidence).text
    for match in _ONE.finditer(statement.plain):
        (noun, *_) = terms(match["noun"]) or [""]
        if any(one.start == match.start() for one in statement.figures):
            # One year is compared as a figure.
            continue
        if not noun or re.search(rf"{_ANY_ONE}{re.escape(match['noun'])}\b", nearest, re.I):
            continue
        if _ONE_OF_THEM.search(nearest):
            continue
        several = [
            word
            for word in _PLURAL.findall(nearest)
            if any(is_known(noun, (term,)) for term in terms(word))
        ]
        if several:
            return True
    return False


def _of_each(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """23 tonnes each, and 23 tonnes in all."""
    for mine, theirs in ((_EACH, _ALTOGETHER), (_ALTOGETHER, _EACH)):
        for figure in statement.figures:
            if mine.match(statement.plain, figure.end) and any(
                theirs.match(one.text, other.end) and not mine.match(one.text, other.end)
                for one in evidence
                for other in one.own_figures
                if other.value == figure.value
            ):
                return True
    return False


def _of_whole(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """ "At full power" where it is 85 percent of the power."""
    said = {
        term
        for match in _FULL.finditer(statement.plain)
        for term in terms(match["of"])
        if term not in STOP_WORDS
    }
    if not said or any(one.measure is Measure.PERCENT for one in statement.figures):
        return False
    return any(
        not said.isdisjoint(_part(one, figure))
        for one in evidence
        for figure in one.own_figures
        if figure.measure is Measure.PERCENT and figure.value < _WHOLE
    )


def _part(one: EvidenceText, figure: Quantity) -> list[str]:
    match = _PART_OF.match(one.text, figure.end)
    return [term for term in terms(match["of"]) if term not in STOP_WORDS] if match else []


def _excepts(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    if not _EXCEPTION.search(statement.plain) or any(one.is_row for one in evidence):
        return False
    # In code every branch is under an "if".
    told = " ".join(one.whole for one in evidence)
    code = any(_CODE_ROW.search(one.text) for one in evidence)
    found = {match.group().lower() for match in _EXCEPTED.finditer(told)}
    if _DENIALS.search(_EXCEPTION.sub(" ", statement.plain)):
        # "Cleaning does not count, except …": the place's "not" is told by that of the statement.
        found = {word for word in found if not _DENIALS.fullmatch(word)}
    return not (found - {"if"} if code else found)


def nearest_of(statement: Statement, evidence: Sequence[EvidenceText]) -> EvidenceText:
    """The unit that has most of a statement's words."""
    words = frozenset(terms(statement.plain)) - STOP_WORDS
    return max(evidence, key=lambda one: len(words & one.own_terms))
