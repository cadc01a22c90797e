"""The synthesis audited over HTTP: as it is for the caller, against what exists for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import BundleMaker
from tests.serve.conftest import ITEMS, Asked, manifest

Serving = Callable[..., Any]
SYNTHESIS = (
    "# The mill\n\n## Findings\n\nThe sky is blue 🦉 [[notes:L3]].\n\n"
    "The budget for the roof is $9,900 [[notes:L5]].\n\n"
    "It is only for the creator [[private:L1]].\n\n"
    "Our floor price is $17 [[pricing:L1]].\n"
)


@pytest.fixture
def folder(make_bundle: BundleMaker) -> Path:
    return make_bundle(ITEMS, manifest=manifest(), synthesis=SYNTHESIS.encode())


def _audited(serving: Serving, who: str = "jane") -> httpx.Response:
    async def asking(asked: Asked) -> httpx.Response:
        async with asked.client(who) as client:
            return await client.post("/tez/small-tez/audit")

    answer: httpx.Response = serving(asking)
    return answer


def test_a_claim_that_the_sources_deny_is_told_with_its_place(serving: Serving) -> None:
    audit = _audited(serving).json()
    (wrong,) = [one for one in audit["claims"] if one["standing"] == "contradicted"]
    assert "$4,200, not $9,900" in wrong["reason"]
    place = audit["text"][wrong["start"] : wrong["end"]]
    assert place.startswith("The budget for the roof is $9,900")
    assert wrong["passages"][0]["item_id"] == "notes"
    assert 0 < audit["score"] < 1


def test_what_rests_on_an_item_that_the_caller_may_not_see_is_no_claim(serving: Serving) -> None:
    answer = _audited(serving)
    assert "only for the creator" not in answer.text
    assert '"private' not in answer.text
    assert "private:L1" in _audited(serving, who="sender").text


def test_no_word_is_repeated_of_an_item_that_may_only_be_asked_about(serving: Serving) -> None:
    audit = _audited(serving).json()
    shown = [
        passage
        for claim in audit["claims"]
        for passage in (*claim["passages"], *claim["elsewhere"])
        if passage["item_id"] == "pricing"
    ]
    assert shown
    assert {passage["text_excerpt"] for passage in shown} == {""}


def test_for_a_stranger_there_is_nothing_to_audit(serving: Serving) -> None:
    assert _audited(serving, who="stranger").status_code == 404
    assert _audited(serving, who="nobody").status_code == 401
