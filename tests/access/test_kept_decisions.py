"""Enterprise §3.7: decisions are kept for at most five minutes, and a change is felt within ten
seconds. What fails is a no, is told as such, and is not kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tipstaff.access import kept_decisions
from tipstaff.access.authorizer import ALLOWED, BATCH, DENIED, AccessCheck, Decision, undecided
from tipstaff.access.kept_decisions import KeptDecisions
from tipstaff.domain.access import AccessType
from tipstaff.errors import UsageError
from tipstaff.settings import load_settings


class Scripted:
    """An authorizer that does as it is told and remembers what it was asked."""

    def __init__(self) -> None:
        self.answer: Any = ALLOWED
        self.token: Any = "first"  # noqa: S105
        self.batches: list[int] = []

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        self.batches.append(len(requests))
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer == "hang":
            await asyncio.Event().wait()
        if isinstance(self.answer, list):
            return self.answer
        return [self.answer for _ in requests]

    async def change_token(self, tenant: str) -> str | None:  # noqa: ARG002
        if isinstance(self.token, Exception):
            raise self.token
        if self.token == "hang":  # noqa: S105
            await asyncio.Event().wait()
        token: str | None = self.token
        return token

    async def aclose(self) -> None:
        """Nothing is held."""


class Asking:
    def __init__(self, *, timeout_s: float = 0.05, keep_s: float = 300) -> None:
        self.time = 0.0
        self.authorizer = Scripted()
        self.kept = KeptDecisions(
            authorizer=self.authorizer, timeout_s=timeout_s, keep_s=keep_s, now=lambda: self.time
        )

    def __call__(self, *checks: AccessCheck) -> list[str]:
        found = asyncio.run(self.kept.check(checks or (MEMO,)))
        return [str(one.outcome) for one in found]

    @property
    def times_asked(self) -> int:
        return len(self.authorizer.batches)


MEMO = AccessCheck(
    type=AccessType.FGA,
    tenant="acme",
    recipient="user:jane@example.com",
    relation="can_read",
    object="document:memo",
)


@pytest.fixture
def ask() -> Asking:
    return Asking()


def test_a_decision_is_kept_for_five_minutes_and_no_longer(ask: Asking) -> None:
    ask()
    ask.time = 299
    assert ask() == ["allowed"]
    assert ask.times_asked == 1
    ask.time = 300
    ask()
    assert ask.times_asked == 2


def test_a_longer_time_cannot_be_set() -> None:
    with pytest.raises(UsageError, match="300"):
        load_settings({"access_cache_s": "301"}, environment={})


def test_a_change_of_the_model_is_felt_within_ten_seconds(ask: Asking) -> None:
    ask()
    ask.authorizer.answer, ask.authorizer.token = DENIED, "second"
    ask.time = 9.9
    assert ask() == ["denied"]


def test_without_a_token_nothing_is_kept_for_more_than_ten_seconds(ask: Asking) -> None:
    ask.authorizer.token = None
    ask()
    ask.authorizer.answer = DENIED
    ask.time = 9
    assert ask() == ["allowed"]
    ask.time = 10
    assert ask() == ["denied"]


@pytest.mark.parametrize("trouble", [ConnectionError("gone"), "hang"])
def test_what_was_kept_is_not_used_when_changes_cannot_be_told(ask: Asking, trouble: Any) -> None:
    ask()
    ask.authorizer.token, ask.authorizer.answer = trouble, DENIED
    ask.time = 6
    assert "allowed" not in ask()
    assert "allowed" not in ask()


@pytest.mark.parametrize(
    "field", ["tenant", "recipient", "relation", "object", "type", "attributes"]
)
def test_no_other_check_gets_a_kept_decision(ask: Asking, field: str) -> None:
    ask()
    ask.authorizer.answer = DENIED
    others: dict[str, Any] = {"type": AccessType.CEDAR, "attributes": {"department": "legal"}}
    other = replace(MEMO, **{field: others.get(field, "user:another")})
    assert ask(other) == ["denied"]
    assert ask(MEMO) == ["allowed"]


@pytest.mark.parametrize(
    "trouble", [ConnectionError("gone"), "hang", [], [ALLOWED, ALLOWED], [True], undecided("?")]
)
def test_whatever_goes_wrong_is_undecided_and_asked_again(ask: Asking, trouble: Any) -> None:
    ask.authorizer.answer = trouble
    assert ask() == ["undecided"]
    assert len(ask.kept) == 0
    ask.authorizer.answer = ALLOWED
    assert ask() == ["allowed"]


def test_checks_go_out_in_batches_of_fifty_each_once(ask: Asking) -> None:
    many = [replace(MEMO, object=f"document:{number}") for number in range(120)]
    assert ask(*many, *many) == ["allowed"] * 240
    assert sorted(ask.authorizer.batches) == [20, BATCH, BATCH]


def test_a_batch_that_fails_takes_no_other_with_it(ask: Asking) -> None:
    failing = AssertionError("the first batch")

    async def check(requests: Sequence[AccessCheck]) -> list[Decision]:
        if requests[0].object == "document:0":
            raise failing
        return [ALLOWED for _ in requests]

    ask.authorizer.check = check  # type: ignore[method-assign]
    many = [replace(MEMO, object=f"document:{number}") for number in range(60)]
    assert ask(*many) == ["undecided"] * 50 + ["allowed"] * 10


def test_a_cache_of_no_seconds_keeps_nothing() -> None:
    ask = Asking(keep_s=0)
    ask()
    ask()
    assert ask.times_asked == 2


def test_what_is_kept_is_bounded(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_decisions, "MOST_KEPT", 3)
    ask(*(replace(MEMO, object=f"document:{number}") for number in range(10)))
    assert len(ask.kept) == 3


def test_whoever_says_that_the_model_changed_is_believed_at_once() -> None:
    asking = Asking()
    other = replace(MEMO, tenant="beta")
    assert asking() + asking(other) == ["allowed", "allowed"]
    asking.time += 1
    asking.kept.forget("acme")
    asking.authorizer.answer = DENIED
    asking.time += 1
    # Of that tenant, and of nobody else.
    assert asking() + asking(other) == ["denied", "allowed"]
    asking.kept.forget(None)
    asking.time += 1
    assert asking(other) == ["denied"]


def test_what_was_being_asked_when_the_model_changed_is_not_kept() -> None:
    asking = Asking()
    release = asyncio.Event()
    check = asking.authorizer.check

    async def slowly(requests: Sequence[AccessCheck]) -> list[Decision]:
        decisions = await check(requests)
        await release.wait()
        return decisions

    async def run() -> None:
        asking.kept.timeout_s = 20
        asking.authorizer.check = slowly  # type: ignore[method-assign]
        first = asyncio.ensure_future(asking.kept.check((MEMO,)))
        while not asking.authorizer.batches:  # noqa: ASYNC110 (no event to wait for)
            await asyncio.sleep(0)
        asking.time += 1
        asking.kept.forget(MEMO.tenant)
        asking.authorizer.answer = DENIED
        release.set()
        await first
        asking.time += 1
        assert [one.outcome for one in await asking.kept.check((MEMO,))] == ["denied"]

    asyncio.run(run())
