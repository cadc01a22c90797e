"""A statement that says which paper it retells ("the mail says", "according to the report") is not
mended with a citation of another paper: then it would be said of the wrong one."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tipstaff.citation.names import ItemNames
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


def _called(statement: str) -> list[str]:
    """The telling words of the paper that a statement says it retells."""
    match = _NAMES.match(statement)
    if match is None:
        return []
    return [word for word in terms(next(filter(None, match.groups()))) if word not in STOP_WORDS]


def _item(reference: str) -> str:
    return reference.partition(":")[0]
