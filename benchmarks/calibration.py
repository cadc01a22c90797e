"""Fit the gate's weights on tuning data: `python -m benchmarks.calibration FILE.jsonl`.

Each source of the file becomes one bundle, so that questions meet the right passage among
hundreds of others. Every question's best units are labelled: right if the question can be
answered and the unit, of its own passage, holds an answer. Figures printed here are tuning
figures; what is reported is measured elsewhere.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

from tipstaff.answer.context import AnswerContext
from tipstaff.answer.gathering import gather
from tipstaff.answer.question import understand
from tipstaff.answer.scoring import Features
from tipstaff.domain.scope import Filter
from tipstaff.engine import index_bundle, open_bundle, read_bundle
from tipstaff.indexing import options_from
from tipstaff.read.reader import reader_named
from tipstaff.settings import DEFAULTS

_PER_SOURCE = 350
_CANDIDATES = 4


def main(path: str, per_source: int = _PER_SOURCE) -> None:
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    samples: list[tuple[list[float], int, str, str]] = []
    for source in sorted({row["source"] for row in rows}):
        own = [row for row in rows if row["source"] == source]
        random.Random(7).shuffle(own)
        with tempfile.TemporaryDirectory() as folder:
            samples += list(_samples(source, own[:per_source], Path(folder)))
    _report(samples)


def _samples(
    source: str, rows: list[dict[str, Any]], folder: Path
) -> Iterator[tuple[list[float], int, str, str]]:
    places = _write(rows, folder)
    with open_bundle(folder) as opened:
        indexed = index_bundle(opened)
        read = read_bundle(opened)
        context = AnswerContext(
            bundle=opened.bundle,
            index=indexed.index,
            scope=Filter().scope(indexed.index.items),
            search=lambda query, options: indexed.search(query, options=options),
            options=options_from(DEFAULTS),
            documents=lambda item_id: read.documents.get(item_id),
            reader=reader_named("minilm", threads=2),
        )
        for number, row in enumerate(rows):
            print(f"\r{source} {number + 1}/{len(rows)}", end="", file=sys.stderr)
            (part, *_) = understand(row["query"]).parts
            for candidate in gather(part, context).candidates[:_CANDIDATES]:
                right = (
                    row["answerable"]
                    and candidate.unit.item_id == places[number]
                    and _holds(candidate.unit.reader_text, row["answers"])
                )
                yield [float(x) for x in astuple(candidate.features)], int(right), source, row["id"]
    print(file=sys.stderr)


def _write(rows: list[dict[str, Any]], folder: Path) -> list[str]:
    """One Markdown file a passage; the item id of each row's passage."""
    names: dict[str, str] = {}
    places = []
    (folder / "tez.md").write_text("# Tuning\n", encoding="utf-8")
    (folder / "context").mkdir()
    for row in rows:
        text = row.get("passage") or _table(row)
        if text not in names:
            names[text] = f"passage-{len(names)}"
            path = folder / "context" / f"{names[text]}.md"
            path.write_text(text + "\n", encoding="utf-8")
        places.append(names[text])
    return places


def _table(row: dict[str, Any]) -> str:
    cells = [[str(cell).replace("|", "/") or " " for cell in line] for line in row["table"]]
    width = max(len(line) for line in cells)
    header = 0
    # Header lines of these tables have no words in their first cell; the last of them names most.
    while header < len(cells) - 1 and not cells[header][0].strip():
        header += 1
    header = max(header - 1, 0)
    lines = [f"| {' | '.join(cells[header] + [''] * (width - len(cells[header])))} |"]
    lines.append("|" + "---|" * width)
    lines += [f"| {' | '.join(line)} |" for line in cells[header + 1 :]]
    return "\n\n".join([*row["paragraphs"][:3], "\n".join(lines), *row["paragraphs"][3:]])


def _holds(text: str, answers: list[str]) -> bool:
    plain = _plain(text)
    return any(_plain(str(answer)) in plain for answer in answers if _plain(str(answer)))


def _plain(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def _fit(features: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's method, with a little shrinkage."""
    design = np.hstack([features, np.ones((len(features), 1))])
    weights = np.zeros(design.shape[1])
    shrink = np.diag([*([1.0] * features.shape[1]), 0.0])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (labels - chance) - shrink @ weights
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + shrink
        weights += np.linalg.solve(curve, slope)
    return weights


def _report(samples: list[tuple[list[float], int, str, str]]) -> None:
    features = np.array([one[0] for one in samples])
    labels = np.array([one[1] for one in samples], float)
    sources = np.array([one[2] for one in samples])
    ids = np.array([hash(one[3]) % 2 for one in samples])
    names = [*Features.__slots__, "constant"]
    for title, columns in (("with reader", slice(0, None)), ("without", slice(1, None))):
        weights = _fit(features[:, columns], labels)
        shown = names[columns]
        print(
            f"\n{title}: " + ", ".join(f"{n} {w:.3f}" for n, w in zip(shown, weights, strict=True))
        )
        half = _fit(features[ids == 0][:, columns], labels[ids == 0])
        for source in sorted(set(sources)):
            mask = (sources == source) & (ids == 1)
            design = np.hstack([features[mask][:, columns], np.ones((mask.sum(), 1))])
            chance = 1 / (1 + np.exp(-design @ half))
            print(f"  {source}: AUC {_auc(labels[mask], chance):.3f} on the other half")


def _auc(labels: np.ndarray, chance: np.ndarray) -> float:
    order = chance.argsort(kind="stable")
    ranks = np.empty(len(chance))
    ranks[order] = np.arange(len(chance))
    positive = labels.sum()
    sums = ranks[labels == 1].sum() - positive * (positive - 1) / 2
    return float(sums / max(positive * (len(labels) - positive), 1))


if __name__ == "__main__":
    main(sys.argv[1], *(int(word) for word in sys.argv[2:3]))
