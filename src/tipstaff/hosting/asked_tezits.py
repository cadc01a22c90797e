"""Tezits as whoever asks them has them: a tenant's own (`tezits.Tezits`), or with those that other
tenants share with it (`tenancy.shared_tezits.SharedTezits`)."""

from __future__ import annotations

from typing import Protocol

from tipstaff.domain.caller import Caller
from tipstaff.hosting.published import Published
from tipstaff.indexing import IndexedBundle


class AskedTezits(Protocol):
    async def describe(self, caller: Caller, tez_id: str, version: int | None = None) -> Published:
        """NotFound for what is unknown, forbidden or withdrawn alike."""
        ...

    async def opened(self, tenant: str, tez_id: str, version: int) -> IndexedBundle:
        """Shared by all who use it, and open for as long as any of them holds it."""
        ...
