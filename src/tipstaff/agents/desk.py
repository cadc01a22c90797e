"""What the tools need of whoever has the tezits: bundles on this computer, or a server's.

A desk is one caller's. What does not exist for that caller is not on it (Enterprise §3.5).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tipstaff.agents.drafts import Drafts
from tipstaff.agents.folders import AllowedFolders
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.response import ResponseEnvelope
from tipstaff.settings import Settings

# What is being done, how much of it, and of how much (None: not known).
Tell = Callable[[str, float, float | None], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TezEntry:
    """One line of the list: enough to choose by."""

    tez_id: str
    title: str
    version: int
    state: str = "ready"


class Desk(Protocol):
    @property
    def settings(self) -> Settings: ...
    @property
    def folders(self) -> AllowedFolders: ...
    @property
    def drafts(self) -> Drafts: ...
    @property
    def owner(self) -> str:
        """Whose drafts are whose."""
        ...

    async def tezits(self) -> list[TezEntry]: ...

    async def boundary(self, tez_id: str, tell: Tell) -> GroundingBoundary:
        """The tez as it is for this caller, indexed. NotFound if there is none for them."""
        ...

    def counted(
        self, tez_id: str, boundary: GroundingBoundary
    ) -> AbstractAsyncContextManager[None]:
        """Work that counts as a query does: what may not be quoted must not be guessed at
        without end."""
        ...

    async def ask(
        self, tez_id: str, query: str, *, session_id: str | None, proceed: bool, tell: Tell
    ) -> ResponseEnvelope:
        """In a session of that id, or in a new one; `proceed` although items are missing (TIP
        §14.1)."""
        ...

    async def open(self, path: Path, tell: Tell) -> TezEntry:
        """A bundle of an allowed folder; `path` has been looked at already."""
        ...

    async def keep(self, packed: Path, name: str, tell: Tell) -> tuple[TezEntry, str]:
        """What was packed, put where it can be asked; where that is, in words."""
        ...
