"""Up or down, before or after, done or skipped: words that state opposite things of the same.

A word is compared with the word of either side that stands nearest to the same neighbours in the
evidence: one sentence may well have both "rose" and "fell".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tipstaff.facts.periods import MONTH, outside_dates
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.bounds import in_plain_bounds
from tipstaff.verify.clauses import clauses
from tipstaff.verify.evidence_text import EvidenceText

_IS = ("is", "are", "was", "were")
_UP = (
    r"increas\w*|rose|rise[sn]?|rising|grew|grow[ns]?|growth|gain(?:s|ed)?|climb\w*|jump(?:s|ed)?|surg\w*|higher|above|"
    r"exceed\w*|more|over(?= [\d£$€])|greater|improv\w*|raise[sd]?|larger|bigger|longer|later|"
    r"(?:gone|went|goes?|going) up|"
    r"faster|at least|minimum|no fewer than|no less than|up from|up(?= (?:by|from|\d))|"
    + "|".join(rf"(?<={word} )up" for word in _IS)
)
_DOWN = (
    r"decreas\w*|fell|falls?|falling|fallen|slip(?:s|ped)?|dip(?:s|ped)?|declin\w*|drop(?:s|ped)?|lower(?:s|ed)?|below|under|"
    r"less|fewer|reduc\w*|shrank|shrink\w*|worsen\w*|cut|smaller|shorter|earlier|slower|"
    r"(?:gone|went|goes?|going) down|"
    r"at most|maximum|no more than|up to|at the latest|down(?= (?:by|from|\d))|"
    + "|".join(rf"(?<={word} )down" for word in _IS)
)
_INSIDE = (
    r"includ\w*|within(?! (?:\d|an?\b|one|two|three|four|five|six))|inside|in scope|"
    r"(?:falls?|comes?|counts?) under|subject to"
)
_PAIRS = (
    (_UP, _DOWN),
    (r"before|earlier|prior to|preced\w*|until", r"after|later|follow(?:s|ed|ing)?|since"),
    (r"vot\w+(?: [\w-]+ to [\w-]+)? for|in favou?r",
     r"vot\w+(?: [\w-]+ to [\w-]+)? against"),
    (r"before", r"during"),
    (r"approv\w*|accept\w*|agreed|granted", r"reject\w*|refus\w*|declin\w*|deferr\w*|postpon\w*"),
    (_INSIDE,
     r"exclud\w*|outside|out of scope|out of"),
    (r"profit|surplus", r"loss|deficit"),
    (r"above|exceed\w*|beat|surpass\w*|met|reach\w*|achiev\w*",
     r"miss(?:es|ed)?|fell short|falls? short|short of"),
    (r"pass(?:es|ed)?|succeed\w*|success\w*", r"fail\w*"),
    (r"widen\w*|lengthen\w*|extend\w*|loosen\w*|relax\w*",
     r"narrow\w*|shorten\w*|tighten\w*|restrict\w*|curtail\w*"),
    (r"continu\w*|went on|goes on|keeps?|kept|remain\w*|stays?|stands?",
     r"stop\w*|ceas\w*|halt\w*|withdrawn|ended"),
    (r"changes?|changed|alter\w*|var(?:y|ies|ied)", r"unchanged|same|stays?|constant"),
    (r"tried|tested|done|performed|carried out", r"skipped|omitted|not done|untested|missed"),
    (r"open(?:s|ed)?", r"clos(?:es?|ed)|shut"),
    (r"allow\w*|permit\w*", r"forbid\w*|forbade|prohibit\w*|ban(?:s|ned)?|exclud\w*"),
    (r"present|attended", r"absent|apologies"), (r"still", r"no longer|not any ?more"),
    (r"breaks?|broke|breach\w*|bursts?",
     r"(?:stays?|stayed|keeps?|kept|remains?) (?:below|under|within)"),
    (r"still (?:has|had|have)|kept", r"(?:is|are|was|were) gone|no longer (?:has|had|have)|lost"),
    (r"buys?|bought|purchas\w*", r"sells?|sold"),
    (r"always|all|every", r"never|none|no"),
    (r"complete", r"incomplete|partial"),
    (r"pays?|paid", r"unpaid|owed?|withh[eo]ld"),
    (r"enabled?|(?:switched|turned) on", r"disabled?|(?:switched|turned) off"),
    (r"true|yes", r"false|no"), (r"right|correct", r"wrong|incorrect|mistaken"),
    (r"better|best|strong\w*", r"worse|worst|weak\w*"),
    (r"won|wins?", r"lost|loses?"),
    (r"started|began|begun", r"ended|finish\w*|complet\w*|concluded"),
    (r"men|male|man", r"women|female|woman"),
    (r"tenant|lessee", r"landlord|lessor"),
    (r"buyer|purchaser", r"seller|vendor"),
    (r"employer", r"employee"), (r"lender|creditor", r"borrower|debtor"),
    (r"high", r"low"), (r"early", r"late"), (r"ahead", r"behind"), (r"long", r"short"),
    (r"old", r"new"), (r"major|serious", r"minor"), (r"easy|easier", r"hard|harder"),
    (r"cheap\w*", r"expensive|dear\w*"), (r"wet", r"dry"), (r"full", r"empty"),
    (r"public", r"private"), (r"mandatory|compulsory|required", r"optional|voluntary"),
    (r"temporary", r"permanent"), (r"safe", r"unsafe|dangerous"), (r"likely", r"unlikely"),
    (r"morning", r"evening|afternoon"), (r"north", r"south"), (r"east", r"west"),
    (r"first", r"last"), (r"odd", r"even"), (r"internal", r"external"),
    (r"local\w*", r"central\w*"),
)  # fmt: skip
COMPILED = tuple(
    tuple(re.compile(rf"\b(?:{side})\b", re.IGNORECASE) for side in pair) for pair in _PAIRS
)
# Sides that one word does not tell.
_OF_SEVERAL_WORDS = tuple(
    side for pair in COMPILED for side in pair if " " in side.pattern or "(?!" in side.pattern
)
_ANY_SIDE = re.compile("|".join(side for pair in _PAIRS for side in pair), re.IGNORECASE)
_RUN = re.compile(r"\w+")
# People on two sides of one matter.
_SIDES = frozenset(
    side
    for pair in COMPILED
    if any(pair[0].fullmatch(word) for word in ("men", "tenant", "buyer", "employer", "lender"))
    for side in pair
)
_COMPARISON = re.compile(
    r"\b(?:slower|faster|larger|bigger|smaller|higher|lower|longer|shorter|greater|fewer|more|less|"
    r"earlier|later)\b(?=[^.;]{0,40}\bthan\b)",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"\d[\d,.]*(?<![.,])|\b{MONTH}\b")
_ORDER = re.compile(r"\\b\(\?:(?:first|last)\)\\b")
_PIECES = re.compile(r"[,;]\s|\band\b|\n")
_THAN_FIGURE = re.compile(r"\b\w+ than [£$€]?\d[\d,.]*\d?", re.IGNORECASE)
CHANGE = re.compile(r"\b(?:change|growth|difference|variance|increase|versus|vs)\b", re.IGNORECASE)
# Of the words of a side, those that say that something moves.
MOVES = re.compile(
    r"\b(?:increas|rose|rise|rising|grew|grow|gain|climb|decreas|f[ae]ll|declin|drop|reduc|shr[ai]nk)",
    re.IGNORECASE,
)
# What is moved, asked for or planned is not said to be so.
_PROPOSED = re.compile(
    r"\b(motions?|proposals?|requests?|applications?|appeals?|attempts?|bids?|calls?|petitions?|"
    r"moves?) to \w+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[.,'’_-][^\W_]+)*")
# So many words away a word still says what a direction is of.
_REACH = 5


@dataclass(frozen=True, slots=True)
class _Place:
    """A word of a side with the telling words around it."""

    around: dict[str, int]
    same: bool


def opposed(statement: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a statement has a word of one side where the evidence has the other's. What is
    denied is compared as a denial and not here."""
    statement = in_plain_bounds(_PROPOSED.sub(lambda found: found[1], statement))
    affirmed = " ; ".join(one.text for one in clauses(statement) if not one.denied)
    if not affirmed:
        return False
    rows = [one for one in evidence if one.is_row]
    heads = "; ".join(head for one in rows for head, _ in one.cells)
    told = "\n".join(one.affirmed for one in evidence)
    sides = [
        # A row that has a column for either has them both: which is which, its cells say.
        (mine, theirs)
        for mine, theirs in _sides_of(affirmed)
        if not (mine.search(heads) and theirs.search(heads))
        # Who says which is included and which excluded has them both, too.
        and not (theirs.search(affirmed) and mine.search(told) and not _moves(mine, affirmed))
        and not _is_that_one(affirmed, mine, theirs, told)
    ]
    if len(rows) == len(evidence) and _ended_otherwise(sides, rows):
        return True
    return _opposed(affirmed, sides, [in_plain_bounds(one.affirmed) for one in evidence]) and (
        not rows
        or _opposed(
            affirmed, sides, [in_plain_bounds(_told_of(statement, one)) for one in evidence]
        )
    )


def _is_that_one(statement: str, mine: re.Pattern[str], theirs: re.Pattern[str], told: str) -> bool:
    """Whether the figures of a statement stand with its own side: "the first six by 30 September,
    the last six by 30 April"."""
    stated = set(_FIGURE.findall(statement))
    return bool(stated and _ORDER.fullmatch(mine.pattern)) and any(
        mine.search(piece) and not theirs.search(piece) and stated <= set(_FIGURE.findall(piece))
        for piece in _PIECES.split(told)
    )


def _moves(side: re.Pattern[str], text: str) -> bool:
    found = side.search(text)
    return found is not None and bool(MOVES.search(found.group()))


def _told_of(statement: str, one: EvidenceText) -> str:
    """What a unit says; of a row the cells that have the statement's figures, if any has: "stop
    below: 5; min temperature: 10" says nothing else of the minimum."""
    stated = {figure.value for figure in quantities(statement)}
    having = [
        f"{head}: {words}"
        for head, words in one.cells
        if any(figure.value in stated for figure in quantities(words))
    ]
    return "; ".join(having) or one.affirmed


def _ended_otherwise(
    sides: Sequence[tuple[re.Pattern[str], re.Pattern[str]]], rows: Sequence[EvidenceText]
) -> bool:
    """Whether each row's own result is the other side's: "failed", and "Result: passed"."""
    return any(
        all(
            any(theirs.search(words) for words in row.states) and not mine.search(row.affirmed)
            for row in rows
        )
        for mine, theirs in sides
    )


def compares_unsaid(statement: str, evidence: str) -> bool:
    """Whether a statement finds something slower or larger than another thing, and the evidence
    has no such word: who compares figures infers, unless both figures are stated."""
    statement = _said_too(in_plain_bounds(statement), in_plain_bounds(evidence))
    stated = outside_dates(quantities(statement), statement)
    compared = _COMPARISON.search(statement)
    if compared and len(stated) == 2 and stated[0].measure is stated[1].measure:
        first, second = stated
        if first.end <= compared.start() <= second.start:
            return (first.value > second.value) != bool(COMPILED[0][0].search(compared.group()))
    if compared and stated and CHANGE.search(evidence):
        # The figure itself is the difference, and its sign is compared with it.
        between = statement[stated[-1].end : compared.start()].strip()
        if not between and COMPILED[0][0].search(compared.group()):
            return False
    return any(
        not any(side.search(word) and side.search(evidence) for side in COMPILED[0])
        for word in _COMPARISON.findall(statement)
    )


def _said_too(statement: str, evidence: str) -> str:
    """A statement without the comparisons with a figure that the evidence has in the same words."""
    known = {match.group().lower() for match in _THAN_FIGURE.finditer(evidence)}
    return _THAN_FIGURE.sub(
        lambda match: " " if match.group().lower() in known else match.group(), statement
    )


def _opposed(
    statement: str,
    sides: Sequence[tuple[re.Pattern[str], re.Pattern[str]]],
    evidence: Sequence[str],
) -> bool:
    for mine, theirs in sides:
        if not any(theirs.search(text) for text in evidence):
            continue
        known = [
            place
            for text in evidence
            for pattern, same in ((mine, True), (theirs, False))
            for place in _places(text, pattern, same=same)
        ]
        if any(_contradicts(place, known) for place in _places(statement, mine, same=True)):
            return True
    return False


@lru_cache(maxsize=1024)
def _sides_of(statement: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """The sides that a statement takes, each with the one against it. Who speaks of men and of
    women does not take one for the other."""
    taken = {side for side in _OF_SEVERAL_WORDS if side.search(statement)}
    taken = taken.union(*map(_sides_with, set(_RUN.findall(statement))))
    return tuple(
        (mine, theirs)
        for one, other in COMPILED
        for mine, theirs in ((one, other), (other, one))
        if mine in taken and not (mine in _SIDES and theirs in taken)
    )


@lru_cache(maxsize=8192)
def _sides_with(word: str) -> frozenset[re.Pattern[str]]:
    if _ANY_SIDE.fullmatch(word) is None:
        return frozenset()
    return frozenset(side for pair in COMPILED for side in pair if side.fullmatch(word))


def same_side(word: str, evidence: str) -> bool:
    """Whether the evidence has a word of the side that this word is of: rose, and an increase."""
    return any(side.fullmatch(word) and side.search(evidence) for pair in COMPILED for side in pair)


def _contradicts(said: _Place, known: Sequence[_Place]) -> bool:
    best = {True: 0.0, False: 0.0}
    for place in known:
        shared = said.around.keys() & place.around.keys()
        near = sum(1 / (1 + abs(said.around[term] - place.around[term])) for term in shared)
        best[place.same] = max(best[place.same], near)
    return best[False] > best[True]


def _places(text: str, pattern: re.Pattern[str], *, same: bool) -> Iterator[_Place]:
    words = [(match.start(), match.group()) for match in _WORD.finditer(text)]
    for match in pattern.finditer(text):
        at = sum(start < match.start() for start, _ in words)
        count = len(match.group().split())
        around: dict[str, int] = {}
        for distance in range(-_REACH, _REACH + count):
            place = at + distance
            if 0 <= place < len(words) and not 0 <= distance < count:
                for term in terms(words[place][1]):
                    if term not in STOP_WORDS:
                        around.setdefault(term, distance)
        yield _Place(around, same)
