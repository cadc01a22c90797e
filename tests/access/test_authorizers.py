"""Every authorizer keeps the promises of `contracts/authorizers.py`; Rego and Cedar by their real
engines, OpenFGA by its SDK against a server of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.access.http_server import serving
from tests.access.openfga_server import FIRST_MODEL, STORE, OpenFgaServer
from tests.access.relationships import DOCUMENTS, NotInModel, Relationships
from tests.access.worlds import WORLDS, CedarWorld, FgaWorld, Provider, RegoWorld, World, world_of
from tipstaff.access.authorization import authorizer_named
from tipstaff.access.authorizer import (
    ALLOWED,
    DENIED,
    AccessCheck,
    Authorizer,
    Decision,
    Outcome,
)
from tipstaff.contracts.authorizers import faults_of
from tipstaff.domain.access import AccessType
from tipstaff.errors import UsageError
from tipstaff.settings import Settings, load_settings

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

JANE, BOB = "user:jane@example.com", "user:bob@example.com"


@pytest.fixture(params=WORLDS)
def world(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    with world_of(request.param, tmp_path, monkeypatch) as made:
        yield made


def with_authorizer(world: World, work: Any) -> Any:
    async def run() -> Any:
        authorizer = authorizer_named(world.type, world.in_force())
        try:
            return await work(authorizer)
        finally:
            await authorizer.aclose()

    return asyncio.run(run())


def decided(world: World, *checks: AccessCheck) -> list[Outcome]:
    async def work(authorizer: Authorizer) -> list[Outcome]:
        return [one.outcome for one in await authorizer.check(checks)]

    found: list[Outcome] = with_authorizer(world, work)
    return found


def test_it_keeps_every_promise(world: World) -> None:
    world.allow(JANE, "minutes")
    world.allow(JANE, "memo")
    world.allow(BOB, "minutes")
    allowed = [world.check(JANE, "minutes"), world.check(JANE, "memo"), world.check(BOB, "minutes")]
    refused = [world.check(BOB, "memo"), world.check(JANE, "diary")]

    async def work(authorizer: Authorizer) -> list[str]:
        return await faults_of(authorizer, allowed=allowed, refused=refused)

    assert with_authorizer(world, work) == []


@pytest.mark.parametrize("name", ["public", "authenticated", "creator_only"])
def test_local_rules_keep_every_promise(name: str) -> None:
    authorizer = authorizer_named(name, Settings())
    mine = check("creator_only", by_creator=True)
    refused = [check("creator_only"), check("fga"), check("cedar")]
    assert asyncio.run(faults_of(authorizer, allowed=[mine], refused=refused)) == []
    (decision,) = asyncio.run(authorizer.check([check(name, by_creator=True)]))
    assert decision.allowed


def check(type_: str, *, by_creator: bool = False) -> AccessCheck:
    return AccessCheck(
        type=AccessType(type_),
        tenant="acme",
        recipient=JANE,
        relation="can_read",
        object="document:memo",
        by_creator=by_creator,
    )


class Careless(Provider):
    """Allows whatever its sender claims, in any order."""

    async def check(self, requests: Sequence[AccessCheck]) -> list[Decision]:
        known = [one.attributes.get("allow") or one.object == "document:memo" for one in requests]
        return [ALLOWED if one else DENIED for one in sorted(known, key=bool)]


def test_the_suite_finds_an_authorizer_that_is_careless() -> None:
    good, bad = (
        check("custom"),
        AccessCheck(
            type=AccessType.CUSTOM, tenant="acme", recipient=BOB, relation="r", object="document:x"
        ),
    )
    faults = "\n".join(asyncio.run(faults_of(Careless(), allowed=[good], refused=[bad])))
    for told in ("order of the checks", "somebody unknown", "sender claims"):
        assert told in faults


def test_a_change_is_told_by_the_token(world: World) -> None:
    world.allow(JANE, "memo")

    async def work(authorizer: Authorizer) -> list[str | None]:
        before = await authorizer.change_token("acme")
        world.forbid(JANE, "memo")
        return [before, await authorizer.change_token("acme")]

    before, after = with_authorizer(world, work)
    # Who cannot tell says so.
    assert before != after or before is None


def test_what_breaks_decides_nothing(world: World) -> None:
    world.allow(JANE, "memo")
    world.allow(JANE, "minutes")

    async def work(authorizer: Authorizer) -> list[Decision]:
        assert all(one.allowed for one in await authorizer.check([world.check(JANE, "memo")]))
        world.break_down()
        try:
            both = [world.check(JANE, "memo"), world.check(JANE, "minutes")]
            return await authorizer.check(both)
        except Exception:
            return []

    assert not any(one.allowed for one in with_authorizer(world, work))


@pytest.mark.parametrize("world", ["cedar", "rego"], indirect=True)
def test_another_tenants_user_of_the_same_name_is_somebody_else(world: World) -> None:
    world.allow(JANE, "memo")
    assert decided(world, world.check(JANE, "memo")) == [Outcome.ALLOWED]
    assert decided(world, world.check(JANE, "memo", tenant="globex")) == [Outcome.DENIED]


@pytest.fixture
def fga() -> Iterator[FgaWorld]:
    made = FgaWorld()
    with serving(made.server):
        yield made


def test_relations_follow_groups_folders_everybody_and_exceptions(fga: FgaWorld) -> None:
    server = fga.server
    server.write("user:ann", "member", "group:legal")
    server.write("group:legal#member", "viewer", "folder:board")
    server.write("folder:board", "parent", "document:memo")
    server.write("user:*", "viewer", "document:news")
    server.write("user:eve", "blocked", "document:news")
    asked = [("user:ann", "memo"), ("user:eve", "memo"), ("user:ann", "news"), ("user:eve", "news")]
    found = decided(fga, *(fga.check(user, document) for user, document in asked))
    assert found == ["allowed", "denied", "allowed", "denied"]


def test_relationships_that_no_model_knows_are_errors() -> None:
    known = Relationships(DOCUMENTS)
    for relation, target in (("owns", "document:x"), ("can_read", "planet:x"), ("can_read", "x")):
        with pytest.raises(NotInModel):
            known.allows("user:ann", relation, target)


def test_fifty_checks_are_one_request_and_one_check_is_a_plain_one(fga: FgaWorld) -> None:
    assert set(decided(fga, *(fga.check(JANE, f"d{n}") for n in range(50)))) == {Outcome.DENIED}
    assert [path for path, _ in fga.server.asked] == [f"/stores/{STORE}/batch-check"]
    decided(fga, fga.check(JANE, "d1"))
    path, body = fga.server.asked[-1]
    assert path == f"/stores/{STORE}/check"
    assert body["tuple_key"] == {
        "user": JANE,
        "relation": "can_read",
        "object": "document:d1",
    }
    assert body["consistency"] == "HIGHER_CONSISTENCY"


def test_a_check_that_openfga_cannot_decide_spoils_no_other(fga: FgaWorld) -> None:
    fga.allow(JANE, "memo")
    odd = AccessCheck(
        type=AccessType.FGA, tenant="acme", recipient=JANE, relation="owns", object="document:memo"
    )
    assert decided(fga, odd, fga.check(JANE, "memo")) == ["undecided", "allowed"]


def test_the_model_of_the_settings_is_asked_for_and_the_key_is_sent(
    fga: FgaWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FGA_API_TOKEN", "a-secret-key")
    fga.allow(JANE, "memo")
    fga.server.publish({**DOCUMENTS, "type_definitions": [{"type": "user"}]})
    # The newest model knows no documents.
    assert decided(fga, fga.check(JANE, "memo"), fga.check(JANE, "x")) == ["undecided"] * 2

    async def pinned() -> Decision:
        authorizer = authorizer_named("fga", fga.in_force(fga_model=FIRST_MODEL))
        try:
            return (await authorizer.check([fga.check(JANE, "memo")]))[0]
        finally:
            await authorizer.aclose()

    assert asyncio.run(pinned()).allowed
    assert fga.server.asked[-1][1]["authorization_model_id"] == FIRST_MODEL
    assert fga.server.headers[-1]["Authorization"] == "Bearer a-secret-key"


def test_a_new_model_changes_the_token(fga: FgaWorld) -> None:
    async def work(authorizer: Authorizer) -> list[str | None]:
        before = await authorizer.change_token("acme")
        fga.server.publish(DOCUMENTS)
        return [before, await authorizer.change_token("acme")]

    before, after = with_authorizer(fga, work)
    assert before != after


def test_changes_are_read_to_the_end_however_many(fga: FgaWorld) -> None:
    async def work(authorizer: Authorizer) -> list[str | None]:
        for number in range(250):
            fga.allow(JANE, f"d{number}")
        first = await authorizer.change_token("acme")
        again = await authorizer.change_token("acme")
        fga.forbid(JANE, "d7")
        return [first, again, await authorizer.change_token("acme")]

    first, again, after = with_authorizer(fga, work)
    assert first == again != after


def test_stores_by_tenant_are_for_those_tenants_alone(fga: FgaWorld) -> None:
    fga.allow(JANE, "memo")

    async def ask(tenant: str) -> Decision:
        authorizer = authorizer_named("fga", fga.in_force(fga_store=f"acme={STORE}"))
        try:
            return (await authorizer.check([fga.check(JANE, "memo", tenant=tenant)]))[0]
        finally:
            await authorizer.aclose()

    assert asyncio.run(ask("acme")).allowed
    assert not asyncio.run(ask("globex")).allowed


def test_a_policy_outside_the_operators_root_is_not_asked(tmp_path: Path) -> None:
    world = RegoWorld(tmp_path / "rego")
    (world.files.folder / "open.rego").write_text("package ops\nallow := true\n", encoding="utf-8")
    (world.files.folder / "ours.rego").write_text(
        "package tez.anyone\nallow := true\n", encoding="utf-8"
    )
    for policy, outcome in (
        ("ops", "denied"),
        ("tez/anyone", "allowed"),
        ("tez/anyone/allow", "allowed"),
        ("tez/nothing", "denied"),
        ("tezzes/anyone", "denied"),
        ("tez/anyone; data.ops", "denied"),
    ):
        one = AccessCheck(
            type=AccessType.OPA, tenant="acme", recipient=JANE, relation=policy, object="item:x"
        )
        assert decided(world, one) == [outcome], policy


def test_a_rule_that_contradicts_itself_decides_nothing(tmp_path: Path) -> None:
    world = RegoWorld(tmp_path / "rego")
    (world.files.folder / "odd.rego").write_text(
        "package tez.odd\nallow := true\nallow := false\n", encoding="utf-8"
    )
    one = AccessCheck(
        type=AccessType.OPA, tenant="acme", recipient=JANE, relation="tez/odd", object="item:x"
    )
    assert decided(world, one) == [Outcome.UNDECIDED]


def test_a_cedar_policy_that_fails_may_have_forbidden_it(tmp_path: Path) -> None:
    world = CedarWorld(tmp_path / "cedar")
    world.allow(JANE, "memo")
    assert decided(world, world.check(JANE, "memo")) == [Outcome.ALLOWED]
    (world.folder / "forbid.cedar").write_text(
        "forbid (principal, action, resource) when { resource.secret };", encoding="utf-8"
    )
    assert decided(world, world.check(JANE, "memo")) == [Outcome.UNDECIDED]


def test_a_cedar_schema_is_kept_to(tmp_path: Path) -> None:
    world = CedarWorld(tmp_path / "cedar")
    world.allow(JANE, "memo")
    (world.folder / "documents.cedarschema").write_text(
        "entity User;\nentity Document = { readers: Set<User> };\n"
        "action can_read appliesTo { principal: User, resource: Document,\n"
        "  context: { tenant: String, access: {} } };\n",
        encoding="utf-8",
    )
    beyond = AccessCheck(
        type=AccessType.CEDAR,
        tenant="acme",
        recipient=JANE,
        relation="can_burn",
        object="Document:memo",
    )
    assert decided(world, world.check(JANE, "memo"), beyond) == ["allowed", "undecided"]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"fga_url": "https://fga.example.com"}, "fga_store"),
        ({"fga_url": "http://fga.example.com", "fga_store": STORE}, "https"),
        ({"fga_url": "https://fga.example.com", "fga_store": "=x"}, "TENANT=ID"),
        ({"fga_url": "https://fga.example.com", "fga_store": "my-store"}, "TENANT=ID"),
        ({"fga_url": "https://f.example.com", "fga_store": STORE, "fga_model": "1"}, "TENANT=ID"),
        ({"opa_url": "http://opa.example.com"}, "https"),
        ({"opa_url": "https://opa.example.com", "opa_policies": "x"}, "Only one"),
        ({"opa_policies": "/nowhere/at/all"}, "no folder"),
        ({"cedar_policies": "/nowhere/at/all"}, "no folder"),
        ({"custom_providers": "com.example.unknown"}, "no access provider"),
    ],
)
def test_settings_that_cannot_work_are_told_at_the_start(
    settings: dict[str, str], told: str
) -> None:
    name = next(iter(settings)).partition("_")[0]
    with pytest.raises(UsageError, match=told):
        authorizer_named(name, load_settings(settings, environment={}))


def test_broken_policies_are_told_at_the_start(tmp_path: Path) -> None:
    for name, folder in (("rego", tmp_path / "rego"), ("cedar", tmp_path / "cedar")):
        world = RegoWorld(folder) if name == "rego" else CedarWorld(folder)
        world.break_down()
        with pytest.raises(UsageError, match="cannot be used"):
            authorizer_named(world.type, world.in_force())


def test_an_unknown_authorizer_is_told_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="no authorizer 'moon'"):
        authorizer_named("moon", Settings())


def test_a_server_without_the_store_decides_nothing(fga: FgaWorld) -> None:
    other = OpenFgaServer()
    other.answer = lambda *_: (404, {"code": "store_id_not_found"})  # type: ignore[method-assign]
    with serving(other):

        async def ask() -> list[Decision]:
            settings = fga.in_force(fga_url=other.url)
            authorizer = authorizer_named("fga", settings)
            try:
                return await authorizer.check([fga.check(JANE, "memo")])
            except Exception:
                return []
            finally:
                await authorizer.aclose()

        assert not any(one.allowed for one in asyncio.run(ask()))
