"""Two versions of a bundle → what was added, changed, removed, and which claims that touches.

A claim is touched if words that it cites are other words now, or are gone. An item may change
wherever it likes without touching a claim that cites a place which stayed the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tipstaff.domain.bundle import Bundle
from tipstaff.domain.citation import Citation, Passage
from tipstaff.domain.item import ContextItem
from tipstaff.domain.text_lines import TextLines
from tipstaff.domain.wire import to_wire
from tipstaff.reading import ReadBundle
from tipstaff.synthesis.claims import SynthesisClaim, claims_of

_EXCERPT_CHARS = 300
# Of the sender's terms, as the manifest has them.
_TERMS = ("permissions", "sharing", "conversation", "privacy", "interrogation", "tip_config")
_DETAILS = ("title", "type", "access", "media_type")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedItem:
    """`details` are what is declared otherwise: its name, then before and after."""

    id: str
    bytes_changed: bool
    details: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedClaim:
    """`before` and `after` are what stands at the cited place; nothing where there is none."""

    text: str
    line: int
    citation: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleDifference:
    """`renamed` are pairs of ids of one item, whose bytes are the same."""

    before: str
    after: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    changed: tuple[ChangedItem, ...]
    claims_added: tuple[str, ...]
    claims_removed: tuple[str, ...]
    claims_touched: tuple[TouchedClaim, ...]
    terms: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        items = (self.added, self.removed, self.renamed, self.changed)
        claims = (self.claims_added, self.claims_removed, self.claims_touched)
        return not any((*items, *claims, self.terms))


def differences(before: ReadBundle, after: ReadBundle) -> BundleDifference:
    old, new = _items(before.bundle), _items(after.bundle)
    gone, come = set(old) - set(new), set(new) - set(old)
    renamed = _renamed({id_: old[id_] for id_ in gone}, {id_: new[id_] for id_ in come})
    said, says = _claims(before.bundle), _claims(after.bundle)
    return BundleDifference(
        before=_named(before.bundle),
        after=_named(after.bundle),
        added=tuple(sorted(come - {two for _, two in renamed})),
        removed=tuple(sorted(gone - {one for one, _ in renamed})),
        renamed=renamed,
        changed=tuple(_changed(old, new)),
        claims_added=tuple(text for text in says if text not in said),
        claims_removed=tuple(text for text in said if text not in says),
        claims_touched=tuple(_touched(before, after, says)),
        terms=_terms(before.bundle.manifest, after.bundle.manifest),
    )


def _items(bundle: Bundle) -> dict[str, ContextItem]:
    return {item.id: item for item in bundle.declared_items}


def _named(bundle: Bundle) -> str:
    return f"{bundle.id} version {bundle.version}"


def _renamed(
    gone: Mapping[str, ContextItem], come: Mapping[str, ContextItem]
) -> tuple[tuple[str, str], ...]:
    by_bytes = {item.sha256: item_id for item_id, item in come.items() if item.sha256}
    return tuple(
        (item_id, by_bytes.pop(item.sha256))
        for item_id, item in sorted(gone.items())
        if item.sha256 in by_bytes
    )


def _changed(
    old: Mapping[str, ContextItem], new: Mapping[str, ContextItem]
) -> Iterator[ChangedItem]:
    for item_id in sorted(set(old) & set(new)):
        one, two = old[item_id], new[item_id]
        details = tuple(
            (name, str(getattr(one, name)), str(getattr(two, name)))
            for name in _DETAILS
            if getattr(one, name) != getattr(two, name)
        )
        if details or one.sha256 != two.sha256:
            yield ChangedItem(id=item_id, bytes_changed=one.sha256 != two.sha256, details=details)


def _claims(bundle: Bundle) -> dict[str, tuple[SynthesisClaim, int]]:
    if bundle.synthesis is None:
        return {}
    text = bundle.synthesis.text
    lines = TextLines.of(text)
    found = claims_of(text, bundle.citable_names())
    return {claim.text: (claim, lines.number(claim.start)) for claim in found}


def _touched(
    before: ReadBundle, after: ReadBundle, says: Mapping[str, tuple[SynthesisClaim, int]]
) -> Iterator[TouchedClaim]:
    for claim, line in says.values():
        for citation in claim.citations or claim.lent:
            was, is_ = _words(before, citation), _words(after, citation)
            if was == is_ or not was:
                # What was not there before is no change of what it rests on.
                continue
            reason = "What it cites says something else." if is_ else "What it cites is gone."
            yield TouchedClaim(
                text=claim.text,
                line=line,
                citation=citation.reference,
                before=was[:_EXCERPT_CHARS],
                after=is_[:_EXCERPT_CHARS],
                reason=reason,
            )


def _words(read: ReadBundle, citation: Citation) -> str:
    found = read.resolve(citation)
    return " ".join(found.text.split()) if isinstance(found, Passage) else ""


def _terms(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(name for name in _TERMS if to_wire(old.get(name)) != to_wire(new.get(name)))
