from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.corpus import Outcome, Result

from benchmarks import corpus
from tipstaff.domain.document import Document
from tipstaff.parse.outcome import Unindexed, UnindexedKind


def write(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kind", UnindexedKind)
def test_every_way_of_failing_has_its_column(kind: UnindexedKind) -> None:
    result, detail = corpus._judged(Unindexed(kind, "It is so.", ""))
    assert detail == "It is so."
    assert str(result) in corpus._COLUMNS


def test_a_broken_promise_is_a_fault() -> None:
    result, detail = corpus._judged(Document(text="lost words", blocks=()))
    assert result is Result.FAULTS
    assert "lost words" in detail


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
    assert lines[0] == "| format | " + " | ".join(corpus._COLUMNS) + " | seconds | MB |"
    rows = [line.rsplit(" | ", 2)[0] for line in lines[2:6]]
    assert rows == [
        "| application/octet-stream | 1 | 0 | 0 | 1 | 0 | 0 | 0 | 0",
        "| text/markdown | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0",
        "| text/x-python | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0",
        "| **all** | 3 | 2 | 0 | 1 | 0 | 0 | 0 | 0",
    ]


def test_faults_are_listed_and_end_with_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(path: Path, _pool: object) -> Outcome:
        result = Result.FLAGGED if path.name == "a.txt" else Result.FAULTS
        return Outcome(path=path, result=result, media_type="text/plain", detail="It is so.")

    monkeypatch.setattr(corpus, "run_one", run)
    write(tmp_path, "a.txt", b"x")
    write(tmp_path, "b.txt", b"x")
    assert corpus.main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "- 1 × text/plain: It is so." in printed
    assert f"- faults: `{tmp_path / 'b.txt'}` (text/plain): It is so." in printed
