"""`public`, `authenticated` and `creator_only`: decided here, without asking anybody
(Enterprise §3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from tipstaff.access.authorizer import ALLOWED, AccessCheck, Decision, denied
from tipstaff.domain.access import AccessType
from tipstaff.settings import Settings

LOCAL_TYPES = frozenset({AccessType.PUBLIC, AccessType.AUTHENTICATED, AccessType.CREATOR_ONLY})


def decided_here(check: AccessCheck) -> Decision:
    """Whoever got as far as asking has a name, so that `authenticated` holds for all of them.
    What needs a service is denied: doubt closes."""
    match check.type:
        case AccessType.PUBLIC | AccessType.AUTHENTICATED:
            return ALLOWED
        case AccessType.CREATOR_ONLY:
            return ALLOWED if check.by_creator else denied("not the creator")
        case _:
            return denied("no service was asked")


class LocalRules:
    @classmethod
    def from_settings(cls, settings: Settings) -> LocalRules:  # noqa: ARG003 (there are none)
        return cls()

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        return [decided_here(one) for one in requests]

    async def change_token(self, tenant: str) -> str | None:  # noqa: ARG002 (rules do not change)
        return "fixed"

    async def aclose(self) -> None:
        """There is nothing to let go of."""
