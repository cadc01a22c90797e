"""TIP §11.2–11.8 on the reference bundle, without a language model: seven tests, each run three
times with the same outcome."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.answers import Expected, outcome, read_questions
from tests.conftest import ROOT
from tipstaff.asking import Interrogation
from tipstaff.engine import index_bundle, open_bundle
from tipstaff.indexing import IndexedBundle

MERIDIAN = ROOT / "bundles" / "meridian"
QUERIES: list[dict[str, Any]] = json.loads((MERIDIAN / "test-queries.json").read_text("utf-8"))[
    "test_queries"
]
NUMBERED = {query["id"]: query["tip_test"] for query in QUERIES if query.get("tip_test")}


@pytest.fixture(scope="module")
def meridian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexedBundle]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIPSTAFF_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        with open_bundle(MERIDIAN) as opened:
            yield index_bundle(opened)


@pytest.mark.parametrize(
    "expected",
    [one for one in read_questions(MERIDIAN) if NUMBERED.get(one.id, 99) <= 8],
    ids=lambda one: one.id,
)
def test_a_test_of_the_protocol_passes_and_three_runs_are_identical(
    expected: Expected, meridian: IndexedBundle
) -> None:
    envelopes = [Interrogation(indexed=meridian).ask(expected.query) for _ in range(3)]
    assert outcome(expected, envelopes[0]) == ("correct", "")
    assert envelopes[0].response == envelopes[1].response == envelopes[2].response


def test_every_citation_of_every_answer_was_checked(meridian: IndexedBundle) -> None:
    for expected in read_questions(MERIDIAN)[:12]:
        for citation in Interrogation(indexed=meridian).ask(expected.query).response.citations:
            assert citation.verified
            assert citation.quote_verified


def test_figures_of_different_things_are_no_contradiction(meridian: IndexedBundle) -> None:
    query = "What discount does Tarnfield give on its services, and what do they come to after it?"
    response = Interrogation(indexed=meridian).ask(query).response
    assert response.contradictions == ()
    assert "standby fee" not in response.text
