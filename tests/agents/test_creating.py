"""A tez made by an agent, and the folders that it may use for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agents.clients import Agent, in_memory
from tests.conftest import BundleMaker
from tipstaff.agents.drafts import Drafts
from tipstaff.agents.folders import AllowedFolders
from tipstaff.engine import examine, open_bundle, read_bundle
from tipstaff.errors import AuthorizationDenied, NotFound, UsageError


def in_folder(folder: Path, work: Callable[[Agent], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with in_memory(allow=(folder,)) as agent:
            return await work(agent)

    return asyncio.run(run())


async def made(agent: Agent, synthesis: str, **pack: Any) -> dict[str, Any]:
    draft = await agent.call("create_tez", step="draft", title="The mill", creator="A. Sender")
    of = {"draft_id": draft["draft_id"]}
    rent = await agent.call(
        "create_tez", step="add_context", **of, title="Lease", text="The rent is $4,200 a month.\n"
    )
    assert rent["cite_as"] == "[[lease]]"
    await agent.call("create_tez", step="add_context", **of, file="roof.csv", access="full")
    await agent.call("create_tez", step="set_synthesis", **of, text=synthesis)
    return await agent.call("create_tez", step="pack", **of, **pack)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "allowed").mkdir()
    (tmp_path / "allowed" / "roof.csv").write_text("part,cost\nroof,$38000\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("Nobody may read this.", encoding="utf-8")
    return tmp_path / "allowed"


def test_a_tez_is_drafted_filled_packed_and_asked(folder: Path) -> None:
    async def work(agent: Agent) -> Any:
        packed = await made(agent, "# The mill\n\nThe rent is $4,200 [[lease:L1]].\n")
        answer = await agent.call("ask", tez_id=packed["tez_id"], query="What is the rent?")
        return packed, answer

    packed, answer = in_folder(folder, work)
    assert packed["findings"] == packed["warnings"] == []
    assert "audit_synthesis" in packed["next_step"]
    assert "$4,200" in answer["response"]["text"]
    written = Path(packed["kept_at"])
    assert written == folder.resolve() / "the-mill.tez"
    with open_bundle(written) as opened:
        items = {item.id: item for item in opened.bundle.items}
        assert {one: items[one].type for one in items} == {
            "lease": "document",
            "roof": "spreadsheet",
        }
        assert all(item.hash_state == "verified" for item in items.values())
        _, report = examine(read_bundle(opened))
        assert report.passes(strict=True), report.findings


def test_a_citation_that_leads_nowhere_is_found_when_it_is_packed(folder: Path) -> None:
    async def work(agent: Agent) -> Any:
        return await made(agent, "# The mill\n\nThe roof leaks [[survey:p4]].\n", output="mill.tez")

    packed = in_folder(folder, work)
    assert packed["kept_at"].endswith("mill.tez")
    assert any("survey" in one["message"] for one in packed["findings"])


def test_a_secret_that_is_packed_is_warned_of_and_not_repeated(folder: Path) -> None:
    secret = "AKIA" + "QYZTLMNP7RVWX3KD"
    (folder / "roof.csv").write_text(f"key,{secret}\n", encoding="utf-8")

    async def work(agent: Agent) -> Any:
        return await made(agent, "# The mill\n\nThe rent is $4,200 [[lease:L1]].\n")

    packed = in_folder(folder, work)
    assert any("[[roof:" in one for one in packed["warnings"])
    assert secret not in str(packed)


def test_nothing_is_written_over_and_nothing_outside(folder: Path) -> None:
    synthesis = "# The mill\n\nThe rent is $4,200 [[lease:L1]].\n"

    async def work(agent: Agent) -> Any:
        draft = await agent.call("create_tez", step="draft", title="T", creator="S")
        of = {"draft_id": draft["draft_id"]}
        empty = await agent.fail("create_tez", step="pack", **of)
        await agent.call("create_tez", step="add_context", **of, text="Words.")
        await agent.call("create_tez", step="set_synthesis", **of, text=synthesis)
        return [
            empty,
            await agent.fail("create_tez", step="pack", **of, output="../out.tez"),
            await agent.fail("create_tez", step="pack", **of, output="roof.csv"),
            await agent.fail("create_tez", step="add_context", **of, file="../secret.md"),
            await agent.fail("create_tez", step="add_context", **of, text="x", file="roof.csv"),
            await agent.fail("create_tez", step="add_context", **of, text="x", item_id="A B"),
        ]

    kinds = [error["type"] for error in in_folder(folder, work)]
    assert (
        kinds == ["usage", "authorization_denied", "usage", "authorization_denied"] + ["usage"] * 2
    )
    assert sorted(one.name for one in folder.iterdir()) == ["roof.csv"]
    assert not (folder.parent / "out.tez").exists()


def test_a_bundle_of_an_allowed_folder_can_be_opened(
    make_bundle: BundleMaker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What another test has read and indexed is not read again.
    monkeypatch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path / "data"))
    bundle = make_bundle()

    async def work(agent: Agent) -> Any:
        opened = await agent.call("open_tez", path=bundle.name)
        again = await agent.call("open_tez", path=str(bundle))
        return opened, again, (await agent.call("list_tezits"))["tezits"], agent.progress

    opened, again, listed, progress = in_folder(tmp_path, work)
    assert opened == again == listed[0]
    assert len(listed) == 1
    told = [amount for amount, _ in progress]
    assert told == sorted(set(told))
    assert any(message.startswith("Reading") for _, message in progress)


def test_a_link_does_not_lead_out(folder: Path) -> None:
    (folder / "link").symlink_to(folder.parent)
    allowed = AllowedFolders.of([folder])
    for text in ("link/secret.md", "../secret.md", str(folder.parent / "secret.md"), "/", "a\x00b"):
        with pytest.raises(AuthorizationDenied):
            allowed.existing(text)
    with pytest.raises(NotFound):
        allowed.existing("nothing-here")
    assert allowed.existing("roof.csv") == folder.resolve() / "roof.csv"


def test_a_refusal_outside_does_not_tell_what_exists(folder: Path) -> None:
    allowed = AllowedFolders.of([folder])
    said = []
    for name in ("secret.md", "nothing.md"):
        with pytest.raises(AuthorizationDenied) as refused:
            allowed.existing(f"../{name}")
        said.append(refused.value.message.replace(name, ""))
    assert said[0] == said[1]


def test_drafts_are_their_owners_and_the_oldest_of_too_many_go() -> None:
    drafts = Drafts()
    first = drafts.begin("jane", title="One", creator="J", tez_id=None)
    with pytest.raises(NotFound):
        drafts.get("john", first.draft_id)
    kept = [drafts.begin("jane", title=f"T {n}", creator="J", tez_id=None) for n in range(16)]
    assert drafts.get("jane", kept[0].draft_id) is kept[0]
    with pytest.raises(NotFound):
        drafts.get("jane", first.draft_id)
    with pytest.raises(UsageError):
        drafts.begin("jane", title="x", creator="J", tez_id="Not An Id")
