"""`tip eval BUNDLE --queries FILE`: the five `tezit-eval` metrics of a bundle (Enterprise §8)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tipstaff.access.recipients import Grant
from tipstaff.bundle.opening import OpenBundle
from tipstaff.bundle.writing import new_file
from tipstaff.cli.eval_view import misses, outcome, show_comparison, show_evaluation
from tipstaff.cli.eval_work import Done, EvalWork
from tipstaff.cli.interrogating import add_answering, grant_from, interrogation_from
from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.terminal import Terminal
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.engine import index_bundle
from tipstaff.errors import EXIT_CHECKS_FAILED, UsageError
from tipstaff.eval.drafting import draft_queries
from tipstaff.eval.extension import EXTENSION_ID, declared_history, write_eval
from tipstaff.eval.history import QualityHistory, degradation
from tipstaff.eval.history_entry import joined
from tipstaff.eval.metrics import METRICS
from tipstaff.eval.query_set import QuerySet, read_query_set
from tipstaff.eval.report import Report, details
from tipstaff.eval.thresholds import below, read_thresholds
from tipstaff.indexing import IndexedBundle
from tipstaff.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    parser.add_argument("--queries", metavar="FILE", help="a query set (docs/evaluation.md)")
    parser.add_argument(
        "--generate", metavar="FILE", help="draft a query set from the bundle, for review"
    )
    parser.add_argument(
        "--count", type=int, default=18, metavar="N", help="how many queries to draft"
    )
    parser.add_argument(
        "--drafts", action="store_true", help="ask drafted queries that nobody has reviewed, too"
    )
    parser.add_argument("--judge", metavar="MODEL", help="let a language model judge, not rules")
    parser.add_argument("--review", metavar="FILE", help="judge by hand; judgements are kept there")
    parser.add_argument(
        "--edge-cases", action="store_true", help="with --review: only what is judged unsurely"
    )
    parser.add_argument("--reviewer", default="", metavar="NAME", help="who judges by hand")
    parser.add_argument(
        "--compare", nargs="+", metavar="MODEL", help="evaluate several models on the same queries"
    )
    parser.add_argument(
        "--threshold",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"instead of the recommended one: {', '.join(METRICS)}",
    )
    parser.add_argument(
        "--write", action="store_true", help="store the metrics in the bundle (extensions/)"
    )
    parser.add_argument(
        "--tenant", default=LOCAL_TENANT, metavar="NAME", help="whose history it is kept in"
    )
    parser.add_argument("--misses", action="store_true", help="list what was judged wrong")
    add_answering(parser)
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    _refuse_contradictions(arguments)
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        indexed = index_bundle(opened, settings=settings, progress=terminal.progress)
        grant = grant_from(arguments, opened, settings)
        if arguments.generate:
            return _generate(arguments, terminal, indexed, grant)
        queries = _queries(arguments, terminal)
        work = EvalWork(arguments, terminal, indexed, settings, grant, queries)
        done = work.evaluations()
        if done is None:
            return 0
        return _reported(arguments, terminal, opened, settings, done)


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if bool(arguments.queries) == bool(arguments.generate):
        raise UsageError(
            "Name a query set, or a file to draft one into.",
            suggestion="--queries FILE evaluates; --generate FILE drafts queries for review.",
        )
    if arguments.review and arguments.compare:
        raise UsageError("People review one model at a time: --review or --compare.")
    if arguments.edge_cases and not arguments.review:
        raise UsageError("--edge-cases needs --review FILE: somebody has to look at them.")


def _generate(
    arguments: argparse.Namespace, terminal: Terminal, indexed: IndexedBundle, grant: Grant
) -> int:
    if arguments.count < 1:
        raise UsageError("--count is at least 1.")
    interrogation = interrogation_from(arguments, indexed, indexed.settings, grant)
    unanswerable = arguments.count // 3
    rows = draft_queries(
        interrogation.context(),
        answerable=arguments.count - unanswerable,
        unanswerable=unanswerable,
    )
    target = Path(arguments.generate)
    with new_file(target, replace=False) as temporary:
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        temporary.write_text("".join(lines), encoding="utf-8", errors="replace")
    answerable = sum(row["answerable"] for row in rows)
    if arguments.json:
        terminal.json({"written": str(target), "queries": len(rows), "answerable": answerable})
    else:
        terminal.answer(
            f"{target}: {len(rows)} drafts, {answerable} of them with an answer. Read each, mend "
            'or delete it, and take its "draft" away; drafts are not asked.'
        )
    return 0


def _queries(arguments: argparse.Namespace, terminal: Terminal) -> QuerySet:
    queries = read_query_set(Path(arguments.queries))
    reviewed = queries if arguments.drafts else queries.without_drafts()
    drafts = len(queries.queries) - len(reviewed.queries)
    if not reviewed.queries:
        raise UsageError(
            "All queries of this set are drafts that nobody has reviewed.",
            suggestion='Read them and take "draft" away, or ask them as they are: --drafts.',
        )
    if drafts:
        terminal.note(f"{drafts} drafts were left out: nobody has reviewed them.")
    return reviewed


def _reported(
    arguments: argparse.Namespace,
    terminal: Terminal,
    opened: OpenBundle,
    settings: Settings,
    done: Done,
) -> int:
    thresholds = read_thresholds(arguments.threshold)
    history = QualityHistory(tenant=arguments.tenant, tez_id=opened.bundle.id)
    before = history.read()
    alerts = [
        alert for one in done.evaluations for alert in degradation(one.entry, before, thresholds)
    ]
    for one in done.evaluations:
        history.add(one.entry)
    first = done.evaluations[0]
    report = Report(
        evaluation=first,
        thresholds=thresholds,
        history=joined(declared_history(opened, settings), before, [first.entry]),
        compared=done.evaluations if len(done.evaluations) > 1 else (),
    )
    failed = {one.model: below(one.measured, thresholds) for one in done.evaluations}
    if arguments.write:
        written = write_eval(Path(arguments.bundle), opened, report, settings)
        terminal.say(f"written: {written}")
    if arguments.json:
        terminal.json(_as_json(report, done, failed, alerts))
    else:
        for one in done.evaluations:
            show_evaluation(one, thresholds, terminal, title=opened.bundle.title)
        if len(done.evaluations) > 1:
            show_comparison(done.evaluations, terminal)
        for line in misses(done.observed, done.verdicts) if arguments.misses else ():
            terminal.answer(line)
    for alert in alerts:
        terminal.note(alert)
    return EXIT_CHECKS_FAILED if any(failed.values()) else 0


def _as_json(
    report: Report, done: Done, failed: dict[str, list[str]], alerts: Sequence[str]
) -> dict[str, Any]:
    return {
        "extensions": {EXTENSION_ID: report.extension()},
        "passed": not any(failed.values()),
        "below": failed[report.evaluation.model],
        "alerts": list(alerts),
        "details": details(report.evaluation),
        "queries": [outcome(one, done.verdicts) for one in done.observed],
        "compared": [
            {"model": one.model, "below": failed[one.model], "details": details(one)}
            for one in report.compared
        ],
    }
