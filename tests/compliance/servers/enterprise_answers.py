"""What the scripted Enterprise server says: sentences that share words with the question, cited.

No engine of the project takes part; a server of somebody else would not have it either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NOW = "2026-02-05T14:30:00Z"
_STOP = frozenset(
    """how much many is the a an of to does did do what which who in and with for that said about
    compare says say are it by has have from on""".split()  # noqa: SIM905 (a list of words)
)


@dataclass(frozen=True, slots=True)
class Hit:
    item_id: str
    line: int
    sentence: str
    score: float

    @property
    def place(self) -> str:
        return f"{self.item_id}:L{self.line}"


@dataclass(slots=True)
class Answer:
    """A response before it is written down as events or as an envelope."""

    query: str
    strategy: str
    sub_queries: list[str]
    hits: list[Hit]
    ranked: list[Hit]
    scope: dict[str, Any]
    notices: list[dict[str, str]] = field(default_factory=list)

    @property
    def classification(self) -> str:
        return "grounded" if self.hits else "abstention"

    @property
    def pieces(self) -> list[tuple[str, Hit | None]]:
        """The text in groups of words; a piece with a hit carries its mark."""
        if not self.hits:
            text = "The bundled context does not contain information about it. Ask the sender."
            return [(group, None) for group in grouped(text)]
        found: list[tuple[str, Hit | None]] = []
        for hit in self.hits:
            found += [(group, None) for group in grouped(f"“{hit.sentence}” ")]
            found.append((f"[[{hit.place}]] ", hit))
        return [*found, ("That is all.", None)]

    @property
    def text(self) -> str:
        return "".join(words for words, _ in self.pieces)


def grouped(text: str) -> list[str]:
    words = re.findall(r"\S+\s*", text)
    return ["".join(words[at : at + 3]) for at in range(0, len(words), 3)]


def words_of(text: str) -> set[str]:
    found = re.findall(r"\w+", text.casefold())
    return {word[:5] for word in found if word not in _STOP and len(word) > 2}


def parts_of(query: str, most: int) -> list[str]:
    """The aspects of a question: the sides of a comparison, or the members of a list."""
    split = re.split(r" compare to |, and |, | and ", query.rstrip("?."))
    return [part.strip() for part in split if part.strip()][:most]


def search(items: Mapping[str, str], query: str) -> list[Hit]:
    """Sentences with two words of the query at least, best first."""
    wanted = words_of(query)
    hits = []
    for item_id, text in items.items():
        for number, line in enumerate(text.split("\n"), start=1):
            if not line or line.startswith("#"):
                continue
            shared = len(wanted & words_of(line))
            if shared >= min(2, len(wanted)) and shared:
                score = round(shared / len(wanted), 4)
                hits.append(Hit(item_id, number, line.strip(), score))
    return sorted(hits, key=lambda hit: (-hit.score, hit.place))


def answer(items: Mapping[str, str], query: str, wishes: Mapping[str, Any], **more: Any) -> Answer:
    strategy = wishes.get("retrieval_strategy") or "single_pass"
    most = (wishes.get("retrieval_options") or {}).get("max_sub_queries", 5)
    parts = parts_of(query, most) if strategy == "multi_pass" else []
    if strategy == "multi_pass" and len(parts) < 2:
        strategy, parts = "single_pass", []
    ranked = _merged([search(items, part) for part in parts or [query]])
    best: Sequence[Hit] = (
        [found[0] for part in parts if (found := search(items, part))] if parts else ranked[:1]
    )
    return Answer(
        query=query,
        strategy=strategy,
        sub_queries=parts,
        hits=list(dict.fromkeys(best)),
        ranked=ranked,
        **more,
    )


def _merged(several: list[list[Hit]]) -> list[Hit]:
    best: dict[str, Hit] = {}
    for hit in (hit for found in several for hit in found):
        if hit.place not in best or best[hit.place].score < hit.score:
            best[hit.place] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.place))


def trace(hit: Hit, rank: int) -> dict[str, Any]:
    """Enterprise §4.2."""
    return {
        "method": "keyword",
        "keyword_score": hit.score,
        "rank": rank,
        "chunk_id": f"{hit.item_id}#{hit.line}",
        "chunk_tokens": len(hit.sentence.split()),
        "reranked": False,
    }


def citation(found: Answer, hit: Hit) -> dict[str, Any]:
    rank = [one.place for one in found.ranked].index(hit.place) + 1
    return {
        "item_id": hit.item_id,
        "location": f"L{hit.line}",
        "text_excerpt": hit.sentence,
        "verified": True,
        "retrieval": trace(hit, rank),
    }


def summary(found: Answer) -> dict[str, Any]:
    parts = {"sub_queries": found.sub_queries} if found.sub_queries else {}
    return {
        "strategy": found.strategy,
        "chunks_retrieved": len(found.ranked),
        "chunks_used": len(found.hits),
        "items_referenced": len({hit.item_id for hit in found.hits}),
        **parts,
    }
