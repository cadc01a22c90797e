"""`make corpus DIR=…`: parse every file of a folder and say what became of each format.

Files go through the worker pool as a bundle's do; a crash, a hang or a bomb costs that one
file. Every document is held against the parsers' contract. Prints Markdown. The exit code is 0
only if this process came to its end and no document broke a promise.
"""

from __future__ import annotations

import argparse
import os
import resource
import stat
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tipstaff.contracts.parsers import faults_of
from tipstaff.domain.document import Document
from tipstaff.media_type import SNIFFED_BYTES, UNKNOWN, sniff
from tipstaff.parse.outcome import Unindexed, UnindexedKind
from tipstaff.parse.parser import Source
from tipstaff.parse.pool import WorkerPool

_WORST = 20
_COLUMNS = ("files", "parsed", "flagged", "unindexed", "faults", "failed", "crashed", "timed out")


class Result(StrEnum):
    """What became of a file, in the order of the table's columns."""

    PARSED = "parsed"
    FLAGGED = "flagged"  # the parser says why it cannot be read
    UNINDEXED = "unindexed"  # no parser reads its kind
    FAULTS = "faults"  # the document breaks a promise
    FAILED = "failed"  # the parser raised something that it should not
    CRASHED = "crashed"  # the worker died
    TIMED_OUT = "timed out"

    @property
    def is_bad(self) -> bool:
        return self in (Result.FAULTS, Result.FAILED, Result.CRASHED, Result.TIMED_OUT)


_RESULTS = {
    UnindexedKind.NO_PARSER: Result.UNINDEXED,
    UnindexedKind.CANNOT_READ: Result.FLAGGED,
    UnindexedKind.FAILED: Result.FAILED,
    UnindexedKind.CRASHED: Result.CRASHED,
    UnindexedKind.TIMED_OUT: Result.TIMED_OUT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`seconds` are those of parsing, without the checks; `detail` is a reason in words."""

    path: Path
    result: Result
    media_type: str = UNKNOWN
    detail: str = ""
    seconds: float = 0.0
    size: int = 0


@dataclass(slots=True)
class FormatRow:
    """One line of the table: what became of the files of one media type."""

    results: Counter[Result] = field(default_factory=Counter)
    seconds: float = 0.0
    size: int = 0

    def add(self, outcome: Outcome) -> None:
        self.results[outcome.result] += 1
        self.seconds += outcome.seconds
        self.size += outcome.size


@dataclass(frozen=True, slots=True)
class Report:
    rows: dict[str, FormatRow]
    reasons: Counter[tuple[str, str]]  # media type and reason → files
    offenders: list[Outcome]
    slowest: list[Outcome]
    peak_memory: int
    seconds: float

    @property
    def has_faults(self) -> bool:
        return any(row.results[Result.FAULTS] for row in self.rows.values())


def files_under(folder: Path) -> list[Path]:
    """Regular files in order of their names; links are not followed."""
    return sorted(_regular_files(folder))


def spread(paths: list[Path], limit: int) -> list[Path]:
    """So many of the files, evenly from all over the list."""
    count = min(limit, len(paths))
    return [paths[index * len(paths) // count] for index in range(count)]


def survey(paths: Iterable[Path], *, timeout_s: int, memory_bytes: int) -> Report:
    """Every file's outcome, summed up."""
    started = time.perf_counter()
    rows: dict[str, FormatRow] = {}
    reasons: Counter[tuple[str, str]] = Counter()
    offenders: list[Outcome] = []
    slowest: list[Outcome] = []
    with (
        WorkerPool(timeout_s=timeout_s, memory_bytes=memory_bytes) as pool,
        ThreadPoolExecutor(pool.size) as threads,
    ):
        outcomes = threads.map(lambda path: run_one(path, pool), paths)
        for number, outcome in enumerate(outcomes, start=1):
            rows.setdefault(outcome.media_type, FormatRow()).add(outcome)
            slowest = sorted([*slowest, outcome], key=lambda one: -one.seconds)[:5]
            if outcome.result is Result.FLAGGED:
                reasons[outcome.media_type, outcome.detail] += 1
            elif outcome.result.is_bad:
                offenders.append(outcome)
            if sys.stderr.isatty():
                print(f"\r{number} files", end="", file=sys.stderr, flush=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    return Report(rows, reasons, offenders, slowest, peak, time.perf_counter() - started)


def run_one(path: Path, pool: WorkerPool) -> Outcome:
    """Parse one file elsewhere and check the document; never raises because of the file."""
    try:
        with path.open("rb") as file:
            media_type = sniff(file.read(SNIFFED_BYTES), path.name, whole=file)
        content = path.read_bytes()
    except OSError as problem:
        return Outcome(path=path, result=Result.FLAGGED, detail=problem.strerror or "")
    started = time.perf_counter()
    parsed = pool.parse(Source(content=content, name=path.name, media_type=media_type))
    seconds = time.perf_counter() - started
    result, detail = _judged(parsed)
    return Outcome(
        path=path,
        result=result,
        media_type=media_type,
        detail=" ".join(detail.split())[:300],
        seconds=seconds,
        size=len(content),
    )


def _judged(parsed: Document | Unindexed) -> tuple[Result, str]:
    if isinstance(parsed, Unindexed):
        return _RESULTS[parsed.kind], parsed.reason
    faults = faults_of(parsed)
    return (Result.FAULTS, "; ".join(faults[:3])) if faults else (Result.PARSED, "")


def markdown(report: Report, *, worst: int = _WORST) -> str:
    return "\n".join([*_table(report), *_reasons(report), *_offenders(report, worst)])


def _table(report: Report) -> Iterator[str]:
    yield "| format | " + " | ".join(_COLUMNS) + " | seconds | MB |"
    yield "|---|" + "---:|" * (len(_COLUMNS) + 2)
    total = FormatRow()
    for media_type, row in sorted(report.rows.items()):
        total.results += row.results
        total.seconds += row.seconds
        total.size += row.size
        yield _line(media_type, row)
    yield _line("**all**", total)
    yield ""
    yield (
        f"{report.seconds:.0f} s with checks; "
        f"a worker took at most {report.peak_memory / 1e6:.0f} MB."
    )


def _line(title: str, row: FormatRow) -> str:
    counts = [row.results.total(), *(row.results[result] for result in Result)]
    cells = [*map(str, counts), f"{row.seconds:.1f}", f"{row.size / 1e6:.1f}"]
    return f"| {title} | " + " | ".join(cells) + " |"


def _reasons(report: Report) -> Iterator[str]:
    if report.reasons:
        yield "\nFlagged:\n"
    for (media_type, reason), count in report.reasons.most_common():
        yield f"- {count} × {media_type}: {reason}"


def _offenders(report: Report, worst: int) -> Iterator[str]:
    if report.offenders:
        yield f"\nOffenders ({len(report.offenders)}):\n"
    for outcome in report.offenders[:worst]:
        yield f"- {outcome.result}: `{outcome.path}` ({outcome.media_type}): {outcome.detail}"
    yield "\nSlowest:\n"
    for outcome in report.slowest:
        yield f"- {outcome.seconds:.1f} s, {outcome.size / 1e6:.1f} MB: `{outcome.path}`"


def _regular_files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder, followlinks=False):
        for name in names:
            path = Path(place, name)
            try:
                mode = path.lstat().st_mode
            except OSError:
                continue
            if stat.S_ISREG(mode):
                yield path


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--limit", type=int, help="so many files, from all over the folder")
    parser.add_argument("--seconds", type=int, default=30, help="for one file (30)")
    parser.add_argument("--memory", type=int, default=2048, help="of a worker, in MB (2048)")
    parser.add_argument("--ending", action="append", help="only files that end so; repeatable")
    options = parser.parse_args(words)
    paths = [path for folder in options.folder for path in files_under(folder)]
    if options.ending:
        paths = [path for path in paths if path.name.endswith(tuple(options.ending))]
    if options.limit is not None:
        paths = spread(paths, options.limit)
    report = survey(paths, timeout_s=options.seconds, memory_bytes=options.memory * 1_000_000)
    print(markdown(report))
    return 1 if report.has_faults else 0


if __name__ == "__main__":
    sys.exit(main())
