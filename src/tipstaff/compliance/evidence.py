"""What stands at the places that a response cites, as sentences are held against it.

An adapter: the bundle's own documents in, the units that `verify` compares out. It knows no
index and no retrieval; whatever a server did to find its words, they are in the bytes or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from tipstaff.chunk.units import units
from tipstaff.compliance.subject import Subject
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Unit
from tipstaff.lexical.analysis import terms
from tipstaff.verify.evidence_text import EvidenceText

# So many units before one and behind it tell what it speaks of.
_BEFORE, _BEHIND = 3, 1


@dataclass(kw_only=True)
class Evidence:
    """What is read of a bundle is kept: every response of a suite is held against it."""

    subject: Subject
    _units: dict[str, list[tuple[Unit, EvidenceText]]] = field(default_factory=dict)
    _resolved: dict[Citation, Resolution] = field(default_factory=dict)

    def resolve(self, citation: Citation) -> Resolution:
        if citation not in self._resolved:
            self._resolved[citation] = self.subject.resolve(citation)
        return self._resolved[citation]

    def at(self, citation: Citation) -> tuple[EvidenceText, ...] | str:
        """The units at a place, or why there is no such place."""
        found = self.resolve(citation)
        if not isinstance(found, Passage):
            return found.reason
        near = [
            text
            for unit, text in self.units_of(citation.item_id)
            if any(span.overlaps(unit.span) for span in found.spans)
        ]
        return tuple(near) or (EvidenceText(found.text),)

    def words_at(self, citation: Citation) -> str:
        """Everything that stands at a place, with what stands above it; nothing if it is none."""
        found = self.at(citation)
        passage = self.resolve(citation)
        own = passage.text if isinstance(passage, Passage) else ""
        return "" if isinstance(found, str) else "\n".join([own, *(one.whole for one in found)])

    def units_of(self, item_id: str) -> list[tuple[Unit, EvidenceText]]:
        if item_id not in self._units:
            self._units[item_id] = self._read(item_id)
        return self._units[item_id]

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every term of the bundle: what is inside the grounding boundary (TIP §2.6)."""
        bundle = self.subject.bundle
        known = set(terms(f"{bundle.title} {bundle.creator}"))
        for item in bundle.items:
            known |= set(terms(f"{item.id} {item.title} {item.type} {item.file}"))
        for item_id in self.subject.read.documents:
            for _, text in self.units_of(item_id):
                known |= text.terms
        return frozenset(known)

    @cached_property
    def figures(self) -> frozenset[Decimal]:
        """Every figure of the bundle."""
        return frozenset(
            figure.value
            for item_id in self.subject.read.documents
            for _, text in self.units_of(item_id)
            for figure in text.own_figures
        )

    def _read(self, item_id: str) -> list[tuple[Unit, EvidenceText]]:
        citable = self.subject.read.documents.get(item_id)
        if citable is None:
            return []
        document, item = citable.document, self.subject.bundle.item(item_id)
        title = item.title if item is not None else self.subject.bundle.title
        every = list(units(item_id, document))
        found = []
        for at, unit in enumerate(every):
            cells = [
                (" ".join(cell.header.split()), clean(document, cell.span).text.strip())
                for cell in document.cells.within(unit.span)
            ]
            around = [title, *document.blocks[unit.block].headings, *(head for head, _ in cells)]
            found.append(
                (
                    unit,
                    EvidenceText(
                        _row(cells) or " ".join(unit.text.split()),
                        " | ".join(part for part in around if part),
                        cells=tuple(cells),
                        block=unit.block,
                        nearby=_nearby(every, at),
                        synthesis=item_id == SYNTHESIS_ID,
                    ),
                )
            )
        return found


def _row(cells: Sequence[tuple[str, str]]) -> str:
    """A row is read with the header of each cell."""
    return "; ".join(f"{head}: {words}" if head else words for head, words in cells)


def _nearby(every: Sequence[Unit], at: int) -> str:
    near = every[max(at - _BEFORE, 0) : at + 1 + _BEHIND]
    return "\n".join(" ".join(one.text.split()) for one in near if one is not every[at])
