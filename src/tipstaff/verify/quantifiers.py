"""Of all, of this only, and because: what a statement may not add to the words that it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tipstaff.facts.number_words import NUMBER_WORDS
from tipstaff.facts.quantities import only_figure, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import clauses
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known

# Who says it of all must have read it of all; "all" before a figure, or behind "in", is a sum.
_EVERY = re.compile(
    r"(?<!\bin )(?<!\bat )\b(?:all|every|always|everyone|everybody)\b"
    # "Every two minutes" says how often.
    rf"(?! (?:\d+|{NUMBER_WORDS}) (?:second|minute|hour|day|week|month|year)s| \d)",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(
    r"\b(?:all|every\w*|each|both|always|any|none|nobody|never|whole|entire|throughout|"
    r"nothing|daily|weekly|monthly|yearly|annual\w*|no|per|"
    r"an?(?= (?:day|week|month|year|night)))\b",
    re.IGNORECASE,
)
_OF_ALL_ROWS = re.compile(r"(?<!\bin )(?<!\bat )\b(?:both|all|every|each)\b", re.IGNORECASE)
_ALL_OF = re.compile(r"(?<!\bin )\b(?:all|every|each|everyone)\b|\ball of\b", re.IGNORECASE)
_SOME_OF = re.compile(
    rf"\b(?:\d+|{NUMBER_WORDS}|some|most|many|several|few|half|part) (?:out )?"
    r"of (?:the|them|these|\d)",
    re.IGNORECASE,
)
_WEEK = frozenset(("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
_ONLY = re.compile(r"\b(?:only|solely|exclusively)\b(?! (?:about|\d))", re.IGNORECASE)
_ONLY_SOME = re.compile(r"\bonly (?:the|those|some|a few|one|two|three|parts?)\b", re.IGNORECASE)
# Who bears his own costs does not bear those of both.
_BOTH = re.compile(r"\bboth\b(?!.{0,80}\bown\b)", re.IGNORECASE)
_EACH_ITS_OWN = re.compile(
    r"\b(?:each|every)(?: [\w-]+){1,4} (?:its|their|his|her) own\b", re.IGNORECASE
)
_WHOLE = re.compile(r"\b(?:whole|entire|all|both|every)\b", re.IGNORECASE)
_NONE_ELSE = re.compile(
    r"\b(?:only|sole\w*|exclusive\w*|just|alone|single|no other|nobody else|nothing else|except|"
    r"but|not|no|unless|until|merely|one|limited|restricted)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|due to|led to|leads to|therefore|thus|hence|as a result|"
    r"owing to|and so|prevent(?:s|ed)?)\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because(?: of)?|due to|owing to|as a result of)\b", re.IGNORECASE)
_GIVES_REASON = re.compile(r"\b(?:because|due to|owing to|since|as a result of)\b", re.IGNORECASE)
_NOT_BECAUSE = re.compile(r"\bnot because(?: of)? ([^.;\n]{3,120})", re.IGNORECASE)
_LABEL = re.compile(r"(?:\d+\. )?(?P<label>[A-Z](?:[\w-]+ ?){1,6})[:.]\s*(?P<rest>.*)$")
_COUNTERFACTUAL = re.compile(
    r"\b(?:would|could|might) (?:not )?have\b(?! (?:an?|the|no|to|its?|their|his|her|[£$€\d]))",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|caus(?:e|es|ed|ing)|due to|led to|leads? to|therefore|thus|hence|result\w*|so|"
    r"owing|since|for (?:this|these|that) reasons?|reasons?|why|after|attribut\w*|by|"
    r"means?|meant|prevent\w*|keeps?|followed|could not)\b",
    re.IGNORECASE,
)


def says_more(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement says of all, or of one thing only, what the evidence does not."""
    if _BOTH.search(statement) and any(_EACH_ITS_OWN.search(one.text) for one in evidence):
        return True
    if not any(one.search(statement) for one in (_EVERY, _ALL_OF, _ONLY)):
        return False
    told = " ".join(one.text for one in evidence)
    if set(re.findall(r"\b[a-z]{3}\b", told.lower())) >= _WEEK or any(
        _has_all(statement, one) for one in evidence
    ):
        return False
    if _EVERY.search(statement) and _is_of_these_only(statement, evidence):
        return True
    return bool(
        (_EVERY.search(statement) and not _ANY_NUMBER.search(told))
        or (
            _ALL_OF.search(statement)
            and not _SOME_OF.search(statement)
            and _is_of_some(statement, evidence)
        )
        or (_ONLY.search(statement) and not _NONE_ELSE.search(told))
        or _is_of_more(statement, evidence)
    )


def is_of_some_rows(statement: Statement, rows: Sequence[EvidenceText]) -> bool:
    """Whether a state is told of both or all rows that name whom a statement names, and one of
    them has another: "both of Ada's tasks are done", and one is open."""
    if not _OF_ALL_ROWS.search(statement.plain):
        return False
    named = [
        row
        for row in rows
        if row.states
        and all(not row.cell_terms.isdisjoint(terms(name)[-1:]) for name in statement.names)
    ]
    said = frozenset(statement.words)
    has = [any(said & frozenset(terms(words)) for words in row.states) for row in named]
    return any(has) and not all(has)


def _has_all(statement: str, row: EvidenceText) -> bool:
    """ "Plots: 19; Let: 19": all of the 19 are let."""
    figures = [one.value for _, words in row.cells if (one := only_figure(words)) and one.value]
    return any(figures.count(one.value) > 1 for one in quantities(statement))


def _is_of_these_only(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the clause that is retold says it of some only: "only the lowest shelves got wet"."""
    of_all = [clause for clause in clauses(statement) if _EVERY.search(clause.text)]
    words = frozenset().union(*(clause.terms for clause in of_all)) - STOP_WORDS
    told = [clause for one in evidence if not one.is_row for clause in one.clauses]
    nearest = max(told, key=lambda clause: len(words & clause.terms), default=None)
    if nearest is None or _ONLY.search(statement) or _EVERY.search(nearest.text):
        return False
    return bool(_ONLY_SOME.search(nearest.text))


def _is_of_more(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether what is said of this only is said of the whole in the nearest sentence."""
    if not _ONLY.search(statement) or _WHOLE.search(statement):
        return False
    words = frozenset(terms(statement)) - STOP_WORDS
    nearest = max(evidence, key=lambda one: len(words & one.own_terms))
    return bool(_WHOLE.search(nearest.text)) and not _ONLY.search(nearest.text)


def _is_of_some(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether the clause that has most of a statement's words says it of a number out of more."""
    words = frozenset(terms(statement)) - STOP_WORDS
    clauses = [clause for one in evidence for clause in one.clauses]
    nearest = max(clauses, key=lambda clause: len(words & clause.terms), default=None)
    return (
        nearest is not None
        and bool(_SOME_OF.search(nearest.text))
        and not _ANY_NUMBER.search(nearest.text)
    )


# What is so, and what is not, right beside each other.
_NOT = re.compile(
    r"(?P<affirmed>\w+),? (?:and |but )?not (?:(?:the|an?|in|on|by|from|because of) )*"
    r"(?P<denied>\w+(?: \w+)?)",
    re.IGNORECASE,
)


_REMARKED = re.compile(
    r"\b(?:remarks?|notes?|comments?|reason): ([^;\n]{1,200}; [^;:\n]{1,200})(?=[;\n]|$)", re.I
)


def reasons_unsaid(statement: str, evidence: str) -> bool:
    """Whether a statement gives a reason where the evidence gives none, or says what would have
    been where the evidence says what was."""
    if _COUNTERFACTUAL.search(statement) and not _COUNTERFACTUAL.search(evidence):
        return True
    if _is_other_way_round(statement, evidence) or _is_denied_reason(statement, evidence):
        return True
    if _has_other_reason(statement, evidence):
        return True
    return (
        bool(_CAUSE.search(statement))
        and not _REASON.search(evidence)
        and not _explains_label(statement, evidence)
        and not _stands_beside(statement, evidence)
    )


def _is_denied_reason(statement: str, evidence: str) -> bool:
    """Whether a reason is given that the evidence says was none: "not because we are short of
    money"."""
    reason = set(terms(reason_given(statement))) - STOP_WORDS
    if not reason or _NOT_BECAUSE.search(statement):
        return False
    denied = (set(terms(match[1])) for match in _NOT_BECAUSE.finditer(evidence))
    return any(2 * len(reason & words) > len(reason) for words in denied)


def _has_other_reason(statement: str, evidence: str) -> bool:
    """Whether the sentence that has the effect gives a reason, and has less than half of this
    one's words: the rest is of another sentence."""
    effect, reason = _effect_and_reason(statement)
    for sentence in re.split(r"(?<=[.;])\s|\n", evidence):
        theirs = _GIVES_REASON.search(sentence)
        if theirs is None or not reason:
            continue
        told = frozenset(terms(sentence[: theirs.start()]))
        if 2 * len(effect & told) <= len(effect):
            continue
        known = frozenset(terms(sentence))
        if 2 * sum(is_known(word, known) for word in reason) < len(reason):
            return True
    return False


def reason_given(statement: str) -> str:
    """The words of the reason that a statement gives, if it does."""
    given = _BECAUSE.search(statement)
    return statement[given.end() :] if given else ""


def _effect_and_reason(statement: str) -> tuple[frozenset[str], frozenset[str]]:
    """The telling words on both sides of "because"; none where there is none."""
    given = _BECAUSE.search(statement)
    if given is None:
        return frozenset(), frozenset()
    effect, reason = statement[: given.start()], statement[given.end() :]
    return frozenset(terms(effect)) - STOP_WORDS, frozenset(terms(reason)) - STOP_WORDS


def _stands_beside(statement: str, evidence: str) -> bool:
    """Whether a remark has the reason right behind what it is of: "cancelled, lift stuck"."""
    effect, reason = _effect_and_reason(statement)
    for remark in re.split(r"[;\n]", evidence):
        pieces = [frozenset(terms(piece)) for piece in re.split(r"[,:]", remark)]
        for before, behind in pairwise(pieces):
            if reason and reason <= behind and effect & before - STOP_WORDS:
                return True
    # "Remark: gale; barge stayed in port".
    for remark in _REMARKED.findall(evidence):
        first, _, second = remark.partition(";")
        if reason and reason <= set(terms(first)) and effect & set(terms(second)) - STOP_WORDS:
            return True
    return False


def _is_other_way_round(statement: str, evidence: str) -> bool:
    """Whether a statement has "the pump, not the breaker" where the evidence has "the breaker, not
    the pump"."""
    said = {_sides(match) for match in _NOT.finditer(statement)}
    if not said:
        return False
    told = {_sides(match) for match in _NOT.finditer(evidence)}
    return any((denied, affirmed) in told for affirmed, denied in said if affirmed and denied)


def _sides(match: re.Match[str]) -> tuple[str, str]:
    return _last_word(match["affirmed"]), _last_word(match["denied"])


def _last_word(text: str) -> str:
    return next((term for term in reversed(terms(text)) if term not in STOP_WORDS), "")


def _explains_label(statement: str, evidence: str) -> bool:
    """Whether one half of a reason is a label, and the other what stands behind it: "Harmonics: I
    need the test report"."""
    halves = [frozenset(terms(half)) - STOP_WORDS for half in _CAUSE.split(statement, maxsplit=1)]
    if len(halves) < 2:
        return False
    lines = evidence.splitlines()
    for at, line in enumerate(lines):
        match = _LABEL.match(line)
        behind = " ".join(lines[at + 1 :])
        if match is None:
            continue
        label = frozenset(terms(match["label"])) - STOP_WORDS
        told = frozenset(terms(match["rest"] or behind)) - STOP_WORDS
        if any(one & label and other & told - label for one, other in (halves, halves[::-1])):
            return True
    return False
