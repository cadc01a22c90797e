"""`python -m benchmarks.quality [--weights] [FILE …]`: recall, MRR and nDCG of keyword, vector and
hybrid search, for each query set and over all queries. `--weights` tries every share of the
vector ranking."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.quality.query_sets import Asked, Gold, gold_in, read_set
from benchmarks.quality.scoring import DEPTH, Scores, mean, scores
from tipstaff.domain.retrieval import Method, RetrievalOptions
from tipstaff.engine import IndexedBundle, index_bundle, open_bundle, read_bundle
from tipstaff.indexing import options_from
from tipstaff.settings import load_settings

_HERE = Path(__file__).parent
_TITLES = ("recall@1", "recall@5", "recall@10", "MRR", "nDCG@10")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="query sets (default: those here)")
    parser.add_argument("--weights", action="store_true", help="sweep the vector weight")
    arguments = parser.parse_args()
    files = arguments.files or sorted(_HERE.glob("*.jsonl"))
    if not files:
        raise SystemExit(f"There is no query set in {_HERE.name}/; name a file.")
    ways = _weights() if arguments.weights else _methods()
    overall: dict[str, list[Scores]] = {name: [] for name in ways}
    for path in files:
        found = _measured(read_set(path), ways)
        print(_table(f"{path.stem}: {len(next(iter(found.values())))} queries", found))
        for name, several in found.items():
            overall[name] += several
    if len(files) > 1:
        count = len(next(iter(overall.values())))
        print(_table(f"all {len(files)} sets: {count} queries", overall))


def _base() -> RetrievalOptions:
    return replace(options_from(load_settings()), top_k=DEPTH)


def _methods() -> dict[str, RetrievalOptions]:
    base = _base()
    share = f"{base.vector_weight:.0%} vector"
    return {
        "keyword": replace(base, method=Method.KEYWORD),
        "vector": replace(base, method=Method.VECTOR),
        f"hybrid, weighted ({share})": replace(base, fusion="weighted"),
        f"hybrid, rrf ({share})": replace(base, fusion="rrf"),
    }


def _weights() -> dict[str, RetrievalOptions]:
    return {
        f"{fusion}, {tenth * 10:>3}% vector": replace(
            _base(), fusion=fusion, vector_weight=tenth / 10
        )
        for fusion in ("weighted", "rrf")
        for tenth in range(11)
    }


def _measured(asked: list[Asked], ways: Mapping[str, RetrievalOptions]) -> dict[str, list[Scores]]:
    found: dict[str, list[Scores]] = {name: [] for name in ways}
    for path in dict.fromkeys(one.bundle for one in asked):
        queries = [one for one in asked if one.bundle == path]
        with _indexed(path, queries) as (indexed, gold):
            for one, right in zip(queries, gold, strict=True):
                for name, options in ways.items():
                    ranking = indexed.search(one.query, options=options).found
                    found[name].append(scores([hit.chunk for hit in ranking], right))
    return found


@contextlib.contextmanager
def _indexed(path: str, queries: list[Asked]) -> Iterator[tuple[IndexedBundle, list[list[Gold]]]]:
    # Measuring is no retrieval of a recipient: nothing of it goes into the audit log.
    settings = replace(load_settings(), transparency="none")
    with open_bundle(path, settings=settings) as opened:
        read = read_bundle(opened, settings=settings)
        gold = [gold_in(read, one) for one in queries]
        yield index_bundle(opened, settings=settings), gold


def _table(title: str, found: Mapping[str, list[Scores]]) -> str:
    lines = [f"{title:<36}" + "".join(f"{name:>11}" for name in _TITLES)]
    for name, several in found.items():
        one = mean(several)
        values = (one.recall_1, one.recall_5, one.recall_10, one.mrr, one.ndcg_10)
        lines.append(f"  {name:<34}" + "".join(f"{value:>11.3f}" for value in values))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
