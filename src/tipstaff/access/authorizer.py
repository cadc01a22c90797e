"""What an authorizer is: checks in, one decision each out, always many at a time (Enterprise §3.4).

    Check(user: <recipient>, relation: <access.relation>, object: <access.object>)

An authorizer is an entry point of the group `tipstaff.authorizer` whose name is the access type
that it decides. Whatever it cannot decide it says so; nobody takes that for a yes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from tipstaff.domain.access import Access, AccessType
from tipstaff.domain.caller import user_named
from tipstaff.domain.wire import to_wire

# Enterprise §3.7: what OpenFGA takes in one request, and so what is given to any authorizer.
BATCH = 50
# `user:*` is everybody and `team:legal#member` a set: neither is a recipient who can ask.
_ONE_USER = re.compile(r"user:(?!\*$)[^\s#\x00-\x1f]{1,500}")


class Outcome(StrEnum):
    ALLOWED = "allowed"
    DENIED = "denied"
    # It erred or took too long: the item is withheld as if denied, and this is never cached.
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Decision:
    """`reason` is for the operator's records (Enterprise §3.8, 4), never for the recipient."""

    outcome: Outcome
    reason: str = ""

    @property
    def allowed(self) -> bool:
        return self.outcome is Outcome.ALLOWED


ALLOWED = Decision(Outcome.ALLOWED)
DENIED = Decision(Outcome.DENIED)


def denied(reason: str) -> Decision:
    return Decision(Outcome.DENIED, reason)


def undecided(reason: str) -> Decision:
    return Decision(Outcome.UNDECIDED, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessCheck:
    """One recipient before one object. `attributes` is what else the sender wrote about it."""

    type: AccessType
    tenant: str
    recipient: str
    relation: str
    object: str
    by_creator: bool = False
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names_one_user(self) -> bool:
        return _ONE_USER.fullmatch(self.recipient) is not None

    @property
    def key(self) -> tuple[str, ...]:
        """Enterprise §3.7: (recipient, relation, object), within a tenant; and what the sender
        wrote besides, since a policy may decide by it."""
        written = json.dumps(to_wire(self.attributes), sort_keys=True)
        return (self.tenant, self.recipient, self.type, self.relation, self.object, written)


class Authorizer(Protocol):
    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        """As many decisions as requests, in their order; at most `BATCH` at a time, of one
        tenant. What concerns all of them may be raised."""
        ...

    async def change_token(self, tenant: str) -> str | None:
        """Something that is another as soon as any decision might be. None: that cannot be
        told, and decisions are kept for seconds only."""
        ...

    async def aclose(self) -> None: ...


def check_of(
    access: Access, *, tenant: str, recipient: str, item: str, by_creator: bool = False
) -> AccessCheck:
    """The check that an item's `access` asks for. OPA names a `policy` where others name a
    relation (Appendix B.2); `item` is the object where the sender names none."""
    attributes = dict(access.attributes)
    relation = attributes.pop("relation", None) or attributes.get("policy")
    target = attributes.pop("object", None)
    if target is None and access.type is not AccessType.FGA:
        target = item
    return AccessCheck(
        type=access.type,
        tenant=tenant,
        recipient=user_named(recipient),
        relation=relation if isinstance(relation, str) else "",
        object=target if isinstance(target, str) else "",
        by_creator=by_creator,
        attributes=attributes,
    )
