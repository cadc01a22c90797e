"""A bundle and a recipient → the items that exist for them (Enterprise §3.5, §3.8).

Every access type has its authorizer: local rules, or the service that settings name. Without one,
items of that type are withheld.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Protocol

from tipstaff.access.authorizer import AccessCheck, Authorizer, Decision, Outcome, denied
from tipstaff.access.kept_decisions import KeptDecisions
from tipstaff.access.local_rules import LOCAL_TYPES, decided_here
from tipstaff.access.recipients import (
    Grant,
    checks_for,
    local_grant,
    reasons_of,
    within_archives,
)
from tipstaff.domain.access import AccessType
from tipstaff.domain.bundle import Bundle
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

GROUP = "tipstaff.authorizer"
# The settings of which one must be given for a type of access to have its service.
_SWITCHES = {
    AccessType.FGA: ("fga_url",),
    AccessType.OPA: ("opa_url", "opa_policies"),
    AccessType.CEDAR: ("cedar_policies",),
    AccessType.CUSTOM: ("custom_providers",),
}
_NONE = "none"


class Authorizes(Protocol):
    """What sessions and routes need of this page."""

    async def granted(self, bundle: Bundle, *, tenant: str, recipient: str | None) -> Grant: ...


class Authorization:
    def __init__(self, services: Mapping[AccessType, KeptDecisions] | None = None) -> None:
        self._services = dict(services or {})

    @classmethod
    def from_settings(
        cls, settings: Settings, types: Iterable[AccessType] = AccessType
    ) -> Authorization:
        """With the services of these types that settings name; a mistake in them is told now."""
        return cls(
            {
                one: KeptDecisions(
                    authorizer=authorizer_named(one, settings),
                    timeout_s=settings.access_timeout_s,
                    keep_s=settings.access_cache_s,
                )
                for one in types
                if any(getattr(settings, name) != _NONE for name in _SWITCHES.get(one, ()))
            }
        )

    async def granted(self, bundle: Bundle, *, tenant: str, recipient: str | None) -> Grant:
        """Decided before anything is searched. Whatever fails is withheld, never raised."""
        if recipient is None:
            return local_grant(bundle, None)
        checks = checks_for(bundle, tenant=tenant, recipient=recipient)
        decisions = await self._decided(checks)
        allowed = {item_id for item_id, decision in decisions.items() if decision.allowed}
        permitted = within_archives(bundle, allowed)
        return Grant(
            permitted=permitted,
            undecided=frozenset(
                item_id
                for item_id, decision in decisions.items()
                if decision.outcome is Outcome.UNDECIDED
            ),
            reasons=reasons_of(decisions, permitted),
        )

    def forget(self, tenant: str | None) -> None:
        """The authorization model of a tenant (or of nobody knows whom) has changed."""
        for service in self._services.values():
            service.forget(tenant)

    async def aclose(self) -> None:
        for service in self._services.values():
            await service.aclose()

    async def _decided(self, checks: Mapping[str, AccessCheck]) -> dict[str, Decision]:
        by_type: dict[AccessType, list[str]] = {}
        for item_id, check in checks.items():
            by_type.setdefault(check.type, []).append(item_id)
        answers = await asyncio.gather(
            *(self._of_type(one, [checks[i] for i in ids]) for one, ids in by_type.items())
        )
        return {
            item_id: decision
            for ids, decisions in zip(by_type.values(), answers, strict=True)
            for item_id, decision in zip(ids, decisions, strict=True)
        }

    async def _of_type(self, type_: AccessType, checks: list[AccessCheck]) -> list[Decision]:
        if type_ in LOCAL_TYPES:
            return [decided_here(check) for check in checks]
        service = self._services.get(type_)
        if service is None:
            return [denied(f"no service for '{type_}' is configured")] * len(checks)
        # They are all one recipient's; who is not one user is nobody to a service.
        if not checks[0].names_one_user:
            return [denied("the recipient is not one user")] * len(checks)
        return await service.check(checks)


def authorizer_named(name: str, settings: Settings) -> Authorizer:
    """The plug-in for an access type, under these settings."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise UsageError(
            f"There is no authorizer '{name}'.",
            suggestion=f"There are: {', '.join(sorted(found))}.",
        )
    made: Authorizer = found[name].load().from_settings(settings)
    return made


async def granted_once(
    bundle: Bundle, recipient: str | None, *, settings: Settings, tenant: str
) -> Grant:
    """For commands and scripts, which ask once: only services that this bundle needs are set up."""
    needed = {item.access.type for item in bundle.items} - LOCAL_TYPES
    if recipient is None or not needed:
        return local_grant(bundle, recipient)
    authorization = Authorization.from_settings(settings, needed)
    try:
        return await authorization.granted(bundle, tenant=tenant, recipient=recipient)
    finally:
        await authorization.aclose()
