"""Letters, numbers and names that say which of several a row or a line is: variant A, the first
call, "Ada: nine weeks"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.recurring import often
from tipstaff.verify.statement import Statement

_LETTERED = re.compile(r"\b(?P<head>[a-z]{3,}) (?P<letter>[A-Z])\b(?!\.\w)")
_ONE_LETTER = re.compile(r"[A-Z]")
_ONE_OF_A_KIND = re.compile(r"\b([A-Z][a-z]{2,}) ([A-Z]|\d{1,3})\b")
_ORDERS = frozenset(terms("first second third fourth primary secondary main deputy"))
_LABEL = re.compile(r"\b(?:[A-Z]|\d{1,3})\b")
_HEADED = re.compile(r"\W*([A-ZÀ-Þ][^:;.,\d]{2,40}):\s")
_OFTEN = re.compile(r"\b(?:daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|every)\b", re.I)
# Words of an object that tell it from the others.
_MANY = 3
# What is written before a decision and its votes tells not whose they are.
_DECIDED = frozenset(
    terms("resolved resolution decided decision agreed action motion vote votes voting result "
          "against favour abstentions abstained note outcome")
)  # fmt: skip


def has_other_label(
    statement: Statement, evidence: Sequence[EvidenceText], around: Sequence[EvidenceText] = ()
) -> bool:
    """Whether all rows are of another letter or number than the statement names: "variant A", and
    B under "Variant"; or what is said stands in another entry of a list."""
    rows = [one for one in evidence if one.is_row]
    told = set(_LABEL.findall(" ".join(words for row in rows for _, words in row.cells)))
    for head in {row.cells[0][0] for row in rows if row.cells[0][0].isalpha()}:
        named = re.findall(rf"\b(?i:{head}) ({_LABEL.pattern})", statement.plain)
        labels = [row.cells[0][1].strip() for row in rows if row.cells[0][0] == head]
        if named and all(map(_LABEL.fullmatch, labels)) and told.isdisjoint(named):
            return True
    return (
        _has_other_letter(statement, rows)
        or any(_is_other_in_order(statement, row) for row in rows)
        or _is_of_other_entry(statement, evidence, around)
    )


def _has_other_letter(statement: Statement, rows: Sequence[EvidenceText]) -> bool:
    """Whether a statement names a letter under a header where every row has another: "grade A",
    and D under "grade"."""
    for match in _LETTERED.finditer(statement.plain):
        letters = [
            words.strip()
            for row in rows
            for head, words in row.cells
            if head.lower() == match["head"].lower()
        ]
        if letters and all(
            one != match["letter"] and _ONE_LETTER.fullmatch(one) for one in letters
        ):
            return True
    return False


def _is_other_in_order(statement: Statement, row: EvidenceText) -> bool:
    """Whether what is said to be first stands in a row under "second": "first call: Ada", "second
    call: fire service"."""
    placed = {
        order: frozenset(terms(words))
        for head, words in row.cells
        for order in _ORDERS.intersection(terms(head))
    }
    for clause in statement.clauses if len(placed) > 1 else ():
        said = _ORDERS & clause.terms
        if len(said) != 1 or not said <= placed.keys():
            continue
        (order,) = said
        rest = clause.terms - STOP_WORDS - _ORDERS
        others = frozenset().union(*(words for one, words in placed.items() if one != order))
        if rest & others and not rest & placed[order]:
            return True
    return False


def of_other_label(
    having: Sequence[EvidenceText], statement: Statement, around: Sequence[EvidenceText]
) -> bool:
    """Whether a figure stands only under labels that a statement does not name, and it names the
    label of a neighbour: "Ada: nine weeks", "Max: five weeks"."""
    if _has_other_number(having, statement):
        return True
    said = frozenset(terms(statement.plain))
    labels = [_label(one) for one in having]
    if not having or any(not label or label & said for label in labels):
        return False
    return any((label := _label(one)) and label <= said for one in around)


def _has_other_number(having: Sequence[EvidenceText], statement: Statement) -> bool:
    """Whether a figure stands only in points that begin with another one of a kind than the
    statement names: "Loan C, Kestrel Bank: a fee of 22,000", and loan B."""
    said = set(_ONE_OF_A_KIND.findall(statement.plain))
    heads = [_ONE_OF_A_KIND.match(one.text.lstrip("-*• ")) for one in having if not one.is_row]
    if not said or len(heads) < len(having) or not all(heads):
        return False
    # "Lot A was all in steel, lot B had nine months in barrels" is of both.
    every = " ".join(one.text for one in having).casefold()
    if any(f"{kind} {label}".casefold() in every for kind, label in said):
        return False
    told = {head.groups() for head in heads if head}
    return told.isdisjoint(said) and {kind for kind, _ in told} <= {kind for kind, _ in said}


def _is_of_other_entry(
    statement: Statement, evidence: Sequence[EvidenceText], around: Sequence[EvidenceText]
) -> bool:
    """Whether what is said of one entry stands in another one, and nothing of it in its own:
    "Ada: Good (May)", "Max: Poor (June)"; "depot: weekly; office: monthly"."""
    said = _entry_terms(statement.plain)
    lines = {
        label: _entry_terms(one.text) - label
        for one in (*evidence, *around)
        if (label := _label(one))
    }
    # Of what a row has under other headers, how often is compared: the rest is the columns'.
    turns = [
        {frozenset(terms(head)): frozenset(often(words)) for head, words in one.cells if head}
        for one in evidence
    ]
    objects = [
        {frozenset(terms(head)): _entry_terms(words) for head, words in one.cells if "{" in words}
        for one in evidence
    ]
    return any(_stands_in_other(said, entries) for entries in (lines, *turns)) or any(
        _stands_in_other(said, entries, _MANY) for entries in objects
    )


def _stands_in_other(
    said: frozenset[str], entries: Mapping[frozenset[str], frozenset[str]], many: int | None = None
) -> bool:
    """Whether another entry than the one that is named has it: all of that, or so `many` words."""
    named = [label for label in entries if label <= said]
    if len(named) != 1 or not entries[named[0]] or said & entries[named[0]]:
        return False
    rest = said - named[0]
    return any(
        words and label not in named and len(words & rest) >= (len(words) if many is None else many)
        for label, words in entries.items()
    )


def _entry_terms(text: str) -> frozenset[str]:
    """Telling words, and how often something comes round; no figures: these are bound apart."""
    words = frozenset(term for term in terms(text) if not term.isdigit()) - STOP_WORDS
    return words.difference(terms(" ".join(_OFTEN.findall(text)))) | often(text)


def _label(one: EvidenceText) -> frozenset[str]:
    match = None if one.is_row else _HEADED.match(one.text)
    return frozenset(terms(match[1])) - STOP_WORDS - _DECIDED if match else frozenset()
