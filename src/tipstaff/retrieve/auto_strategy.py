"""Which strategy suits a question and a context (Enterprise §5.4)."""

from __future__ import annotations

import re

from tipstaff.domain.retrieval import RetrievalOptions, Strategy
from tipstaff.retrieve.decomposition import aspects

_SMALL_TOKENS = 32_000
_LARGE_TOKENS = 256_000
_COMPREHENSIVE = re.compile(
    r"\b(?:all|every|each|any and all|overview|comprehensive|thorough(?:ly)?|complete(?:ly)?|"
    r"entire|summar(?:y|i[sz]e)|list|everything|throughout|across)\b",
    re.IGNORECASE,
)


def chosen_strategy(query: str, *, tokens: int, options: RetrievalOptions) -> tuple[Strategy, str]:
    """The table's strategy, and the reason in words."""
    several = len(aspects(query, limit=options.max_sub_queries)) > 1
    if tokens < _SMALL_TOKENS and tokens <= options.window_tokens:
        return Strategy.EXHAUSTIVE, f"exhaustive: the context has only {tokens:,} tokens"
    if tokens > _LARGE_TOKENS and _COMPREHENSIVE.search(query):
        return Strategy.ITERATIVE, "iterative: a comprehensive question on a large context"
    if several:
        return Strategy.MULTI_PASS, "multi_pass: the question has several aspects"
    return Strategy.SINGLE_PASS, "single_pass: one question"
