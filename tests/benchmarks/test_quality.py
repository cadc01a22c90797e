"""The measures of `make bench-quality`, on rankings whose figures are known by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from benchmarks.quality.query_sets import Gold, gold_in, read_set
from benchmarks.quality.scoring import mean, scores
from tests.conftest import BundleMaker
from tipstaff.domain.document import Chunk, Span
from tipstaff.domain.location import Lines
from tipstaff.engine import open_bundle, read_bundle


def chunk(text: str, item: str = "a", span: tuple[int, int] = (0, 10)) -> Chunk:
    return Chunk(
        chunk_id=text, item_id=item, location=Lines(1, 1), text=text, spans=(Span(*span),), tokens=1
    )


def test_a_passage_is_right_by_its_words_whatever_their_spaces() -> None:
    gold = Gold("a", "blue sky")
    assert gold.is_in(chunk("a  blue\n sky"))
    assert not gold.is_in(chunk("a blue sky", item="b"))
    assert not gold.is_in(chunk("a grey sky"))


def test_a_passage_is_right_by_its_place() -> None:
    assert Gold("a", "", (Span(2, 9),)).is_in(chunk("x"))
    assert not Gold("a", "", (Span(2, 19),)).is_in(chunk("x"))
    assert not Gold("a", "").is_in(chunk("x"))


def test_a_gold_passage_in_second_place() -> None:
    found = scores([chunk("grey"), chunk("blue"), chunk("blue too")], [Gold("a", "blue")])
    assert (found.recall_1, found.recall_5, found.mrr) == (0, 1, 0.5)
    assert found.ndcg_10 == pytest.approx(1 / math.log2(3))


def test_two_gold_passages_count_half_each() -> None:
    gold = [Gold("a", "blue"), Gold("a", "red")]
    found = scores([chunk("blue"), *[chunk("grey")] * 5, chunk("red")], gold)
    assert (found.recall_1, found.recall_5, found.recall_10, found.mrr) == (0.5, 0.5, 1, 1)


def test_no_ranking_is_better_than_the_ideal() -> None:
    gold = [Gold("a", "blue"), Gold("a", "sky")]
    assert scores([chunk("blue sky")], gold).ndcg_10 == pytest.approx(1)


def test_what_is_behind_the_tenth_place_is_not_found() -> None:
    found = scores([*[chunk("grey")] * 10, chunk("blue")], [Gold("a", "blue")])
    assert found == scores([], [Gold("a", "blue")])
    assert (found.recall_10, found.mrr, found.ndcg_10) == (0, 0, 0)


def test_the_mean_is_over_queries() -> None:
    good, bad = scores([chunk("blue")], [Gold("a", "blue")]), scores([], [Gold("a", "blue")])
    assert mean([good, bad]).mrr == 0.5


def test_a_gold_text_that_its_item_does_not_say_stops_the_run(
    make_bundle: BundleMaker, tmp_path: Path
) -> None:
    path = tmp_path / "set.jsonl"
    lines = [
        {"bundle": "x", "query": "q", "gold": [{"item": "notes", "location": "L1", "text": "sky"}]},
        {"bundle": "x", "query": "q", "gold": [{"item": "notes", "location": "", "text": "sea"}]},
        {"bundle": "x", "query": "q", "gold": [{"item": "none", "location": "", "text": "sky"}]},
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines))
    right, wrong, unknown = read_set(path)
    with open_bundle(make_bundle()) as opened:
        read = read_bundle(opened)
        (gold,) = gold_in(read, right)
        assert gold.spans
        for other in (wrong, unknown):
            with pytest.raises(SystemExit):
                gold_in(read, other)


@pytest.mark.parametrize("line", ["{", "{}", '{"bundle": "x", "query": "q", "gold": []}'])
def test_a_line_that_is_no_query_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(line)
    with pytest.raises(SystemExit, match=r"set\.jsonl:1"):
        read_set(path)
