"""Worker processes, reused and replaced: parse a file without trusting it.

A crash, a hang or a bomb costs the one file that caused it and one worker. Threads may share
a pool; each parse waits for a worker of its own.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any, Self

import msgspec

from tipstaff.parse.codec import NotADocument, decode
from tipstaff.parse.outcome import ParseOutcome, Unindexed, UnindexedKind
from tipstaff.parse.parser import Source
from tipstaff.parse.worker import FRAME

# A fresh process now and then, so that a library's leak stays small.
_FILES_PER_WORKER = 200
_ASK_FOR_ANOTHER_FORM = "Ask the sender for the file in another form, such as PDF or plain text."


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerPool:
    """Up to `size` workers, started when needed. Close it, or use it in a `with` block."""

    def __init__(
        self, *, size: int | None = None, memory_bytes: int = 4 << 30, timeout_s: int = 120
    ) -> None:
        self.size = size or min(usable_cores(), 4)
        self._memory_bytes = memory_bytes
        self._timeout_s = timeout_s
        self._places: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        self._busy: set[_Worker] = set()
        self._aborted = False
        for _ in range(self.size):
            self._places.put(None)

    def abort(self) -> None:
        """Ends the workers that are at work, and starts no more: nobody waits for them."""
        self._aborted = True
        for worker in list(self._busy):
            worker.kill()

    def parse(self, source: Source) -> ParseOutcome:
        """The document, or why there is none. Never raises for anything a file did."""
        worker = self._places.get()
        try:
            if worker is None or worker.is_spent or not worker.is_running:
                if worker is not None:
                    worker.end()
                worker = _Worker(self._memory_bytes)
            self._busy.add(worker)
            if self._aborted:
                worker.kill()
            answer = worker.ask(source, timeout_s=self._timeout_s)
            self._busy.discard(worker)
            if worker.is_dead:
                worker = None
        finally:
            self._places.put(worker)
        return _outcome(answer, source, self._timeout_s)

    def close(self) -> None:
        """Ends every idle worker; call it when no parse is under way."""
        for _ in range(self.size):
            with contextlib.suppress(queue.Empty):
                worker = self._places.get_nowait()
                if worker is not None:
                    worker.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Worker:
    def __init__(self, memory_bytes: int) -> None:
        self._files = 0
        self.is_dead = False
        self._process = subprocess.Popen(  # noqa: S603 (our own interpreter, our own module)
            [sys.executable, "-P", "-m", "tipstaff.parse.worker", str(memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def is_running(self) -> bool:
        """False where it died while it had nothing to do: no file's fault."""
        return self._process.poll() is None

    def kill(self) -> None:
        """The process and whatever it started: an OCR engine must not outlive its worker."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    @property
    def is_spent(self) -> bool:
        return self._files >= _FILES_PER_WORKER

    def ask(self, source: Source, *, timeout_s: int) -> dict[str, Any]:
        """The worker's answer; a worker that dies or is killed answers for itself."""
        self._files += 1
        timed_out = threading.Event()

        def give_up() -> None:
            timed_out.set()
            self.kill()

        timer = threading.Timer(timeout_s, give_up)
        timer.daemon = True
        timer.start()
        try:
            answer = self._exchange(
                {
                    "content": source.content,
                    "name": source.name,
                    "media_type": source.media_type,
                    "options": dict(source.options),
                    "timeout_s": timeout_s,
                }
            )
        finally:
            timer.cancel()
        if answer is not None:
            return answer
        self.is_dead = True
        self.end()
        return {"timed_out": True} if timed_out.is_set() else {"crashed": self._process.returncode}

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any] | None:
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            return None
        try:
            content = msgspec.msgpack.encode(request)
            requests.write(FRAME.pack(len(content)))
            requests.write(content)
            requests.flush()
            header = answers.read(FRAME.size)
            if len(header) < FRAME.size:
                return None
            answer = msgspec.msgpack.decode(answers.read(FRAME.unpack(header)[0]))
        except (OSError, msgspec.DecodeError):
            return None
        return answer if isinstance(answer, dict) else None

    def end(self) -> None:
        self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._process.wait()


def _outcome(answer: dict[str, Any], source: Source, timeout_s: int) -> ParseOutcome:
    match answer:
        case {"document": bytes() as content}:
            try:
                return decode(content)
            except NotADocument:
                return _failed("its parser gave no sound document")
        case {"cannot_read": [str() as reason, str() as suggestion]}:
            return Unindexed(UnindexedKind.CANNOT_READ, reason, suggestion)
        case {"no_parser": _}:
            return Unindexed(
                UnindexedKind.NO_PARSER,
                f"Files of type {source.media_type} cannot be read.",
                _ASK_FOR_ANOTHER_FORM,
            )
        case {"failed": str() as why}:
            return _failed(why)
        case {"timed_out": _}:
            return Unindexed(
                UnindexedKind.TIMED_OUT,
                f"Reading the file took longer than {timeout_s} seconds.",
                "Raise the setting parse_timeout_s, or ask the sender for a smaller file.",
            )
        case _:
            return Unindexed(
                UnindexedKind.CRASHED,
                "The file made its parser crash.",
                _ASK_FOR_ANOTHER_FORM,
            )


def _failed(why: str) -> Unindexed:
    return Unindexed(
        UnindexedKind.FAILED, f"The file could not be parsed: {why}.", _ASK_FOR_ANOTHER_FORM
    )
