"""Two figures of one statement that change places: each stands at the cited place, with the words
that belong to the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

from tipstaff.facts.quantities import Measure, Quantity
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.clauses import Clause
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.figures import same_measure
from tipstaff.verify.statement import Statement
from tipstaff.verify.synonyms import is_known

# Figures that come in the order of the cited words are likely to be in their places.
_IN_ORDER = 3
_PERCENT = r"(?P<figure>\d+(?:\.\d+)?) ?(?:%|per ?cent)"
_ANY_SHARE = re.compile(_PERCENT, re.I)
_IS_SHARE = re.compile(
    rf"(?P<what>[^,;.]{{3,60}}?) (?:is|was|are|were|comes? to|came to|amounts? to) {_PERCENT}", re.I
)
_SHARE_TOLD = re.compile(rf"(?P<what>\b[a-z][\w-]+) of {_PERCENT}", re.I)
_BARE_PAIR = re.compile(r" and (?:of )?(?:[A-Z]{3} |[£$€])?")
_BETWEEN = re.compile(r"\b(?:between|from|either|both|first|sum of|difference of)\b", re.I)
_ENDS = re.compile(r"[.;]?\s*$|, respectively|[.;] ")
_Placed = tuple[Quantity, frozenset[str]]


def are_swapped(statement: Statement, unit: EvidenceText) -> bool:
    """Whether two figures fit the words around each other in this unit better than those around
    themselves. Small words count: "from 180 to 216" is a matter of them."""
    if len(statement.figures) < 2 or len(unit.own_figures) < 2:
        return False
    said = _placed(statement.plain, statement.figures, statement.clauses)
    known = _placed(unit.text, unit.own_figures, unit.clauses)
    return any(
        _cross(one, other, known)
        for one, other in combinations(said, 2)
        if same_measure(one[0], other[0]) and one[0].value != other[0].value
    )


def are_exchanged(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether two figures stand in two units, each with the words of the other: "a front pipe costs
    £6,000 and a whole stop £750" of a list that has them the other way round."""
    if len(statement.figures) < 2 or len(units) < 2:
        return False
    said = _placed(statement.plain, statement.figures, statement.clauses)
    for one, other in combinations(said, 2):
        if not same_measure(one[0], other[0]) or one[0].value == other[0].value:
            continue
        # Nine boats and 835 tonnes are no rivals; "carried 7 to 5" and "carried 8 to 4" are.
        if one[0].measure is Measure.NUMBER and one[1].isdisjoint(other[1] - STOP_WORDS):
            continue
        mine, theirs = _holding(one[0], units), _holding(other[0], units)
        if len(mine) != 1 or len(theirs) != 1 or mine[0] is theirs[0]:
            continue
        (own,), (others,) = mine, theirs
        kept = _shared(one, own) + _shared(other, others)
        if _shared(one, others) + _shared(other, own) > kept:
            return True
    return False


def is_one_of_bare_pair(statement: Statement, unit: EvidenceText) -> bool:
    """Whether a sentence has two figures that it does not tell apart, and a statement takes one of
    them for something: "the rates were £4.20 and £4.95" says not whose is which."""
    stated = {figure.value for figure in statement.figures}
    for one, other in pairwise(unit.own_figures):
        if one.measure is not other.measure or one.measure is Measure.NUMBER:
            continue
        if not _BARE_PAIR.fullmatch(unit.text, one.end, other.start):
            continue
        # "For Ada and Max they are £4 and £5": in this order.
        if (
            " and " in unit.text[: one.start]
            or _BETWEEN.search(unit.text[: one.start])
            or not _ENDS.match(unit.text, other.end)
        ):
            continue
        if len({one.value, other.value} & stated) == 1:
            return True
    return False


def _holding(figure: Quantity, units: Sequence[EvidenceText]) -> list[EvidenceText]:
    return [one for one in units if any(own.value == figure.value for own in one.own_figures)]


def _shared(placed: _Placed, unit: EvidenceText) -> int:
    """What its paragraph says before it tells, too, of what a figure is: "Safety. Carried, 7 to
    5"."""
    known = unit.own_terms.union(terms(unit.before))
    return len((placed[1] & known) - STOP_WORDS)


def is_share_of_other(statement: Statement, units: Sequence[EvidenceText]) -> bool:
    """Whether something is said to be so many percent that something else is there: that the base
    cost is 12 percent, where there is "a contingency of 12 percent"."""
    if not _ANY_SHARE.search(statement.plain):
        return False
    for said in _IS_SHARE.finditer(statement.plain):
        own = frozenset(terms(said["what"])) - STOP_WORDS
        told = [
            frozenset(terms(one.text[: match.end("what")]))
            for one in units
            if not one.is_row
            for match in _SHARE_TOLD.finditer(one.text)
            if match["figure"] == said["figure"]
        ]
        if own and told and not any(is_known(word, words) for words in told for word in own):
            return True
    return False


def is_of_other_pair(statement: Statement, unit: EvidenceText) -> bool:
    """Whether two figures that go together are of two pairs there: 15 and $4.5 million, and "go to
    15 ($4.4 million), or go to 18 ($4.5 million)"."""
    if len(statement.figures) != 2:
        return False
    key, value = statement.figures
    if key.measure is not Measure.NUMBER or value.measure is key.measure:
        return False
    told = [
        [one for one in unit.own_figures if clause.start <= one.start < clause.end]
        for clause in unit.clauses
    ]
    with_key = [own for own in told if any(one.value == key.value for one in own)]
    with_value = [own for own in told if any(one.value == value.value for one in own)]
    if any(own in with_value for own in with_key):
        return False
    return any(one.measure is value.measure for own in with_key for one in own) and any(
        one.measure is key.measure for own in with_value for one in own
    )


def _cross(one: _Placed, other: _Placed, known: Sequence[_Placed]) -> bool:
    mine = [place for place in known if place[0].value == one[0].value]
    theirs = [place for place in known if place[0].value == other[0].value]
    if len(mine) != 1 or len(theirs) != 1:
        return False
    (first, own), (second, others) = mine[0], theirs[0]
    if _are_of_each_other(one[1], other[1], own, others):
        return True
    kept = len(one[1] & own) + len(other[1] & others)
    if first.start < second.start or _both_from(one, mine[0], other, theirs[0]):
        kept += _IN_ORDER
    return len(one[1] & others) + len(other[1] & own) > kept


def _are_of_each_other(
    said: frozenset[str], beside: frozenset[str], own: frozenset[str], others: frozenset[str]
) -> bool:
    """Whether each of two figures has the label of the other and not its own: "calves 128, cattle
    74" of "cattle 128; calves 74"."""
    mine, theirs = own - others - STOP_WORDS, others - own - STOP_WORDS
    is_crossed = said & theirs and beside & mine
    return bool(is_crossed) and not said & mine and not beside & theirs


def _both_from(*places: _Placed) -> bool:
    """ "49, up from 46" has "from 46 to 49" the other way round, and says the same."""
    return all("from" in place[1] for place in places[:2]) or all(
        "from" in place[1] for place in places[2:]
    )


def _placed(text: str, figures: Sequence[Quantity], clauses: Sequence[Clause]) -> list[_Placed]:
    """Each figure with the words of its clause that are nearer to it than to another figure."""
    found: list[_Placed] = []
    for at, figure in enumerate(figures):
        clause = next((one for one in clauses if one.start <= figure.start < one.end), None)
        if clause is None:
            continue
        start = max(clause.start, figures[at - 1].end if at else 0)
        end = min(clause.end, figures[at + 1].start if at + 1 < len(figures) else len(text))
        words = terms(text[start : figure.start]) + terms(text[figure.end : end])
        found.append((figure, frozenset(words)))
    return found
