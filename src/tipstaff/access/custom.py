"""`custom`: authorizers of somebody else's making, by the name in `access.provider`
(Enterprise §3.4).

A provider is an entry point of the group `tipstaff.access_provider` and an authorizer like any
other. Only those are used that the operator names: a sender cannot choose code to run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points

from tipstaff.access.authorizer import AccessCheck, Authorizer, Decision, denied, undecided
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

GROUP = "tipstaff.access_provider"


@dataclass(kw_only=True)
class Custom:
    providers: Mapping[str, Authorizer]

    @classmethod
    def from_settings(cls, settings: Settings) -> Custom:
        found = {point.name: point for point in entry_points(group=GROUP)}
        wanted = [name.strip() for name in settings.custom_providers.split(",")]
        for name in wanted:
            if name not in found:
                raise UsageError(
                    f"There is no access provider '{name}'.",
                    suggestion=f"Installed are: {', '.join(sorted(found)) or 'none'}.",
                )
        return cls(providers={name: found[name].load().from_settings(settings) for name in wanted})

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        """Each provider gets its own in one batch; one that fails takes no other's with it."""
        decisions = [denied("the provider is not one that the operator named")] * len(requests)
        places: dict[str, list[int]] = {}
        for at, request in enumerate(requests):
            name = request.attributes.get("provider")
            if isinstance(name, str) and name in self.providers:
                places.setdefault(name, []).append(at)
        batches = [
            self._asked(self.providers[name], [requests[at] for at in ats])
            for name, ats in places.items()
        ]
        for ats, answers in zip(places.values(), await asyncio.gather(*batches), strict=True):
            for at, answer in zip(ats, answers, strict=True):
                decisions[at] = answer
        return decisions

    async def change_token(self, tenant: str) -> str | None:
        """Of all of them; one that cannot tell speaks for all."""
        tokens = [await provider.change_token(tenant) for provider in self.providers.values()]
        told = [token for token in tokens if token is not None]
        return repr(told) if len(told) == len(tokens) else None

    async def aclose(self) -> None:
        for provider in self.providers.values():
            await provider.aclose()

    async def _asked(self, provider: Authorizer, requests: Sequence[AccessCheck]) -> list[Decision]:
        try:
            answers = await provider.check(requests)
        except Exception as problem:
            return [undecided(f"the provider failed: {type(problem).__name__}")] * len(requests)
        if len(answers) != len(requests):
            return [undecided("the provider answered beside the question")] * len(requests)
        return answers
