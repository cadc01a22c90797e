"""What a recipient may not see does not exist for them: the whole engine answers as it would from
a bundle in which it never was (Enterprise §3.5, §3.6, §10.1)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import BundleMaker
from tests.metamorphic import JANE, Recorder, Sample, sample, write
from tipstaff.asking import Interrogation
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.events import Event
from tipstaff.engine import IndexedBundle, index_bundle, open_bundle
from tipstaff.generating import ModelInterrogation
from tipstaff.settings import load_settings
from tipstaff.streaming import wire_event

SETTINGS = load_settings({"reader": "none", "embedder": "static"})
BUNDLES = 26
# Ids and times are new each time; what is told of the scope is the one difference there may be.
_NEVER_THE_SAME = frozenset(
    {
        "timestamp",
        "created_at",
        "response_id",
        "query_id",
        "session_id",
        "retrieval_time_ms",
        "duration_ms",
        "context_scope",
    }
)
_MARKER = re.compile(r"<<[0-9a-f]{16}>?>?")


@contextmanager
def indexed(folder: Path) -> Iterator[IndexedBundle]:
    # One tenant for all: another would embed everything anew.
    with open_bundle(folder, settings=SETTINGS) as opened:
        yield index_bundle(opened, settings=SETTINGS)


async def told(interrogation: Interrogation, queries: list[str]) -> list[list[Any]]:
    """Everything that leaves in one session, query by query, as it goes over the wire."""
    said: list[list[Event]] = [list(interrogation.opening())]
    said += [[event async for event in interrogation.stream(query)] for query in queries]
    said.append([interrogation.closing()])
    return [[wire_event(event) for event in some] for some in said]


def leaving(bundle: IndexedBundle, one: Sample) -> tuple[list[list[Any]], list[list[Any]], str]:
    """What leaves without a model, with one, and to it."""
    model = Recorder(one.drafts)
    offline = Interrogation(indexed=bundle, recipient=JANE)
    generated = ModelInterrogation(indexed=bundle, recipient=JANE, model=model)
    events = [asyncio.run(told(which, one.queries)) for which in (offline, generated)]
    asked = [said.content for prompt in model.prompts for said in prompt.messages]
    prompts = "\n".join([*(prompt.system for prompt in model.prompts), *asked])
    return events[0], events[1], _MARKER.sub("<<>>", prompts)


def comparable(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: comparable(one) for name, one in value.items() if name not in _NEVER_THE_SAME}
        if "notices" in kept:
            kept["notices"] = [one for one in kept["notices"] if one["kind"] != "reduced_scope"]
        return kept
    return [comparable(one) for one in value] if isinstance(value, list) else value


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("seed", range(BUNDLES))
def test_every_answer_is_that_of_a_bundle_without_what_is_hidden(
    make_bundle: BundleMaker, seed: int
) -> None:
    """Four queries to either engine: 208 cases, each with its events, envelope and prompts."""
    one = sample(seed)
    with indexed(write(make_bundle, one, name="whole")) as bundle:
        seen = GroundingBoundary(indexed=bundle, recipient=JANE).bundle
        *inside, prompts = leaving(bundle, one)
    with indexed(write(make_bundle, one, name="part", without=one.hidden, seen=seen)) as bundle:
        *alone, other_prompts = leaving(bundle, one)
    for session, other in zip(inside, alone, strict=True):
        for query, some, others in zip(["", *one.queries, ""], session, other, strict=True):
            assert comparable(some) == comparable(others), query
        assert_scope_is_told(one, session)
    assert prompts == other_prompts
    # What the recipient said first is no secret, nor is what a model says without being told.
    assert_free_of(one, prompts, said=[*one.queries, *one.drafts])
    for string in strings(inside):
        assert_free_of(one, string, said=one.queries)


def assert_scope_is_told(one: Sample, session: list[list[Any]]) -> None:
    """Enterprise §3.6: how much is hidden, at the end of every response and in its envelope."""
    for some in session[1:-1]:
        scopes = [scope for event in some for scope in scopes_in(event)]
        assert len(scopes) == 2
        for scope in scopes:
            assert scope == {
                "total_items": len(one.access),
                "accessible_items": len(one.access) - len(one.hidden),
                "accessible_item_ids": [item for item in one.access if item not in one.hidden],
                "restricted_items": len(one.hidden),
                "scope_complete": False,
            }
        notices = [one for event in some for one in event.get("notices", ())]
        assert [notice["kind"] for notice in notices].count("reduced_scope") == 1


def scopes_in(value: Any) -> Iterator[dict[str, Any]]:
    """Of the end of a response, and of the envelope in it."""
    if isinstance(value, dict):
        if "context_scope" in value:
            yield value["context_scope"]
        for one in value.values():
            yield from scopes_in(one)


def assert_free_of(one: Sample, string: str, *, said: Iterable[str]) -> None:
    """No id and no title of what is hidden, and none of its own words."""
    known = "\n".join(said).casefold()
    for canary in one.canaries():
        if canary.casefold() not in known:
            assert canary.casefold() not in string.casefold(), canary


def test_what_is_hidden_would_have_been_said_and_prompted(make_bundle: BundleMaker) -> None:
    """Else the test above could not fail: to the owner, the same bundles do tell."""
    told_owner, told_jane = 0, 0
    for seed in range(4):
        one = sample(seed)
        with indexed(write(make_bundle, one, name=f"whole-{seed}")) as bundle:
            for recipient in (None, JANE):
                model = Recorder(one.drafts)
                asking = ModelInterrogation(indexed=bundle, recipient=recipient, model=model)
                said = str(asyncio.run(told(asking, one.queries)))
                said += "".join(prompt.system for prompt in model.prompts)
                count = sum(said.count(word) for word in one.canaries())
                told_owner += count if recipient is None else 0
                told_jane += count if recipient == JANE else 0
    assert told_owner > 10 * max(told_jane, 1)
