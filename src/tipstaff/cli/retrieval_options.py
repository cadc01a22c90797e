"""Options of the commands that search."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

from tipstaff.cli.options import add_recipient
from tipstaff.domain.item import ContextItem
from tipstaff.domain.retrieval import Method, RetrievalOptions, Strategy
from tipstaff.domain.scope import Filter
from tipstaff.errors import NotFound, UsageError
from tipstaff.indexing import METADATA, options_from
from tipstaff.settings import Settings

_DEFAULT = RetrievalOptions()


def add_retrieval(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--top-k", type=int, metavar="N", help="passages to find (default: the setting top_k, 10)"
    )
    parser.add_argument(
        "--strategy",
        choices=[str(strategy) for strategy in Strategy],
        default=str(Strategy.SINGLE_PASS),
        help="how to search (default: single_pass)",
    )
    parser.add_argument(
        "--method",
        choices=[str(method) for method in Method],
        default=str(Method.HYBRID),
        help="by meaning, by words, or both (default: hybrid)",
    )
    parser.add_argument(
        "--min-score",
        type=float,
        default=0.0,
        metavar="S",
        help="leave out passages that score less, from 0 to 1 (default: 0)",
    )
    parser.add_argument(
        "--max-sub-queries",
        type=int,
        default=_DEFAULT.max_sub_queries,
        metavar="N",
        help="aspects that multi_pass searches for at most (default: 5)",
    )
    parser.add_argument(
        "--max-iterations",
        type=int,
        default=_DEFAULT.max_iterations,
        metavar="N",
        help="rounds that iterative makes at most, up to 5 (default: 3)",
    )
    add_recipient(parser)


def options_from_arguments(arguments: argparse.Namespace, settings: Settings) -> RetrievalOptions:
    options = options_from(settings, Strategy(arguments.strategy))
    return replace(
        options,
        method=Method(arguments.method),
        top_k=options.top_k if arguments.top_k is None else arguments.top_k,
        min_chunk_score=arguments.min_score,
        max_sub_queries=arguments.max_sub_queries,
        max_iterations=arguments.max_iterations,
    )


def narrowed_to(arguments: argparse.Namespace, items: Sequence[ContextItem]) -> Filter:
    """What a search is narrowed to. `items` are those that the recipient may search: any other
    is not there, whether the bundle has it or not (Enterprise §10.1)."""
    for wanted in arguments.item or ():
        if all(item.id != wanted for item in items):
            raise NotFound(
                f"There is no item '{wanted}' to search.", suggestion="tip inspect lists the items."
            )
    types = sorted({item.type for item in items})
    for wanted in arguments.type or ():
        if wanted not in types:
            raise NotFound(
                f"There is no item of the type '{wanted}' to search.",
                suggestion=f"There are: {', '.join(types)}.",
            )
    metadata = {}
    for condition in arguments.where:
        name, equals, value = condition.partition("=")
        if not equals or name not in METADATA:
            raise UsageError(
                f"--where takes NAME=VALUE, not '{condition}'.",
                suggestion=f"NAME is one of: {', '.join(METADATA)}.",
            )
        metadata[name] = value
    return Filter(item_ids=arguments.item, item_types=arguments.type, metadata=metadata)
