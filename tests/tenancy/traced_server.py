"""`tip`, with a tracer that writes down all it is told: `python -m tests.tenancy.traced_server
FILE serve …`. OpenTelemetry's own would send it to a collector."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock


class WritingTracer:
    """As much of a tracer as the server uses; a span's words are lines of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def start_as_current_span(self, name: str, **also: Any) -> Iterator[WritingTracer]:
        self._write("span", name, also)
        yield self

    def update_name(self, name: str) -> None:
        self._write("name", name)

    def set_attribute(self, name: str, value: object) -> None:
        self._write("attribute", name, value)

    def _write(self, *told: object) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(f"{told!r}\n")


def main() -> int:
    from tipstaff.cli.main import main as tip
    from tipstaff.serve.traces import Traces

    traces = Traces(WritingTracer(Path(sys.argv[1])))
    with mock.patch("tipstaff.serve.app.traces_from", return_value=traces):
        return tip(sys.argv[2:])


if __name__ == "__main__":
    raise SystemExit(main())
