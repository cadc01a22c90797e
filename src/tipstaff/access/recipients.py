"""Which items a recipient may see, and how much of them (Enterprise §3.3, TIP §13.4.2).

A `Grant` is made once, before anything is searched, and does not change. Without an authorizer it
is made by local rules: whatever needs a service that was not asked is denied.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from tipstaff.access.authorizer import AccessCheck, Decision, Outcome, check_of
from tipstaff.access.local_rules import decided_here
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.item import ContextItem
from tipstaff.domain.retrieval import Retrieval

WITHHELD = "(not to be quoted; ask about it instead)"
# Rules that are decided here are the same for every tenant.
_ANY_TENANT = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """The items that exist for a recipient. `undecided` were withheld because an authorizer
    erred; `reasons` say why any is withheld, for the operator's records only."""

    permitted: frozenset[str]
    undecided: frozenset[str] = frozenset()
    reasons: Mapping[str, str] = field(default_factory=dict, compare=False)


def local_grant(bundle: Bundle, recipient: str | None) -> Grant:
    """By the rules that need no service; recipient None is the owner of the bundle."""
    if recipient is None:
        return Grant(permitted=frozenset(item.id for item in bundle.items))
    checks = checks_for(bundle, tenant=_ANY_TENANT, recipient=recipient)
    decisions = {item_id: decided_here(check) for item_id, check in checks.items()}
    open_ids = {item_id for item_id, decision in decisions.items() if decision.allowed}
    permitted = within_archives(bundle, open_ids)
    return Grant(permitted=permitted, reasons=reasons_of(decisions, permitted))


def reasons_of(decisions: Mapping[str, Decision], permitted: Collection[str]) -> dict[str, str]:
    """Why items are withheld; one that is allowed by itself lies in an archive that is not."""
    return {
        item_id: "its archive is withheld"
        if decision.allowed
        else decision.reason or str(Outcome.DENIED)
        for item_id, decision in decisions.items()
        if item_id not in permitted
    }


def checks_for(bundle: Bundle, *, tenant: str, recipient: str) -> dict[str, AccessCheck]:
    """What has to be decided of each item."""
    by_creator = _is_creator(bundle, recipient)
    return {
        item.id: check_of(
            item.access,
            tenant=tenant,
            recipient=recipient,
            item=f"item:{bundle.id}/{item.id}",
            by_creator=by_creator,
        )
        for item in bundle.items
    }


def within_archives(bundle: Bundle, open_ids: Collection[str]) -> frozenset[str]:
    """A member of an archive is never more open than the archive."""
    by_id = {item.id: item for item in bundle.items}

    def is_open(item: ContextItem) -> bool:
        archive = by_id.get(item.parent) if item.parent else None
        return item.id in open_ids and (archive is None or is_open(archive))

    return frozenset(item.id for item in bundle.items if is_open(item))


def quotable(bundle: Bundle, item_id: str, recipient: str | None) -> bool:
    """Whether an item's own words may be shown (TIP §13.4.2)."""
    item = bundle.item(item_id)
    return recipient is None or item is None or item.access.level is AccessLevel.FULL


def searchable_items(bundle: Bundle, recipient: str | None, grant: Grant) -> frozenset[str]:
    """Of an item of which only a summary may be had, nothing is searched (TIP §13.4.2): that a
    word finds it would tell that the word is there."""
    if recipient is None:
        return grant.permitted
    return frozenset(
        item.id
        for item in bundle.items
        if item.id in grant.permitted and item.access.level is not AccessLevel.SUMMARY_ONLY
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


def _is_creator(bundle: Bundle, recipient: str) -> bool:
    """Recipients are written `user:jane@example.com`; creators by email, id or name."""
    plain = recipient.removeprefix("user:").casefold()
    known = (bundle.creator.get(field) for field in ("email", "id", "user_id"))
    return plain in {str(value).casefold().removeprefix("user:") for value in known if value}
