"""What "it" or "the same year" of a sentence is: said of another, the same words are another
statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tipstaff.facts.names import names
from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText

_IT = re.compile(r"\W*its?\b", re.IGNORECASE)
_BEGINS = re.compile(r"\W*([A-ZÀ-Þ][\w’-]+)")
_THEN = re.compile(
    r"\b(?:the|that) same (?:year|season|month|quarter|period|day|week)\b", re.IGNORECASE
)
# What a sentence may begin with that is said of what the one before it names.
_LEANS = re.compile(
    r"\W*(?:(?:he|she|it|they|this|that|these|those|his|her|its|their|both|such|neither)\b|"
    r"(?:the )?(?:latter|former|same)\b)",
    re.IGNORECASE,
)
_QUOTATION = re.compile(r"[\"“][^\"“”]*[\"”]")
_OF_PERSONS = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
# "In March they …": what stands before the subject names nobody.
_OPENED = re.compile(
    r"\W*(?:in|on|at|by|after|before|during|when|from|under|for|since|until|with|within|then|later|"
    r"also|however|instead|moreover|therefore|yet|and|but|so|finally|now|as|[a-z]+ly)\b"
    r"(?P<before>[^.;]*?)\b(?:it|they|this|these|those)\b",
    re.IGNORECASE,
)
# A quarter and a half: what figures are reported for. Years are told in too many ways.
_REPORTED_FOR = "qh"


@dataclass(slots=True)
class Lost:
    """Whether sentences were withheld of a text that goes on: then what "she" or "it" is may stand
    in none that is left. A thing is the last that was named, a person the last person."""

    thing: bool = False
    person: bool = False

    def take_out(self) -> None:
        """A sentence was withheld."""
        self.thing = self.person = True

    def let_stand(self, statement: str) -> None:
        """A sentence was let through: what follows speaks of what it names."""
        self.thing = False
        if names(statement):
            self.person = False

    def leaves_open(self, statement: str) -> bool:
        """Whether a sentence speaks of what was taken out. What "she" is in a quotation, its place
        tells."""
        statement = _QUOTATION.sub("", statement)
        if self.thing and (_LEANS.match(statement) or _is_opened_by_pronoun(statement)):
            return True
        person = _OF_PERSONS.search(statement)
        return self.person and person is not None and not names(statement[: person.start()])


def _is_opened_by_pronoun(statement: str) -> bool:
    opened = _OPENED.match(statement)
    return opened is not None and not any(one[0].isupper() for one in names(opened["before"]))


def is_of_time_not_asked(statement: str, asked: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a figure without a time answers a question about one, and its place has it of
    another: the "amount spent" of the third quarter for that of the first."""
    wanted = periods(asked)
    if not wanted or periods(statement):
        return False
    values = {figure.value for figure in quantities(statement)}
    having = [one for one in evidence if values & {own.value for own in one.own_figures}]
    return any(_is_other(kind, wanted, having) for kind in _REPORTED_FOR)


def _is_other(kind: str, wanted: frozenset[str], evidence: Sequence[EvidenceText]) -> bool:
    asked = {mark for mark in wanted if mark[0] == kind and mark[1:].isdigit()}
    told = [{mark for mark in periods(one.text) if mark[0] == kind} for one in evidence]
    return bool(asked and told) and all(marks and asked.isdisjoint(marks) for marks in told)


def is_of_some_time(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "in the same year" is one of several that a row has columns of: which, stands in
    another sentence."""
    if not _THEN.search(statement) or periods(statement):
        return False
    return any(sum(bool(periods(head)) for head, _ in one.cells) > 1 for one in evidence)


def is_of_something_else(statement: str, subject: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether "it" is what the cited words do not name, and their sentence begins with another
    name."""
    if not subject or not _IT.match(statement):
        return False
    own = frozenset(terms(subject)) - STOP_WORDS
    words = frozenset(terms(statement)) - STOP_WORDS
    nearest = max(evidence, key=lambda one: len(words & one.own_terms), default=None)
    if not own or nearest is None or nearest.is_row:
        return False
    begins = _BEGINS.match(nearest.text)
    other = next((one for one in names(nearest.text) if begins and begins[1] in one), "")
    if not other:
        return False
    if not any(own & (one.terms | one.paper_terms) for one in evidence):
        return True
    # "Lamp Cottage … It", and the place is of Foghorn Cottage.
    theirs = frozenset(terms(other))
    named = any(frozenset(terms(name)) >= own for name in names(subject))
    return named and not own <= nearest.own_terms and not theirs <= own
