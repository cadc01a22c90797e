"""Items over HTTP: bytes that match their hash, places, pages; each within its access."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.access.worlds import CedarWorld
from tests.conftest import MERIDIAN, BundleMaker, manifest_of
from tests.serve.conftest import ITEMS, NOTES, Asked, sha256
from tests.serve.parts import JANE, TOKENS, real_parts
from tipstaff.access.authorization import Authorization
from tipstaff.domain.caller import LOCAL_TENANT

Serving = Callable[..., Any]
ITEM = "/tez/small-tez/items"


def fetched(serving: Serving, path: str, *, who: str = "jane", **headers: str) -> httpx.Response:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client(who) as client:
            return await client.get(path, headers=headers)

    answer: httpx.Response = serving(asking)
    return answer


def test_the_bytes_of_an_item_are_those_that_were_hashed(serving: Serving) -> None:
    answer = fetched(serving, f"{ITEM}/notes/content")
    assert answer.content == NOTES
    assert answer.headers["ETag"] == f'"{sha256(NOTES)}"'
    again = fetched(serving, f"{ITEM}/notes/content", **{"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("wanted", "status", "content"),
    [
        ("bytes=2-6", 206, NOTES[2:7]),
        ("bytes=2-", 206, NOTES[2:]),
        ("bytes=-5", 206, NOTES[-5:]),
        ("bytes=0-99999", 206, NOTES),
        ("bytes=99999-", 416, b""),
        ("bytes=0-1,3-4", 200, NOTES),
        ("lines=1-2", 200, NOTES),
        ("bytes=6-2", 200, NOTES),
    ],
)
def test_a_range_gives_a_part(serving: Serving, wanted: str, status: int, content: bytes) -> None:
    answer = fetched(serving, f"{ITEM}/notes/content", Range=wanted)
    assert (answer.status_code, answer.content) == (status, content)
    if status == 206:
        start = NOTES.index(content)
        expected = f"bytes {start}-{start + len(content) - 1}/{len(NOTES)}"
        assert answer.headers["Content-Range"] == expected


def test_a_range_of_an_older_version_gives_the_whole(serving: Serving) -> None:
    headers = {"Range": "bytes=0-1", "If-Range": '"another"'}
    assert fetched(serving, f"{ITEM}/notes/content", **headers).content == NOTES


def test_bytes_that_changed_are_not_served(
    folder: Path, own_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a bundle that is served from where it lies."""
    monkeypatch.setitem(TOKENS, "jane", replace(JANE, tenant=LOCAL_TENANT))

    async def asking() -> httpx.Response:
        async with real_parts(own_folder) as parts:
            await parts.tezits.add_local(folder)
            async with Asked(parts.service).client() as client:
                assert (await client.get(f"{ITEM}/notes/content")).status_code == 200
                (folder / "context" / "notes.md").write_bytes(b"Something else.\n")
                return await client.get(f"{ITEM}/notes/content")

    answer = asyncio.run(asking())
    assert answer.status_code == 409
    assert answer.json()["error"]["type"] == "context_loading_partial_failure"


def test_a_strangers_page_is_saved_and_never_carried_out(serving: Serving) -> None:
    answer = fetched(serving, f"{ITEM}/page/content")
    assert answer.content == ITEMS["page.html"]
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("what", ["content", "locate?citation=L1", "pages/1.png"])
def test_items_that_may_only_be_asked_about_are_refused_with_the_reason(
    serving: Serving, what: str
) -> None:
    refused = fetched(serving, f"{ITEM}/pricing/{what}")
    assert refused.status_code == 403
    assert "asked about, not looked at" in refused.json()["error"]["message"]
    assert b"17" not in refused.content
    summarised = fetched(serving, f"{ITEM}/summary/{what}")
    assert summarised.status_code == 403
    assert "summary" in summarised.json()["error"]["message"]


@pytest.mark.parametrize("what", ["content", "locate?citation=L1", "pages/1.png"])
def test_an_item_that_may_not_be_known_of_is_not_there(serving: Serving, what: str) -> None:
    hidden = fetched(serving, f"{ITEM}/private/{what}")
    invented = fetched(serving, f"{ITEM}/no-such-item/{what}")
    assert hidden.status_code == invented.status_code == 404
    assert hidden.content == invented.content


def test_the_sender_sees_everything(serving: Serving) -> None:
    for item in ("pricing", "private"):
        answer = fetched(serving, f"{ITEM}/{item}/content", who="sender")
        assert answer.content == ITEMS[f"{item}.md"]


@pytest.mark.parametrize("citation", ["[[notes:L5]]", "notes:L5", "L5"])
def test_a_citation_is_located(serving: Serving, citation: str) -> None:
    found = fetched(serving, f"{ITEM}/notes/locate?citation={citation}").json()
    assert found["text"] == "The budget for the roof is $4,200."
    assert (found["item_id"], found["location"]) == ("notes", "L5")
    (span,) = found["spans"]
    assert NOTES.decode()[span["start"] : span["end"]] == found["text"]


def test_a_place_that_is_not_there_is_said_with_its_reason(serving: Serving) -> None:
    answer = fetched(serving, f"{ITEM}/notes/locate?citation=L99")
    assert answer.status_code == 404
    assert "99" in answer.json()["error"]["reason"]
    other = fetched(serving, f"{ITEM}/notes/locate?citation=[[page:L1]]")
    assert other.status_code in (400, 404)


def test_the_synthesis_can_be_read_and_located(serving: Serving) -> None:
    assert b"The sky is blue" in fetched(serving, f"{ITEM}/tez.md/content").content
    found = fetched(serving, f"{ITEM}/tez.md/locate?citation=L3").json()
    assert found["text"].startswith("The sky is blue")


def test_a_page_is_drawn_once_and_its_boxes_lie_on_it(
    make_bundle: BundleMaker, own_folder: Path
) -> None:
    report = {"report.pdf": (MERIDIAN / "context" / "financial-report.pdf").read_bytes()}
    folder = make_bundle(report)

    async def asking() -> None:
        items = f"{ITEM}/report"
        async with (
            real_parts(own_folder, folder) as parts,
            Asked(service := parts.service).client() as client,
        ):
            located = (await client.get(f"{items}/locate?citation=p7")).json()
            assert located["boxes"]
            drawn = await client.get(f"{items}/pages/7.png?scale=1.5")
            assert drawn.status_code == 200
            assert drawn.headers["Content-Type"] == "image/png"
            width, height = Image.open(BytesIO(drawn.content)).size
            (size,) = located["pages"]
            scale = float(drawn.headers["X-TIP-Page-Scale"])
            assert scale == 1.5
            assert abs(width - size["width"] * scale) <= 1
            for box in located["boxes"]:
                assert 0 <= box["left"] * scale <= box["right"] * scale <= width + 1
                assert 0 <= box["top"] * scale <= box["bottom"] * scale <= height + 1
            assert len(service.pages) == 1
            again = await client.get(f"{items}/pages/7.png?scale=1.5")
            assert again.content == drawn.content
            assert len(service.pages) == 1
            assert (await client.get(f"{items}/pages/9999.png")).status_code == 404
            assert (await client.get(f"{items}/pages/0.png")).status_code == 400
            assert (await client.get(f"{items}/pages/7.png?scale=99")).status_code == 400

    asyncio.run(asking())


def test_what_has_no_pages_has_no_picture(serving: Serving) -> None:
    assert fetched(serving, f"{ITEM}/notes/pages/1.png").status_code == 404


def test_an_item_that_a_service_decides_about_is_shown_to_those_whom_it_allows(
    make_bundle: BundleMaker, tmp_path: Path, own_folder: Path
) -> None:
    world = CedarWorld(tmp_path / "cedar")
    content = manifest_of(ITEMS)
    content["context"]["items"][0]["access"] = world.access("memo")
    folder = make_bundle(ITEMS, manifest=content, name="decided")

    async def asking() -> list[int]:
        found = []
        async with (
            real_parts(own_folder, folder) as parts,
            Asked(parts.service).client() as client,
        ):
            in_force = world.in_force(access_cache_s="0")
            parts.service.authorization = Authorization.from_settings(in_force)
            found.append((await client.get(f"{ITEM}/notes/content")).status_code)
            world.allow(JANE.user, "memo")
            found.append((await client.get(f"{ITEM}/notes/content")).status_code)
        return found

    assert asyncio.run(asking()) == [404, 200]
