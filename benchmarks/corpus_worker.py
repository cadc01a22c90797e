"""One file in, what became of it out; the parser runs in another process.

`run_one` is the whole interface. Its worker is used again until it dies or hangs.
"""

from __future__ import annotations

import atexit
import multiprocessing
import resource
import signal
import time
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection
from pathlib import Path

from tipstaff.media_type import SNIFFED_BYTES, UNKNOWN, sniff

_SPAWN = multiprocessing.get_context("spawn")
_STARTING_S = 60.0


class Result(StrEnum):
    """What became of a file, in the order of the table's columns."""

    PARSED = "parsed"
    FLAGGED = "flagged"  # the parser says why it cannot be read
    UNINDEXED = "unindexed"  # no parser reads its kind
    FAULTS = "faults"  # the document breaks a promise
    CRASHED = "crashed"  # the parser raised, or took its process with it
    TIMED_OUT = "timed out"

    @property
    def is_bad(self) -> bool:
        return self in (Result.FAULTS, Result.CRASHED, Result.TIMED_OUT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`seconds` are the parser's own, without the checks; `detail` is a reason in words."""

    path: Path
    result: Result
    media_type: str = UNKNOWN
    detail: str = ""
    seconds: float = 0.0
    size: int = 0
    peak_memory: int = 0


def run_one(path: Path, timeout_s: float, memory_bytes: int) -> Outcome:
    """Parse one file elsewhere and check the document; never raises because of the file."""
    worker = _Worker.current(memory_bytes)
    started = time.perf_counter()
    try:
        worker.pipe.send(path)
        if worker.pipe.poll(timeout_s):
            outcome = worker.pipe.recv()
            if isinstance(outcome, Outcome):
                return outcome
            raise TypeError(f"the worker sent {outcome!r}")
        result, detail = Result.TIMED_OUT, f"more than {timeout_s:g} s"
    except (EOFError, ConnectionError):
        result, detail = Result.CRASHED, worker.how_it_ended()
    worker.stop()
    media_type, size = _by_name_and_head(path)
    return Outcome(
        path=path,
        result=result,
        media_type=media_type,
        detail=detail,
        seconds=time.perf_counter() - started,
        size=size,
    )


class _Worker:
    _current: _Worker | None = None

    def __init__(self, memory_bytes: int) -> None:
        self.memory_bytes = memory_bytes
        self.pipe, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(theirs, memory_bytes), daemon=True)
        self._process.start()
        theirs.close()
        # The first word says that it is up, so that starting is on nobody's clock.
        if not self.pipe.poll(_STARTING_S) or self.pipe.recv() != "ready":
            raise RuntimeError("the worker did not start")

    @classmethod
    def current(cls, memory_bytes: int) -> _Worker:
        worker = cls._current
        if worker is None or worker.memory_bytes != memory_bytes:
            if worker:
                worker.stop()
            worker = cls._current = cls(memory_bytes)
        return worker

    @classmethod
    def stop_current(cls) -> None:
        if cls._current:
            cls._current.stop()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()
        _Worker._current = None

    def how_it_ended(self) -> str:
        self._process.join(5)
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"the worker died of {signal.Signals(-code).name}"
        return f"the worker ended with {code}"


atexit.register(_Worker.stop_current)


def _serve(pipe: Connection, memory_bytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pipe.send("ready")
    while True:
        try:
            path = pipe.recv()
        except EOFError:
            return
        pipe.send(_outcome(path))


def _outcome(path: Path) -> Outcome:
    from tipstaff.contracts.parsers import faults_of
    from tipstaff.parse.parser import CannotRead, Source
    from tipstaff.parse.registry import parser_for

    media_type, size, seconds = UNKNOWN, 0, 0.0

    def outcome(result: Result, detail: str = "") -> Outcome:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return Outcome(
            path=path,
            result=result,
            media_type=media_type,
            detail=" ".join(detail.split())[:300],
            seconds=seconds,
            size=size,
            peak_memory=peak,
        )

    try:
        media_type, size = _media_type(path), path.stat().st_size
        parser = parser_for(media_type)
        if parser is None:
            return outcome(Result.UNINDEXED)
        source = Source(content=path.read_bytes(), name=path.name, media_type=media_type)
        started = time.perf_counter()
        try:
            document = parser.parse(source)
        finally:
            seconds = time.perf_counter() - started
        faults = faults_of(document)
    except CannotRead as error:
        return outcome(Result.FLAGGED, error.reason)
    except Exception as error:  # whatever a parser does, the next file is due
        return outcome(Result.CRASHED, f"{type(error).__name__}: {error}")
    return outcome(Result.FAULTS, "; ".join(faults[:3])) if faults else outcome(Result.PARSED)


def _media_type(path: Path) -> str:
    with path.open("rb") as file:
        return sniff(file.read(SNIFFED_BYTES), path.name, whole=file)


def _by_name_and_head(path: Path) -> tuple[str, int]:
    """What this process may find out about a file that ended a worker, without opening it up."""
    try:
        with path.open("rb") as file:
            return sniff(file.read(SNIFFED_BYTES), path.name), path.stat().st_size
    except OSError:
        return UNKNOWN, 0
