"""How much of the context goes before a model, by its size and the model's window (TIP §10.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tipstaff.domain.document import Chunk
from tipstaff.domain.inventory import MEDIUM_CONTEXT_TOKENS, SMALL_CONTEXT_TOKENS
from tipstaff.domain.retrieval import Retrieval
from tipstaff.domain.scope import IndexedItem, Scope
from tipstaff.store.store import OpenIndex
from tipstaff.tokens import count_tokens

_SENTENCES_KEPT = (4, 2, 1)
_SENTENCE = re.compile(r".+?(?:[.!?][\"”’)]*(?:\s+|$)|\n+|$)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedContext:
    """What is loaded for one query, in three tiers; `strategy` is `full`, `rag` or `tiered`.

    `summaries` are (item, its summary), `passages` the retrieved chunks, `whole` the chunks of
    items that are loaded in full or as far as they fit; `cut` names those that did not fit, with
    `shortened` passages in place of the rest. `left_out` passages were found and did not fit."""

    strategy: str
    passages: tuple[Chunk, ...] = ()
    whole: tuple[Chunk, ...] = ()
    summaries: tuple[tuple[IndexedItem, str], ...] = ()
    cut: tuple[str, ...] = ()
    shortened: int = 0
    left_out: int = 0

    @property
    def tokens(self) -> int:
        """Of everything that is loaded, the summaries among it."""
        loaded = sum(chunk.tokens for chunk in (*self.passages, *self.whole))
        return loaded + sum(count_tokens(summary) for _, summary in self.summaries)


def loading_strategy_for(*, context_tokens: int, window_tokens: int) -> str:
    """TIP §10.2.1–3: `full` below 32,768 tokens or half the window, `tiered` above 500,000."""
    if context_tokens < min(SMALL_CONTEXT_TOKENS, window_tokens // 2):
        return "full"
    return "rag" if context_tokens <= MEDIUM_CONTEXT_TOKENS else "tiered"


def load(
    retrieval: Retrieval,
    *,
    index: OpenIndex,
    scope: Scope,
    window_tokens: int,
    reserved_tokens: int,
    as_shown: Callable[[Chunk], Chunk] = lambda chunk: chunk,
) -> LoadedContext:
    """The context of one query. `reserved_tokens` are needed for everything else: prompt,
    synthesis, history, the response; `as_shown` makes of a passage what the model is given."""
    strategy = loading_strategy_for(context_tokens=scope.tokens, window_tokens=window_tokens)
    room = max(window_tokens - reserved_tokens, 0)
    if strategy == "full":
        whole = tuple(map(as_shown, _chunks(index, scope.items)))
        if sum(chunk.tokens for chunk in whole) <= room:
            return LoadedContext(strategy=strategy, whole=whole)
        # Rows of a table and remarks of a transcript are short, and each has its place before it.
        strategy = "rag"
    summaries: tuple[tuple[IndexedItem, str], ...] = ()
    if strategy == "tiered":
        # Tier 1 is always loaded, so the other two share what it leaves.
        summaries = tuple((item, item.summary) for item in scope.items if item.summary)
        room = max(room - sum(count_tokens(summary) for _, summary in summaries), 0)
    found = [as_shown(one.chunk) for one in retrieval.found]
    passages = _fitting(found, room)
    shortened = 0
    if not passages and found:
        # TIP §14.3, 3: not even one passage fits, so that its beginnings must do.
        passages = _shortened(found, room)
        shortened = len(passages)
    left_out = len(found) - len(passages)
    if strategy == "rag":
        return LoadedContext(
            strategy=strategy, passages=passages, shortened=shortened, left_out=left_out
        )
    room -= sum(chunk.tokens for chunk in passages)
    taken = {chunk.chunk_id for chunk in passages}
    loaded: list[Chunk] = []
    cut: list[str] = []
    for item in named_items(retrieval.query, scope.items):
        others = [chunk for chunk in _chunks(index, [item]) if chunk.chunk_id not in taken]
        wanted = list(map(as_shown, others))
        fitting = _fitting(wanted, room)
        if len(fitting) < len(wanted):
            cut.append(item.id)
            fitting = _shortened(wanted, room)
            shortened += len(fitting)
        room -= sum(chunk.tokens for chunk in fitting)
        loaded += fitting
    return LoadedContext(
        strategy=strategy,
        passages=passages,
        whole=tuple(loaded),
        summaries=summaries,
        cut=tuple(cut),
        shortened=shortened,
        left_out=left_out,
    )


def named_items(query: str, items: Sequence[IndexedItem]) -> list[IndexedItem]:
    """Items that a query speaks of by id or title (tier 3)."""
    asked = _plain(query)
    return [
        item
        for item in items
        if any(name and name in asked for name in (_plain(item.id), _plain(item.title)))
    ]


def _plain(text: str) -> str:
    words = re.findall(r"\w+", text.casefold().replace("_", " "))
    return f" {' '.join(words)} " if len(words) > 1 or len("".join(words)) > 5 else ""


def _chunks(index: OpenIndex, items: Sequence[IndexedItem]) -> list[Chunk]:
    numbers = [number for item in items for number in range(item.first, item.first + item.chunks)]
    return index.chunks(numbers)


def _fitting(chunks: Sequence[Chunk], room: int) -> tuple[Chunk, ...]:
    """As many as fit, in order."""
    fitting = []
    for chunk in chunks:
        if chunk.tokens > room:
            break
        room -= chunk.tokens
        fitting.append(chunk)
    return tuple(fitting)


def _shortened(chunks: Sequence[Chunk], room: int) -> tuple[Chunk, ...]:
    """Progressive summarising in the document's own words: passages cut to their first sentences,
    fewer and fewer, until all of them fit; at last as many first sentences as do."""
    shorter: list[Chunk] = []
    for sentences in _SENTENCES_KEPT:
        shorter = [_beginning(chunk, sentences) for chunk in chunks]
        if sum(chunk.tokens for chunk in shorter) <= room:
            return tuple(shorter)
    return _fitting(shorter, room)


def _beginning(chunk: Chunk, sentences: int) -> Chunk:
    parts = _SENTENCE.findall(chunk.text)
    if len(parts) <= sentences:
        return chunk
    text = "".join(parts[:sentences]).rstrip() + " […]"
    # What stands above a passage stays.
    above = chunk.tokens - count_tokens(chunk.text)
    return replace(chunk, text=text, tokens=count_tokens(text) + max(above, 0))
