"""Archives among the items (TIP §10.2.4): each member becomes a citable item of its own.

Archives inside archives are opened to a limit; all of them together may unpack to no more
than one bundle may. A member has its archive's access and its archive's integrity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from tipstaff import media_type
from tipstaff.bundle import archive
from tipstaff.bundle.file_names import derive_id, is_junk, numbered
from tipstaff.bundle.files import BundleFiles, SpooledFiles
from tipstaff.bundle.integrity import hash_stream
from tipstaff.domain.finding import Finding, error, warning
from tipstaff.domain.item import ContextItem, HashState, ItemState
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings


class Members:
    """The opened archives of a bundle: which item's bytes lie in which of them."""

    def __init__(self) -> None:
        self._spools: list[SpooledFiles] = []
        self._places: dict[str, tuple[SpooledFiles, str]] = {}
        self._refused: dict[str, str] = {}

    def place(self, item_id: str) -> tuple[SpooledFiles, str] | None:
        return self._places.get(item_id)

    def close(self) -> None:
        for spool in self._spools:
            spool.close()

    def expand(
        self,
        items: tuple[ContextItem, ...],
        files: BundleFiles,
        *,
        settings: Settings,
        findings: list[Finding],
    ) -> tuple[ContextItem, ...]:
        """The items with every archive followed by its members."""
        taken = {item.id for item in items}
        budget = _Budget(settings.max_items - len(items), settings.max_unpacked_bytes)
        expanded: list[ContextItem] = []
        for item in items:
            expanded.append(item)
            if item.has_bytes and item.media_type == media_type.ZIP and item.file:
                expanded += self._open(
                    item, (files, item.file), taken, budget, settings=settings, findings=findings
                )
        return tuple(self._with_refusal(item) for item in expanded)

    def _with_refusal(self, item: ContextItem) -> ContextItem:
        """An archive that was not opened says so itself, not only in a finding."""
        why = self._refused.get(item.id)
        if why is None or item.reason is not None:
            return item
        return replace(item, reason=why, suggestion="Ask the sender for the files themselves.")

    def _open(
        self,
        parent: ContextItem,
        place: tuple[BundleFiles, str],
        taken: set[str],
        budget: _Budget,
        *,
        settings: Settings,
        findings: list[Finding],
        depth: int = 1,
    ) -> Iterator[ContextItem]:
        if depth > settings.max_archive_depth:
            findings.append(
                warning("archive-depth", parent.title, "Archives nested deeper are not opened.")
            )
            self._refused[parent.id] = "The archive is nested too deeply and was not opened."
            return
        files, name = place
        try:
            with files.open(name) as stream:
                limits = replace(settings, max_unpacked_bytes=max(budget.bytes_left, 1))
                spool, oddities = archive.unpack(stream, settings=limits)
        except BundleUnusable as refusal:
            findings.append(error("hostile-archive", parent.file or parent.id, refusal.message))
            self._refused[parent.id] = refusal.message
            return
        self._spools.append(spool)
        damaged = {finding.where for finding in oddities if finding.code == archive.DAMAGED}
        findings += (replace(odd, where=f"{parent.file}!/{odd.where}") for odd in oddities)
        for member_name in spool.names():
            if is_junk(member_name):
                continue
            if budget.items_left <= 0:
                findings.append(
                    error("too-many-items", parent.id, "Further members of archives are left out.")
                )
                return
            member = _member(parent, member_name, spool, taken, settings)
            if member_name in damaged:
                member = replace(
                    member,
                    hash_state=HashState.MISMATCH,
                    state=ItemState.CORRUPTED,
                    reason="The archive's checksum of this file fails.",
                    suggestion="Ask the sender to send the archive again.",
                )
            budget.spend(member.size_bytes)
            taken.add(member.id)
            self._places[member.id] = (spool, member_name)
            yield member
            if member.media_type == media_type.ZIP:
                yield from self._open(
                    member,
                    (spool, member_name),
                    taken,
                    budget,
                    settings=settings,
                    findings=findings,
                    depth=depth + 1,
                )


class _Budget:
    """What all archives together may still bring."""

    def __init__(self, items_left: int, bytes_left: int) -> None:
        self.items_left = items_left
        self.bytes_left = bytes_left

    def spend(self, size: int) -> None:
        self.items_left -= 1
        self.bytes_left -= size


def _member(
    parent: ContextItem, name: str, spool: SpooledFiles, taken: set[str], settings: Settings
) -> ContextItem:
    sha256, size, head = hash_stream(spool, name, settings.max_unpacked_bytes)
    with spool.open(name) as whole:
        found = media_type.sniff(head, name, whole=whole)
    item_id = f"{parent.id}.{derive_id(PurePosixPath(name).name, ())}"
    if item_id in taken:
        item_id = numbered(item_id, taken)
    return ContextItem(
        id=item_id,
        type=media_type.item_type(found),
        title=f"{parent.title}: {name}",
        file=f"{parent.file}!/{name}",
        source=parent.source,
        media_type=found,
        size_bytes=size,
        sha256=sha256,
        hash_state=parent.hash_state,
        state=parent.state,
        reason=parent.reason if parent.state is ItemState.CORRUPTED else None,
        suggestion=parent.suggestion,
        access=parent.access,
        names=(name, PurePosixPath(name).name),
        parent=parent.id,
    )
