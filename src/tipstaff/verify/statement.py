"""A drafted statement with all that is read out of it once: what it quotes, counts, dates, names
and denies, and the words that it stands or falls with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

from tipstaff.facts.names import names
from tipstaff.facts.number_words import NUMBER_WORDS, ORDINAL_WORDS, spelled_value
from tipstaff.facts.periods import outside_dates, periods
from tipstaff.facts.quantities import Measure, Quantity, quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import DENIAL, LACK, Clause, clauses
from tipstaff.verify.durations import joined
from tipstaff.verify.evidence_text import singular_acronyms
from tipstaff.verify.measures import is_unit, unit_behind, unit_terms

_QUOTATION = re.compile(r"[“\"]([^“”\"]{2,})[”\"]")
_MIN_QUOTED_WORDS = 3
# Words that hedge, introduce or connect, and state nothing (TIP §3.6); verbs that only join a
# thing to its figure.
STRUCTURE = frozenset(
    terms(
        "according states state stated says said notes noted context document documents item items "
        "suggests suggest appears indicates indicate therefore however furthermore moreover while "
        "although additionally also overall respectively approximately about around roughly based "
        "specifically both include includes including figure value namely per given shows reported "
        "reports explicitly directly described describes mentions mentioned section table "
        "come comes came amount amounts amounted stand stands stood total totals totalled equal "
        "equals make makes made put puts become becomes became remain remains get gets got have "
        "having take takes took taken place currently originally nearly almost just only still "
        "already yet alone well too within upon via such one who whose them themselves that "
        "ask asks asked argue argued explain explained reply replied complain complained point "
        "pointed write wrote remark remarked add added think thinks thought call called "
        "because since if so then there here thing things kind sort way case fact"
    )
)
_TIME_WORDS = frozenset(
    terms(
        "quarter first second third fourth year month week day hour minute january february march "
        "april may june july august september october november december monday tuesday wednesday "
        "thursday friday saturday sunday percent million thousand billion dollars euros pounds "
        "weekend pm o'clock clock noon midnight"
    )
)
_SMALL = "two three four five six seven eight nine ten eleven twelve half twice once dozen"
_NUMBER_WORDS = frozenset(terms(_SMALL))
# Codes that are no words and no figures: 014-011, 2.13.4, negative_ttl, AE-014.
_CODE = re.compile(
    r"(?<![\w-])(?:\d{2,}-\d{2,}|\d+\.\d+\.\d+(?:\.\d+)*|[A-Za-z]\w*_\w+|[A-Z]{1,6}\d*-\d+(?:-\d+)*)(?![\w-])"
    r"(?!\s*(?:%|percent))"
)
# "6.30 pm" is a time.
_DECIMAL = re.compile(r"(?<![\w.,:-])\d+\.\d+(?![\w:-]|\.\d|\s?[ap]\.?m\b)")
_WEEKDAY = re.compile(r"\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?\b")
_DIRECTION = re.compile(
    r"\b(?:rose|rises?|risen|grew|grows?|grown|increased?|increases|gained|climbed|up|fell|falls?|"
    r"fallen|declined?|declines|dropped|decreased?|reduced|down|exceeded|exceeds)\b",
    re.IGNORECASE,
)
_ANSWERING = re.compile(r"^(?:yes|no)\s*[,:;–—-]\s+", re.IGNORECASE)
# "Not for that alone: a single late notice is no ground": what stands before is in what follows.
_LEAD = re.compile(
    r"^(?:(?:yes|no)\b[,:]? ?)?(?:not|only)\b(?P<lead>[^:;.!?\d]{2,70}): (?=\S)", re.I
)
_LED = frozenset(
    terms("alone entirely fully quite yet latest date given simply exactly necessarily always "
          "ever case cases condition conditions longer")
)  # fmt: skip
_IT_WAS = re.compile(r"^it (?:was|is) (?P<who>[A-ZÀ-Þ][^,;:]{1,50}?) who (?=[a-z])", re.IGNORECASE)
_LABEL = re.compile(r"^\W*\*\*[^*\n]{1,60}?:?\*\*:?\s*(?=\S)")
_MARKUP = re.compile(
    r"^(?:\s*(?:[-*•+]|\d+[.)]|#+|>)\s+)+|\*\*|__|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)"
)
_CLOCK_WORDS = re.compile(
    rf"\b(half|quarter) (past|to) ({NUMBER_WORDS}|1?\d)\b"
    r"(?: in the (morning|afternoon|evening))?",
    re.IGNORECASE,
)
_AT = re.compile(r"\b(?:at|in|on|near|from|to)(?: the)? $")
_NOON = 12
_ASKED = re.compile(r"\b(?:wanted|wished|was curious) to know\b", re.IGNORECASE)
# In "the first week 84 crossings" 84 is no week.
_NTH = re.compile(
    rf"\b(?:{ORDINAL_WORDS}) (?:week|day|month|year|phase|stage|round)(?= \d)", re.IGNORECASE
)
_PER_CENT = re.compile(r"\bper cent\b", re.IGNORECASE)
_HALF_DAY = re.compile(r"\b([ap])\.\s?m\b\.?(?!\w)", re.IGNORECASE)
_OF_HEAT = frozenset(("Celsius", "Fahrenheit", "Centigrade"))
_NUMBER = re.compile(NUMBER_WORDS, re.IGNORECASE)
_IN_ORDER = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b")
_YEAR_DIGITS = 4
_ROUGH = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|some|close|just|slightly|little|half|"
    r"quarters?|fifths?)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"[A-ZÀ-Þ][\w’'-]*")


class Statement:
    """`opening` is the word that a capital makes look like a name because it comes first."""

    def __init__(self, text: str) -> None:
        bare = without_markup(text)
        self.text = _in_digits(bare)
        self._spoken = periods(" ".join(_spoken(bare)))
        # As they are written: "per cent" is compared as a word of its source.
        quoted = _QUOTATION.findall(bare)
        self.quotes = [quote for quote in quoted if _is_quotation(quote)]
        self.quoted_words = [quote for quote in quoted if not _is_quotation(quote)]
        self.plain = _QUOTATION.sub(" ", self.text) if self.quotes else self.text
        self.figures = joined(outside_dates(quantities(self.plain), self.plain), self.plain)
        coded = [match.span() for match in _CODE.finditer(self.plain)]
        self.figures = [
            one
            for one in self.figures
            if not _is_year(one) and not any(start <= one.start < end for start, end in coded)
        ]
        self.times = periods(self.plain)
        # The C of °C is nobody's name.
        every = names(self.plain)
        named = [
            name
            for name in every
            if not _is_calendar(name)
            and not _NUMBER.fullmatch(name)
            and f"°{name}" not in self.plain
            and not (name in _OF_HEAT and self.figures)
            and not self._measures(name)
            and not any(name in figure.text for figure in self.figures)
        ]
        self.opening = next((name for name in named[:1] if self._opens_with(name)), "")
        self.weekdays = frozenset(day.lower() for day in _WEEKDAY.findall(self.plain))
        self.names = [name for name in named if name != self.opening]
        self.codes = [code.lower() for code in _CODE.findall(self.plain)]
        self.codes += _versions(self.plain, self.figures)
        units = [name for name in every if self._measures(name) or f"°{name}" in self.plain]
        known = {term for name in (*self.names, *self.codes, *units) for term in terms(name)}
        if self.figures:
            known |= unit_terms()
            if any(one.value < 0 for one in self.figures):
                known |= {"minus"}
            known |= {term for one in self.figures for term in unit_behind(self.plain, one.end)}
            # "Forty" is compared as 40.
            known |= {
                term
                for one in self.figures
                if one.text.replace(" ", "").replace("-", "").isalpha()
                for term in terms(one.text)
            }
            known |= {"h", "hr", "min"}
        self.words = [word for word in _telling(self.plain) if word not in known]
        self.directions = _DIRECTION.findall(self.plain)

    def _measures(self, name: str) -> bool:
        """Whether a name is the unit of a figure: 3.2 MWh."""
        return is_unit(name) and (
            any(self.plain.startswith(name, figure.end + 1) for figure in self.figures)
            or f"per {name}" in self.plain
        )

    def _opens_with(self, name: str) -> bool:
        first = _CAPITAL.search(self.text)
        starts = first is not None and not re.search(r"\w", self.text[: first.start()])
        return starts and first is not None and first.group() == name and not name.isupper()

    def unclear_hours(self, known: frozenset[str]) -> frozenset[str]:
        """ "Half past six" is 18:30 where that is known: nobody said that it is in the morning."""
        return frozenset(
            mark
            for mark in self.times & self._spoken
            if f"t{int(mark[1:3]) + 12:02}{mark[3:]}" in known
        )

    @cached_property
    def places(self) -> list[str]:
        """Names that something is said to be at, or to come to."""
        return [name for name in self.names if any(map(_AT.search, self.plain.split(name)[:-1]))]

    @cached_property
    def ordinals(self) -> list[int]:
        """Which of several is meant, where it is written in digits and is no day: the 2nd and the
        3rd."""
        return [
            int(match[1])
            for match in _IN_ORDER.finditer(self.plain)
            if f"d{int(match[1]):02}" not in self.times
        ]

    @cached_property
    def denies(self) -> bool:
        return bool(DENIAL.search(self.plain))

    @cached_property
    def lacks(self) -> bool:
        return bool(LACK.search(self.plain))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return clauses(self.plain)

    @cached_property
    def is_rough(self) -> bool:
        """Whether it says that some figure is not exact."""
        return bool(_ROUGH.search(self.plain))

    def figures_in(self, clause: Clause) -> list[Quantity]:
        return [one for one in self.figures if clause.start <= one.start < clause.end]


@lru_cache(maxsize=256)
def read_statement(text: str) -> Statement:
    """Read once, though it is held against many passages."""
    return Statement(text)


def without_markup(text: str) -> str:
    """Without bullets, emphasis and the "Yes, " before an answer; a bold label is a phrase."""
    if label := _LABEL.match(text):
        words = label.group().strip(" *-:•+\t")
        if words[1:2].islower():
            words = words[0].lower() + words[1:]
        text = f"{words}: {text[label.end() :]}"
    text = _MARKUP.sub("", text).strip()
    if (lead := _LEAD.match(text)) and _is_led(lead["lead"], text[lead.end() :]):
        text = text[lead.end() :]
    return _IT_WAS.sub(lambda was: f"{was['who']} ", _ANSWERING.sub("", text).strip())


def _is_led(lead: str, rest: str) -> bool:
    """Whether what stands before a colon only says in short what stands behind it."""
    known = frozenset(terms(rest)) | STOP_WORDS | STRUCTURE | _LED
    return known.issuperset(terms(lead))


def _in_digits(text: str) -> str:
    """ "Half past eight in the evening" as it is written in a table."""
    text = _HALF_DAY.sub(
        lambda half: f"{half[1]}m", _PER_CENT.sub("percent", singular_acronyms(text))
    )
    text = _NTH.sub(lambda nth: f"{nth[0]},", _ASKED.sub("asked", text))
    return _CLOCK_WORDS.sub(_clock, text)


def _spoken(text: str) -> Iterator[str]:
    """Times of day in words that do not say which half of the day is meant."""
    for match in _CLOCK_WORDS.finditer(text):
        clock = _clock(match)
        if not match[4] and int(clock[:2]) < _NOON:
            yield clock


def _clock(match: re.Match[str]) -> str:
    hour = int(match[3]) if match[3].isdigit() else int(spelled_value(match[3].lower()))
    minutes = (30 if match[1].lower() == "half" else 15) * (1 if match[2].lower() == "past" else -1)
    late = (match[4] or "").lower() in ("afternoon", "evening") and hour < 12
    hour, minutes = divmod((hour + 12 * late) * 60 + minutes, 60)
    return f"{hour % 24:02}:{minutes:02}"


def telling_in(clause: Clause) -> frozenset[str]:
    """The words of a clause that tell one thing from another: names and codes among them."""
    return frozenset(
        term
        for term in clause.terms
        if term not in STOP_WORDS
        and term not in STRUCTURE
        and term not in _TIME_WORDS
        and not term.isdigit()
    )


def _versions(text: str, figures: list[Quantity]) -> list[str]:
    """Decimals that are no quantity: release 2.11."""
    read = [(one.start, one.end) for one in figures]
    return [
        match.group()
        for match in _DECIMAL.finditer(text)
        if not any(start <= match.start() < end for start, end in read)
    ]


def _is_quotation(words: str) -> bool:
    return len(words.split()) >= _MIN_QUOTED_WORDS


def _is_year(figure: Quantity) -> bool:
    """Years are compared as times."""
    written = len(figure.text) == _YEAR_DIGITS and figure.text.isdigit()
    return figure.measure is Measure.NUMBER and written and 1900 <= figure.value <= 2100


def _is_calendar(name: str) -> bool:
    return all(term in _TIME_WORDS or term.isdigit() for term in terms(name))


def _telling(statement: str) -> list[str]:
    """The words that a statement stands or falls with; figures are compared as figures."""
    return [
        term
        for term in dict.fromkeys(terms(statement))
        if term not in STOP_WORDS
        and term not in STRUCTURE
        and term not in _TIME_WORDS
        and term not in _NUMBER_WORDS
        and not _NUMBER.fullmatch(term)
        and not any(mark.isdigit() for mark in term)
        and not any(mark in "-_./:" for mark in term)
    ]
