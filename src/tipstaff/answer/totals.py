"""Questions for a total (TIP §6.2): the sum of one column of the table that a question is about.

Where headers, title and caption do not hold every word of the question, which rows are meant
is not certain, and nothing is added up."""

from __future__ import annotations

import re
from decimal import Decimal

from tipstaff.answer.arithmetic import inference, shown
from tipstaff.answer.claims import claim_from
from tipstaff.answer.context import AnswerContext
from tipstaff.answer.evidence_unit import EvidenceUnit
from tipstaff.answer.gate import absent_name
from tipstaff.answer.gathering import gather
from tipstaff.answer.part_answer import PartAnswer
from tipstaff.answer.question import Part
from tipstaff.domain.draft import Paragraph
from tipstaff.facts.quantities import Quantity, only_figure
from tipstaff.lexical.analysis import query_terms, terms

_TOTAL = re.compile(
    r"\b(?:in total|altogether|all told|in all|taken together|added up|adding up|(?:the )?sum of|"
    r"(?:the )?total (?:number|amount|cost|value|sum)? ?of)\b",
    re.IGNORECASE,
)
_AVERAGE = re.compile(r"\b(?:on )?average\b|\bmean (?!by|to|that)", re.IGNORECASE)
_STATED = frozenset(terms("average mean"))
_FRAME = re.compile(r"\b(?:how (?:many|much)|all|every|each|listed|together|the)\b", re.IGNORECASE)
_TOTAL_ROW = re.compile(r"\b(?:total|sum|overall)\b", re.IGNORECASE)
_MOST_ROWS = 40
_SEARCHED_ITEMS = 6


def answer_total(part: Part, context: AnswerContext) -> PartAnswer | None:
    """The sum, or the average, with its working; the table's own total where it has one."""
    asks = _AVERAGE if _AVERAGE.search(part.text) else _TOTAL
    if not asks.search(part.text) or absent_name(part, context):
        return None
    words = query_terms(_FRAME.sub(" ", asks.sub(" ", part.text)))
    gathered = gather(part, context, read=0)
    if asks is _AVERAGE and any(_STATED & one.unit.own_terms for one in gathered.candidates):
        # Somebody has worked it out: what they say is the answer.
        return None
    items = dict.fromkeys(found.chunk.item_id for found in gathered.found)
    for item_id in list(items)[:_SEARCHED_ITEMS]:
        for rows in _tables(context.units_of(item_id)):
            for meant in (rows, _named_rows(words, rows)):
                column = _column(words, meant) if len(meant) > 1 else None
                if column and part.periods <= meant[0].all_periods:
                    if asks is _AVERAGE:
                        return _averaged(meant, column, context)
                    return _summed(meant, column, context)
    return None


def _named_rows(words: list[str], rows: list[EvidenceUnit]) -> list[EvidenceUnit]:
    """The rows that a word of the question picks, where their cells tell them from the others:
    "all rent invoices" in a ledger of rents and charges."""
    picked = [
        [row for row in rows if word in _labels(row)]
        for word in words
        if any(word in _labels(row) for row in rows)
    ]
    return [row for row in rows if picked and all(row in some for some in picked)]


def _labels(row: EvidenceUnit) -> set[str]:
    """The words of the cells that hold no figure and no date."""
    told = [words for _, words, _ in row.cells if not any(mark.isdigit() for mark in words)]
    return set(terms(" ".join(told)))


def _tables(units: list[EvidenceUnit]) -> list[list[EvidenceUnit]]:
    grouped: dict[int, list[EvidenceUnit]] = {}
    for unit in units:
        if unit.is_row and unit.block.table is not None and any(head for head, _, _ in unit.cells):
            grouped.setdefault(unit.block.table, []).append(unit)
    return [rows for rows in grouped.values() if 1 < len(rows) <= _MOST_ROWS]


def _column(words: list[str], rows: list[EvidenceUnit]) -> str | None:
    """The header of the one column of figures that a question names, if the rest of its words
    belongs to the whole table."""
    headers = dict.fromkeys(head for row in rows for head, _, _ in row.cells[1:] if head)
    named = {head: set(words) & set(terms(head)) for head in headers if _figures(rows, head)}
    most = max((len(held) for held in named.values()), default=0)
    best = [head for head, held in named.items() if held and len(held) == most]
    if len(best) != 1:
        return None
    first = rows[0]
    around = set(terms(" ".join([first.item_title, *first.block.headings, first.near])))
    label = set(terms(first.cells[0][0])) | set.intersection(*(_labels(row) for row in rows))
    return best[0] if set(words) <= named[best[0]] | around | label else None


def _figures(rows: list[EvidenceUnit], header: str) -> list[tuple[EvidenceUnit, int, Quantity]]:
    """The figure of each row under a header; none at all if one has something else there."""
    found = []
    for row in rows:
        cells = [number for number, (head, _, _) in enumerate(row.cells) if head == header]
        figure = only_figure(row.cells[cells[0]][1]) if len(cells) == 1 else None
        if figure is None:
            return []
        found.append((row, cells[0], figure))
    alike = {(one.measure, one.unit) for _, _, one in found}
    return found if len(alike) == 1 else []


def _summed(rows: list[EvidenceUnit], header: str, context: AnswerContext) -> PartAnswer:
    found = _figures(rows, header)
    totals = [one for one in found if _TOTAL_ROW.search(one[0].cells[0][1])]
    if totals:
        row, cell, _ = totals[-1]
        return PartAnswer(paragraphs=(Paragraph(claims=(claim_from(row, context, cell=cell),)),))
    claims = tuple(claim_from(row, context, cell=cell) for row, cell, _ in found)
    total = sum((figure.value for _, _, figure in found), Decimal(0))
    words = shown(total, found[0][2])
    working = f"{' + '.join(figure.text for _, _, figure in found)} = {words}"
    cited = tuple(citation for claim in claims for citation in claim.citations)
    told = inference(f"{header}, all {len(found)} rows together: {words}.", working, cited)
    return PartAnswer(
        paragraphs=(Paragraph(claims=(told,)), Paragraph(claims=claims, as_list=True))
    )


def _averaged(rows: list[EvidenceUnit], header: str, context: AnswerContext) -> PartAnswer:
    kept = [one for one in _figures(rows, header) if not _TOTAL_ROW.search(one[0].cells[0][1])]
    claims = tuple(claim_from(row, context, cell=cell) for row, cell, _ in kept)
    total = sum((figure.value for _, _, figure in kept), Decimal(0))
    words = shown((total / len(kept)).quantize(Decimal("0.01")), kept[0][2])
    working = f"({' + '.join(figure.text for _, _, figure in kept)}) / {len(kept)} = {words}"
    cited = tuple(citation for claim in claims for citation in claim.citations)
    told = inference(f"{header}, on average over {len(kept)} rows: {words}.", working, cited)
    return PartAnswer(
        paragraphs=(Paragraph(claims=(told,)), Paragraph(claims=claims, as_list=True))
    )
