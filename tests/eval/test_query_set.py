"""Query sets are read exactly, or refused with their line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MERIDIAN, ROOT
from tipstaff.errors import UsageError
from tipstaff.eval.query_set import EvalQuery, RelevantPassage, read_query_set

GOOD = {"id": "a", "query": "How much?", "answerable": True}


def written(folder: Path, *rows: Any, name: str = "set.jsonl") -> Path:
    path = folder / name
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_every_field_is_read(tmp_path: Path) -> None:
    row = {
        **GOOD,
        "relevant_items": ["lease", "deed"],
        "relevant_passages": [{"item": "deed", "location": "L14", "text": "£91,200"}],
        "expected": ["£91,200", ["a year", "yearly"]],
        "acceptable": ["partial"],
        "type": "factual",
        "note": "paraphrase",
        "draft": True,
        "from_another_tool": 1,
    }
    (read,) = read_query_set(written(tmp_path, row)).queries
    assert read == EvalQuery(
        id="a",
        query="How much?",
        answerable=True,
        relevant_items=("lease", "deed"),
        relevant_passages=(RelevantPassage(item="deed", location="L14", text="£91,200"),),
        expected=(("£91,200",), ("a year", "yearly")),
        acceptable=("partial",),
        type="factual",
        note="paraphrase",
        draft=True,
    )
    assert read.needed_items == ("lease", "deed")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("{", "set.jsonl:2: this is not JSON"),
        ([1], "set.jsonl:2: a query is a JSON object"),
        ({**GOOD, "id": ""}, "'id' has to be text"),
        ({"id": "b", "answerable": True}, "'query' has to be text"),
        ({"id": "b", "query": "?"}, "'answerable' has to be true or false"),
        ({**GOOD, "answerable": "partial"}, "'answerable' has to be true or false"),
        ({**GOOD, "relevant_items": "lease"}, "'relevant_items' has to be a list"),
        ({**GOOD, "relevant_items": [1]}, "'relevant_items' has to be a list of texts"),
        ({**GOOD, "relevant_passages": [{}]}, "'item' has to be text"),
        ({**GOOD, "expected": [[]]}, "'expected' has words"),
        ({**GOOD, "acceptable": ["maybe"]}, "'maybe' is no classification"),
        (
            {**GOOD, "answerable": False, "relevant_items": ["x"]},
            "what cannot be answered has no relevant items",
        ),
        (GOOD, "two queries have the id 'a'"),
    ],
)
def test_a_row_that_is_wrong_is_told_with_its_line(tmp_path: Path, row: Any, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_query_set(written(tmp_path, GOOD, row))


def test_an_empty_set_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no query"):
        read_query_set(written(tmp_path, ""))
    with pytest.raises(UsageError, match="cannot be read"):
        read_query_set(tmp_path / "nowhere.jsonl")


def test_the_same_queries_in_another_order_are_the_same_set(tmp_path: Path) -> None:
    other = {"id": "b", "query": "When?", "answerable": False}
    one = read_query_set(written(tmp_path, GOOD, other))
    two = read_query_set(written(tmp_path, other, {**GOOD, "note": "n"}, name="two.jsonl"))
    three = read_query_set(written(tmp_path, GOOD, {**other, "query": "Who?"}, name="3.jsonl"))
    assert one.digest == two.digest != three.digest


def test_both_published_shapes_and_our_own_are_read() -> None:
    ours = read_query_set(ROOT / "bundles" / "lease-dispute" / "questions.json")
    assert sum(one.answerable for one in ours.queries) == 20
    rent = next(one for one in ours.queries if one.id == "rent-now")
    assert (rent.needed_items, rent.expected) == (("deed-of-variation",), (("91,200",),))
    meridian = read_query_set(MERIDIAN / "test-queries.json")
    price = next(one for one in meridian.queries if one.id == "tip-2-abstention")
    assert (price.answerable, price.needed_items) == (False, ())
    revenue = next(one for one in meridian.queries if one.id == "tip-1-grounding")
    assert revenue.expected == (("48.62", "48,620"),)
    assert revenue.needed_items == ("financial-report",)


def test_the_bare_list_with_passing_criteria_is_read(tmp_path: Path) -> None:
    rows = [
        {
            "id": "g",
            "query": "Which terms?",
            "expected_classification": "grounded",
            "passing_criteria": {
                "must_contain_any": ["$25M", "$25 million"],
                "must_contain_any_2": ["$120M"],
                "must_cite": ["term-sheet"],
                "classification_must_be": "grounded",
            },
        },
        {
            "id": "n",
            "query": "Which colour?",
            "passing_criteria": {"classification_must_be": "abstention", "must_cite": ["x"]},
        },
    ]
    first, second = read_query_set(written(tmp_path, json.dumps(rows), name="q.json")).queries
    assert first.expected == (("$25M", "$25 million"), ("$120M",))
    assert first.needed_items == ("term-sheet",)
    assert (second.answerable, second.needed_items) == (False, ())


def test_json_that_holds_no_queries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no list of test queries"):
        read_query_set(written(tmp_path, '{"a": 1}', name="q.json"))
