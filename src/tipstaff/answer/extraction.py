"""Whether a session copies an item out page by page instead of asking about it (TIP §13.3.1).

A query for a place as such ("What is on page 7?", "next page") is fair; one after the other, they
are the item itself. Only the queries of this session are looked at.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from tipstaff.answer.unmasking import as_seen
from tipstaff.lexical.analysis import STOP_WORDS, terms

# Among so many queries, those for a place are counted: who asks questions again is trusted again.
_LOOKED_BACK_ON = 20

_NUMBERS = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?"
)
_ORDINALS = (
    r"\d+(?:st|nd|rd|th)|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|"
    r"\w+teenth|\w+tieth|\w+ty-\w+"
)
_PLACE = re.compile(
    rf"\b(?:{_ORDINALS}) (?:page|section|paragraph|chapter|slide|row|line|sheet|clause)\b|\bp\d+\b|"
    r"\b(?:pages?|pp?\.|sections?|paragraphs?|chapters?|slides?|rows?|lines?|sheets?|parts?|"
    r"clauses?|articles?|sentences?|cells?|columns?|seite|abschnitt|page|página|pagina|страниц\w*)"
    rf"\s*(?:no\.?|number|nr\.?|#)?\s*(?:\d+|[ivxlc]+\b|[a-z]\d+|(?:{_NUMBERS})\b)"
    r"(?:\s*(?:-|–|to|and|until|,)\s*(?:\d+|[a-z]\d+))*|"
    r"\b(?:next|following|previous|first|second|third|last|other|remaining|rest)\b(?: of)?"
    r"(?: the)?(?: (?:\d+|few|two|three|ten))?"
    r"(?: (?:pages?|sections?|paragraphs?|chapters?|slides?|rows?|lines?|sentences?|half|part))?|"
    r"\b(?:continue|go on|keep going|carry on|proceed|more|weiter)\b|"
    r"第\s*\d+\s*[页頁ページ章節节]+",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
# Words around a place that ask for nothing in particular.
_EMPTY = frozenset(
    terms(
        "say says state states read reads write written contain contains content contents text "
        "words wording show give print tell repeat quote reproduce copy out display output full "
        "whole entire complete verbatim word exactly document file item please now then everything "
        "all there stand stands appear appears page pages section sections row rows line lines "
        "what does do is are was were has have can could would will you me the it of on in "
        "paragraph paragraphs summarise summarize transcribe list exact same again describe "
        "describes described discuss discusses discussed cover covers covered topic topics explain "
        "explains mention mentions mentioned detail details information point points key main "
        "about summary gist"
    )
)


@dataclass(slots=True)
class PlaceByPlace:
    """`most` queries for a place as such are answered among the last twenty."""

    most: int
    _recent: deque[bool] = field(default_factory=lambda: deque(maxlen=_LOOKED_BACK_ON))

    def is_bulk(self, query: str, titles: Sequence[str]) -> bool:
        """Counts this query; true if it is one too many."""
        self._recent.append(asks_for_a_place(query, titles))
        return self._recent[-1] and sum(self._recent) > self.most


def asks_for_a_place(query: str, titles: Sequence[str] = ()) -> bool:
    """Whether a query names a place, perhaps an item, and nothing that it wants to know."""
    query = as_seen(query)
    if not _PLACE.search(query):
        return False
    named = {term for title in titles for term in terms(title)}
    left = [
        word
        for word in _WORD.findall(_PLACE.sub(" ", query.casefold()))
        if word not in STOP_WORDS and not {*terms(word)} <= _EMPTY | named
    ]
    return not left
