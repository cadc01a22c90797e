"""The audit log: kept as long as it should be, whole whatever happens to its writers."""

from __future__ import annotations

import datetime as dt
import hashlib
import multiprocessing
from pathlib import Path

from tipstaff.audit.retrieval_log import RetrievalLog

DAY = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def write_many(folder: str, writer: int, count: int) -> None:
    log = RetrievalLog(Path(folder), keep_days=90)
    for number in range(count):
        log.write("q", {"writer": writer, "number": number, "fill": "ü" * 5000}, now=DAY)


def test_a_record_holds_the_hash_of_the_query_and_not_its_words(tmp_path: Path) -> None:
    log = RetrievalLog(tmp_path, keep_days=90)
    log.write("who is ill?", {"strategy": "single_pass"}, now=DAY)
    (record,) = log.read()
    assert record["query_sha256"] == hashlib.sha256(b"who is ill?").hexdigest()
    assert record["timestamp"].startswith("2026-03-01T12:00:00")
    assert not any(b"ill?" in path.read_bytes() for path in tmp_path.iterdir())


def test_records_older_than_the_retention_go_and_others_stay(tmp_path: Path) -> None:
    log = RetrievalLog(tmp_path, keep_days=90)
    for days in (91, 90, 1):
        log.write("q", {"age": days}, now=DAY - dt.timedelta(days=days))
    (tmp_path / "retrieval-notes.jsonl").write_text('{"age": "not ours"}\n')
    log.write("q", {"age": 0}, now=DAY)
    assert [record["age"] for record in log.read()] == [90, 1, 0, "not ours"]


def test_a_day_begins_at_midnight_utc_wherever_the_writer_is(tmp_path: Path) -> None:
    evening = dt.datetime(2026, 3, 1, 23, tzinfo=dt.timezone(dt.timedelta(hours=-5)))
    RetrievalLog(tmp_path, keep_days=90).write("q", {}, now=evening)
    assert [path.name for path in tmp_path.iterdir()] == ["retrieval-2026-03-02.jsonl"]


def test_a_line_that_a_killed_writer_left_costs_no_other(tmp_path: Path) -> None:
    log = RetrievalLog(tmp_path, keep_days=90)
    log.write("q", {"n": 1}, now=DAY)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    torn = whole.replace(b'"n": 1', '"n": "ü'.encode())
    path.write_bytes(whole + torn[: torn.index("ü".encode()) + 1])
    assert [record["n"] for record in log.read()] == [1]
    log.write("q", {"n": 2}, now=DAY)
    assert [record["n"] for record in log.read()] == [1, 2]
    assert path.read_bytes().count(b"\n") == 2


def test_a_record_may_hold_any_line_separator(tmp_path: Path) -> None:
    log = RetrievalLog(tmp_path, keep_days=90)
    log.write("q", {"tez_id": "a\u2028b\x85c\nd"}, now=DAY)
    assert [record["tez_id"] for record in log.read()] == ["a\u2028b\x85c\nd"]


def test_several_writers_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=write_many, args=(str(tmp_path), number, 20)) for number in range(3)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    records = list(RetrievalLog(tmp_path, keep_days=90).read())
    assert len(records) == 60
    for number in range(3):
        own = [record["number"] for record in records if record["writer"] == number]
        assert own == list(range(20))


def test_nobody_else_may_read_the_log(tmp_path: Path) -> None:
    folder = tmp_path / "audit"
    RetrievalLog(folder, keep_days=90).write("q", {}, now=DAY)
    assert folder.stat().st_mode & 0o077 == 0


def test_a_shorter_retention_holds_from_the_next_record_on(tmp_path: Path) -> None:
    for days in (30, 0):
        RetrievalLog(tmp_path, keep_days=90).write(
            "q", {"age": days}, now=DAY - dt.timedelta(days=days)
        )
    (tmp_path / "retrieval-2026-99-99.jsonl").write_text("")
    log = RetrievalLog(tmp_path, keep_days=7)
    log.write("q", {"age": "now"}, now=DAY)
    assert [record["age"] for record in log.read()] == [0, "now"]


def test_a_retention_of_ages_is_for_ever(tmp_path: Path) -> None:
    log = RetrievalLog(tmp_path, keep_days=2**40)
    for days in (40_000, 0):
        log.write("q", {"age": days}, now=DAY - dt.timedelta(days=days))
    assert [record["age"] for record in log.read()] == [40_000, 0]


def test_a_tez_may_be_called_anything(tmp_path: Path) -> None:
    log = RetrievalLog(tmp_path, keep_days=90)
    log.write("q", {"tez_id": "lone \ud800"}, now=DAY)
    assert [record["tez_id"] for record in log.read()] == ["lone \ud800"]
