"""A statement that says which paper it retells ("the mail says", "according to the report") is not
mended with a citation of another paper: then it would be said of the wrong one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from tipstaff.citation.names import ItemNames
from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import STOP_WORDS, terms
from tipstaff.verify.evidence_text import EvidenceText
from tipstaff.verify.presenting import PAPERS
from tipstaff.verify.synonyms import is_known

# In forms that are no nouns: a "quarterly report" reports nothing by that.
_TELLS = (
    r"says|said|puts?|gives|gave|states|stated|shows|showed|has|had|reports|reported|lists|listed|"
    r"records|recorded|explains|explained|adds|added|mentions|mentioned|notes|noted|describes|"
    r"described|claims|claimed|names|named|calls|called|sets|thanks|credits|speaks|counts|counted|"
    r"tells|told|estimates|estimated|quotes|quoted|attributes|blames"
)
_CALLED = r"(?:the|this|that|its|his|her|their) (?P<paper>[\w'’ -]{3,60}?)"
_NAMES = re.compile(
    rf"^(?:(?:according to|as) {_CALLED}[,;]|"
    rf"in {_CALLED.replace('paper', 'place')},|"
    rf"{_CALLED.replace('paper', 'teller')} (?:{_TELLS})\b)",
    re.IGNORECASE,
)


_PIECES = re.compile(r"[;,]\s|\b(?:and|but|while|whereas|against|where)\b", re.IGNORECASE)


def names_other_paper(
    statement: str, reference: str, given: Collection[str], units: Sequence[EvidenceText]
) -> bool:
    """Whether a statement names the paper that it retells, and a citation that was not `given`
    for it is of another."""
    called = _called(statement)
    if not any(word in PAPERS for word in called):
        return False
    if given:
        return _item(reference) not in map(_item, given)
    paper = frozenset().union(*(one.paper_terms for one in units))
    return not any(is_known(word, paper) for word in called)


def names_other_item(
    statement: str, items: Collection[str], names: ItemNames, units: Sequence[EvidenceText]
) -> bool:
    """Whether a statement names another item than those that it cites: "the information page
    says", and the case register is cited."""
    called = frozenset(_called(statement))
    if not called:
        return False
    own = (frozenset(terms(name)) for item in items for name in names.of(item))
    titles = frozenset(term for one in units for term in terms(one.surroundings.split(" | ")[0]))
    if any(called <= words for words in own) or all(is_known(word, titles) for word in called):
        return False
    others = (name for item in items for name in names.of_others(item))
    return any(called <= frozenset(terms(name)) for name in others)


def has_figures_of_other_paper(
    statement: str, cited: Sequence[tuple[str, Sequence[EvidenceText]]]
) -> bool:
    """Whether of two papers that a statement cites and names one is said to have the other's
    figure: "the report puts it at 41, the council's record at 34"."""
    told: dict[str, list[EvidenceText]] = {}
    for item_id, units in cited:
        told.setdefault(item_id, []).extend(units)
    if len(told) < 2:
        return False
    called = {item_id: _title_terms(units) for item_id, units in told.items()}
    for piece in _PIECES.split(statement):
        words = frozenset(terms(piece))
        named = [one for one, title in called.items() if words & _only_of(one, title, called)]
        if len(named) != 1:
            continue
        own, others = (
            {figure.value for item, units in told.items() if (item == named[0]) is mine
             for unit in units for figure in unit.own_figures}
            for mine in (True, False)
        )  # fmt: skip
        if any(one.value in others - own for one in outside_dates(quantities(piece), piece)):
            return True
    return False


def _title_terms(units: Sequence[EvidenceText]) -> frozenset[str]:
    titles = {one.surroundings.split(" | ")[0] for one in units}
    found = (term for title in titles for term in terms(title))
    return frozenset(term for term in found if term not in STOP_WORDS and not term[0].isdigit())


def _only_of(
    item_id: str, title: frozenset[str], called: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    return title.difference(*(other for one, other in called.items() if one != item_id))


def _called(statement: str) -> list[str]:
    """The telling words of the paper that a statement says it retells."""
    match = _NAMES.match(statement)
    if match is None:
        return []
    return [word for word in terms(next(filter(None, match.groups()))) if word not in STOP_WORDS]


def _item(reference: str) -> str:
    return reference.partition(":")[0]
