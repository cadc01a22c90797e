"""Query sets: a line of JSON a query, `{"bundle": path, "query": …, "gold": [{"item", "location",
"text"}]}`. A passage is right if it is of the gold item and holds the gold text, or if it covers
the place that the gold location names."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tipstaff.domain.citation import Citation, Passage
from tipstaff.domain.document import Chunk, Span
from tipstaff.domain.location import read_location
from tipstaff.engine import ReadBundle


@dataclass(frozen=True, slots=True)
class Gold:
    """One passage that answers the query; `spans` are empty where the location leads nowhere."""

    item: str
    text: str
    spans: tuple[Span, ...] = ()

    def is_in(self, chunk: Chunk) -> bool:
        if chunk.item_id != self.item:
            return False
        if self.text and self.text in _flat(f"{chunk.context}\n{chunk.text}"):
            return True
        return bool(self.spans) and all(_covers(chunk, span) for span in self.spans)


@dataclass(frozen=True, slots=True)
class Asked:
    bundle: str
    query: str
    gold: tuple[dict[str, str], ...]


def read_set(path: Path) -> list[Asked]:
    made = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            asked = Asked(fields["bundle"], fields["query"], tuple(fields["gold"]))
        except (json.JSONDecodeError, KeyError, TypeError) as problem:
            raise SystemExit(f"{path}:{number}: not a query: {problem!r}") from None
        if not asked.gold:
            raise SystemExit(f"{path}:{number}: a query without a gold passage measures nothing")
        made.append(asked)
    return made


def gold_in(read: ReadBundle, asked: Asked) -> list[Gold]:
    """The gold passages with their places in the text. One that is in no text at all is a mistake
    of the query set, and stops the run: it would count as never found."""
    made = []
    for entry in asked.gold:
        item, text = entry["item"], _flat(entry.get("text", ""))
        document = read.documents.get(item)
        if document is None:
            raise SystemExit(f"'{asked.query}': there is no readable item '{item}'")
        gold = Gold(item, text, _spans(read, item, entry.get("location", "")))
        if not gold.spans and text not in _flat(document.document.text):
            raise SystemExit(f"'{asked.query}': '{item}' does not say: {text}")
        made.append(gold)
    return made


def _spans(read: ReadBundle, item: str, location: str) -> tuple[Span, ...]:
    if not location:
        return ()
    found = read.resolve(Citation(item, read_location(location)))
    return found.spans if isinstance(found, Passage) else ()


def _covers(chunk: Chunk, span: Span) -> bool:
    return any(own.start <= span.start and span.end <= own.end for own in chunk.spans)


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
