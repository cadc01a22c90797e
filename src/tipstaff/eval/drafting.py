"""A bundle → a draft of a query set, for a person to review (`tip eval --generate`).

Queries that have an answer come from rows and sentences that state a figure; queries that have
none ask for something that no item has a word for, of somebody whom the bundle speaks of. Every
one is marked as a draft: a machine's guess at a good question is no ground truth.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.document import UnitKind
from tipstaff.facts.names import names
from tipstaff.facts.periods import periods
from tipstaff.facts.quantities import Measure, quantities
from tipstaff.lexical.analysis import STOP_WORDS, query_terms, terms

# "The deposit for the unit was £12,000." Pronouns and lists name nothing that could be asked for.
_STATES = re.compile(
    r"(?P<subject>(?:The|An?) (?:[\w’'()&%/-]+ ){1,8}?)(?P<verb>is|are|was|were) "
    r"(?:(?:about|around|roughly|only|at least|at most|now|still|then) )?(?P<rest>[^;:]{1,160})[.]"
)
_NO_SUBJECT = re.compile(
    r"\b(?:it|this|that|these|those|there|which|who|he|she|they|we|you|i|and|what)\b", re.IGNORECASE
)
_LONGEST_CELL = 60
_CELL_WITH_LETTERS = re.compile(r"[^\W\d_]{3}")
# What papers might say of a party, each in words of its own; asked for where none occurs.
_ABSENT = (
    "carbon footprint",
    "credit rating",
    "pension scheme",
    "stock price",
    "patent portfolio",
    "dress code",
    "parking permits",
    "trade union",
    "advertising slogan",
    "apprenticeships",
    "overtime pay",
    "cafeteria menu",
    "vehicle fleet",
    "crisis hotline",
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LEAST_MENTIONS = 2
_LEAST_WORDS, _MOST_WORDS = 6, 30


def draft_queries(
    context: AnswerContext, *, answerable: int, unanswerable: int
) -> list[dict[str, Any]]:
    """Rows of a query set, those with an answer first; the same bundle gives the same ones."""
    ids = [item.id for item in context.items if item.id != SYNTHESIS_ID]
    by_item = [list(_of_item(context.units_of(item_id))) for item_id in ids]
    rows = _distinct(_spread(by_item, answerable * 4))[:answerable]
    absent = zip_longest(_of_nobody(context, ids), _of_no_year(context, rows, ids))
    rows += [row for both in absent for row in both if row is not None][:unanswerable]
    return [
        {"id": f"draft-{number:03}", **row, "draft": True} for number, row in enumerate(rows, 1)
    ]


def _spread(by_item: Sequence[Sequence[dict[str, Any]]], most: int) -> list[dict[str, Any]]:
    """Of every item some, and of a long one not only its beginning."""
    share = -(-most // max(len(by_item), 1))
    chosen = [rows[:: max(1, len(rows) // share)] for rows in by_item if rows]
    return [row for rank in zip_longest(*chosen) for row in rank if row is not None]


def _distinct(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A question that two places answer differently has no one answer."""
    answers: dict[str, set[str]] = {}
    for row in rows:
        answers.setdefault(row["query"], set()).add(str(row["expected"]))
    single = {row["query"]: row for row in rows if len(answers[row["query"]]) == 1}
    return list(single.values())


def _of_item(units: Sequence[EvidenceUnit]) -> Iterator[dict[str, Any]]:
    for unit in units:
        made = _of_row(unit) if unit.is_row else _of_sentence(unit) or _of_gap(unit)
        if made is not None:
            query, answer = made
            yield {
                "query": query,
                "answerable": True,
                "relevant_passages": [
                    {
                        "item": unit.item_id,
                        "location": str(unit.unit.location),
                        "text": unit.text if not unit.is_row else answer,
                    }
                ],
                "expected": [[answer]],
                "type": "factual",
                "note": f"Drafted from: {unit.reader_text[:200]}",
            }


def _of_row(unit: EvidenceUnit) -> tuple[str, str] | None:
    """The last figure of a row, asked for by its header and by what the row is called."""
    header, label, _ = unit.cells[0]
    label = " ".join(label.split())
    if not _CELL_WITH_LETTERS.search(label) or len(label) > _LONGEST_CELL:
        return None
    for head, words, _ in reversed(unit.cells[1:]):
        told = " ".join(words.split())
        is_fit = _CELL_WITH_LETTERS.search(head) and len(head) <= _LONGEST_CELL and head != header
        if is_fit and len(told) <= _LONGEST_CELL and (quantities(told) or periods(told)):
            return f"What is given for “{label}” under “{' '.join(head.split())}”?", told
    return None


def _of_sentence(unit: EvidenceUnit) -> tuple[str, str] | None:
    stated = _STATES.fullmatch(unit.text) if unit.unit.kind is UnitKind.SENTENCE else None
    if stated is None or _NO_SUBJECT.search(stated["subject"]):
        return None
    figures = quantities(stated["rest"])
    if len(figures) != 1 or figures[0].start != 0:
        return None
    subject = stated["subject"].strip()
    query = f"What {stated['verb']} {subject[0].lower()}{subject[1:]}?"
    return query, figures[0].text.strip()


def _of_gap(unit: EvidenceUnit) -> tuple[str, str] | None:
    """A sentence with its one figure left out: a person will find better words for it."""
    if unit.unit.kind is not UnitKind.SENTENCE or not unit.text.endswith("."):
        return None
    figures = [one for one in quantities(unit.text) if one.measure is not Measure.NUMBER]
    if len(figures) != 1 or len(quantities(unit.text)) != 1 or periods(unit.text):
        return None
    (figure,) = figures
    before, after = unit.text[: figure.start].split(), unit.text[figure.end :].split()
    if not _LEAST_WORDS <= len(before) + len(after) <= _MOST_WORDS:
        return None
    told = " ".join([*before, "…", *after])
    return f"What figure do the documents give where they say: “{told}”?", figure.text.strip()


def _of_nobody(context: AnswerContext, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    told = _spoken_of(context, ids)
    absent = [
        facet
        for facet in _ABSENT
        if all(context.occurs(term) == 0 for term in set(terms(facet)) - STOP_WORDS)
    ]
    for number, facet in enumerate(absent if told else ()):
        whom = told[number % len(told)]
        yield {
            "query": f"What does the context say about the {facet} of {whom}?",
            "answerable": False,
            "type": "factual",
            "note": f"Drafted: no item has a word of “{facet}”.",
        }


def _of_no_year(
    context: AnswerContext, rows: Sequence[dict[str, Any]], ids: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """A question that has an answer, moved to a year of which no item speaks."""
    every = (
        year
        for item_id in ids
        for unit in context.units_of(item_id)
        for year in _YEAR.findall(unit.text)
    )
    year = max((int(one) for one in every), default=2000) + 9
    if context.occurs(str(year)):
        return
    timeless = [one for one in rows if not (_YEAR.search(one["query"]) or "…" in one["query"])]
    for row in timeless[::2]:
        yield {
            "query": f"{row['query'].rstrip('?')} for the year {year}?",
            "answerable": False,
            "type": "factual",
            "note": f"Drafted: no item speaks of {year}.",
        }


def _spoken_of(context: AnswerContext, ids: Sequence[str]) -> list[str]:
    """Names that the bundle has often, in several words: the first ones are its parties."""
    count: Counter[str] = Counter()
    for item_id in ids:
        for unit in context.units_of(item_id):
            if unit.unit.kind is UnitKind.SENTENCE:
                count.update({name for name in names(unit.text) if len(name.split()) > 1})
    known = [(name, times) for name, times in count.most_common() if times >= _LEAST_MENTIONS]
    return [name for name, _ in known if query_terms(name)][:8]
