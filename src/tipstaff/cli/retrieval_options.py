"""Options of the commands that search."""

from __future__ import annotations

import argparse
from dataclasses import replace

from tipstaff.domain.retrieval import Method, RetrievalOptions, Strategy
from tipstaff.indexing import options_from
from tipstaff.settings import Settings


def add_retrieval(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--top-k", type=int, metavar="N", help="passages to find (default: 10)")
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
        "--min-score", type=float, default=0.0, metavar="S", help="leave out weaker passages"
    )
    parser.add_argument(
        "--as",
        dest="recipient",
        metavar="USER",
        help="see only what this recipient may see: user:jane@example.com",
    )


def options_from_arguments(arguments: argparse.Namespace, settings: Settings) -> RetrievalOptions:
    options = options_from(settings, Strategy(arguments.strategy))
    return replace(
        options,
        method=Method(arguments.method),
        top_k=options.top_k if arguments.top_k is None else arguments.top_k,
        min_chunk_score=arguments.min_score,
    )
