"""Over HTTP, nothing of an item that somebody may not see, wherever the sender wrote of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import BundleMaker
from tests.serve.conftest import ITEMS, Asked, manifest, sha256
from tipstaff.access.withholding import NOTHING

ITEM = "/tez/small-tez/items"
CANARIES = ("private", "zorvane", "wexolite")
SYNTHESIS = (
    b"# The mill\n\nThe sky is blue [[notes:L3]].\n\nIt is made of wexolite [[private:L1]].\n\n"
    b"Zorvane tells more.\n\nThe roof has a budget [[notes:L5, private:L1]].\n"
)
LEFT = (
    f"# The mill\n\nThe sky is blue [[notes:L3]].\n\n{NOTHING}\n\n{NOTHING}\n\n"
    "The roof has a budget [[notes:L5]].\n"
)
ROUTES = (
    "/tez",
    "/tez/small-tez",
    f"{ITEM}/tez.md/content",
    f"{ITEM}/tez.md/pages/1.png",
    f"{ITEM}/notes/content",
    f"{ITEM}/notes/locate?citation=L1",
    *(f"{ITEM}/tez.md/locate?citation={place}" for place in ("", "L1", "L5", "L7", "para-2")),
    *(f"{ITEM}/tez.md/locate?citation={place}" for place in ("L1-L9", "the-mill", "L99")),
)
Serving = Callable[..., Any]


@pytest.fixture
def folder(make_bundle: BundleMaker) -> Path:
    content = manifest()
    for item in content["context"]["items"]:
        if item["id"] == "private":
            item["title"] = "Zorvane"
    return make_bundle(ITEMS, manifest=content, synthesis=SYNTHESIS)


def fetched(serving: Serving, path: str, *, who: str = "jane") -> httpx.Response:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client(who) as client:
            return await client.get(path)

    answer: httpx.Response = serving(asking)
    return answer


@pytest.mark.parametrize("path", ROUTES)
def test_no_route_tells_of_it(serving: Serving, path: str) -> None:
    answer = fetched(serving, path)
    assert answer.status_code in (200, 404, 422)
    for canary in CANARIES:
        assert canary not in answer.text.casefold().replace('"cache-control":"private', "")


def test_the_synthesis_is_served_as_it_is_for_the_caller(serving: Serving) -> None:
    answer = fetched(serving, f"{ITEM}/tez.md/content")
    assert answer.text == LEFT
    assert answer.headers["X-TIP-SHA256"] == sha256(LEFT.encode())
    assert fetched(serving, f"{ITEM}/tez.md/content", who="sender").content == SYNTHESIS


def test_a_place_in_what_is_left_is_the_place_in_the_senders_file(serving: Serving) -> None:
    for place in ("L3", "L9", "para-1", "para-4"):
        path = f"{ITEM}/tez.md/locate?citation={place}"
        seen, sent = (fetched(serving, path, who=who).json()["text"] for who in ("jane", "sender"))
        assert seen == sent.replace(", private:L1", ""), place


def test_what_is_withheld_has_no_words_to_locate(serving: Serving) -> None:
    found = fetched(serving, f"{ITEM}/tez.md/locate?citation=L5")
    assert found.status_code == 404 or not found.json()["text"].strip()
