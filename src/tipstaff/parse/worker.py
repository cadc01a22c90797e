"""One worker process: files in on stdin, documents out on stdout, one at a time, until EOF.

Started by `parse.pool` as `python -P -m tipstaff.parse.worker MEMORY_BYTES`. Whatever a file
makes it do (abort, hang, eat memory) ends this process and nothing else.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import sys
import threading
import time
from typing import Any, BinaryIO

import msgspec

from tipstaff.parse.codec import encode
from tipstaff.parse.parser import CannotRead, Source
from tipstaff.parse.registry import parser_for
from tipstaff.parse.sanitising import sanitised

FRAME = struct.Struct("<Q")


def main() -> None:
    _limit_memory(int(sys.argv[1]))
    _end_with_the_host()
    requests, answers = _private_streams()
    while header := requests.read(FRAME.size):
        request = msgspec.msgpack.decode(requests.read(FRAME.unpack(header)[0]))
        timeout_s = int(request.pop("timeout_s"))
        # A parser that knows how long it may take can give part of a file instead of nothing.
        request["options"]["parse_timeout_s"] = str(timeout_s)
        # If the host dies while this process hangs, nobody is left to end it but itself.
        _alarm(timeout_s + 5)
        answer = msgspec.msgpack.encode(_answer(Source(**request)))
        _alarm(0)
        answers.write(FRAME.pack(len(answer)))
        answers.write(answer)
        answers.flush()


def _answer(source: Source) -> dict[str, Any]:
    try:
        parser = parser_for(source.media_type)
        if parser is None:
            return {"no_parser": True}
        return {"document": encode(sanitised(parser.parse(source)))}
    except CannotRead as problem:
        return {"cannot_read": [problem.reason, problem.suggestion]}
    except MemoryError:
        return {"failed": "it needs more memory than a parser may use"}
    except RecursionError:
        return {"failed": "it is nested too deeply"}
    except Exception as problem:
        words = " ".join(str(problem).split())[:200]
        return {"failed": f"{type(problem).__name__}: {words}" if words else type(problem).__name__}


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """The two pipes, out of reach of libraries that print."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    return requests, answers


def _limit_memory(memory_bytes: int) -> None:
    """Where the system has such limits."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with_the_host() -> None:
    """A worker whose host is gone ends itself, and whatever it started, within a second."""
    host = os.getppid()

    def watch() -> None:
        while os.getppid() == host:
            time.sleep(1)
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _alarm(seconds: int) -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)


if __name__ == "__main__":
    main()
