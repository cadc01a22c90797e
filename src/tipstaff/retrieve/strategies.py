"""The retrieval strategies of Enterprise §5: how many searches a question gets, and which.

Each gives one `Retrieval`; what was asked for, what was done and why are all in it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from tipstaff.domain.retrieval import (
    MAX_ITERATIONS,
    Found,
    Retrieval,
    RetrievalOptions,
    Strategy,
    ranked,
)
from tipstaff.domain.scope import Scope
from tipstaff.errors import ContextTooLarge
from tipstaff.lexical.analysis import query_terms, terms
from tipstaff.retrieve.auto_strategy import chosen_strategy
from tipstaff.retrieve.decomposition import keywords, sub_queries
from tipstaff.retrieve.ranking import EmbedQuery, Ranking, rank, ranking_name
from tipstaff.retrieve.reranker import Reranker
from tipstaff.retrieve.selection import select
from tipstaff.store.store import OpenIndex

# Asked for the aspects of a question; a language model may be asked instead of the grammar.
Decompose = Callable[[str, int], list[str]]

# Below both, the best passage does not appear to address the query (TIP §10.2.2).
_WEAK_KEYWORD = 0.25
_WEAK_VECTOR = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """An index and a scope, ready to be asked."""

    index: OpenIndex
    scope: Scope
    embed: EmbedQuery
    reranker: Reranker | None = None
    decompose: Decompose | None = None
    clock: Callable[[], float] = time.monotonic

    def search(self, query: str, options: RetrievalOptions) -> Retrieval:
        """The passages that speak to a query, by the strategy asked for."""
        start = self.clock()
        strategy, why = options.strategy, None
        if strategy is Strategy.AUTO:
            strategy, why = chosen_strategy(query, tokens=self.scope.tokens, options=options)
        done = {
            Strategy.SINGLE_PASS: self._single_pass,
            Strategy.MULTI_PASS: self._multi_pass,
            Strategy.EXHAUSTIVE: self._exhaustive,
            Strategy.ITERATIVE: self._iterative,
        }[strategy](query, options)
        notes = (*([why] if why else []), *done.notes)
        return replace(
            done,
            requested=options.strategy,
            notes=notes,
            reranker=self.reranker.name if self.reranker else None,
            time_ms=round((self.clock() - start) * 1000),
        )

    def _rank(self, query: str, options: RetrievalOptions, also: Collection[int] = ()) -> Ranking:
        return rank(
            query,
            index=self.index,
            scope=self.scope,
            options=options,
            embed=self.embed,
            also=also,
        )

    def _selected(
        self, query: str, found: Sequence[Found], options: RetrievalOptions
    ) -> tuple[Found, ...]:
        return select(
            query,
            found,
            index=self.index,
            scope=self.scope,
            options=options,
            reranker=self.reranker,
        )

    def _single_pass(self, query: str, options: RetrievalOptions) -> Retrieval:
        """One search; a second with other words if the first did not hit (TIP §10.2.2)."""
        found: Sequence[Found] = (first := self._rank(query, options))
        evaluated, notes, searched = len(first), [], [query]
        other = keywords(query)
        is_weak = not first.reaches(keyword=_WEAK_KEYWORD, vector=_WEAK_VECTOR, within=10)
        if is_weak and other and other != query:
            searched.append(other)
            again = self._rank(other, options)
            evaluated += len(again)
            found = _merged([first, again])
            notes.append("The first search hit little, so a second one used the key words only.")
        return self._result(
            query,
            Strategy.SINGLE_PASS,
            self._selected(query, found, options),
            options,
            evaluated=evaluated,
            sub_queries=tuple(searched[1:]),
            iterations=len(searched),
            notes=tuple(notes),
        )

    def _multi_pass(self, query: str, options: RetrievalOptions) -> Retrieval:
        """Aspects searched side by side, merged, ranked again against the whole question."""
        split = self.decompose or (lambda text, limit: sub_queries(text, limit=limit))
        proposed = [part.strip() for part in split(query, options.max_sub_queries)]
        parts = [part for part in dict.fromkeys(proposed) if part][: options.max_sub_queries]
        if len(parts) < 2:
            # §5.2.2 wants two or more; what was done instead is said (§5.4).
            done = self._single_pass(query, options)
            note = "multi_pass was asked for, but there are no two aspects to search for."
            return replace(done, notes=(note, *done.notes))
        with ThreadPoolExecutor(max_workers=max(len(parts), 1)) as pool:
            rankings = list(pool.map(lambda part: self._rank(part, options), parts))
        merged = {one.number: one for one in _merged([rows[: options.top_k] for rows in rankings])}
        # Step 4 of §5.2.2: the score of every passage is its relevance to the original question.
        whole = self._rank(query, options, also=merged)
        rescored = [
            replace(one, queries=merged[one.number].queries)
            for one in whole
            if one.number in merged
        ]
        rescored.sort(key=lambda one: (-one.score, one.number))
        first = _one_of_each(rankings, options.top_k)
        rescored = [one for one in rescored if one.number in first] + [
            one for one in rescored if one.number not in first
        ]
        chosen = self._selected(query, rescored, options)
        chosen = ranked(
            sorted(chosen, key=lambda one: (one.beside is not None, -one.score, one.number))
        )
        return self._result(
            query,
            Strategy.MULTI_PASS,
            chosen,
            options,
            evaluated=sum(map(len, rankings)) + len(whole),
            sub_queries=tuple(parts),
        )

    def _exhaustive(self, query: str, options: RetrievalOptions) -> Retrieval:
        """Every passage in its order, without scores (Enterprise §5.2.3)."""
        if self.scope.tokens > options.window_tokens:
            raise ContextTooLarge(
                f"The context has {self.scope.tokens:,} tokens and the model reads "
                f"{options.window_tokens:,}.",
                suggestion="Ask with another strategy, for example multi_pass.",
                context_tokens=self.scope.tokens,
                window_tokens=options.window_tokens,
            )
        numbers = [number for pair in self.scope.ranges() for number in range(*pair)]
        chunks = self.index.chunks(numbers)
        found = [
            Found(number=number, chunk=chunk) for number, chunk in zip(numbers, chunks, strict=True)
        ]
        return self._result(
            query,
            Strategy.EXHAUSTIVE,
            ranked(found),
            options,
            evaluated=len(found),
            notes=_overridden(options, len(found)),
        )

    def _iterative(self, query: str, options: RetrievalOptions) -> Retrieval:
        """Rounds that look for what the rounds before did not find, within three ceilings."""
        start = self.clock()
        rounds = min(options.max_iterations, MAX_ITERATIONS)
        kept: list[Sequence[Found]] = []
        asked: list[str] = []
        evaluated, ceiling, following = 0, None, query
        while following:
            room = options.max_chunks_evaluated - evaluated
            every = self._rank(following, options)
            found = every[:room]
            asked.append(following)
            evaluated += len(found)
            if len(every) > room:
                ceiling = "max_chunks_evaluated"
            kept.append(found[: options.top_k])
            following = self._next_question(query, kept, asked)
            if following and ceiling is None:
                ceiling = self._ceiling(len(asked), rounds, evaluated, start, options)
            if ceiling:
                break
        merged = _merged(kept)
        return self._result(
            query,
            Strategy.ITERATIVE,
            self._selected(query, merged, options),
            options,
            evaluated=evaluated,
            sub_queries=tuple(asked[1:]),
            iterations=len(asked),
            ceiling=ceiling,
            notes=_capped(options),
        )

    def _ceiling(
        self, rounds: int, most: int, evaluated: int, start: float, options: RetrievalOptions
    ) -> str | None:
        """Enterprise §5.2.5: the first ceiling that was reached."""
        if rounds >= most:
            return "max_iterations"
        if self.clock() - start >= options.max_time_s:
            return "max_retrieval_time"
        if evaluated >= options.max_chunks_evaluated:
            return "max_chunks_evaluated"
        return None

    def _next_question(
        self, query: str, kept: Sequence[Sequence[Found]], asked: Sequence[str]
    ) -> str:
        """What no passage so far speaks of: an aspect, or terms that occur in none of them."""
        seen = {
            term
            for found in kept
            for one in found
            for term in terms(f"{one.chunk.context}\n{one.chunk.text}")
        }
        for aspect in sub_queries(query, limit=MAX_ITERATIONS):
            # §5.2.4, step 3: at least one further pass, though every word may have been met.
            is_first = len(asked) == 1
            if aspect not in asked and (is_first or not set(query_terms(aspect)) <= seen):
                return aspect
        missing = [term for term in query_terms(query) if term not in seen]
        here = [
            term
            for term, found in zip(missing, self.index.postings(missing, self.scope), strict=True)
            if len(found.chunks)
        ]
        gap = " ".join(here)
        return gap if gap and gap not in asked else ""

    def _result(
        self,
        query: str,
        strategy: Strategy,
        found: tuple[Found, ...],
        options: RetrievalOptions,
        *,
        evaluated: int,
        sub_queries: tuple[str, ...] = (),
        iterations: int = 1,
        ceiling: str | None = None,
        notes: tuple[str, ...] = (),
    ) -> Retrieval:
        return Retrieval(
            query=query,
            strategy=strategy,
            requested=options.strategy,
            method=options.method,
            ranking=ranking_name(options),
            found=found,
            sub_queries=sub_queries,
            iterations=iterations,
            evaluated=evaluated,
            ceiling=ceiling,
            notes=notes,
        )


def _overridden(options: RetrievalOptions, count: int) -> tuple[str, ...]:
    """Enterprise §5.3 has these options for every strategy, §5.2.3 has no use for them."""
    if count <= options.top_k and options.min_chunk_score == 0:
        return ()
    return ("exhaustive takes every passage, so top_k and min_chunk_score do not apply.",)


def _capped(options: RetrievalOptions) -> tuple[str, ...]:
    """Enterprise §5.2.4: never more than five rounds, whatever was asked for."""
    if options.max_iterations <= MAX_ITERATIONS:
        return ()
    return (f"max_iterations is {MAX_ITERATIONS} at most, not {options.max_iterations}.",)


def _merged(rankings: Sequence[Sequence[Found]]) -> list[Found]:
    """Each passage once, with its best score and every query that found it, best first."""
    merged: dict[int, Found] = {}
    for ranking in rankings:
        for one in ranking:
            known = merged.get(one.number)
            if known is None:
                merged[one.number] = one
                continue
            better = one if one.score > known.score else known
            queries = tuple(dict.fromkeys((*known.queries, *one.queries)))
            merged[one.number] = replace(better, queries=queries)
    return sorted(merged.values(), key=lambda one: (-one.score, one.number))


def _one_of_each(rankings: Sequence[Sequence[Found]], top_k: int) -> set[int]:
    """The best passages of each aspect, so that none of them is crowded out by the others."""
    share = max(top_k // max(len(rankings), 1), 1)
    return {one.number for ranking in rankings for one in ranking[:share]}
