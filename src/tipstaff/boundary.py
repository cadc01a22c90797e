"""What one recipient may see of one bundle: the grounding boundary (TIP §2.6, Enterprise §3.5).

Items outside it do not exist here: they are not searched, not read, not cited, not named. What
the sender wrote of them in the synthesis and in the conversation is not there either: `bundle` is
the one that everything for this recipient is made from.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from tipstaff.access.authorization import Authorizes
from tipstaff.access.recipients import Grant, local_grant, quotable, searchable_items
from tipstaff.access.visible_bundle import visible_bundle
from tipstaff.citation.grammar import parse_citation
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.resolution import resolve
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution, Unresolved
from tipstaff.domain.clean_text import clean
from tipstaff.domain.location import WHOLE_ITEM
from tipstaff.domain.response import ContextScope, Response
from tipstaff.domain.scope import IndexedItem
from tipstaff.indexing import IndexedBundle
from tipstaff.reading import read_bundle, synthesis_bytes
from tipstaff.verify.verifier import Verifier

# No figure and no sentence runs on from one cell into the next.
_BETWEEN_CELLS = " | "


@dataclass(kw_only=True)
class GroundingBoundary:
    """`recipient` None is the owner of the bundle, who sees everything. `grant` is what
    authorizers decided for the recipient; without it local rules hold, and nothing that needs a
    service exists."""

    indexed: IndexedBundle
    recipient: str | None = None
    grant: Grant | None = None
    _documents: dict[str, CitableDocument | None] = field(default_factory=dict)
    _fixed: Grant = field(init=False)
    _searchable: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        bundle = self.indexed.opened.bundle
        # Fixed before anything is searched (Enterprise §3.8, 1), and from then on the same.
        self._fixed = self.grant or local_grant(bundle, self.recipient)
        self._searchable = searchable_items(bundle, self.recipient, self._fixed)

    @cached_property
    def bundle(self) -> Bundle:
        """The bundle that exists for this recipient, for as long as this boundary stands."""
        return visible_bundle(self.indexed.opened.bundle, self.permitted())

    def synthesis_bytes(self) -> bytes | None:
        """The synthesis as a file, without what is withheld."""
        synthesis = self.bundle.synthesis
        return None if synthesis is None else synthesis_bytes(self.indexed.opened, synthesis)

    def permitted(self) -> frozenset[str]:
        """Ids of the items that exist for this recipient."""
        return self._fixed.permitted

    def searchable(self) -> frozenset[str]:
        """TIP §13.4.2: of an item of which only a summary may be had, nothing is searched."""
        return self._searchable

    @property
    def reasons(self) -> Mapping[str, str]:
        """Why items are withheld, for the operator's records (Enterprise §3.8, 4)."""
        return self._fixed.reasons

    @property
    def is_undecided(self) -> bool:
        """Whether an authorizer failed, so that more may exist for this recipient."""
        return bool(self._fixed.undecided)

    def summarised(self) -> list[IndexedItem]:
        """The items that speak through their summary only."""
        ids = self.permitted() - self.searchable()
        return self.indexed.index.items.named(ids)

    def may_cite(self, item_id: str) -> bool:
        return item_id == SYNTHESIS_ID or item_id in self.permitted()

    def quotable(self, item_id: str) -> bool:
        """Whether an item's own words may be repeated (TIP §13.4.2)."""
        return quotable(self.bundle, item_id, self.recipient)

    def has_integrity(self, item_id: str) -> bool:
        item = self.bundle.item(item_id)
        return item_id == SYNTHESIS_ID or (item is not None and item.has_integrity)

    def document(self, item_id: str) -> CitableDocument | None:
        """The document of an item that may be searched; there are no others."""
        if item_id != SYNTHESIS_ID and item_id not in self.searchable():
            return None
        return self.citable(item_id)

    def citable(self, item_id: str) -> CitableDocument | None:
        if item_id not in self._documents:
            read = read_bundle(
                self.indexed.opened,
                settings=self.indexed.settings,
                only={item_id},
                seen=self.bundle,
            )
            self._documents[item_id] = read.documents.get(item_id)
        return self._documents[item_id]

    def verifier(self) -> Verifier:
        """What a draft for this recipient is held against."""
        summarised = {item.id for item in self.summarised()}
        return Verifier(
            resolve=self.resolve,
            readings=self.readings,
            has_integrity=self.has_integrity,
            quotable=lambda item_id: item_id in summarised or self.quotable(item_id),
            permitted=self.may_cite,
            headers=self.headers,
        )

    def resolve(self, citation: Citation) -> Resolution:
        """TIP §13.4.2: an item that speaks through its summary has no other words."""
        for item in self.summarised():
            if item.id == citation.item_id:
                if citation.location != WHOLE_ITEM:
                    return Unresolved(citation, "only the summary of this item may be cited")
                return Passage(citation, item.summary, ())
        document = self.citable(citation.item_id)
        return resolve(citation, {citation.item_id: document} if document else {})

    def readings(self, passage: Passage) -> tuple[str, ...]:
        """The words as they are in the file, without the format's marks, and cell by cell."""
        citable = self.citable(passage.citation.item_id) if passage.spans else None
        if citable is None:
            return (passage.text,)
        document = citable.document
        words = "\n".join(clean(document, span).text for span in passage.spans)
        cells = [
            clean(document, c.span).text for s in passage.spans for c in document.cells.within(s)
        ]
        return tuple(
            dict.fromkeys(
                (passage.text, words, _BETWEEN_CELLS.join(cells))
                if cells
                else (passage.text, words)
            )
        )

    def headers(self, passage: Passage) -> frozenset[str]:
        document = self.citable(passage.citation.item_id)
        if document is None:
            return frozenset()
        cells = document.document.cells
        return frozenset(
            " ".join(cell.header.split()) for span in passage.spans for cell in cells.within(span)
        )

    def without_unknown(self, response: Response) -> Response:
        """Enterprise §3.5: what a model made up may be the name of an item that is hidden, so a
        withheld claim is told without the items that it cited and that do not exist here."""
        removed = tuple(
            replace(one, citations=tuple(filter(self._is_known, one.citations)))
            for one in response.removed
        )
        return replace(response, removed=removed)

    def _is_known(self, reference: str) -> bool:
        cited = parse_citation(reference, names=self.bundle.citable_names())
        return cited is not None and self.may_cite(cited.item_id)

    def scope(self) -> ContextScope:
        """Enterprise §3.6: how much of the bundle this recipient's answers rest on. That there
        is more is all that is said of it."""
        total = len(self.indexed.opened.bundle.items)
        ids = tuple(item.id for item in self.bundle.items)
        return ContextScope(
            total_items=total,
            accessible_items=len(ids),
            accessible_item_ids=ids,
            restricted_items=total - len(ids),
            scope_complete=total == len(ids),
        )

    def filtered(self) -> list[dict[str, str]]:
        """Enterprise §3.8, 4: what is not searched for this recipient and why, for the auditors of
        the tenant whose items they are."""
        return [
            {
                "item_id": item.id,
                "access": str(item.access),
                "reason": self.reasons.get(item.id, "only a summary of it may be had"),
            }
            for item in self.indexed.opened.bundle.items
            if item.id not in self._searchable
        ]

    def unread(self) -> list[str]:
        """Items that may be seen and could not be read, so that nothing of them was searched."""
        archives = {item.parent for item in self.indexed.opened.bundle.items}
        known = {item.id for item in self.indexed.index.items} | archives
        return [item.id for item in self.bundle.items if item.id not in known]


async def granted_of(
    indexed: IndexedBundle, authorization: Authorizes, *, tenant: str, recipient: str | None
) -> Grant:
    """What authorizers let a recipient see (Enterprise §3.4): the one question that is asked of
    the whole bundle, since its answer is what exists."""
    bundle = indexed.opened.bundle
    return await authorization.granted(bundle, tenant=tenant, recipient=recipient)


async def boundary_of(
    indexed: IndexedBundle, authorization: Authorizes, *, tenant: str, recipient: str | None
) -> GroundingBoundary:
    """The boundary that authorizers draw, with its bundle made: what is withheld of a long
    synthesis takes a moment to find, and others need not wait for it."""
    grant = await granted_of(indexed, authorization, tenant=tenant, recipient=recipient)
    boundary = GroundingBoundary(indexed=indexed, recipient=recipient, grant=grant)
    await asyncio.to_thread(lambda: boundary.bundle)
    return boundary
