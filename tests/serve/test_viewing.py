"""What the page's viewer asks for, within access: views, lines, blocks, rows, nodes, inventory;
a sentence that is checked; tokens and use for admins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.serve.conftest import Asked
from tests.serve.parts import JANE, TOKENS
from tipstaff.domain.caller import Permission

Serving = Callable[..., Any]
TEZ = "/tez/small-tez"
WAYS = ("view", "lines", "blocks", "rows?sheet=x", "nodes")


def answered(
    serving: Serving, method: str, path: str, *, who: str = "jane", **also: Any
) -> httpx.Response:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client(who) as client:
            return await client.request(method, path, **also)

    answer: httpx.Response = serving(asking)
    return answer


def test_a_view_lights_the_passage_and_in_it_the_words(serving: Serving) -> None:
    wanted = {"citation": "[[notes:L5]]", "words": "the roof is $4,200"}
    view = answered(serving, "GET", f"{TEZ}/items/notes/view", params=wanted).json()
    assert (view["kind"], view["at"]["line"]) == ("lines", 5)
    lines = answered(serving, "GET", f"{TEZ}/items/notes/lines", params=wanted).json()["lines"]
    assert lines[4] == {
        "line": 5,
        "runs": [
            ["The budget for ", "passage"],
            ["the roof is $4,200", "words"],
            [".", "passage"],
        ],
    }
    assert lines[2]["runs"] == [["The sky is blue.", ""]]


def test_words_that_are_not_there_light_nothing_of_their_own(serving: Serving) -> None:
    wanted = {"citation": "L5", "words": "the cellar"}
    lines = answered(serving, "GET", f"{TEZ}/items/notes/lines", params=wanted).json()["lines"]
    assert lines[4]["runs"] == [["The budget for the roof is $4,200.", "passage"]]


def test_a_place_that_does_not_exist_is_said(serving: Serving) -> None:
    view = answered(serving, "GET", f"{TEZ}/items/notes/view", params={"citation": "L99"}).json()
    assert view["unresolved"] == "L99 of 5 lines"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("item", "status"), [("private", 404), ("nowhere", 404), ("pricing", 403), ("summary", 403)]
)
def test_no_way_shows_what_may_not_be_seen(
    serving: Serving, way: str, item: str, status: int
) -> None:
    answer = answered(serving, "GET", f"{TEZ}/items/{item}/{way}")
    assert answer.status_code == status
    if status == 404:
        assert answer.text == answered(serving, "GET", f"{TEZ}/items/never-was/{way}").text


def test_the_inventory_has_what_exists_for_the_caller(serving: Serving) -> None:
    items = answered(serving, "GET", f"{TEZ}/inventory").json()["items"]
    by_id = {item["id"]: item for item in items}
    assert "private" not in by_id
    assert by_id["notes"]["may_be_viewed"]
    assert by_id["notes"]["tokens"] > 0
    assert not by_id["pricing"]["may_be_viewed"]
    assert answered(serving, "GET", f"{TEZ}/inventory", who="stranger").status_code == 404


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("The budget for the roof is $4,200.", "supported"),
        ("The budget for the roof is $9,900.", "contradicted"),
        ("The captain sails to Palermo on Sundays.", "silent"),
        ("Only for the creator.", "silent"),
    ],
)
def test_a_sentence_is_held_against_what_the_caller_may_see(
    serving: Serving, statement: str, verdict: str
) -> None:
    told = answered(serving, "POST", f"{TEZ}/verify", json={"statement": statement}).json()
    assert told["verdict"] == verdict
    assert bool(told["passages"]) == (verdict != "silent")


def test_checking_a_sentence_quotes_nothing_that_may_not_be_quoted(serving: Serving) -> None:
    asked = {"statement": "Our floor price is $17."}
    told = answered(serving, "POST", f"{TEZ}/verify", json=asked).json()
    assert [one["text_excerpt"] for one in told["passages"] if one["item_id"] == "pricing"] == [""]


def test_what_is_left_is_told(serving: Serving) -> None:
    async def asking(asked: Asked) -> list[int]:
        async with asked.client() as client:
            left = [(await client.get(f"{TEZ}/remaining")).json()["queries"]]
            await client.post(f"/api/v1{TEZ}/interrogate", json={"query": "Is the sky blue?"})
            return [*left, (await client.get(f"{TEZ}/remaining")).json()["queries"]]

    assert serving(asking, settings={"queries_per_recipient": "10"}) == [10, 9]


def test_whoever_asks_learns_what_their_token_is_for(serving: Serving) -> None:
    me = answered(serving, "GET", "/me").json()
    assert (me["user"], "admin" in me["permissions"]) == (JANE.user, False)
    assert answered(serving, "GET", "/me", who="nobody").status_code == 401


@pytest.mark.parametrize("path", ["/tokens", "/usage"])
def test_only_admins_see_tokens_and_use(serving: Serving, path: str) -> None:
    assert answered(serving, "GET", path).status_code == 403


def test_an_admin_issues_and_revokes_tokens_of_their_own_tenant(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = replace(JANE, permissions=frozenset(Permission), tezits=None)
    monkeypatch.setitem(TOKENS, "admin", admin)
    narrow = replace(admin, tezits=frozenset({"small-tez"}))
    monkeypatch.setitem(TOKENS, "narrow", narrow)

    async def asking(asked: Asked) -> None:
        async with asked.client("admin") as client:
            issued = await client.post("/tokens", json={"user": "bob@example.com", "days": 2})
            assert issued.json()["secret"].startswith("tts_")
            token_id = issued.json()["token"]["token_id"]
            listed = (await client.get("/tokens")).json()["tokens"]
            assert [one["user"] for one in listed] == ["user:bob@example.com"]
            assert "secret" not in str(listed)
            assert (await client.delete(f"/tokens/{token_id}")).status_code == 204
            assert (await client.get("/tokens")).json()["tokens"][0]["revoked_at"]
        async with asked.client("narrow") as client:
            # Else it could hand itself a token for more than it has.
            assert (await client.post("/tokens", json={"user": "me"})).status_code == 404

    serving(asking)
