"""Which was the cause and which the effect, and which came first: the order of two things.

A statement that joins two things by "because" or "before" is held against the sentence that
joins them, and against their times where no sentence does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tipstaff.facts.periods import periods
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import clauses
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.synonyms import is_known

# The effect stands before these words, or behind those.
_BECAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|as a result of|(?:was|were|is) caused by|"
    r"(?:results?|resulted|came|stems?|stemmed) from|thanks to)\b",
    re.IGNORECASE,
)
# What came after something is not said to come of it, but less so the other way round.
_BECAUSE_OR_AFTER = re.compile(rf"{_BECAUSE.pattern}|\bafter\b", re.IGNORECASE)
_SO = re.compile(
    r"\b(?:so(?: that)?|therefore|thus|hence|as a result(?! of)|led to|leads to|caused(?! by)|"
    r"causes|which is why|resulted in|results in|meant that|consequently)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:before|earlier than|prior to|ahead of|sooner than|preceded)\b", re.IGNORECASE
)
_RANK = re.compile(r"\b(?:first|second|third|fourth|last)\b")
_AFTER = re.compile(r"\b(?:after|later than|following|followed)\b", re.IGNORECASE)
_ORDER = re.compile(
    r"\b(?:before|after\w*|earlier|later|prior|ahead|then|follow\w*|preced\w*|until|since|first|"
    r"next|when|once|already|by the time|previous\w*|late|early|behind)\b",
    re.IGNORECASE,
)
_THEN = re.compile(r",? (?:and )?then ")
# A list in its order: "in this order: Monterrey, Columbus, Rotterdam".
_LIST = re.compile(
    r"[A-ZÀ-Þ][\w-]+(?:(?:, and |, then |, | and | then )[A-ZÀ-Þ][\w-]+){2,7}(?![\w-])"
)
_NOT_BUT = re.compile(
    r"(?P<one>[^,;.:]{3,80}),? (?:and |but )?not (?:from |to |by |in |on |at |for |of |with )?"
    r"(?P<other>[^,;.:]{3,80})"
)
_IN_ORDER = re.compile(r"\b(?:order|sequence|first|then|rank\w*)\b", re.IGNORECASE)
_BACKWARDS = re.compile(r"\b(?:last|finally|before|after|revers\w*)\b", re.IGNORECASE)
_SIDE = re.compile(r"\b(before|after)\b(?: \w+){0,2} (\d{1,2}):(\d\d)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:from|at|since) (\d{1,2}):(\d\d)\b", re.IGNORECASE)
# A sentence has two or three: more are tried in vain, each with each.
_MOST_JOINS = 20
_UP_TO = re.compile(r"\w+(?: \w+)?")
_END = re.compile(r"[.;!?\n](?=\s|$)")


def cause_exchanged(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement takes for the cause what the evidence has as the effect."""
    for effect, cause in _joined(statement, _BECAUSE, _SO):
        for unit in evidence:
            for their_effect, their_cause in _joined(unit.text, _BECAUSE_OR_AFTER, _SO):
                same = _shared(effect, their_effect) + _shared(cause, their_cause)
                turned = _shared(effect, their_cause) + _shared(cause, their_effect)
                crossed = _shared(effect, their_cause) and _shared(cause, their_effect)
                if crossed and turned >= same + bool(_shared(cause, their_cause)):
                    return True
    return False


def order_exchanged(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement says which of two things came first, and their times say otherwise, or
    neither their times nor any word does."""
    if any(_is_other_order(statement, unit.text) for unit in evidence if not unit.is_row):
        return True
    said = _in_turn(statement)
    for unit in evidence if said else ():
        told = _in_turn(unit.text)
        if told != said and sorted(told) == sorted(said):
            return True
    if any(_is_on_other_side(statement, unit) for unit in evidence):
        return True
    if any(_ranked_otherwise(statement, unit) for unit in evidence if not unit.is_row):
        return True
    for first, second in _joined(statement, _BEFORE, _AFTER):
        if periods(statement) or len(first) < 2 or not second or _has_figure(statement):
            continue
        one, other = _time_of(first, evidence), _time_of(second, evidence)
        if one and other and one != other:
            if one > other:
                return True
        elif not any(_ORDER.search(unit.text) for unit in evidence):
            return True
    return False


def contrast_exchanged(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "from the stand, not from the gate" is told the other way round."""
    said = [_sides(match) for match in _NOT_BUT.finditer(statement)] if "not" in statement else ()
    if not said:
        return False
    told = [
        _sides(match)
        for unit in evidence
        if not unit.is_row
        for match in _NOT_BUT.finditer(unit.text)
    ]
    return any(
        one & far and not other & far and len(other & near) > len(other & far)
        for one, other in said
        for near, far in told
    )


def _sides(match: re.Match[str]) -> tuple[frozenset[str], frozenset[str]]:
    one, other = (frozenset(terms(match[side])) - STOP_WORDS for side in ("one", "other"))
    return one - other, other - one


def _is_other_order(statement: str, text: str) -> bool:
    """Whether three things that a sentence lists in their order are said to come in another."""
    if not _IN_ORDER.search(statement) or _BACKWARDS.search(statement):
        return False
    for match in _LIST.finditer(text) if _IN_ORDER.search(text) else ():
        told = re.findall(r"[A-ZÀ-Þ][\w-]+", match[0])
        places = [statement.find(name) for name in told]
        if min(places) >= 0 and places != sorted(places):
            return True
    return False


def _is_on_other_side(statement: str, unit: EvidenceText) -> bool:
    """Whether something is said to be after a time of day, and began before it, or the other way
    round: "after the 15:00 reading", and "15:00 … on from 13:00"."""
    side = _SIDE.search(statement)
    if side is None or f"{side[2]}:{side[3]}" not in unit.text:
        return False
    said = int(side[2]), int(side[3])
    told = {(int(one[1]), int(one[2])) for one in _SINCE.finditer(unit.text)} - {said}
    if len(told) != 1:
        return False
    return told.pop() < said if side[1].lower() == "after" else told.pop() > said


def _ranked_otherwise(statement: str, unit: EvidenceText) -> bool:
    """Whether what is said to come second comes first there: "the cover first, the shutter
    second"."""
    told = {clause: _RANK.findall(clause.text.lower()) for clause in unit.clauses}
    if sum(len(ranks) == 1 for ranks in told.values()) < 2:
        return False
    for clause in clauses(statement):
        ranks = _RANK.findall(clause.text.lower())
        words = clause.terms - STOP_WORDS - frozenset(terms(" ".join(ranks)))
        if len(ranks) != 1 or not words:
            continue
        own = [len(words & one.terms) for one, known in told.items() if known == ranks]
        others = [len(words & one.terms) for one, known in told.items() if known and known != ranks]
        if own and others and not max(own) and max(others):
            return True
    return False


def _in_turn(text: str) -> list[str]:
    """What comes after what, by its last word: "in Block C, then Block A, then Block B"."""
    first, *then = _THEN.split(text)
    if not then:
        return []
    heads = [_UP_TO.match(piece) for piece in then]
    return [*first.split()[-1:], *(head[0].split()[-1] for head in heads if head)]


def _joined(
    text: str, forward: re.Pattern[str], backward: re.Pattern[str]
) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The words on both sides of a joining word, in the order that `forward` has them."""
    for pattern, turned in ((forward, False), (backward, True)):
        for match in islice(pattern.finditer(text), _MOST_JOINS):
            ends = [end.end() for end in _END.finditer(text, 0, match.start())]
            head = _telling(text[ends[-1] if ends else 0 : match.start()])
            end = _END.search(text, match.end())
            tail = _telling(text[match.end() : end.start() if end else len(text)])
            if head and tail:
                yield (tail, head) if turned else (head, tail)


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if term not in STOP_WORDS)


def _shared(one: frozenset[str], other: frozenset[str]) -> int:
    return sum(is_known(term, other) for term in one)


def _has_figure(text: str) -> bool:
    return any(mark.isdigit() for mark in text)


def _time_of(words: frozenset[str], evidence: Sequence[EvidenceText]) -> str:
    """The one time of day or date that the clause has in which most of these words stand."""
    placed = [
        (_shared(words, clause.terms), min(marks))
        for unit in evidence
        for clause in unit.clauses
        if len(marks := {mark for mark in periods(clause.text) if mark[0] in "dt"}) == 1
    ]
    best = max(placed, default=(0, ""))
    return best[1] if best[0] else ""
