"""Computed vectors survive other processes, kills and damage, and stay within their bounds."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.embed.fakes import Honest
from tipstaff.embed.cache import VectorCache
from tipstaff.embed.embedder import Vector
from tipstaff.embed.embedding import embed_passages, embed_query
from tipstaff.embed.whole_numbers import whole_numbers

PLENTY = 2**30

WRITER = """
import sys
from pathlib import Path
import numpy as np
from tipstaff.embed.cache import VectorCache
first, last = int(sys.argv[2]), int(sys.argv[3])
with VectorCache(Path(sys.argv[1]), fingerprint="f", dimensions=256, max_bytes=2**30) as cache:
    for number in range(first, last):
        cache.put({cache.key(str(number)): np.full(256, number, np.int16)})
        print(number, flush=True)
"""


def opened(path: Path, *, fingerprint: str = "f", max_bytes: int = PLENTY) -> VectorCache:
    return VectorCache(path, fingerprint=fingerprint, dimensions=256, max_bytes=max_bytes)


def writer(path: Path, first: int, last: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(first), str(last)],
        stdout=subprocess.PIPE,
        text=True,
    )


def kept(path: Path, numbers: range) -> list[int]:
    with opened(path) as cache:
        keys = {cache.key(str(number)): number for number in numbers}
        found = cache.get(list(keys))
        assert all((vector == keys[key]).all() for key, vector in found.items())
        return sorted(keys[key] for key in found)


class Counting(Honest):
    def __init__(self) -> None:
        self.asked: list[str] = []

    def query(self, text: str) -> Vector:
        self.asked.append(text)
        return super().query(text)


class Failing(Counting):
    def query(self, text: str) -> Vector:
        if len(self.asked) == 40:
            raise KeyboardInterrupt
        return super().query(text)


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    writers = [writer(path, start, start + 60) for start in (0, 60, 120, 100)]
    for process in writers:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert kept(path, range(200)) == list(range(180))


def test_what_a_killed_writer_had_put_is_there_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    for _ in range(3):
        process = writer(path, 0, 1_000_000)
        assert process.stdout is not None
        for _ in range(20):
            last = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert set(range(last + 1)) <= set(kept(path, range(5_000)))


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 100, b"SQLite format 3\0"])
def test_a_damaged_file_is_made_again(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(damage)
    vector = np.arange(256, dtype=np.int16)
    with opened(path) as cache:
        assert cache.get([cache.key("a")]) == {}
        cache.put({cache.key("a"): vector})
    with opened(path) as cache:
        assert np.array_equal(cache.get([cache.key("a")])[cache.key("a")], vector)


def test_a_file_damaged_in_the_middle_gives_no_wrong_vector(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with opened(path) as cache:
        cache.put({cache.key(str(n)): np.full(256, n, np.int16) for n in range(300)})
    sqlite3.connect(path).close()
    raw = bytearray(path.read_bytes())
    raw[4096:20000] = bytes(20000 - 4096)
    path.write_bytes(raw)
    kept(path, range(300))
    texts = [str(number) for number in range(300)]
    with opened(path) as cache:
        rows = embed_passages(texts, embedder=Honest(), cache=cache)
    for text, row in zip(texts, rows, strict=True):
        assert np.array_equal(row, whole_numbers(Honest().query(text)))


def test_a_vector_of_the_wrong_length_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with opened(path) as cache:
        key = cache.key("a")
        cache.put({key: np.zeros(255, np.int16)})
        assert cache.get([key]) == {}


def test_a_place_that_cannot_be_written_costs_time_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    embedder = Counting()
    with opened(tmp_path / "file" / "vectors.sqlite") as cache:
        for _ in range(2):
            embed_passages(["a", "b"], embedder=embedder, cache=cache)
    assert embedder.asked == ["a", "b"] * 2


def test_the_least_used_goes_first_when_there_is_too_much(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    with opened(path) as cache:
        cache.put({cache.key(str(n)): np.full(256, n, np.int16) for n in range(100)})
    # A day has passed since; numbers from 50 were used today.
    with sqlite3.connect(path) as database:
        database.execute("UPDATE vectors SET used = used - 1")
    database.close()
    assert kept(path, range(50, 100)) == list(range(50, 100))
    row_bytes = 2 * 256 + 64
    with opened(path, max_bytes=50 * row_bytes):
        pass
    assert kept(path, range(100)) == list(range(50, 100))


def test_models_do_not_share_vectors_nor_do_queries_and_passages(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    embedder = Counting()
    for fingerprint in ("one", "two"):
        for _ in range(2):
            with opened(path, fingerprint=fingerprint) as cache:
                embed_passages(["rent"], embedder=embedder, cache=cache)
                embed_query("rent", embedder=embedder, cache=cache)
    assert len(embedder.asked) == 4


def test_equal_texts_are_embedded_once_and_every_row_is_filled(tmp_path: Path) -> None:
    embedder = Counting()
    told: list[tuple[int, int]] = []
    with opened(tmp_path / "vectors.sqlite") as cache:
        rows = embed_passages(
            ["a", "b", "a"], embedder=embedder, cache=cache, progress=lambda *x: told.append(x)
        )
    assert embedder.asked == ["a", "b"]
    assert np.array_equal(rows[0], rows[2])
    assert rows.any(axis=1).all()
    assert told[-1] == (3, 3)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    texts = [f"clause {number}" for number in range(100)]
    stopped = Failing()
    with (
        opened(tmp_path / "vectors.sqlite") as cache,
        pytest.raises(KeyboardInterrupt),
    ):
        embed_passages(texts, embedder=stopped, cache=cache)
    again = Counting()
    with opened(tmp_path / "vectors.sqlite") as cache:
        embed_passages(texts, embedder=again, cache=cache)
    assert len(stopped.asked) == 40
    assert sorted(again.asked) == sorted(set(texts) - set(stopped.asked))


def test_the_longest_texts_go_first(tmp_path: Path) -> None:
    """So that texts of like length share a batch; every row still has its own vector."""
    texts = ["a", "a long clause", "a clause"]
    embedder = Counting()
    with opened(tmp_path / "vectors.sqlite") as cache:
        rows = embed_passages(texts, embedder=embedder, cache=cache)
    assert embedder.asked == ["a long clause", "a clause", "a"]
    for text, row in zip(texts, rows, strict=True):
        assert np.array_equal(row, whole_numbers(Honest().query(text)))


def test_the_aspects_of_a_question_are_embedded_once_though_by_several_threads(
    tmp_path: Path,
) -> None:
    embedder = Counting()
    for _ in range(2):
        with opened(tmp_path / "vectors.sqlite") as cache, ThreadPoolExecutor(4) as pool:
            list(
                pool.map(
                    lambda text: embed_query(text, embedder=embedder, cache=cache),
                    [f"aspect {number}" for number in range(8)],
                )
            )
    assert len(embedder.asked) == 8


def test_a_database_that_is_only_busy_is_not_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "vectors.sqlite"
    with opened(path) as cache:
        cache.put({cache.key("1"): np.full(256, 1, np.int16)})
    monkeypatch.setattr("tipstaff.embed.cache._WAIT_S", 0.05)
    other = sqlite3.connect(path)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with opened(path) as cache:
        assert cache.get([cache.key("1")]) == {}
    other.rollback()
    other.close()
    assert kept(path, range(3)) == [1]


def test_a_database_that_was_damaged_while_open_is_made_again_the_next_time(
    tmp_path: Path,
) -> None:
    path = tmp_path / "vectors.sqlite"
    with opened(path) as cache:
        cache.put({cache.key(str(n)): np.full(256, n, np.int16) for n in range(300)})
    raw = bytearray(path.read_bytes())
    raw[4096:] = bytes(len(raw) - 4096)
    path.write_bytes(raw)
    assert kept(path, range(300)) == []
    with opened(path) as cache:
        cache.put({cache.key("7"): np.full(256, 7, np.int16)})
    assert kept(path, range(300)) == [7]


def test_a_flipped_bit_gives_no_wrong_vector(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    vector = np.arange(256, dtype=np.int16)
    with opened(path) as cache:
        cache.put({cache.key("a"): vector})
    raw = path.read_bytes()
    place = raw.index(vector.tobytes()) + 100
    path.write_bytes(raw[:place] + bytes([raw[place] ^ 4]) + raw[place + 1 :])
    with opened(path) as cache:
        assert cache.get([cache.key("a")]) == {}
