"""An authorizer's decisions, asked for in batches within a time and kept for a while
(Enterprise §3.7).

A kept decision counts only under the change token that it was made under, and the token is asked
for again every few seconds. So a change of the authorization model is felt within ten seconds,
whatever happens: who cannot tell of changes has decisions kept for no longer than that.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tipstaff.access.authorizer import BATCH, AccessCheck, Authorizer, Decision, Outcome, undecided

_LOG = logging.getLogger("tipstaff.access")

# §3.7: a change is felt within 10 s; half of it is left for the answer to travel.
_TOKEN_S = 5.0
_UNTOLD_S = 10.0
MOST_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class _Kept:
    decision: Decision
    token: str | None
    # When it was asked for, not when the answer came: it may have been true only then.
    asked_at: float


@dataclass(frozen=True, slots=True)
class _Token:
    value: str | None
    asked_at: float
    known: bool = True


@dataclass(kw_only=True)
class KeptDecisions:
    authorizer: Authorizer
    timeout_s: float
    keep_s: float
    now: Callable[[], float] = time.monotonic
    _kept: OrderedDict[tuple[str, ...], _Kept] = field(default_factory=OrderedDict)
    _tokens: dict[str, _Token] = field(default_factory=dict)
    # What was asked for until then no longer counts, of a tenant or ("") of all.
    _forgotten_at: dict[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._kept)

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        """A decision each; what went wrong is UNDECIDED and never raised. One tenant's."""
        if not requests:
            return []
        ends_at = asyncio.get_running_loop().time() + self.timeout_s
        token = await self._token(requests[0].tenant, ends_at)
        keys = [one.key for one in requests]
        found = {key: self._still_good(key, token) for key in keys}
        by_key = dict(zip(keys, requests, strict=True))
        missing = [key for key, decision in found.items() if decision is None]
        batches = [missing[at : at + BATCH] for at in range(0, len(missing), BATCH)]
        asked_at = self.now()
        answers = await asyncio.gather(
            *(self._asked([by_key[key] for key in batch], ends_at) for batch in batches)
        )
        for batch, decisions in zip(batches, answers, strict=True):
            for key, decision in zip(batch, decisions, strict=True):
                found[key] = decision
                self._keep(key, _Kept(decision, token.value, asked_at), token)
        return [found[key] or undecided("not asked") for key in keys]

    def forget(self, tenant: str | None) -> None:
        """§3.7: somebody said that the model has changed; None: whose is not known. What is just
        being asked may have been decided before that, and is not kept either."""
        self._forgotten_at[tenant or ""] = self.now()
        for known in [tenant] if tenant else list(self._tokens):
            self._tokens.pop(known, None)

    async def aclose(self) -> None:
        await self.authorizer.aclose()

    async def _token(self, tenant: str, ends_at: float) -> _Token:
        held = self._tokens.get(tenant)
        now = self.now()
        if held is not None and held.known and now - held.asked_at < _TOKEN_S:
            return held
        try:
            async with asyncio.timeout_at(ends_at):
                token = _Token(await self.authorizer.change_token(tenant), now)
        except Exception as problem:
            # Whether anything changed is not known, so that nothing that was kept is used.
            _LOG.warning("no change token of an authorizer: %s", type(problem).__name__)
            token = _Token(None, now, known=False)
        self._tokens[tenant] = token
        return token

    def _still_good(self, key: tuple[str, ...], token: _Token) -> Decision | None:
        held = self._kept.get(key)
        if held is None or not token.known or held.token != token.value:
            return None
        if held.asked_at <= max(self._forgotten_at.get(one, -math.inf) for one in ("", key[0])):
            return None
        longest = self.keep_s if token.value is not None else min(self.keep_s, _UNTOLD_S)
        return held.decision if self.now() - held.asked_at < longest else None

    def _keep(self, key: tuple[str, ...], kept: _Kept, token: _Token) -> None:
        self._kept.pop(key, None)
        if not token.known or kept.decision.outcome is Outcome.UNDECIDED:
            return
        self._kept[key] = kept
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    async def _asked(self, batch: Sequence[AccessCheck], ends_at: float) -> list[Decision]:
        """Fail closed: an authorizer that errs, is late, or answers beside the question."""
        try:
            async with asyncio.timeout_at(ends_at):
                decisions = await self.authorizer.check(batch)
        except TimeoutError:
            return [undecided("the authorizer took too long")] * len(batch)
        except Exception as problem:
            _LOG.warning("an authorizer failed: %s", type(problem).__name__)
            return [undecided(f"the authorizer failed: {type(problem).__name__}")] * len(batch)
        if len(decisions) != len(batch) or not all(isinstance(d, Decision) for d in decisions):
            return [undecided("the authorizer answered beside the question")] * len(batch)
        return list(decisions)
