"""Whether a statement only repeats its place: the same words in the same order, less what may be
left out of a sentence without changing what it says.

A model is asked to keep to the words of its source (docs/decisions/0031-the-witness-is-told.md).
What does is compared word by word, and no rule has to guess what other words might mean. Left out
are whole clauses and what stands between commas, never a denial, a condition or a doubt; put in are
articles, and names for "we", "he" and "it" where it is known who that is. Whatever is not plainly
so is left to the other checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property

from tipstaff.facts.periods import periods
from tipstaff.facts.titles import TITLES
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.naming import Home, is_named
from tipstaff.verify.quotes import stands_in
from tipstaff.verify.statement import without_markup
from tipstaff.verify.told_words import Word, stems_of, words_in

# Fewer telling words are no statement; more are no sentence.
_LEAST, _MOST = 3, 90
_MOST_TOLD = 400
# Sentences of one place that a statement may draw together.
_JOINED = 3
_LONGEST_ASIDE = 12
_LONGEST_NAME = 6

# Of a statement's words, those that a place has at least.
_SHARED = 0.6

# Below nought, less or more than: no words.
_SIGNED = re.compile(r"(?<![\w)])[-−]\s?[£$€]?\d|[<>≥≤~±]\s?[£$€]?\d")
_QUOTATION = re.compile(r"[“\"]([^“”\"]+)[”\"]")

_ARTICLES = frozenset(("a", "an", "the"))
_BE = frozenset(("is", "are", "was", "were", "be", "been", "am"))
_HAVE = frozenset(("has", "have", "had"))
_IS = frozenset(("is", "are", "am"))
_WAS = frozenset(("was", "were"))
_HAS = frozenset(("has", "have"))
_SHORT = 3
_ENDINGS = ("er", "or", "ee", "ist", "ing", "ed", "ion")
_DO = frozenset(("do", "does", "did"))
# What is told afterwards is told in the past.
_TOLD_LATER = {"will": "would", "can": "could", "shall": "must", "must": "shall"}
_PUT_IN = _ARTICLES | {"that", "also"}
_LEFT_OUT = _ARTICLES | {"that", "also", "however"}
_DENIES = frozenset(("not", "no", "never", "none", "nobody", "nothing", "neither"))
_JOINING = frozenset(("and", "but", "while", "whereas"))
_REASONS = frozenset(("because", "since"))
_WE = frozenset(("we", "our", "us", "ours", "ourselves"))
_I = frozenset(("i", "my", "me", "mine", "myself"))
_OPENS = frozenset((
    "in", "on", "at", "between", "from", "during", "after", "before", "by", "since", "until",
    "for", "under", "with", "within",
))  # fmt: skip
_WHERE = frozenset(("in", "of", "under", "for", "at", "on"))
_OWNING = frozenset(("our", "my", "his", "her", "its", "their"))
_SOMEBODY = frozenset(("he", "she", "his", "her", "him"))
_THEY = frozenset(("he", "she", "it", "they", "his", "her", "its", "their", "him", "them"))
# What changes a statement if it is left out.
_CONDITION = frozenset((
    "if", "unless", "except", "provided", "providing", "until", "subject", "only", "depending",
    "assuming", "otherwise", "whether", "or", "when", "once",
))  # fmt: skip
_CRITICAL = _CONDITION | frozenset((
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "hardly",
    "barely", "unable", "false", "wrong", "untrue", "may", "might", "could", "would", "should",
    "perhaps", "possibly", "probably", "allegedly", "reportedly", "about", "around", "almost",
    "nearly", "approximately", "roughly", "up", "least", "most", "under", "over", "proposed",
    "draft", "planned", "estimated", "expected", "to", "instead", "rather", "than", "from",
    "before", "after", "against", "by", "unlike",
))  # fmt: skip
# In whose words it is: what stands behind them is said and not simply so.
_REPORTING = frozenset((
    "said", "says", "say", "told", "tells", "asked", "asks", "wrote", "writes", "claimed",
    "claims", "claim", "reported", "reports", "thinks", "think", "thought", "believes",
    "believe", "believed", "wants", "wanted", "hopes", "hoped", "feared", "fears", "warned",
    "warns", "suggested", "suggests", "proposed", "proposes", "argued", "argues", "denied",
    "denies", "doubts", "doubted", "expects", "expected", "assumed", "assumes", "promised",
    "promises", "suspects", "suspected", "alleged", "alleges", "that", "according", "announced",
    "admitted", "agreed", "accepted", "insisted", "explained", "noted", "replied", "answered",
))  # fmt: skip
_NAME = (
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof|Cllr)\.? )?[A-ZÀ-Þ][\w’'.-]*"
    r"(?: (?:de |van |von )?[A-ZÀ-Þ][\w’'-]+){0,3}"
)
_SAID = (
    r"(?P<verb>said|says|wrote|writes|stated|states|noted|notes|reported|reports|explained|explains|"
    r"replied|answered|added|remarked)"
)
_ATTRIBUTED = (
    re.compile(
        rf"^(?P<who>{_NAME})['’]s? (?:mail|e-?mail|letter|message|report|memo|note)"
        r"(?P<aside>[^;]{0,60}?)(?P<when>) (?P<verb>says|states|notes|said|stated|wrote) that "
        r"(?P<what>.+)$"
    ),
    re.compile(
        rf"^(?P<who>{_NAME})(?P<aside>(?:,[^,;]{{2,70}},| (?:of|from) [^,;]{{2,50}}?)?) {_SAID}"
        r"(?P<when>(?: (?:on|in|at) [^,;]{2,40}?)?) that (?P<what>.+)$"
    ),
    re.compile(
        rf"^(?P<verb>[Aa]ccording) to (?P<who>{_NAME})(?P<aside>(?:,[^,;]{{2,70}}|"
        r" (?:of|from) [^,;]{2,50}?)?)(?P<when>(?: (?:on|in) [^,;]{2,40}?)?), (?P<what>.+)$"
    ),
    re.compile(
        rf"^(?P<what>.+), (?P<verb>according to|said|wrote) (?P<who>{_NAME})(?P<aside>)(?P<when>"
        r"(?: (?:on|in) [^,;]{2,40}?)?)$"
    ),
)
_PAPER_SAYS = re.compile(
    r"^(?:[Tt]he (?P<paper>[\w' -]{3,70}?) (?:also )?(?:says|states|notes|records|shows|said) that "
    r"|[Aa]ccording to the (?P<named>[\w' -]{3,70}?), )(?P<what>.+)$"
)
_PAPER_WORDS = frozenset(
    terms("page report minutes contract agreement mail letter transcript document log record "
          "notice review table section clause website")
)  # fmt: skip
_WRITES = frozenset(("wrote", "writes", "states", "stated", "notes", "noted"))
_NUMBERING = re.compile(r"\d{1,2}(?:\.\d{1,2}){0,3}|[a-z]|[ivx]{1,4}")
_THAT_IS_WHY = ["that", "is", "why"]
_CAPITALS = re.compile(_NAME)


def is_in_source_words(
    text: str, evidence: Sequence[Sequence[EvidenceText]], *, home: Home
) -> bool:
    """Whether one of the places says a statement in the statement's own words."""
    statement = without_markup(text).rstrip(" .")
    telling = frozenset(terms(statement)) - STOP_WORDS
    if len(telling) < _LEAST or len(statement.split()) > _MOST:
        return False
    if _SIGNED.search(statement):
        return False
    quotes = [quote.strip(" .,;") for quote in _QUOTATION.findall(statement)]
    least = _SHARED * len(telling)
    cited_before = ""
    for units in evidence:
        for told, before in _runs(units, telling, least, cited_before):
            if all(any(stands_in(quote, one.verbatim) for one in told) for quote in quotes) and (
                _Telling(told, before, home).says(statement)
            ):
                return True
        cited_before = units[-1].text if units else ""
    return False


def _runs(
    units: Sequence[EvidenceText], telling: frozenset[str], least: float, cited_before: str
) -> Iterator[tuple[Sequence[EvidenceText], str]]:
    """Sentences that may be told together and have so many of the words; and the one before."""
    shared = [telling & one.named_terms for one in units]
    for at in range(len(units)):
        held: frozenset[str] = frozenset()
        for several in range(1, min(_JOINED, len(units) - at) + 1):
            more = shared[at + several - 1]
            if not more or not _may_be_told(units[at : at + several]):
                break
            held |= more
            if len(held) >= least:
                before = units[at].before or (units[at - 1].text if at else cited_before)
                yield units[at : at + several], before


def _may_be_told(units: Sequence[EvidenceText]) -> bool:
    first = units[0]
    return all(
        not one.is_row
        and not one.ordered
        and not one.synthesis
        and one.author == first.author
        and not _SIGNED.search(one.text)
        for one in units
    )


class _Telling:
    """Some sentences of a place, and whoever says them."""

    def __init__(self, units: Sequence[EvidenceText], before: str, home: Home) -> None:
        self._units = units
        self._before = before
        self._home = home
        self._author = units[0].author

    def says(self, statement: str) -> bool:
        for pattern in _ATTRIBUTED:
            match = pattern.match(statement)
            if match is None:
                continue
            # Who wrote a paper does not say in it what others are reported to have said.
            speaker = self._author or (match["verb"] in _WRITES and self._units[0].writer) or ""
            if speaker and _is_the_same(match["who"], speaker):
                aside = f"{match['aside']} {match['when']}"
                return self._is_known(aside) and self._repeats(match["what"], speaker)
        if match := _PAPER_SAYS.match(statement):
            paper = match["paper"] or match["named"]
            if self._is_known(paper, _PAPER_WORDS):
                return self._repeats(match["what"], "")
        return self._repeats(statement, "")

    def _is_known(self, aside: str, also: frozenset[str] = frozenset()) -> bool:
        """What somebody is said to be, or when they wrote, stands where it is told who they are."""
        one = self._units[0]
        around = f"{one.whole}\n{one.paper}\n{one.nearby}\n{one.author}"
        times = periods(aside)
        if not times <= periods(around):
            return False
        known = frozenset(terms(around)) | also
        return all(
            term in known or term in STOP_WORDS or any(mark.isdigit() for mark in term)
            for term in terms(aside)
            if not times or not _is_of_date(term)
        )

    def _repeats(self, statement: str, speaker: str) -> bool:
        said = words_in(statement)
        told = self._told
        if not said or len(told) > _MOST_TOLD:
            return False
        have = {stem for word in told for stem in stems_of(word.text)}
        # Most statements are in other words, and that is seen soon.
        lacking = [w for w in said if not w.is_name and stems_of(w.text).isdisjoint(have)]
        if sum(w.text not in STOP_WORDS and len(w.text) > 1 for w in lacking) > 1:
            return False
        if any(self._follows(said, speaker, start) for start in self._starts()):
            return True
        if len(self._units) > 1:
            return False
        # "On 4 May it rained", and "It rained on 4 May".
        for one, other in ((_opening_last(said), told), (said, _opening_last(told))):
            if (one, other) != (said, told):
                self._told = other
                if any(self._follows(one, speaker, start) for start in self._starts()):
                    return True
        self._told = told
        return False

    @cached_property
    def _told(self) -> tuple[Word, ...]:
        return tuple(word for one in self._units for word in words_in(one.text))

    def _starts(self) -> Iterator[int]:
        """Where a statement may begin: at a sentence, behind its number. What stands before a
        clause may suppose it, deny it or say whose it is."""
        for at, word in enumerate(self._told):
            if not word.begins:
                continue
            yield at
            if _NUMBERING.fullmatch(word.text):
                yield at + 1
            if [one.text for one in self._told[at : at + 3]] == _THAT_IS_WHY:
                yield at + 3

    def _follows(self, said: Sequence[Word], speaker: str, start: int) -> bool:
        told = self._told
        denies = any(word.text in _DENIES for word in said)

        @cache
        def rest(i: int, j: int, *, skipped: bool = False) -> bool:
            if i == len(said):
                return self._may_end(j, denies=denies)
            word = said[i]
            new = j < len(told) and told[j].begins and j > start
            joins = word.breaks or i == 0 or said[i - 1].text in _JOINING
            goes_on = joins or not new
            if (
                j < len(told)
                and goes_on
                and _is_same(
                    word, told[j], later=bool(speaker), behind=told[j - 1].text if j else ""
                )
                and rest(i + 1, j + 1)
            ):
                return True
            is_few = (
                word.text == "a" and i + 1 < len(said) and said[i + 1].text in ("few", "little")
            )
            if word.text in _PUT_IN and not is_few and rest(i + 1, j, skipped=skipped):
                return True
            if word.text in _JOINING and new and rest(i + 1, j):
                return True
            if (
                word.text in _BE
                and not new
                and self._is_what_it_is(said, i, j)
                and rest(i + 1, j, skipped=True)
            ):
                return True
            if j >= len(told):
                return any(k == len(said) for k in self._above(said, i)) and self._may_end(
                    j, denies=denies
                )
            if any(rest(k, j) for k in self._above(said, i)):
                return True
            if told[j].text in _LEFT_OUT and not new and rest(i, j + 1, skipped=skipped):
                return True
            if told[j].text in _HAVE and _next(told, j) == "been" and rest(i, j + 1):
                return True
            if any(rest(i + length, j + 1) for length in self._referring(said, i, j, speaker)):
                return True
            # One aside: behind a second one something else is spoken of.
            return not skipped and any(rest(i, k, skipped=True) for k in self._asides(j))

        return rest(0, start)

    def _above(self, said: Sequence[Word], i: int) -> Iterator[int]:
        """Behind words that stand above the place: "under the Northmark contract"."""
        if said[i].text not in _WHERE or (i and said[i - 1].text in _BE):
            return
        for k in range(i + 1, min(i + _LONGEST_NAME + 2, len(said) + 1)):
            word = said[k - 1].text
            if k > i + 1 and word not in _WHERE | _ARTICLES and not stems_of(word) <= self._titles:
                return
            if k > i + 1 and word not in _WHERE | _ARTICLES:
                yield k

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(terms(self._units[0].surroundings))

    def _asides(self, j: int) -> Iterator[int]:
        """Behind what stands between two commas or brackets, and says nothing that matters for the
        rest."""
        told = self._told
        if not told[j].breaks or told[j].begins:
            return
        for k in range(j + 1, min(j + _LONGEST_ASIDE, len(told)) + 1):
            word = told[k - 1].text
            if word in _CRITICAL or word in _REPORTING or word in _BE or word in _HAVE:
                return
            # A second verb is a second statement.
            if word.endswith(("ed", "ing")) or k == len(told) or told[k].begins:
                return
            if told[k].breaks:
                yield k
                return

    def _is_what_it_is(self, said: Sequence[Word], i: int, j: int) -> bool:
        """Whether "is" is put in before what stands in brackets or behind a comma: "Ann Ode, chair
        of the board"."""
        if j >= len(self._told) or not self._told[j].breaks or self._told[j].headed:
            return False
        if not all(word.is_name for word in said[:i]):
            return False
        k = i + 1 + (i + 1 < len(said) and said[i + 1].text in _ARTICLES)
        return k < len(said) and _is_same(said[k], self._told[j])

    def _may_end(self, j: int, *, denies: bool) -> bool:
        """Whether a sentence may end before a word: it ends there, or only says why. What is not so
        for one reason may be so for another."""
        told = self._told
        if j >= len(told) or told[j].begins:
            return True
        # Only the reason may be left out: anything else may take back what was said.
        return (
            not denies
            and told[j].text in _REASONS
            and told[j + 1 : j + 2] != ()
            and all(word.text not in _CONDITION for word in told[j:])
        )

    def _referring(self, said: Sequence[Word], i: int, j: int, speaker: str) -> Iterator[int]:
        """How many words of a statement stand for "we", "he" or "it"."""
        word = self._told[j].text
        if word not in _WE and word not in _I and word not in _THEY:
            return
        if said[i].text in _THEY and (word in _I or word in _WE):
            # Who it is was said before: "Byron has stopped, since she could not go on".
            if speaker or (i and any(one.text in _WE | _I for one in self._told[:j])):
                yield 1
            return
        if word in _WE and self._is_their_kind(said[i : i + 2]):
            yield 2
        start = i + (said[i].text == "the")
        length = 0
        while (
            start + length < len(said) and length < _LONGEST_NAME and said[start + length].is_name
        ):
            length += 1
            name = " ".join(one.written for one in said[start : start + length])
            if self._is_meant(re.sub(r"['’]s?$", "", name), word):
                yield start + length - i

    def _is_their_kind(self, said: Sequence[Word]) -> bool:
        """ "Our insurer has asked the club", in the papers of a club."""
        return (
            len(said) > 1
            and said[0].text == "the"
            and not said[1].is_name
            and is_named(said[1].text, self._known_as)
        )

    @cached_property
    def _known_as(self) -> frozenset[str]:
        """What those who say "we" are: what the paper and the bundle are called."""
        return frozenset((*self._home.names, *self._units[0].paper_terms))

    def _is_meant(self, name: str, word: str) -> bool:
        if word in _I:
            return _is_the_same(name, self._author or self._units[0].writer)
        if word in _WE:
            person = self._author or self._units[0].writer
            if person:
                return self._home.speaks_for(person, name)
            return is_named(name, self._home.names)
        return word in _SOMEBODY and self._is_alone_named(name, word)

    def _is_alone_named(self, name: str, word: str) -> bool:
        """Whether "he" can be nobody else: in its sentence and the one before nobody is named but
        one."""
        text = " ".join(one.text for one in self._units)
        pronoun = re.search(rf"\b{word}\b", text, re.IGNORECASE)
        before = f"{self._before} {text[: pronoun.start()] if pronoun else ''}"
        found = [one for one in _CAPITALS.findall(before) if not self._home.is_common(one)]
        named = [frozenset(terms(one)) - STOP_WORDS for one in found if not periods(one)]
        named = [one for one in named if one]
        owns = re.search(rf"{re.escape(name.rsplit(maxsplit=1)[-1])}['’]s\b", before)
        return bool(named) and not owns and all(is_named(name, one) for one in named)


def _opening_last(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """A sentence with the words on when and where that it begins with behind its first clause."""
    if not words or words[0].text not in _OPENS:
        return words
    goes_on = _WE | _I | _THEY
    end = next(
        (
            at
            for at, w in enumerate(words[1:], 1)
            if w.breaks or w.text in goes_on or (at > 1 and w.text in _ARTICLES)
        ),
        0,
    )
    if not end or any(word.begins for word in words[1:]):
        return words
    behind = next((at for at in range(end + 1, len(words)) if words[at].breaks), len(words))
    first, opening = words[end], replace(words[0], begins=False, breaks=False)
    core = (replace(first, begins=True, breaks=True), *words[end + 1 : behind])
    return (*core, opening, *words[1:end], *words[behind:])


def _is_the_same(name: str, person: str) -> bool:
    """Whether somebody is called so: by surname, or by all of their names."""
    own = [term for term in terms(name) if term not in TITLES]
    theirs = terms(person)
    return bool(own and theirs) and own[-1] in theirs and all(one in theirs for one in own)


def _is_same(said: Word, told: Word, *, later: bool = False, behind: str = "") -> bool:
    """Whether two words are one; `later`: what is told afterwards is told in the past; `behind` is
    the word before it: "a tenant" is not "tenants"."""
    one, other = said.text, told.text
    if told.asked:
        return False
    if one == other or (one == "the" and other in _OWNING):
        return True
    if later and ((one in _WAS and other in _IS) or (one == "had" and other in _HAVE)):
        return True
    if any(one in forms and other in forms for forms in (_IS, _WAS, _HAS, _DO)):
        return True
    if _TOLD_LATER.get(other) == one and (later or other in ("shall", "must")):
        return True
    if any(mark.isdigit() for mark in one + other) or min(len(one), len(other)) < _SHORT:
        return False
    if stems_of(one).isdisjoint(stems_of(other)) or _ending(one) != _ending(other):
        return False
    return behind not in _ARTICLES or one.rstrip("s") != other.rstrip("s")


def _ending(word: str) -> str:
    """What makes another word of a stem: who insures and who is insured."""
    return next(
        (end for end in ("er", "or", "ee", "ist", "ing", "ed", "ion") if word.endswith(end)), ""
    )


def _next(told: Sequence[Word], j: int) -> str:
    return told[j + 1].text if j + 1 < len(told) else ""


def _is_of_date(term: str) -> bool:
    return bool(periods(f"1 {term} 2020")) or term.isdigit()
