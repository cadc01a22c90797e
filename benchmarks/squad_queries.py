"""A public benchmark brought in: `python -m benchmarks.squad_queries SQUAD.json FOLDER`.

Reads JSON in the shape of SQuAD 1.1 and 2.0 (articles, paragraphs, questions) and writes a bundle,
an article an item, and `FOLDER.jsonl`, its query set (docs/evaluation.md). A question that is
impossible is so for its own paragraph; whoever evaluates whole articles should read those again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_CREATED = "2000-01-01T00:00:00Z"


def converted(
    content: dict[str, Any], *, name: str
) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """The files of a bundle, and the rows of its query set."""
    files: dict[str, bytes] = {}
    items: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for article in content["data"]:
        title = article["title"].replace("_", " ")
        item_id = _item_id(title, {item["id"] for item in items})
        text = f"# {title}\n\n" + "\n\n".join(
            _flat(one["context"]) for one in article["paragraphs"]
        )
        files[f"context/{item_id}.md"] = (text + "\n").encode()
        items.append(_item(item_id, title, files[f"context/{item_id}.md"]))
        rows += _rows(article, item_id)
    files["tez.md"] = f"# {name}\n\nArticles and questions of a public benchmark.\n".encode()
    files["manifest.json"] = (json.dumps(_manifest(name, items), indent=2) + "\n").encode()
    return files, rows


def _rows(article: dict[str, Any], item_id: str) -> Iterator[dict[str, Any]]:
    for paragraph in article["paragraphs"]:
        for asked in paragraph["qas"]:
            answers = list(dict.fromkeys(one["text"] for one in asked.get("answers", ())))
            row = {"id": str(asked["id"]), "query": asked["question"].strip()}
            if asked.get("is_impossible") or not answers:
                yield {**row, "answerable": False}
            else:
                passage = {"item": item_id, "text": answers[0]}
                yield {
                    **row,
                    "answerable": True,
                    "relevant_passages": [passage],
                    "expected": [answers],
                }


def _item(item_id: str, title: str, content: bytes) -> dict[str, Any]:
    return {
        "id": item_id,
        "type": "document",
        "title": title,
        "file": f"context/{item_id}.md",
        "mime_type": "text/markdown",
        "size_bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
    }


def _manifest(name: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "tezit_version": "1.2",
        "id": f"{_slug(name)}-benchmark"[-100:].strip("-"),
        "version": 1,
        "created_at": _CREATED,
        "creator": {"name": "a public benchmark"},
        "synthesis": {"title": name, "type": "collection", "file": "tez.md"},
        "context": {"scope": "full", "item_count": len(items), "items": items},
    }


def _item_id(title: str, taken: set[str]) -> str:
    base = _slug(title) or "article"
    names = (base if number == 1 else f"{base}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-")


def _flat(text: str) -> str:
    return " ".join(text.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--articles", type=int, help="only the first so many")
    arguments = parser.parse_args()
    content = json.loads(arguments.source.read_text(encoding="utf-8"))
    content["data"] = content["data"][: arguments.articles]
    files, rows = converted(content, name=arguments.folder.name)
    for name, body in files.items():
        path = arguments.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    queries = arguments.folder.with_name(f"{arguments.folder.name}.jsonl")
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    queries.write_text("".join(lines), encoding="utf-8")
    print(f"{arguments.folder}: {len(content['data'])} articles; {queries}: {len(rows)} queries")


if __name__ == "__main__":
    main()
