from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from benchmarks import corpus, corpus_worker
from benchmarks.corpus_worker import Outcome, Result, run_one

from tipstaff.domain.document import Document
from tipstaff.parse.parser import CannotRead, Parser, Source

MEMORY = 2_000_000_000


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_a_file_is_parsed_and_checked_in_another_process(tmp_path: Path) -> None:
    outcome = run_one(write(tmp_path, "a.py", b"def f():\n    pass\n"), 30, MEMORY)
    assert (outcome.result, outcome.media_type) == (Result.PARSED, "text/x-python")
    assert outcome.size == 18
    assert outcome.peak_memory > 0
    assert outcome.seconds > 0


def test_a_kind_without_a_parser_is_unindexed(tmp_path: Path) -> None:
    outcome = run_one(write(tmp_path, "a.bin", b"\x00\x01\x02"), 30, MEMORY)
    assert outcome.result is Result.UNINDEXED


def test_a_hang_costs_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", b"hello")
    worker = corpus_worker._Worker.current(MEMORY)
    os.kill(worker._process.pid or 0, signal.SIGSTOP)
    outcome = run_one(path, 0.2, MEMORY)
    assert (outcome.result, outcome.detail) == (Result.TIMED_OUT, "more than 0.2 s")
    assert run_one(path, 30, MEMORY).result is Result.PARSED


def test_a_crash_costs_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", b"hello")
    worker = corpus_worker._Worker.current(MEMORY)
    os.kill(worker._process.pid or 0, signal.SIGKILL)
    outcome = run_one(path, 30, MEMORY)
    assert (outcome.result, outcome.detail) == (Result.CRASHED, "the worker died of SIGKILL")
    assert run_one(path, 30, MEMORY).result is Result.PARSED


def test_a_memory_bomb_costs_one_file(tmp_path: Path) -> None:
    path = tmp_path / "bomb.txt"
    with path.open("wb") as file:
        file.write(b"a" * 5000)
        file.truncate(600_000_000)
    small = 300_000_000
    outcome = run_one(path, 30, small)
    assert outcome.result is Result.CRASHED
    assert "MemoryError" in outcome.detail
    assert run_one(write(tmp_path, "a.txt", b"x"), 30, small).result is Result.PARSED


@pytest.mark.parametrize(
    ("raised", "result", "detail"),
    [
        (CannotRead("It is locked.", "Ask for a key."), Result.FLAGGED, "It is locked."),
        (ValueError("bad\nnews"), Result.CRASHED, "ValueError: bad news"),
    ],
)
def test_what_a_parser_raises_is_told_apart(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    raised: Exception,
    result: Result,
    detail: str,
) -> None:
    def parse(source: Source) -> Document:
        raise raised

    parser = Parser(name="x", version=1, media_types=("text/plain",), parse=parse)
    monkeypatch.setattr("tipstaff.parse.registry.parser_for", lambda _: parser)
    outcome = corpus_worker._outcome(write(tmp_path, "a.txt", b"x"))
    assert (outcome.result, outcome.detail) == (result, detail)


def test_a_broken_promise_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = Parser(
        name="x",
        version=1,
        media_types=("text/plain",),
        parse=lambda _: Document(text="lost words", blocks=()),
    )
    monkeypatch.setattr("tipstaff.parse.registry.parser_for", lambda _: parser)
    outcome = corpus_worker._outcome(write(tmp_path, "a.txt", b"x"))
    assert outcome.result is Result.FAULTS
    assert "lost words" in outcome.detail


def test_links_and_pipes_are_not_walked(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    kept = write(inside, "b/kept.txt", b"x")
    first = write(inside, "a.txt", b"x")
    write(tmp_path, "outside/secret.txt", b"x")
    (inside / "link").symlink_to(tmp_path / "outside")
    (inside / "link.txt").symlink_to(tmp_path / "outside" / "secret.txt")
    os.mkfifo(inside / "pipe")
    assert corpus.files_under(inside) == [first, kept]


def test_a_limit_takes_files_from_all_over() -> None:
    paths = [Path(str(number)) for number in range(10)]
    assert corpus.spread(paths, 3) == [Path("0"), Path("3"), Path("6")]
    assert corpus.spread(paths, 20) == paths
    assert corpus.spread([], 5) == []


def test_the_report_is_a_table_by_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "a.md", b"# Title\n")
    write(tmp_path, "b.py", b"x = 1\n")
    write(tmp_path, "c.bin", b"\x00")
    assert corpus.main([str(tmp_path), "--seconds", "30"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "| format | files | parsed | flagged | unindexed | faults | crashed | timed out "
        "| seconds | MB |"
    )
    assert lines[2:6] == [
        "| application/octet-stream | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0.0 | 0.0 |",
        "| text/markdown | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0.0 | 0.0 |",
        "| text/x-python | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0.0 | 0.0 |",
        "| **all** | 3 | 2 | 0 | 1 | 0 | 0 | 0 | 0.0 | 0.0 |",
    ]


def test_faults_are_listed_and_end_with_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(path: Path, timeout_s: float, memory_bytes: int) -> Outcome:
        result = Result.FLAGGED if path.name == "a.txt" else Result.FAULTS
        return Outcome(path=path, result=result, media_type="text/plain", detail="It is so.")

    monkeypatch.setattr(corpus, "run_one", run)
    write(tmp_path, "a.txt", b"x")
    write(tmp_path, "b.txt", b"x")
    assert corpus.main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "- 1 × text/plain: It is so." in printed
    assert f"- faults: `{tmp_path / 'b.txt'}` (text/plain): It is so." in printed
