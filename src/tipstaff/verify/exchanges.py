"""Words of a statement that its evidence does not have: those that change nothing, and those that
make it another statement.

A paraphrase has other verbs; a lie has one other telling word. A word that is nowhere near the
cited place is taken for a lie unless it is one that any report is written with, or one that the
whole bundle speaks of. A word that stands where the evidence has another is taken for a lie even
then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from tipstaff.facts.quantities import Measure
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.measures import unit_terms
from tipstaff.verify.presenting import PAPERS, PRESENTING
from tipstaff.verify.statement import STRUCTURE, Statement
from tipstaff.verify.synonyms import is_form, is_known
from tipstaff.verify.thesaurus import opposites

# What any report is written with. None of them names a thing.
LIGHT = frozenset(
    terms(
        "give gives gave given must shall should need needs needed require requires required go "
        "goes went gone going do does did done cost costs supply supplies supplied cover covers "
        "covered receive receives received account accounts accounted deliver delivers delivered "
        "view views fall falls fell rise rises rose due each every any after before during since "
        "until without lack lacks far past source sources offer offers offered send sends sent "
        "word words count counts counted consist consists contain contains contained concern "
        "concerns concerned relate relates related provide provides provided hold holds held keep "
        "keeps kept set sets bring brings brought run runs ran use uses used work works worked "
        "want wants wanted like likes liked let lets mean means meant see sees saw seen show shows "
        "shown find finds found follow follows followed lead leads led cause result results "
        "resulted reason reasons order late early new main several many much few other another "
        "same different difference further additional total overall single entire whole own "
        "himself herself itself themselves person people someone nobody everyone anything nothing "
        "apply applies applied occur occurs occurred happen happens happened begin begins began "
        "start starts started end ends ended last lasts lasted continue continues continued allow "
        "allows allowed arise arises arose carry carries carried serve serves served belong "
        "belongs belonged depend depends depended exist exists existed exceed reach reaches "
        "reached spend spends spent pay pays paid list lists listed name names named describe set "
        "out up down against between among across through behind short long high low large small "
        "part parts number numbers share rate level date time times period deadline kind type "
        "possible likely able unable currently now today later earlier again instead once twice "
        "least most more less under over above below beyond although though despite however "
        "whether therefore thus additionally actually simply merely roughly exactly fully partly "
        "mainly separately respectively altogether explain explains say says told tells comment "
        "question answer issue problem event responsible increase increases increased decrease "
        "decreased raise raises raised reduce reduces reduced grow grows grew grown gain gained "
        "remark note read reads beside text row column speak speaks spoke announce announces "
        "announced treat treats treated whenever anyone anybody whoever apart among range ranges "
        "otherwise whereas regard regarded pending yet rather little slight slightly worth "
        "everything else everybody elsewhere something either neither previous "
        "previously back suppose supposed together"
    )
)
# Nor does a word for the paper itself, or for what a paper does, take another's place.
_TELL_NOTHING = LIGHT | PRESENTING | PAPERS
_JOINED = re.compile(r"[-_]")
# Of the words that state nothing, those that can be counted; the others are verbs.
_COUNTABLE = frozenset(
    terms("documents items figures values sections tables points things kinds sorts ways facts "
          "totals amounts notes reports states places remarks calls")
)  # fmt: skip
_COUNTED = re.compile(r"\s([a-z]{3,}s)\b")


def foreign(
    unknown: Sequence[str],
    evidence: Sequence[EvidenceText],
    everywhere: Collection[str],
    cited: Collection[str] = (),
) -> list[str]:
    """Those of the unknown words that make a statement another one. `cited` are the words of the
    whole place that was cited, farther away than support is looked for."""
    nearby = frozenset().union(*(one.nearby_terms for one in evidence))
    paper = frozenset().union(*(one.paper_terms for one in evidence))
    return [
        word
        for word in unknown
        if word not in LIGHT
        and word not in PRESENTING
        and word not in PAPERS
        and word not in everywhere
        and word not in cited
        and not is_form(word, nearby)
        and not is_known(word, paper)
    ]


def exchanged(statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a word stands between the very neighbours that another word has there."""
    said = _sequence(terms(statement.plain))
    theirs = [_sequence(one.sequence) for one in evidence if not one.is_row]
    known = frozenset().union(*theirs)
    return any(
        not word.isdigit()
        and _has_other(before, word, behind, sequence)
        and not _is_moved(word, said, sequence, known)
        for before, word, behind in zip(said, said[1:], said[2:], strict=False)
        for sequence in theirs
    )


def is_of_other(word: str, statement: Statement, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a word that the evidence does not have stands before one that has another before it
    there: "cod prices", and "langoustine prices"."""
    said = _sequence(terms(statement.plain))
    behind = {other for one, other in pairwise(said) if one == word}
    theirs = [pair for one in evidence if not one.is_row for pair in pairwise(one.sequence)]
    return any(
        noun == other and _is_another(before, word) for before, noun in theirs for other in behind
    )


def _is_moved(
    word: str, said: Sequence[str], sequence: Sequence[str], known: Collection[str]
) -> bool:
    """Whether a word that stands elsewhere in the same sentences has only been moved: then it is
    said no more often than there."""
    if word in sequence:
        return said.count(word) <= sequence.count(word)
    return is_known(word, known)


def counts_the_same(statement: Statement, known: Collection[str]) -> bool:
    """Whether what a figure counts is named in the evidence, however common a word it is."""
    behind = (
        _COUNTED.match(statement.plain, figure.end)
        for figure in statement.figures
        # "$6 million comes from bonds" counts nothing.
        if figure.measure is Measure.NUMBER
    )
    counted = [term for match in behind if match for term in terms(match[1])]
    return all(word not in _COUNTABLE or is_known(word, known) for word in counted)


def _has_other(before: str, word: str, behind: str, sequence: Sequence[str]) -> bool:
    for at in range(1, len(sequence) - 1):
        if sequence[at - 1] == before and sequence[at + 1] == behind:
            return _is_another(sequence[at], word)
    return False


def _is_another(other: str, word: str) -> bool:
    if other in opposites(word):
        # However common a word: "early" where the evidence has "late".
        return True
    if word in _TELL_NOTHING or other in LIGHT or other.isdigit():
        return False
    return not is_known(word, (other,))


def _sequence(words: Sequence[str]) -> list[str]:
    # Of "two-second" and max_size the parts are compared, in their places.
    return [
        word
        for word in words
        if word not in STOP_WORDS
        and word not in STRUCTURE
        and not _JOINED.search(word)
        # A unit is compared with its figure: 7.2 m are 7.2 metres.
        and word not in unit_terms()
        and len(word) > 1
    ]
