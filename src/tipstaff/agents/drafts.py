"""Tezits that an agent is making: title, context items, synthesis; packed when all is there.

Drafts live in memory and belong to whoever began them. What is packed is written as every other
bundle is (strict, with hashes) and then read again as a stranger's would be.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tipstaff import media_type
from tipstaff.authoring.scanning import Warned, scanned
from tipstaff.bundle.file_names import (
    BUNDLE_ID,
    ITEM_ID,
    MANIFEST,
    SYNTHESIS,
    context_file,
    derive_bundle_id,
    derive_id,
)
from tipstaff.bundle.level_three import TEZIT_VERSION, pack
from tipstaff.bundle.writing import write_archive, write_files
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.finding import Finding
from tipstaff.domain.item import ITEM_TYPES
from tipstaff.engine import examine, open_bundle, read_bundle
from tipstaff.enveloping import now
from tipstaff.errors import NotFound, UsageError
from tipstaff.settings import Settings

_MOST_DRAFTS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem:
    title: str
    type: str
    file: str
    content: bytes
    access: AccessLevel


@dataclass(kw_only=True)
class Draft:
    draft_id: str
    tez_id: str
    title: str
    creator: str
    items: dict[str, DraftItem] = field(default_factory=dict)
    synthesis: str = ""

    def add(
        self,
        content: bytes,
        *,
        name: str,
        item_id: str | None,
        title: str | None,
        access: AccessLevel,
        settings: Settings,
    ) -> str:
        """The id that the new item is cited by."""
        self._check_room(content, settings)
        taken = {*self.items, SYNTHESIS_ID}
        if item_id is None:
            item_id = derive_id(title or name, taken)
        elif not ITEM_ID.fullmatch(item_id) or item_id in taken:
            raise UsageError(
                f"'{item_id[:100]}' cannot be an item's id, or is taken.",
                suggestion="Small letters and digits, with . _ - inside; leave it out for one.",
            )
        kind = media_type.item_type(media_type.sniff(content[: media_type.SNIFFED_BYTES], name))
        self.items[item_id] = DraftItem(
            title=title or Path(name).stem,
            type=kind if kind in ITEM_TYPES else "document",
            file=context_file(item_id, name, taken={one.file for one in self.items.values()}),
            content=content,
            access=access,
        )
        return item_id

    def _check_room(self, content: bytes, settings: Settings) -> None:
        if not content:
            raise UsageError(
                "The item is empty.", suggestion="Give `text`, or a `file` with words."
            )
        total = len(content) + sum(len(one.content) for one in self.items.values())
        if len(self.items) >= settings.max_items or total > settings.max_unpacked_bytes:
            raise UsageError("The draft has as many items, or bytes, as a tez may have.")

    def manifest(self) -> bytes:
        items = [
            {
                "id": item_id,
                "type": one.type,
                "title": one.title,
                "file": one.file,
                **({} if one.access is AccessLevel.FULL else {"access": str(one.access)}),
            }
            for item_id, one in self.items.items()
        ]
        document = {
            "tezit_version": TEZIT_VERSION,
            "id": self.tez_id,
            "version": 1,
            "title": self.title,
            "created_at": now(),
            "creator": {"name": self.creator},
            "synthesis": {"title": self.title, "type": "analysis", "file": SYNTHESIS},
            "context": {"scope": "full", "item_count": len(items), "items": items},
        }
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


class Drafts:
    """By whoever began them; of too many, those begun first are let go."""

    def __init__(self) -> None:
        self._drafts: dict[tuple[str, str], Draft] = {}

    def begin(self, owner: str, *, title: str, creator: str, tez_id: str | None) -> Draft:
        if tez_id is not None and not BUNDLE_ID.fullmatch(tez_id):
            raise UsageError(
                f"'{tez_id[:100]}' cannot be the id of a tez.",
                suggestion="3 to 100 of small letters, digits and hyphens; none at either end.",
            )
        draft = Draft(
            draft_id=f"draft-{secrets.token_hex(8)}",
            tez_id=tez_id or derive_bundle_id(title),
            title=title,
            creator=creator,
        )
        own = [key for key in self._drafts if key[0] == owner]
        for key in own[: max(0, len(own) - _MOST_DRAFTS + 1)]:
            del self._drafts[key]
        self._drafts[owner, draft.draft_id] = draft
        return draft

    def get(self, owner: str, draft_id: str | None) -> Draft:
        draft = self._drafts.get((owner, draft_id or ""))
        if draft is None:
            raise NotFound("There is no such draft.", suggestion="Begin one with step=draft.")
        return draft

    def drop(self, owner: str, draft: Draft) -> None:
        self._drafts.pop((owner, draft.draft_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedDraft:
    """The file; what is odd about it (broken citations, items that cannot be read); and what its
    sender may not want to send."""

    path: Path
    findings: tuple[Finding, ...]
    warnings: tuple[Warned, ...]


def pack_draft(draft: Draft, folder: Path, settings: Settings) -> PackedDraft:
    if not draft.items or not draft.synthesis.strip():
        raise UsageError(
            "A tez needs a synthesis and at least one context item.",
            suggestion="step=add_context and step=set_synthesis come before step=pack.",
        )
    contents = {one.file: _of(one.content) for one in draft.items.values()}
    contents[SYNTHESIS] = _of(draft.synthesis.encode())
    contents[MANIFEST] = _of(draft.manifest())
    source, target = folder / "source", folder / f"{draft.tez_id}.tez"
    source.mkdir()
    write_files(source, contents)
    with open_bundle(source, settings=settings) as opened:
        read = read_bundle(opened, settings=settings)
        _, report = examine(read, settings=settings)
        write_archive(target, pack(opened, settings).contents, compress=True)
    # Each has a hash by now: what is packed is not what was found without one.
    findings = tuple(one for one in report.findings if one.code != "no-hash")
    return PackedDraft(path=target, findings=findings, warnings=scanned(read.documents))


def _of(content: bytes) -> Callable[[], bytes]:
    return lambda: content
