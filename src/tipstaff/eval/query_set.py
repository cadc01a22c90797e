"""Query sets: what is asked, and what a person noted about the right answer.

A file has one JSON object a line (docs/evaluation.md). What is wrong in it is told with its line:
a query that was read wrongly would count against the system.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tipstaff.domain.classification import Classification
from tipstaff.errors import UsageError

_MOST_BYTES = 100 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevantPassage:
    """Words of an item that answer the query; `location` may be empty."""

    item: str
    text: str = ""
    location: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalQuery:
    """`relevant_items` should all be used in the response (Enterprise §8.3.4); of each group of
    `expected` words one should stand in it. `acceptable` are classifications that are right beside
    the plain ones: an answer where there is one, an abstention where there is none."""

    id: str
    query: str
    answerable: bool
    relevant_items: tuple[str, ...] = ()
    relevant_passages: tuple[RelevantPassage, ...] = ()
    expected: tuple[tuple[str, ...], ...] = ()
    acceptable: tuple[str, ...] = ()
    type: str = ""
    note: str = ""
    draft: bool = False

    @property
    def needed_items(self) -> tuple[str, ...]:
        """The items that should have been used, each once."""
        passages = (passage.item for passage in self.relevant_passages)
        return tuple(dict.fromkeys((*self.relevant_items, *passages)))


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Queries in the order of their file; no id twice."""

    queries: tuple[EvalQuery, ...]
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        """Two files with the same queries are one set, whatever their order and notes."""
        told = sorted(repr((one.id, one.query, one.answerable)) for one in self.queries)
        digest = hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()
        object.__setattr__(self, "digest", digest[:16])

    def without_drafts(self) -> QuerySet:
        return QuerySet(tuple(one for one in self.queries if not one.draft))


def read_query_set(path: Path) -> QuerySet:
    """A `.jsonl` file, or a `.json` file in one of the published shapes of test queries."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise UsageError(f"'{path}' is too large for a query set.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"'{path}' cannot be read: {problem}.") from None
    if path.suffix == ".json":
        from tipstaff.eval.published_queries import published_queries

        rows: Sequence[tuple[str, Any]] = published_queries(text, path.name)
    else:
        rows = _lines(text, path.name)
    return _query_set([read_query(row, where) for where, row in rows], path.name)


def _lines(text: str, name: str) -> list[tuple[str, Any]]:
    # By "\n" alone: a query may hold U+2028, which is a line's end to `splitlines`.
    lines = [(f"{name}:{n}", line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    return [(where, _json(line, where)) for where, line in lines]


def _json(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise UsageError(f"{where}: this is not JSON: {problem}.") from None


def _query_set(queries: list[EvalQuery], name: str) -> QuerySet:
    if not queries:
        raise UsageError(f"'{name}' has no query in it.")
    seen: set[str] = set()
    for one in queries:
        if one.id in seen:
            raise UsageError(f"'{name}': two queries have the id '{one.id}'.")
        seen.add(one.id)
    return QuerySet(tuple(queries))


def read_query(row: Any, where: str) -> EvalQuery:
    """One row; fields that are not known here are passed over."""
    if not isinstance(row, dict):
        raise UsageError(f"{where}: a query is a JSON object.")
    fields = _Fields(row, where)
    answerable = row.get("answerable")
    if not isinstance(answerable, bool):
        raise UsageError(f"{where}: 'answerable' has to be true or false.")
    made = EvalQuery(
        id=fields.text("id"),
        query=fields.text("query"),
        answerable=answerable,
        relevant_items=fields.texts("relevant_items"),
        relevant_passages=tuple(_passage(one, where) for one in fields.many("relevant_passages")),
        expected=tuple(_group(one, where) for one in fields.many("expected")),
        acceptable=fields.texts("acceptable"),
        type=fields.text("type", ""),
        note=fields.text("note", ""),
        draft=row.get("draft") is True,
    )
    known = {str(one) for one in Classification}
    if unknown := [one for one in made.acceptable if one not in known]:
        raise UsageError(f"{where}: '{unknown[0]}' is no classification of TIP §6.")
    if not answerable and made.needed_items:
        raise UsageError(f"{where}: what cannot be answered has no relevant items.")
    return made


def _passage(row: Any, where: str) -> RelevantPassage:
    if not isinstance(row, dict):
        raise UsageError(f"{where}: a relevant passage is a JSON object.")
    fields = _Fields(row, where)
    return RelevantPassage(
        item=fields.text("item"), text=fields.text("text", ""), location=fields.text("location", "")
    )


def _group(value: Any, where: str) -> tuple[str, ...]:
    group = [value] if isinstance(value, str) else value
    if not isinstance(group, list) or not group or not all(isinstance(w, str) and w for w in group):
        raise UsageError(f"{where}: 'expected' has words, or lists of words of which one will do.")
    return tuple(group)


@dataclass(frozen=True, slots=True)
class _Fields:
    row: Mapping[str, Any]
    where: str

    def text(self, name: str, default: str | None = None) -> str:
        value = self.row.get(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise UsageError(f"{self.where}: '{name}' has to be text.")
        return value

    def many(self, name: str) -> list[Any]:
        value = self.row.get(name, [])
        if not isinstance(value, list):
            raise UsageError(f"{self.where}: '{name}' has to be a list.")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.many(name)
        if not all(isinstance(one, str) and one for one in values):
            raise UsageError(f"{self.where}: '{name}' has to be a list of texts.")
        return tuple(values)
