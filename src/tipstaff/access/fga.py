"""`fga`: OpenFGA by its official SDK (Enterprise §3.4, Appendix B.1).

One request a batch, a plain check for a single item. Exercised against a small server of the tests
that speaks OpenFGA's wire format; no live OpenFGA server was available (docs/access.md).
"""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tipstaff.access.authorizer import (
    ALLOWED,
    DENIED,
    AccessCheck,
    Decision,
    denied,
    undecided,
)
from tipstaff.access.service_address import service_address
from tipstaff.errors import UsageError
from tipstaff.settings import Settings

if TYPE_CHECKING:
    from openfga_sdk import OpenFgaClient

TOKEN_VARIABLE = "FGA_API_TOKEN"  # noqa: S105 (the name of a variable)
_NONE = "none"
# What a sender wrote beyond these would have OpenFGA refuse the whole batch.
_OBJECT = re.compile(r"[^:#@\s]{1,254}:[^\s#]{1,254}")
_RELATION = re.compile(r"[^:#@\s]{1,50}")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
# Changes are read from a little before the start, because clocks differ.
_CLOCKS_DIFFER = dt.timedelta(hours=1)
_PAGE, _MOST_PAGES = 100, 50


@dataclass(slots=True)
class _Store:
    client: OpenFgaClient
    model: str | None
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    changes: int = 0
    read_up_to: str = ""


@dataclass(kw_only=True)
class OpenFga:
    """`stores` are by tenant; the one under "" is for all that have none of their own."""

    url: str
    stores: dict[str, str]
    models: dict[str, str]
    timeout_s: float
    api_token: str | None = None
    _since: dt.datetime = field(default_factory=lambda: dt.datetime.now(dt.UTC) - _CLOCKS_DIFFER)
    _open: dict[str, _Store] = field(default_factory=dict)

    @classmethod
    def from_settings(cls, settings: Settings) -> OpenFga:
        try:
            import openfga_sdk  # noqa: F401 (only whether it is there)
        except ImportError:
            raise UsageError(
                "OpenFGA needs its SDK.", suggestion="pip install 'tipstaff[fga]'"
            ) from None
        if settings.fga_store == _NONE:
            raise UsageError("The setting fga_url is given, and fga_store is not.")
        return cls(
            url=service_address(settings.fga_url, setting="fga_url"),
            stores=_by_tenant(settings.fga_store),
            models=_by_tenant(settings.fga_model) if settings.fga_model != _NONE else {},
            timeout_s=settings.access_timeout_s,
            api_token=os.environ.get(TOKEN_VARIABLE),
        )

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        store = self._store(requests[0].tenant) if requests else None
        asked = {at: one for at, one in enumerate(requests) if _is_well_formed(one)}
        if store is None:
            return [denied("the tenant has no store")] * len(requests)
        answers = await _answers(store.client, asked) if asked else {}
        malformed = denied("object or relation is missing or malformed")
        return [
            answers.get(at, undecided("OpenFGA did not answer this check"))
            if at in asked
            else malformed
            for at in range(len(requests))
        ]

    async def change_token(self, tenant: str) -> str | None:
        """The model in force and the tuples written so far: either may change a decision."""
        store = self._store(tenant)
        if store is None:
            return "no store"
        async with store.reading:
            model = store.model or await _latest_model(store.client)
            for _ in range(_MOST_PAGES):
                if not await self._read_changes(store):
                    break
            return f"{model}/{store.changes}"

    async def aclose(self) -> None:
        for store in self._open.values():
            await store.client.close()  # type: ignore[no-untyped-call]
        self._open.clear()

    def _store(self, tenant: str) -> _Store | None:
        """A client is made when a loop runs, and once for each tenant."""
        from openfga_sdk import ClientConfiguration, OpenFgaClient
        from openfga_sdk.configuration import RetryParams
        from openfga_sdk.credentials import CredentialConfiguration, Credentials

        store_id = self.stores.get(tenant, self.stores.get(""))
        if store_id is None:
            return None
        if tenant not in self._open:
            model = self.models.get(tenant, self.models.get(""))
            credentials = None
            if self.api_token:
                given = CredentialConfiguration(api_token=self.api_token)
                credentials = Credentials(method="api_token", configuration=given)
            configuration = ClientConfiguration(
                api_url=self.url,
                store_id=store_id,
                authorization_model_id=model,
                credentials=credentials,
                # The SDK's own patience is far longer than that of somebody who waits.
                retry_params=RetryParams(max_retry=1, min_wait_in_ms=50),  # type: ignore[no-untyped-call]
                timeout_millisec=round(self.timeout_s * 1_000),
            )
            self._open[tenant] = _Store(OpenFgaClient(configuration), model)
        return self._open[tenant]

    async def _read_changes(self, store: _Store) -> bool:
        """One page of the changes behind those that were read; whether there were any."""
        from openfga_sdk.client.models import ClientReadChangesRequest

        options: dict[str, Any] = {"page_size": _PAGE}
        if store.read_up_to:
            options["continuation_token"] = store.read_up_to
        start = None if store.read_up_to else f"{self._since:%Y-%m-%dT%H:%M:%SZ}"
        # Of every type; the SDK's signature does not know that none may be named.
        every: Any = None
        body = ClientReadChangesRequest(type=every, start_time=start)
        page = await store.client.read_changes(body, options)
        store.changes += len(page.changes)
        store.read_up_to = page.continuation_token or store.read_up_to
        return bool(page.changes)


async def _answers(client: OpenFgaClient, asked: dict[int, AccessCheck]) -> dict[int, Decision]:
    """By place in the batch. Decisions are kept here, so that OpenFGA's own cache, which would
    add its age to ours, is passed by."""
    from openfga_sdk.client.models import (
        ClientBatchCheckItem,
        ClientBatchCheckRequest,
        ClientCheckRequest,
    )
    from openfga_sdk.models.consistency_preference import ConsistencyPreference

    options: Any = {"consistency": ConsistencyPreference.HIGHER_CONSISTENCY}
    tuples = {at: (one.recipient, one.relation, one.object) for at, one in asked.items()}
    if len(tuples) == 1:
        ((at, (user, relation, target)),) = tuples.items()
        single = ClientCheckRequest(user=user, relation=relation, object=target)
        answer = await client.check(single, options)
        return {at: ALLOWED if answer.allowed is True else DENIED}
    checks = [
        ClientBatchCheckItem(user=user, relation=relation, object=target, correlation_id=str(at))
        for at, (user, relation, target) in tuples.items()
    ]
    done = await client.batch_check(ClientBatchCheckRequest(checks=checks), options)
    return {int(one.correlation_id): _decision(one) for one in done.result}


def _decision(answer: Any) -> Decision:
    if answer.error is not None:
        return undecided("OpenFGA could not decide this check")
    return ALLOWED if answer.allowed is True else DENIED


async def _latest_model(client: OpenFgaClient) -> str:
    latest = await client.read_latest_authorization_model()
    model = latest.authorization_model
    return "" if model is None else str(model.id)


def _is_well_formed(check: AccessCheck) -> bool:
    return bool(_OBJECT.fullmatch(check.object) and _RELATION.fullmatch(check.relation))


def _by_tenant(setting: str) -> dict[str, str]:
    """`01ARZ…`, for every tenant; or `acme=01ARZ…,globex=01BX5…`, for those alone."""
    found = {}
    for part in setting.split(","):
        tenant, equals, name = part.strip().rpartition("=")
        if not _ULID.fullmatch(name) or (equals and not tenant):
            raise UsageError(f"'{setting}' is neither an id of OpenFGA nor a list of TENANT=ID.")
        found[tenant] = name
    return found
