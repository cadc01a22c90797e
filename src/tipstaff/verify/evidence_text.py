"""A unit of evidence as statements are held against it; what is read out of it is kept, since a
unit is looked at for many statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from tipstaff.facts.number_words import ordinal_word
from tipstaff.facts.periods import calendar_days, outside_dates, periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause, clauses

_COUNTED = re.compile(
    r"(?:week|day|month|year|quarter|round|phase|stage|step|visit|cycle|period)s?(?: no\.?)?",
    re.IGNORECASE,
)
_MONTH_AND_DAY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_STATE = re.compile(
    r"\W*(?:(?:current|present|latest) )?(?:state|status|result|outcome|done|progress)"
    r"(?: (?:on|at|as (?:of|at)|by|in)\b[^:;|]{1,30})?\W*",
    re.IGNORECASE,
)

_ACRONYMS = re.compile(r"\b([A-Z]{2,5})s\b")
_PER_CENT = re.compile(r"\bper cent\b", re.IGNORECASE)
_TWO_FACTORS = re.compile(r"(?<![a-z])2fa(?![a-z])", re.IGNORECASE)
_LANGUAGE = re.compile(r"lang", re.IGNORECASE)
_CODE = re.compile(r"\b[a-z]{2}\b")
_LANGUAGES = {
    "en": "english", "fr": "french", "de": "german", "es": "spanish", "it": "italian",
    "pt": "portuguese", "nl": "dutch", "pl": "polish", "ru": "russian", "uk": "ukrainian",
    "cs": "czech", "da": "danish", "sv": "swedish", "no": "norwegian", "fi": "finnish",
    "hu": "hungarian", "ro": "romanian", "el": "greek", "tr": "turkish", "ar": "arabic",
    "zh": "chinese", "ja": "japanese", "ko": "korean",
}  # fmt: skip
_NOUGHT = re.compile(r"(?<![\w.,:-])0(?![\w.,:-]*\d)")
_NONE = re.compile(r"\s*[£$€]?0(?:\.0+)?(?: \w+)?\s*|")
_DONE = re.compile(r"\b(?:[a-z]{2,}ed|paid|sold|spent|sent|built|met|held)\b", re.IGNORECASE)
# `cafe: false` says that there is none.
_SWITCHED_OFF = re.compile(r"\s*(?:false|off|disabled|null)\s*", re.IGNORECASE)


@dataclass(frozen=True)
class EvidenceText:
    """`surroundings` belong to it: headings, header cells, title, speaker. `author` says it and
    `writer` wrote the whole item; `cells` are a row's header and words; units of one `block` are
    of one paragraph, `before` are those before it there, and `nearby` the words just before and
    behind it: they tell what it speaks of. `paper` is how the item is called, opened and signed:
    who speaks in it, and as what. `synthesis` is the sender's reading and not the context itself;
    `ordered` is part of an order to machines that began before it. `literal` are its very words,
    where `text` has names in the place of initials."""

    text: str
    surroundings: str = ""
    author: str = ""
    writer: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    block: int | None = None
    nearby: str = field(default="", repr=False)
    paper: str = field(default="", repr=False)
    synthesis: bool = False
    ordered: bool = False
    before: str = field(default="", repr=False)
    literal: str = field(default="", repr=False)

    @property
    def verbatim(self) -> str:
        """What a quotation of it is held against."""
        return self.literal or self.text

    @property
    def is_row(self) -> bool:
        return bool(self.cells)

    @cached_property
    def whole(self) -> str:
        return f"{self.surroundings}\n{self.text}" if self.surroundings else self.text

    @cached_property
    def _in_order(self) -> tuple[str, ...]:
        return tuple(terms(_PER_CENT.sub("percent", singular_acronyms(self.text))))

    @cached_property
    def own_terms(self) -> frozenset[str]:
        return frozenset(self._in_order)

    @cached_property
    def terms(self) -> frozenset[str]:
        return self.own_terms | frozenset(terms(self.surroundings)) | self._in_words

    @cached_property
    def _in_words(self) -> frozenset[str]:
        """ "Week: 10" is the tenth week, and 0 is zero."""
        zero = terms("zero") if _NOUGHT.search(self.text) else ()
        factors = terms("two-factor authentication") if _TWO_FACTORS.search(self.text) else ()
        return frozenset((*zero, *factors, *self._languages, *terms(self.literal))) | frozenset(
            term
            for head, words in self.cells
            if words.isdigit() and _COUNTED.fullmatch(head)
            for term in terms(ordinal_word(int(words)))
        )

    @property
    def _languages(self) -> Iterator[str]:
        """ "languages: [en, fr]" are English and French."""
        return (
            term
            for head, words in self.cells
            if _LANGUAGE.search(head)
            for code in _CODE.findall(words)
            if code in _LANGUAGES
            for term in terms(_LANGUAGES[code])
        )

    @cached_property
    def sequence(self) -> tuple[str, ...]:
        """Its telling words in their order."""
        return tuple(term for term in self._in_order if term not in STOP_WORDS)

    @cached_property
    def nearby_terms(self) -> frozenset[str]:
        return frozenset(terms(f"{self.nearby} {self.author or self.writer}"))

    @cached_property
    def paper_terms(self) -> frozenset[str]:
        return frozenset(terms(self.paper))

    @cached_property
    def people_terms(self) -> frozenset[str]:
        """What names are looked for in: with the writer, where nobody else is said to speak."""
        return self.terms | self.named_terms

    @cached_property
    def named_terms(self) -> frozenset[str]:
        """Its own words and those for who says them, without its headings."""
        writer = "" if self.author else self.writer
        people = f"{self.author} {writer} {_named_by_handle(self.author)}"
        return self.own_terms | frozenset(terms(people))

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        """Figures that are no part of a date."""
        above = outside_dates(quantities(self.surroundings), self.surroundings)
        head = len(self.whole) - len(self.text)
        return (
            # "Draft 2" at its head is no number of anything.
            *(one for one in above if not _is_bare(one)),
            *(replace(one, start=one.start + head, end=one.end + head) for one in self.own_figures),
        )

    @cached_property
    def digits(self) -> frozenset[str]:
        """Of each figure the digits, without noughts at either end."""
        return frozenset(map(digits_of, self.figures))

    @cached_property
    def own_figures(self) -> tuple[Quantity, ...]:
        return tuple(outside_dates(quantities(self.text), self.text))

    @cached_property
    def times(self) -> frozenset[str]:
        # "Phase: 3" is phase 3.
        columns = (periods(f"{head} {words}").union(_day_of(words)) for head, words in self.cells)
        # What stands above is read once for all that stands below it.
        return periods(self.surroundings).union(periods(self.text), *columns)

    @cached_property
    def own_days(self) -> frozenset[tuple[str, str]]:
        return calendar_days(self.text)

    @cached_property
    def days(self) -> frozenset[tuple[str, str]]:
        """Days with their months; those of what stands above it, too."""
        cells = frozenset(pair for _, words in self.cells if (pair := _day_of(words)))
        return self.own_days | calendar_days(self.surroundings) | cells

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        if not self.is_row:
            return clauses(self.text)
        # A cell belongs to its header and to nothing else: "Own laboratory: No".
        return tuple(one for head, words in self.cells for one in _cell(head, words))

    @cached_property
    def states(self) -> tuple[str, ...]:
        return tuple(words for head, words in self.cells if _STATE.fullmatch(head))

    @cached_property
    def state_clauses(self) -> tuple[Clause, ...]:
        """What the cell of its state says holds for the whole row: "Rollback tested: Not done"."""
        return tuple(
            one
            for head, words in self.cells
            if _STATE.fullmatch(head)
            for one in _cell(head, words)
        )

    @cached_property
    def cell_terms(self) -> frozenset[str]:
        """What is in a row's cells, without the headers that it shares with every other row."""
        return frozenset(term for _, words in self.cells for term in terms(words))

    @cached_property
    def affirmed(self) -> str:
        """Its words; of a row without the cells that say "none of it": "paid: 0" is not paid."""
        if not self.is_row:
            return self.text
        return "; ".join(
            f"{head}: {words}" for head, words in self.cells if not _NONE.fullmatch(words)
        )

    @cached_property
    def heading_clauses(self) -> tuple[Clause, ...]:
        return clauses(self.surroundings)


def digits_of(figure: Quantity) -> str:
    return f"{figure.value:f}".replace(".", "").replace("-", "").strip("0")


def singular_acronyms(text: str) -> str:
    """ECGs are so many of what is called ECG."""
    return _ACRONYMS.sub(lambda found: found[1], text)


def _day_of(cell: str) -> tuple[str, str] | tuple[()]:
    """A cell that is a month and a day: `from: "04-15"`."""
    match = _MONTH_AND_DAY.fullmatch(cell.strip(" \"'"))
    return (f"d{match[2]}", f"m{match[1]}") if match else ()


def _is_bare(figure: Quantity) -> bool:
    return figure.measure is Measure.NUMBER and figure.digits == 1


def _named_by_handle(author: str) -> str:
    """The surname in a handle that is made of an initial and a surname: wpryce."""
    return author[1:] if author.isalpha() and author.islower() else ""


def _is_none(head: str, words: str) -> bool:
    """ "Paid: £0.00" is not paid."""
    return bool(words.strip() and _NONE.fullmatch(words) and _DONE.search(head))


def _cell(head: str, words: str) -> tuple[Clause, ...]:
    said = clauses(words)
    if len(said) != 1:
        return said
    (only,) = said
    return (
        replace(
            only,
            text=f"{head}: {words}",
            terms=only.terms | frozenset(terms(head)),
            denied=only.denied or bool(_SWITCHED_OFF.fullmatch(words)) or _is_none(head, words),
        ),
    )
