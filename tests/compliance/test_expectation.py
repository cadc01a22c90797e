"""Both published shapes of `test-queries.json`."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from tipstaff.compliance.expectation import expectations
from tipstaff.compliance.expected import says
from tipstaff.compliance.verdict import Level

ROW = {
    "id": "grounded-02",
    "query": "What are the terms?",
    "expected_classification": "grounded",
    "passing_criteria": {
        "must_contain": "$1M",
        "must_contain_any": ["a", "b"],
        "must_contain_any_2": ["c"],
        "must_cite": ["term-sheet"],
        "must_cite_at_least": 2,
        "must_not_contain_general_knowledge": True,
        "classification_must_be": "grounded",
    },
}


def test_a_list_with_passing_criteria_is_read() -> None:
    (read,) = expectations([ROW])
    assert read.contains == (("$1M",), ("a", "b"), ("c",))
    assert (read.cites, read.cites_at_least) == (("term-sheet",), 2)
    assert read.classes == ("grounded",)
    assert read.unread == ()


def test_a_criterion_that_nobody_knows_is_named() -> None:
    criteria = {"must_rhyme": True, "classification_must_be": "grounded"}
    (read,) = expectations([ROW | {"passing_criteria": criteria}])
    assert read.unread == ("must_rhyme",)


def test_what_may_be_mentioned_may_be_a_partial_response() -> None:
    criteria = {"must_abstain": True, "classification_must_be": "abstention"}
    row = ROW | {"expected_classification": "abstention", "passing_criteria": criteria}
    (strict,) = expectations([row])
    (lenient,) = expectations(
        [row | {"passing_criteria": criteria | {"may_mention_related": ["x"]}}]
    )
    assert strict.classes == ("abstention",)
    assert strict.abstains
    assert lenient.classes == ("abstention", "partial")


def test_an_object_with_expected_behavior_is_read() -> None:
    content = json.loads((ROOT / "bundles/meridian/test-queries.json").read_text("utf-8"))
    read = {one.id: one for one in expectations(content)}
    assert [one.tip_test for one in read.values()][:9] == [1, 2, 3, 4, 5, 6, 7, 8, 11]
    assert read["tip-1-grounding"].contains == (("48.62", "48,620"),)
    assert len(read["tip-5-multi-source"].contains) == 4
    assert read["codeword"].is_codeword
    assert read["tip-2-abstention"].abstains
    assert not read["tip-8-injection"].abstains


def test_tip_lite_answers_or_abstains_where_the_whole_protocol_is_partial() -> None:
    (read,) = expectations([ROW | {"passing_criteria": {"classification_must_be": "partial"}}])
    assert read.classes_at(Level.FULL) == ("partial",)
    assert set(read.classes_at(Level.LITE)) == {"grounded", "abstention", "partial"}


@pytest.mark.parametrize(
    ("text", "word", "said"),
    [
        ("It is $25 million.", "$25M", True),
        ("It is $25,000,000.", "$25 million", True),
        ("It is $26 million.", "$25M", False),
        ("It was on 20–21 June.", "20-21 June", True),
        ("It is 25 percent.", "$25", False),
    ],
)
def test_an_amount_is_said_however_it_is_written(text: str, word: str, said: bool) -> None:
    assert says(text, word) is said
