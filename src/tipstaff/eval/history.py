"""The evaluations of a tez over time (Enterprise §8.7): a file a tez in its tenant's data folder,
one line of JSON an evaluation; and what became worse between two of them."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from tipstaff.eval.history_entry import HistoryEntry, entries_from_wire, entry_to_wire
from tipstaff.settings import data_directory
from tipstaff.store.index_folder import folder_name
from tipstaff.tenant_data import written_data

# §8.7: "declining by more than 10%", of what it was.
_DECLINE = 0.10
# 0.8 after 0.9 declined by a tenth of a point in binary, and by less in decimals.
_ROUNDING = 1e-9


class QualityHistory:
    def __init__(self, *, tenant: str, tez_id: str) -> None:
        folder = data_directory() / "tenants" / folder_name(tenant) / "quality"
        self._path: Path = folder / f"{folder_name(tez_id)}.jsonl"

    def add(self, entry: HistoryEntry) -> None:
        """Appended whole; what a killed process left of a line is ended first."""
        line = json.dumps(entry_to_wire(entry), ensure_ascii=False) + "\n"
        with written_data():
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._path.open("ab+") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX)
                stream.seek(0, os.SEEK_END)
                if stream.tell():
                    stream.seek(-1, os.SEEK_END)
                    line = line if stream.read(1) == b"\n" else "\n" + line
                stream.write(line.encode("utf-8", "surrogatepass"))

    def read(self) -> list[HistoryEntry]:
        """Oldest first; half a line is no evaluation."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return []
        found = []
        for line in content.split(b"\n"):
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return entries_from_wire(found)


def degradation(
    latest: HistoryEntry, before: Sequence[HistoryEntry], thresholds: Mapping[str, float]
) -> list[str]:
    """§8.7: a line for every metric that is below its threshold or declined by more than 10% since
    the last evaluation by the same methodology with the same queries: of the same model, or, if it
    is new here, of whichever there was."""
    alike = [one for one in before if comparable(one, latest)]
    alike = [one for one in alike if one.model == latest.model] or alike
    last = alike[-1] if alike else None
    alerts = []
    for name, value in latest.metrics.items():
        least = thresholds.get(name, 0.0)
        if value < least:
            alerts.append(f"{name} is {value:.2f}, below its threshold {least:.2f}.")
        was = last.metrics.get(name) if last else None
        if last and was is not None and was - value > _DECLINE * was + _ROUNDING:
            since = last.evaluated_at if last.model == latest.model else _with_model(last)
            alerts.append(
                f"{name} declined by {(was - value) / was:.0%}, from {was:.2f} to {value:.2f}, "
                f"since {since}."
            )
    return alerts


def comparable(one: HistoryEntry, other: HistoryEntry) -> bool:
    """§8.5; a history that was written elsewhere may not say which queries it is of."""
    if one.methodology != other.methodology:
        return False
    return not one.query_set or not other.query_set or one.query_set == other.query_set


def _with_model(last: HistoryEntry) -> str:
    return f"{last.evaluated_at} (with {last.model})"
