"""What a sender settles about a bundle, and the manifest and files that come of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from tipstaff.authoring.drafting import BundleDraft
from tipstaff.bundle.file_names import BUNDLE_ID, CONVERSATION, MANIFEST, SYNTHESIS
from tipstaff.bundle.level_three import TEZIT_VERSION, Reader
from tipstaff.domain.conversation import ConversationSharing
from tipstaff.errors import UsageError

HOSTING = ("sender", "portable", "platform", "dual")
LIMITS = (
    "interrogations_per_recipient",
    "max_tokens_per_query",
    "max_total_tokens_per_recipient",
    "rate_limit_per_minute",
)
SHARING = tuple(str(mode) for mode in ConversationSharing)


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderTerms:
    """TIP §12.1.3, §13. What is None or empty is left out of the manifest."""

    creator: str = "unknown"
    organisation: str | None = None
    hosting: str | None = None
    hosting_url: str | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    expires_at: str | None = None
    conversation: str = str(ConversationSharing.EXCLUDED)

    def __post_init__(self) -> None:
        _one_of(self.hosting, (None, *HOSTING), "hosting")
        _one_of(self.conversation, SHARING, "way to share a conversation")
        for name, value in self.limits.items():
            _one_of(name, LIMITS, "limit")
            if value < 1:
                raise UsageError(f"The limit {name} must be at least 1.")
        if self.expires_at is not None:
            try:
                date.fromisoformat(self.expires_at[:10])
            except ValueError:
                raise UsageError(f"'{self.expires_at}' is no date, such as 2026-12-31.") from None


def manifest_for(
    draft: BundleDraft, terms: SenderTerms, *, created_at: str, version: int = 1
) -> dict[str, Any]:
    """A complete level-3 manifest."""
    if not BUNDLE_ID.fullmatch(draft.id):
        raise UsageError(
            f"'{draft.id}' is no bundle id.",
            suggestion="3 to 100 of a-z, 0-9 and hyphens, none at either end.",
        )
    creator = {"name": terms.creator, "org": terms.organisation}
    manifest: dict[str, Any] = {
        "tezit_version": TEZIT_VERSION,
        "id": draft.id,
        "version": version,
        "created_at": created_at,
        "creator": {name: value for name, value in creator.items() if value},
        "synthesis": {"title": draft.title, "type": "analysis", "file": SYNTHESIS},
        "context": {
            "scope": "full",
            "item_count": len(draft.items),
            "items": [_entry(item) for item in draft.items],
        },
    }
    if sharing := _sharing(terms):
        manifest["sharing"] = sharing
    if _goes_along(draft, terms):
        manifest["conversation"] = {"file": CONVERSATION, "sharing": terms.conversation}
    return manifest


def bundle_files(
    draft: BundleDraft, manifest: Mapping[str, Any], staging: Path, terms: SenderTerms
) -> dict[str, Reader]:
    """Everything to write; items come from where they were staged. A conversation that is not
    shared does not go along."""
    text = (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()
    synthesis = draft.synthesis.encode()
    contents: dict[str, Reader] = {MANIFEST: lambda: text, SYNTHESIS: lambda: synthesis}
    for item in draft.items:
        contents[item.file] = (staging / item.file).read_bytes
    if draft.conversation is not None and _goes_along(draft, terms):
        record = draft.conversation
        contents[CONVERSATION] = lambda: record
    return contents


def _goes_along(draft: BundleDraft, terms: SenderTerms) -> bool:
    return draft.conversation is not None and terms.conversation != ConversationSharing.EXCLUDED


def _entry(item: Any) -> dict[str, Any]:
    entry = {
        "id": item.id,
        "type": item.type,
        "title": item.title,
        "file": item.file,
        "mime_type": item.media_type,
        "size_bytes": item.size_bytes,
        "hash": f"sha256:{item.sha256}",
        "metadata": {"original_name": item.source},
    }
    if item.access == "creator_only":
        return {**entry, "access": {"type": "creator_only"}}
    return entry if item.access == "full" else {**entry, "access": item.access}


def _sharing(terms: SenderTerms) -> dict[str, Any]:
    limits: dict[str, Any] = dict(terms.limits)
    if terms.expires_at:
        limits["expires_at"] = terms.expires_at
    found = {
        "hosting": terms.hosting,
        "hosting_url": terms.hosting_url,
        "hosting_limits": limits or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _one_of(value: str | None, known: tuple[str | None, ...], what: str) -> None:
    if value not in known:
        names = ", ".join(one for one in known if one)
        raise UsageError(f"'{value}' is no {what}.", suggestion=f"One of {names}.")
