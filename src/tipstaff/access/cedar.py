"""`cedar`: Cedar policies in a folder, evaluated by Cedar itself (`cedarpy`; Enterprise §3.4).

`User::"jane@example.com"` wants `Action::"can_read"` on `Document::"board-minutes"`, for a relation
`can_read` and an object `Document:board-minutes`. The context has the tenant and what the sender
wrote besides, under `access`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tipstaff.access.authorizer import ALLOWED, DENIED, AccessCheck, Decision, denied, undecided
from tipstaff.access.policy_files import PolicyFiles
from tipstaff.domain.wire import to_wire
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

# Entities may lie in any `.json` file of the folder.
_SUFFIXES = (".cedar", ".cedarschema", ".json")


@dataclass(frozen=True, slots=True)
class _Policies:
    policies: Any
    entities: Any
    schema: str | None


@dataclass(kw_only=True)
class Cedar:
    files: PolicyFiles[_Policies]

    @classmethod
    def from_settings(cls, settings: Settings) -> Cedar:
        try:
            import cedarpy  # noqa: F401 (only whether it is there)
        except ImportError:
            raise UsageError(
                "Cedar policies need cedarpy.", suggestion="pip install 'tipstaff[cedar]'"
            ) from None
        files = PolicyFiles(folder=Path(settings.cedar_policies), suffixes=_SUFFIXES, make=_parsed)
        files.check()
        return cls(files=files)

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        return await asyncio.to_thread(self._checked, requests)

    async def change_token(self, tenant: str) -> str | None:  # noqa: ARG002 (one for all)
        return await asyncio.to_thread(self.files.token)

    async def aclose(self) -> None:
        """Parsed policies go with this object."""

    def _checked(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        import cedarpy

        _, held = self.files.in_force()
        asked = {at: one for at, one in enumerate(requests) if one.relation and ":" in one.object}
        answers = cedarpy.is_authorized_batch(
            [_request(one) for one in asked.values()], held.policies, held.entities, held.schema
        )
        decisions = dict(zip(asked, map(_decision, answers), strict=True))
        malformed = denied("object or relation is missing or malformed")
        return [decisions.get(at, malformed) for at in range(len(requests))]


def _request(check: AccessCheck) -> dict[str, Any]:
    """As values, never as text: nothing that a sender wrote is read as Cedar."""
    kind, _, name = check.object.partition(":")
    return {
        "principal": {"type": "User", "id": check.recipient.removeprefix("user:")},
        "action": {"type": "Action", "id": check.relation},
        "resource": {"type": kind, "id": name},
        "context": {"tenant": check.tenant, "access": to_wire(check.attributes)},
    }


def _decision(answer: Any) -> Decision:
    """Cedar passes over policies that fail. One of them may have forbidden it."""
    from cedarpy import Decision as Said

    if answer.diagnostics.errors or answer.decision is Said.NoDecision:
        return undecided("a policy could not be evaluated")
    return ALLOWED if answer.allowed else DENIED


def _parsed(texts: dict[str, str]) -> _Policies:
    import json

    import cedarpy

    entities: list[Any] = []
    for name, text in texts.items():
        if name.endswith(".json"):
            entities += json.loads(text)
    policies = "\n".join(text for name, text in texts.items() if name.endswith(".cedar"))
    schema = "\n".join(text for name, text in texts.items() if name.endswith(".cedarschema"))
    return _Policies(
        cedarpy.PolicySet.from_str(policies),
        cedarpy.Entities.from_json_str(json.dumps(entities)),
        schema or None,
    )
