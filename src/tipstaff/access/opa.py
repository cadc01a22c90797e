"""`opa`: Open Policy Agent, by its HTTP data API or in process (Enterprise §3.4, Appendix B.2).

A policy is asked for its document: `true`, or an object whose `allow` is true, allows; anything
else, also nothing, does not.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tipstaff.access.authorizer import (
    ALLOWED,
    DENIED,
    AccessCheck,
    Authorizer,
    Decision,
    denied,
    undecided,
)
from tipstaff.access.service_address import service_address
from tipstaff.domain.wire import to_wire
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

if TYPE_CHECKING:
    import httpx

TOKEN_VARIABLE = "OPA_API_TOKEN"  # noqa: S105 (the name of a variable)
_NONE = "none"
_PATH = re.compile(r"[A-Za-z_]\w{0,63}(/[A-Za-z_]\w{0,63}){0,7}", re.ASCII)
_AT_ONCE = 10


def authorizer(settings: Settings) -> Authorizer:
    """A folder of policies is evaluated here, an address is asked; both is a mistake."""
    if settings.opa_policies != _NONE:
        if settings.opa_url != _NONE:
            raise UsageError("Only one of the settings opa_url and opa_policies can be given.")
        from tipstaff.access.rego import Rego

        return Rego.from_settings(settings)
    return OpaServer.from_settings(settings)


class Opa:
    """The entry point: which of the two it is, settings say."""

    from_settings = staticmethod(authorizer)


@dataclass(kw_only=True)
class OpaServer:
    url: str
    root: str
    timeout_s: float
    api_token: str | None = None
    _client: httpx.AsyncClient | None = None
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    @classmethod
    def from_settings(cls, settings: Settings) -> OpaServer:
        try:
            import httpx  # noqa: F401 (only whether it is there)
        except ImportError:
            raise UsageError("OPA needs httpx.", suggestion="pip install 'tipstaff[opa]'") from None
        return cls(
            url=service_address(settings.opa_url, setting="opa_url"),
            root=settings.opa_root,
            timeout_s=settings.access_timeout_s,
            api_token=os.environ.get(TOKEN_VARIABLE),
        )

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        """The data API takes one input at a time; they are asked side by side, and each that
        fails or is late is by itself."""
        return list(await asyncio.gather(*(self._one(request) for request in requests)))

    async def change_token(self, tenant: str) -> str | None:  # noqa: ARG002
        """OPA tells of its bundles' revisions, not of data that is pushed into it."""
        return None

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _one(self, request: AccessCheck) -> Decision:
        import httpx

        path = policy_path(request, self.root)
        if path is None:
            return denied("no policy under the root is named")
        try:
            # A little less than whoever waits for the batch: the others are not lost with it.
            async with asyncio.timeout(self.timeout_s * 0.9), self._turns:
                answer = await self._opened().post(
                    f"{self.url}/v1/data/{path}", json={"input": policy_input(request)}
                )
                answer.raise_for_status()
                return decision_of(answer.json().get("result"))
        except (httpx.HTTPError, TimeoutError, ValueError, AttributeError) as problem:
            return undecided(f"OPA failed: {type(problem).__name__}")

    def _opened(self) -> httpx.AsyncClient:
        import httpx

        if self._client is None:
            headers = {"Authorization": f"Bearer {self.api_token}"} if self.api_token else {}
            self._client = httpx.AsyncClient(headers=headers, timeout=self.timeout_s)
        return self._client


def policy_path(request: AccessCheck, root: str) -> str | None:
    """The policy that the sender names, if it lies where the operator keeps policies for this:
    senders shall not ask whatever else an operator's OPA knows."""
    path = request.relation
    below = path == root or path.startswith(f"{root}/")
    return path if below and _PATH.fullmatch(path) else None


def policy_input(request: AccessCheck) -> dict[str, Any]:
    """The sender's `input`, and over it what the sender cannot say: who is asking."""
    written = request.attributes.get("input")
    return {
        **(to_wire(written) if isinstance(written, Mapping) else {}),
        "user": request.recipient,
        "tenant": request.tenant,
        "object": request.object,
    }


def decision_of(document: object) -> Decision:
    if isinstance(document, Mapping):
        document = document.get("allow")
    return ALLOWED if document is True else DENIED
