"""Figures of things that are told apart by a number: the first invoice and the second, certificate
1 and certificate 2. Of the other one, the same figure is another statement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from tipstaff.facts.periods import outside_dates
from tipstaff.facts.quantities import quantities
from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_LABEL = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})\b|"
    r"\b(?P<noun>[a-z]{4,}) (?:no\.? )?(?P<number>\d{1,2})\b"
    r"(?![,.]?\d|\s*(?:per ?cent|%|percent|years?|months?|weeks?|days?|hours?))",
    re.IGNORECASE,
)
# "£400 for the first": there the label stands behind its figure.
_BEHIND = re.compile(
    rf"\d[\d,.]*[^,;.]{{0,20}}\b(?:for|on|under|in) the (?:{'|'.join(_ORDINALS)})\b"
)
_NEAR = 80
_Label = tuple[str, str]


def is_of_other_number(text: str, evidence: Sequence[EvidenceText]) -> bool:
    """Whether a figure is said of the first that is the second's at the cited place."""
    said = list(_labelled(text)) if _LABEL.search(text) else []
    if not said or _BEHIND.search(text) or any(_BEHIND.search(one.text) for one in evidence):
        return False
    told: dict[_Label, set[Decimal]] = defaultdict(set)
    for one in evidence:
        for label, figure in _of_row(one) if one.is_row else _labelled(one.text):
            told[label].add(figure)
    return any(_is_anothers(label, figure, told) for label, figure in said)


def _is_anothers(label: _Label, figure: Decimal, told: Mapping[_Label, set[Decimal]]) -> bool:
    if label not in told or figure in told[label]:
        return False
    return any(figure in own for other, own in told.items() if other[0] == label[0])


def _labelled(text: str) -> Iterator[tuple[_Label, Decimal]]:
    """Each figure with the label before it, up to the next label."""
    labels = list(_LABEL.finditer(text))
    figures = [one for one in outside_dates(quantities(text), text) if abs(one.value) >= 100]
    for at, match in enumerate(labels):
        end = labels[at + 1].start() if at + 1 < len(labels) else len(text)
        end = min(end, match.end() + _NEAR)
        for figure in figures:
            if match.end() <= figure.start < end:
                yield _label(match), figure.value
                break


def _label(match: re.Match[str]) -> _Label:
    if match["ordinal"]:
        return "", str(_ORDINALS.index(match["ordinal"].lower()) + 1)
    return next(iter(terms(match["noun"])), ""), match["number"]


def _of_row(row: EvidenceText) -> Iterator[tuple[_Label, Decimal]]:
    """A row is of the number that it has under a header: "certificate: 1"."""
    numbers = [
        (term, words.strip())
        for head, words in row.cells
        if words.strip().isdigit() and len(words.strip()) <= 2
        for term in terms(head)[:1]
    ]
    for label in numbers:
        for figure in row.own_figures:
            yield label, figure.value
