"""An evaluation for a person: what was measured, how sure it is, what is below its threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tipstaff.cli.terminal import Terminal, cut, plain
from tipstaff.eval.metrics import METRICS, Metric
from tipstaff.eval.observation import Observed, Unit, Verdict
from tipstaff.eval.report import Evaluation
from tipstaff.eval.thresholds import NOTHING_ANSWERED

_COUNTED = {
    "relevance": "chunks",
    "faithfulness": "claims",
    "citation_accuracy": "citations",
    "completeness": "relevant items",
    "abstention_rate": "queries without an answer",
}
_EXCERPT = 160


def show_evaluation(
    evaluation: Evaluation, thresholds: Mapping[str, float], terminal: Terminal, *, title: str
) -> None:
    measured = evaluation.measured
    by = f" ({plain(evaluation.judge)})" if evaluation.judge else ""
    terminal.answer(terminal.styled(plain(title), "bold"))
    how = f"{evaluation.methodology}{by} · {measured.query_count} queries"
    terminal.answer(f"{plain(evaluation.model)} · {how}\n")
    rows = [_row(name, measured.metrics[name], thresholds.get(name)) for name in METRICS]
    head = ("Metric", "Value", "95% interval", "Counted", "At least", "")
    terminal.answer(terminal.table(head, rows, right="Value"))
    terminal.answer("")
    terminal.answer(
        f"Abstained although there is an answer: {_counted(measured.false_abstentions)} queries.\n"
        f"Answered although there is none: {_counted(measured.false_answers)} queries.\n"
        f"Answers with the words that were expected: {_counted(measured.expected_words)}."
    )
    if measured.answered_nothing:
        terminal.answer(f"Failed: {NOTHING_ANSWERED}.")
    if evaluation.unclear:
        terminal.note(f"The judge was unclear about {evaluation.unclear} units: they count as no.")


def show_comparison(evaluations: Sequence[Evaluation], terminal: Terminal) -> None:
    """Enterprise §8.8: the same tez and queries, a row a model."""
    rows = [
        [one.model]
        + [_value(one.measured.metrics[name]) for name in METRICS]
        + [_value(one.measured.false_abstentions), _value(one.measured.false_answers)]
        for one in evaluations
    ]
    head = ("Model", *METRICS, "false_abstentions", "false_answers")
    terminal.answer("")
    terminal.answer(terminal.table(head, rows, right=" ".join(head[1:])))


def misses(observed: Sequence[Observed], verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    """What was judged wrong, a paragraph a query."""
    for one in observed:
        told = [
            f"  {unit.kind} {unit.reference}: {why}\n    {cut(unit.text, _EXCERPT)}"
            for unit, why in _wrong(one, verdicts)
        ]
        if one.is_false_abstention or one.is_false_answer:
            kind = "abstained, and there is an answer" if one.abstained else "answered, without one"
            told.insert(0, f"  {kind}: {cut(one.text, _EXCERPT)}")
        left_out = [] if one.abstained else sorted({*one.query.needed_items} - {*one.cited_items})
        if left_out:
            told.append(f"  not used: {', '.join(map(plain, left_out))}")
        if told:
            yield "\n".join([f"\n{plain(one.query.id)}: {plain(one.query.query)}", *told])


def outcome(observed: Observed, verdicts: Mapping[str, Verdict]) -> dict[str, Any]:
    """One query, for programs."""
    return {
        "id": observed.query.id,
        "classification": str(observed.classification),
        "answerable": observed.query.answerable,
        "false_abstention": observed.is_false_abstention,
        "false_answer": observed.is_false_answer,
        "cited_items": list(observed.cited_items),
        "units": len(observed.units),
        "wrong": [
            {"kind": str(unit.kind), "reference": unit.reference, "why": why}
            for unit, why in _wrong(observed, verdicts)
        ],
    }


def _wrong(observed: Observed, verdicts: Mapping[str, Verdict]) -> Iterator[tuple[Unit, str]]:
    for unit in observed.units:
        verdict = unit.by_rules if unit.settled else verdicts.get(observed.unit_id(unit))
        if verdict is not None and not verdict.holds:
            yield unit, verdict.why


def _row(name: str, metric: Metric, least: float | None) -> list[str]:
    if metric.value is None:
        return [name, "–", "", "nothing to count", "" if least is None else f"{least:.2f}", ""]
    low, high = metric.interval
    is_below = least is not None and metric.value < least
    counted = f"{metric.count.hits} of {metric.count.total} {_COUNTED[name]}"
    wanted = "" if least is None else f"{least:.2f}"
    return [
        name,
        f"{metric.value:.2f}",
        f"{low:.2f}–{high:.2f}",
        counted,
        wanted,
        "below" if is_below else "met" if wanted else "",
    ]


def _value(metric: Metric) -> str:
    return "–" if metric.value is None else f"{metric.value:.2f}"


def _counted(metric: Metric) -> str:
    low, high = metric.interval
    sure = f" ({low:.0%} to {high:.0%})" if metric.count.total else ""
    return f"{metric.count.hits} of {metric.count.total}{sure}"
