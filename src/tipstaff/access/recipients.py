"""Which items a recipient may see, without asking any service (Enterprise §3.3).

`public` and `authenticated` items are for every recipient with a name, `creator_only` items for
the sender. Whatever needs a service that was not asked is denied: doubt closes.
"""

from __future__ import annotations

from dataclasses import replace

from tipstaff.domain.access import AccessLevel, AccessType
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.item import ContextItem
from tipstaff.domain.retrieval import Retrieval

WITHHELD = "(not to be quoted; ask about it instead)"
_OPEN_TO_THE_NAMED = frozenset({AccessType.PUBLIC, AccessType.AUTHENTICATED})


def permitted_items(bundle: Bundle, recipient: str | None) -> frozenset[str]:
    """Ids of the items that a recipient may interrogate; None is the owner of the bundle."""
    if recipient is None:
        return frozenset(item.id for item in bundle.items)
    by_id = {item.id: item for item in bundle.items}
    return frozenset(item.id for item in bundle.items if _may_see(item, by_id, bundle, recipient))


def quotable(bundle: Bundle, item_id: str, recipient: str | None) -> bool:
    """Whether an item's own words may be shown (TIP §13.4.2)."""
    item = bundle.item(item_id)
    return recipient is None or item is None or item.access.level is AccessLevel.FULL


def searchable_items(bundle: Bundle, recipient: str | None) -> frozenset[str]:
    """Of an item of which only a summary may be had, nothing is searched (TIP §13.4.2): that a
    word finds it would tell that the word is there."""
    allowed = permitted_items(bundle, recipient)
    if recipient is None:
        return allowed
    return frozenset(
        item.id
        for item in bundle.items
        if item.id in allowed and item.access.level is not AccessLevel.SUMMARY_ONLY
    )


def without_withheld_words(
    retrieval: Retrieval, bundle: Bundle, recipient: str | None
) -> Retrieval:
    """What was found, without the words of items that may not be quoted; their headings and
    table headers are their words too."""
    return replace(
        retrieval,
        found=tuple(
            found
            if quotable(bundle, found.chunk.item_id, recipient)
            else replace(found, chunk=replace(found.chunk, text=WITHHELD, context=""))
            for found in retrieval.found
        ),
    )


def _may_see(
    item: ContextItem, by_id: dict[str, ContextItem], bundle: Bundle, recipient: str
) -> bool:
    """A member of an archive is never more open than the archive."""
    archive = by_id.get(item.parent) if item.parent else None
    if archive is not None and not _may_see(archive, by_id, bundle, recipient):
        return False
    if item.access.type is AccessType.CREATOR_ONLY:
        return _is_creator(bundle, recipient)
    return item.access.type in _OPEN_TO_THE_NAMED


def _is_creator(bundle: Bundle, recipient: str) -> bool:
    """Recipients are written `user:jane@example.com`; creators by email, id or name."""
    plain = recipient.removeprefix("user:").casefold()
    known = (bundle.creator.get(field) for field in ("email", "id", "user_id"))
    return plain in {str(value).casefold().removeprefix("user:") for value in known if value}
