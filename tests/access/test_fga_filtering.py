"""The ten cases of FGA item filtering (Enterprise §9.3, §3.5), against each authorizer.

A tez has a note for everybody and a memo that an authorizer decides about. `ask` is the engine as
a session uses it: the scope is fixed by the authorizer, then the question is asked.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.access.worlds import WORLDS, FgaWorld, World, world_of
from tests.conftest import BundleMaker, manifest_of
from tests.session.stand_ins import QUICK
from tipstaff.access.authorization import Authorization, authorizer_named
from tipstaff.access.kept_decisions import KeptDecisions
from tipstaff.access.recipients import Grant
from tipstaff.asking import Interrogation
from tipstaff.domain.access import AccessType
from tipstaff.domain.citation import Citation
from tipstaff.domain.response import NoticeKind, ResponseEnvelope
from tipstaff.domain.wire import to_wire
from tipstaff.engine import IndexedBundle, index_bundle, interrogate, open_bundle
from tipstaff.settings import load_settings

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

JANE, BOB = "user:jane@example.com", "user:bob@example.com"
OPEN = {
    "notes.md": b"# Budget\n\nThe budget for the mill is $77,000.\n\nThe roof leaks.\n",
    "survey.md": b"# Survey\n\nThe water wheel turns freely. The mill has two floors.\n",
}
HIDDEN = {
    "zanzibar.md": b"# Settlement of the mill\n\nThe settlement amount for the mill is $912,345.\n"
}
SETTLEMENT = "What is the settlement amount for the mill?"
BUDGET = "What is the budget for the mill?"
# Whoever guesses the name of a hidden item hears what they would hear if there were none.
PROBES = (
    "What is missing about the mill?",
    "How many floors does it have?",
    "What does zanzibar say?",
    "Is [[zanzibar]] right about the mill?",
    "List every document.",
)


class Asking:
    """One tez under one authorizer, with a clock of its own."""

    def __init__(self, world: World | None, make: BundleMaker, stack: ExitStack) -> None:
        self.world, self.time, self.timeout_s = world, 1_000.0, 20.0
        self._make, self._stack = make, stack
        self.indexed = self.published({**OPEN, **HIDDEN}, "whole")
        self.authorization: Authorization | None = None

    def published(self, items: dict[str, bytes], name: str) -> IndexedBundle:
        creator = {"name": "Ada", "email": "jane@example.com"}
        manifest = manifest_of(items, creator=creator)
        for entry in manifest["context"]["items"]:
            if entry["id"] == "zanzibar":
                world = self.world
                entry["access"] = world.access("memo") if world else {"type": "creator_only"}
        folder = self._make(items, manifest=manifest, synthesis=b"# Mill\n\nA mill.\n", name=name)
        settings = load_settings(QUICK, environment={})
        opened = self._stack.enter_context(open_bundle(folder, settings=settings))
        # A tenant of its own: nothing comes out of another's cache.
        return replace(index_bundle(opened, settings=settings, tenant=name), tenant="acme")

    async def granted(self, user: str | None) -> Grant:
        if self.authorization is None:
            self.authorization = self._configured()
        bundle = self.indexed.opened.bundle
        return await self.authorization.granted(bundle, tenant="acme", recipient=user)

    def grants(self, *users: str, between: Any = None) -> list[Grant]:
        """For one user after the other, by one authorization."""

        async def work() -> list[Grant]:
            found = []
            for number, user in enumerate(users):
                if number and between:
                    between()
                found.append(await self.granted(user))
            await self._closed()
            return found

        return asyncio.run(work())

    def interrogation(self, user: str) -> Interrogation:
        (grant,) = self.grants(user)
        return interrogate(self.indexed, recipient=user, grant=grant)

    def ask(self, user: str, query: str) -> ResponseEnvelope:
        return self.interrogation(user).ask(query)

    def allow(self) -> None:
        if self.world is not None:
            self.world.allow(JANE, "memo")

    def _configured(self) -> Authorization:
        if self.world is None:
            return Authorization()
        made = KeptDecisions(
            authorizer=authorizer_named(self.world.type, self.world.in_force()),
            timeout_s=self.timeout_s,
            keep_s=300,
            now=lambda: self.time,
        )
        return Authorization({self.world.type: made})

    async def _closed(self) -> None:
        if self.authorization is not None:
            await self.authorization.aclose()
        self.authorization = None


@pytest.fixture
def asking(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    make_bundle: BundleMaker,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Asking]:
    with ExitStack() as stack:
        name = request.param
        world = (
            None
            if name == "creator_only"
            else stack.enter_context(world_of(name, tmp_path, monkeypatch))
        )
        made = Asking(world, make_bundle, stack)
        made.allow()
        yield made


# Jane is the creator, so that what is the creator's alone is decided as the others decide.
with_every = pytest.mark.parametrize("asking", [*WORLDS, "creator_only"], indirect=True)
with_services = pytest.mark.parametrize("asking", list(WORLDS), indirect=True)


@with_every
def test_1_an_item_that_is_allowed_is_answered_from_and_cited(asking: Asking) -> None:
    envelope = asking.ask(JANE, SETTLEMENT)
    assert "$912,345" in envelope.response.text
    assert {one.item_id for one in envelope.response.citations} == {"zanzibar"}
    assert envelope.context_scope.scope_complete


@with_every
def test_2_an_item_that_is_not_allowed_is_not_searched(asking: Asking) -> None:
    interrogation = asking.interrogation(BOB)
    interrogation.ask(SETTLEMENT)
    retrieval = interrogation.last_retrieval
    assert retrieval is not None
    assert {one.chunk.item_id for one in retrieval.found} == {"notes", "survey"}


@with_every
def test_3_the_response_is_that_of_a_bundle_without_the_item(asking: Asking) -> None:
    without = asking.published(OPEN, "without")
    (grant,) = asking.grants(BOB)
    for query in (SETTLEMENT, BUDGET, *PROBES):
        inside = interrogate(asking.indexed, recipient=BOB, grant=grant)
        alone = interrogate(without, recipient=BOB)
        assert told(inside.ask(query)) == told(alone.ask(query)), query
        assert scores(inside) == scores(alone), query


@with_every
def test_4_two_recipients_have_two_boundaries(asking: Asking) -> None:
    jane, bob = asking.grants(JANE, BOB)
    assert jane.permitted == {"notes", "survey", "zanzibar"}
    assert bob.permitted == {"notes", "survey"}


@with_every
def test_5_a_citation_of_an_item_that_is_not_allowed_does_not_pass(asking: Asking) -> None:
    citation = Citation("zanzibar")
    for user, passes in ((JANE, True), (BOB, False)):
        boundary = asking.interrogation(user).boundary
        assert boundary.may_cite(citation.item_id) is passes
        assert (boundary.document("zanzibar") is not None) is passes


@with_every
def test_6_nothing_names_what_is_hidden(asking: Asking) -> None:
    for query in (SETTLEMENT, "List every document.", "Who else may read about the mill?"):
        envelope = asking.ask(BOB, query)
        words = json.dumps(to_wire(envelope)).casefold()
        for hidden in ("zanzibar", "912,345", "settlement of the mill"):
            assert hidden not in words, query
        scope = envelope.context_scope
        assert scope.accessible_item_ids == ("notes", "survey")
        assert (scope.total_items, scope.restricted_items) == (3, 1)


@with_every
def test_7_items_for_everybody_need_no_authorizer(asking: Asking) -> None:
    if asking.world is not None:
        asking.authorization = asking._configured()
        asking.world.break_down()
    envelope = asking.ask(BOB, BUDGET)
    assert "$77,000" in envelope.response.text


@with_services
def test_8_an_authorizer_that_fails_denies_and_the_response_says_so(asking: Asking) -> None:
    assert asking.world is not None
    asking.authorization = asking._configured()
    asking.world.break_down()
    envelope = asking.ask(JANE, SETTLEMENT)
    assert "$912,345" not in envelope.response.text
    assert not envelope.context_scope.scope_complete
    (notice,) = [one for one in envelope.notices if one.kind is NoticeKind.REDUCED_SCOPE]
    assert "2 of 3" in notice.message
    assert "could not be decided" in notice.message
    assert "zanzibar" not in notice.message


@pytest.mark.parametrize("asking", ["fga", "opa", "custom"], indirect=True)
def test_9_an_authorizer_that_is_late_denies(asking: Asking) -> None:
    assert asking.world is not None
    asking.world.stall()
    asking.timeout_s = 0.2
    (grant,) = asking.grants(JANE)
    assert grant.permitted == {"notes", "survey"}
    assert grant.undecided == {"zanzibar"}


@with_services
def test_10_what_is_taken_away_or_given_is_felt_within_ten_seconds(asking: Asking) -> None:
    world = asking.world
    assert world is not None

    def swap() -> None:
        world.forbid(JANE, "memo")
        world.allow(BOB, "memo")
        asking.time += 10

    before = asking.grants(JANE, JANE, between=swap)
    assert [len(one.permitted) for one in before] == [3, 2]
    (after,) = asking.grants(BOB)
    assert "zanzibar" in after.permitted


@with_services
def test_decisions_are_kept_meanwhile(asking: Asking) -> None:
    """Else the case above could not fail."""
    world = asking.world
    assert world is not None

    def pass_a_moment() -> None:
        world.forbid(JANE, "memo")
        asking.time += 1

    before = asking.grants(JANE, JANE, between=pass_a_moment)
    assert [len(one.permitted) for one in before] == [3, 3]


@pytest.mark.parametrize("user", ["user:*", "group:legal#member", "user:", "role:legal", ""])
@with_services
def test_who_is_not_one_user_is_nobody_to_a_service(asking: Asking, user: str) -> None:
    assert asking.world is not None
    asking.world.allow(user, "memo")
    (grant,) = asking.grants(user)
    assert grant.permitted == {"notes", "survey"}


@pytest.mark.parametrize("asking", ["fga"], indirect=True)
def test_a_thousand_items_are_twenty_requests(asking: Asking) -> None:
    world = asking.world
    assert isinstance(world, FgaWorld)
    bundle = asking.indexed.opened.bundle
    memo = bundle.item("zanzibar")
    assert memo is not None
    items = [
        replace(
            memo,
            id=f"m{number}",
            access=replace(
                memo.access,
                attributes={"object": f"document:m{number}", "relation": "can_read"},
            ),
        )
        for number in range(1_000)
    ]
    world.allow(JANE, "m7")
    many = replace(bundle, items=tuple(items))

    async def work() -> Grant:
        authorization = asking._configured()
        found = await authorization.granted(many, tenant="acme", recipient=JANE)
        again = await authorization.granted(many, tenant="acme", recipient=JANE)
        await authorization.aclose()
        assert found == again
        return found

    assert asyncio.run(work()).permitted == {"m7"}
    checks = [body for path, body in world.server.asked if path.endswith("batch-check")]
    assert [len(body["checks"]) for body in checks] == [50] * 20


def test_what_no_service_is_configured_for_is_denied_and_not_called_undecided(
    make_bundle: BundleMaker,
) -> None:
    with ExitStack() as stack:
        asking = Asking(FgaWorld(), make_bundle, stack)
        asking.authorization = Authorization.from_settings(load_settings({}, environment={}))
        (grant,) = asking.grants(JANE)
    assert grant.permitted == {"notes", "survey"}
    assert not grant.undecided
    assert grant.reasons == {"zanzibar": f"no service for '{AccessType.FGA}' is configured"}


def told(envelope: ResponseEnvelope) -> Any:
    """Everything of a response but its ids, its times and the scope that it discloses."""
    return to_wire(
        replace(
            envelope,
            response_id="",
            query_id="",
            created_at="",
            context_scope=replace(
                envelope.context_scope, total_items=0, restricted_items=0, scope_complete=True
            ),
            session=replace(envelope.session, session_id=""),
            retrieval_summary=replace(envelope.retrieval_summary, retrieval_time_ms=0),
            notices=tuple(
                one for one in envelope.notices if one.kind is not NoticeKind.REDUCED_SCOPE
            ),
        )
    )


def scores(interrogation: Interrogation) -> list[Any]:
    retrieval = interrogation.last_retrieval
    if retrieval is None:
        return []
    return [(one.chunk, one.hybrid_score, one.keyword_score) for one in retrieval.found]
