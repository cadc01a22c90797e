"""A bundle that was downloaded, verified before it is interrogated (TIP §12.2.4).

Four things: hashes match, items are there, the manifest is valid, and whatever is wrong is told
before the first question. Who goes on then does so knowingly.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tipstaff.bundle.archive import DAMAGED
from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.finding import Finding, Severity
from tipstaff.domain.item import ContextItem, HashState, ItemState
from tipstaff.domain.wire import to_wire
from tipstaff.errors import BundleUnusable, ContextPartlyLoaded, FailedItem

# What is wrong with an item is told with the item, once.
_OF_ITEMS = frozenset(
    {DAMAGED, "hash-mismatch", "missing-file", "no-file", "private-file", "refused-file"}
    | {"unsafe-name"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortabilityReport:
    """`unhashed` are items whose sender declared no hash: §12.2.2 wants one, and what is there may
    or may not be what was sent. `external` ones are not in the bundle by intent."""

    items: tuple[ContextItem, ...]
    corrupted: tuple[ContextItem, ...]
    missing: tuple[ContextItem, ...]
    external: tuple[ContextItem, ...]
    unhashed: tuple[ContextItem, ...]
    manifest_errors: tuple[Finding, ...]
    has_manifest: bool

    @property
    def passes(self) -> bool:
        """Nothing that was declared is missing or other than declared."""
        return not (self.corrupted or self.missing or self.manifest_errors)

    @property
    def is_self_contained(self) -> bool:
        """TIP §12.2.2: complete, hashed, and nothing outside."""
        return self.passes and self.has_manifest and not (self.external or self.unhashed)

    def failures(self, only: Collection[str] | None = None) -> list[str]:
        """What a person must read before they ask; of these items, if not of all."""
        failed = (*self.corrupted, *self.missing)
        told = [f"{one.id}: {one.reason}" for one in failed if only is None or one.id in only]
        if only is None:
            told += [f"{one.where}: {one.message}" for one in self.manifest_errors]
        return told

    def check(self, *, proceed: bool = False) -> None:
        """Refuses what does not pass, unless the recipient goes on knowingly (TIP §14.1)."""
        failed = (*self.corrupted, *self.missing)
        available = [item.id for item in self.items if item not in failed]
        if self.items and not available:
            raise BundleUnusable("No item of this bundle is as its sender declared it.")
        if self.passes or proceed:
            return
        if failed:
            reasons = [FailedItem(one.id, one.reason or "", one.suggestion or "") for one in failed]
            raise ContextPartlyLoaded(reasons, available)
        raise BundleUnusable(
            f"The manifest is not valid: {self.manifest_errors[0].message}",
            suggestion="Ask the sender for a valid bundle, or go on knowingly.",
        )

    def to_wire(self) -> dict[str, Any]:
        return {
            "passes": self.passes,
            "self_contained": self.is_self_contained,
            "items": len(self.items),
            "verified": sum(item.hash_state is HashState.VERIFIED for item in self.items),
            "corrupted": [_said(one) for one in self.corrupted],
            "missing": [_said(one) for one in self.missing],
            "external": [one.id for one in self.external],
            "unhashed": [one.id for one in self.unhashed],
            "manifest_errors": to_wire(self.manifest_errors),
        }


def verify_portable(opened: OpenBundle) -> PortabilityReport:
    """Of a bundle as it was opened: opening has read and hashed every byte."""
    items = opened.bundle.declared_items
    states = {state: tuple(item for item in items if item.state is state) for state in ItemState}
    return PortabilityReport(
        items=items,
        corrupted=states[ItemState.CORRUPTED],
        missing=(*states[ItemState.MISSING], *states[ItemState.REFUSED]),
        external=states[ItemState.EXTERNAL],
        unhashed=tuple(item for item in items if item.hash_state is HashState.PINNED),
        manifest_errors=tuple(
            finding
            for finding in opened.findings
            if finding.severity is Severity.ERROR and finding.code not in _OF_ITEMS
        ),
        has_manifest=opened.bundle.level >= BundleLevel.PORTABLE,
    )


def _said(item: ContextItem) -> dict[str, str]:
    return {
        "item_id": item.id,
        "reason": item.reason or "",
        "suggestion": item.suggestion or "",
    }
