"""Enterprise §8.6: what quality should be at least. Thresholds are recommended, metrics are told
whether they meet them or not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from tipstaff.errors import UsageError
from tipstaff.eval.metrics import METRICS, Measured

RECOMMENDED: Mapping[str, float] = {
    "citation_accuracy": 0.95,
    "faithfulness": 0.90,
    "relevance": 0.80,
    "completeness": 0.70,
    "abstention_rate": 0.80,
}
NOTHING_ANSWERED = "no query that has an answer was answered"


def read_thresholds(assignments: Iterable[str]) -> dict[str, float]:
    """The recommended ones with those of `--threshold NAME=VALUE` in their place."""
    chosen = dict(RECOMMENDED)
    for assignment in assignments:
        name, _, text = assignment.partition("=")
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if name.strip() not in METRICS or not 0 <= value <= 1:
            raise UsageError(
                f"--threshold takes NAME=VALUE with a value from 0 to 1, not '{assignment}'.",
                suggestion=f"NAME is one of: {', '.join(METRICS)}.",
            )
        chosen[name.strip()] = value
    return chosen


def below(measured: Measured, thresholds: Mapping[str, float]) -> list[str]:
    """Why the evaluation fails, a line each; what was not measured is below nothing. A system
    that answers nothing has no claim that could be false, and is not good for that."""
    values = measured.values
    found = [
        f"{name} {values[name]:.2f} is below {least:.2f}"
        for name, least in thresholds.items()
        if name in values and values[name] < least
    ]
    return [*found, NOTHING_ANSWERED] if measured.answered_nothing else found
