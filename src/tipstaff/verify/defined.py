"""What a paper calls somebody: "Northfell Night Vets Limited ("the Provider")", and Helen, who is
Helen Marsden at its head. A draft that uses the full name is read with the paper's own word."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from tipstaff.facts.names import names
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText

_DEFINED = re.compile(
    r"(?P<full>[A-ZÀ-Þ][\w&.,'’ -]{2,80}?)\s*\((?:herein\w* |here ?after )?(?:the )?"
    r"[“\"‘'](?:the )?(?P<term>[A-ZÀ-Þ][\w-]{2,30})[”\"’']\)"
)
_GIVEN = re.compile(r"[A-ZÀ-Þ][\w’-]{2,}")
# What makes nobody of several firms of one group: their first words do.
_COMMON = frozenset(terms("ltd limited llp plc inc gmbh ag company group services of the and"))


def in_defined_terms(
    text: str,
    evidence: Sequence[Sequence[EvidenceText]],
    called: Callable[[str], Collection[str]] = lambda _: (),
) -> str:
    """A statement with the words of the paper for those whom the cited sentences do not name;
    `called` gives the surnames that those of a given name have."""
    units = [unit for cited in evidence for unit in cited]
    papers = frozenset(unit.paper for unit in units)
    paper = next(iter(papers)) if len(papers) == 1 else ""
    known = frozenset().union(*(unit.named_terms for unit in units))
    # "Owen, the pump has stopped" is not said by Owen.
    spoken = any(unit.author or unit.writer for unit in units)
    for name in names(text):
        own = frozenset(terms(name)) - STOP_WORDS
        if not own or own <= known:
            continue
        word = _term_for(own, paper)
        if not word and not spoken:
            word = _given_for(name, paper, known) or _only_given(name, called, known)
        if word:
            text = re.sub(rf"\b{re.escape(name)}\b", word, text)
    return text


def defined_for(statement: str, told: str, text: str) -> bool:
    """Whether a text defines what `told` calls somebody whom a statement names: "the Supplier"."""
    known = frozenset(terms(told))
    words = [frozenset(terms(name)) - STOP_WORDS for name in names(statement)]
    return any(
        frozenset(terms(term)) <= known
        and any(own <= full and own - _COMMON and not own <= known for own in words)
        for full, term in _parties(text)
    )


def _term_for(own: frozenset[str], paper: str) -> str:
    """The word that a contract has for a party, if one party alone has all of the name."""
    found = {term for full, term in _parties(paper) if own <= full and own - _COMMON}
    return f"the {found.pop()}" if len(found) == 1 else ""


@lru_cache(maxsize=256)
def _parties(paper: str) -> tuple[tuple[frozenset[str], str], ...]:
    return tuple((frozenset(terms(one["full"])), one["term"]) for one in _DEFINED.finditer(paper))


def _only_given(name: str, called: Callable[[str], Collection[str]], known: frozenset[str]) -> str:
    """The first name, where nobody else in the papers has it."""
    given, *_, surname = name.split() if " " in name else ("", "")
    if not _GIVEN.fullmatch(given) or not known.issuperset(terms(given)):
        return ""
    return given if set(called(given)) == {surname} else ""


def _given_for(name: str, paper: str, known: frozenset[str]) -> str:
    """The first name, where the paper gives it to one person only."""
    given, *_, surname = name.split() if " " in name else ("", "")
    if not _GIVEN.fullmatch(given) or not known.issuperset(terms(given)):
        return ""
    others = set(re.findall(rf"\b{re.escape(given)} ([A-ZÀ-Þ][\w’'-]+)", paper))
    return given if others == {surname} else ""
