"""A file may do what it likes to its worker; the run goes on and says what happened."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tipstaff.domain.document import Document
from tipstaff.parse.cache import DocumentCache
from tipstaff.parse.codec import NotADocument, decode, encode
from tipstaff.parse.outcome import Unindexed, UnindexedKind
from tipstaff.parse.parser import Source
from tipstaff.parse.parsing import ParseJob, parse_all
from tipstaff.parse.plain_text import parse_text
from tipstaff.parse.pool import WorkerPool

HOSTILE = "application/x-hostile"


def text_source(words: str) -> Source:
    return Source(content=words.encode(), name="x.txt", media_type="text/plain")


@pytest.fixture
def hostile_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in, installed as any other, that does to its process what the file says."""
    package = tmp_path / "site"
    (package / "hostile-1.0.dist-info").mkdir(parents=True)
    (package / "hostile-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n"
    )
    (package / "hostile-1.0.dist-info" / "entry_points.txt").write_text(
        "[tipstaff.parser]\nhostile = hostile:PARSER\n"
    )
    (package / "hostile.py").write_text(
        "import os, sys\n"
        "from tipstaff.parse.parser import Parser\n"
        "from tipstaff.parse.plain_text import parse_text\n"
        "def parse(source):\n"
        "    print('noise on stdout'); sys.stdout.flush()\n"
        "    exec(source.content.decode())\n"
        "    return parse_text('survived')\n"
        f"PARSER = Parser(name='hostile', version=1, media_types=('{HOSTILE}',), parse=parse)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(package))


@pytest.mark.usefixtures("hostile_parser")
@pytest.mark.parametrize(
    ("deed", "kind"),
    [
        ("os.abort()", UnindexedKind.CRASHED),
        ("os.kill(os.getpid(), 9)", UnindexedKind.CRASHED),
        ("os._exit(0)", UnindexedKind.CRASHED),
        ("while True: pass", UnindexedKind.TIMED_OUT),
        ("x = bytearray(3 << 30)", UnindexedKind.FAILED),
        ("def f(): f()\nf()", UnindexedKind.FAILED),
        ("raise ValueError('odd\\nfile')", UnindexedKind.FAILED),
        ("os.write(1, b'x' * 100); os.close(1)", None),
    ],
)
def test_a_hostile_file_costs_one_item(deed: str, kind: UnindexedKind | None) -> None:
    with WorkerPool(size=1, memory_bytes=1 << 30, timeout_s=2) as pool:
        source = Source(content=deed.encode(), name="x", media_type=HOSTILE)
        outcome = pool.parse(source)
        if kind is None:
            assert isinstance(outcome, Document)
        else:
            assert isinstance(outcome, Unindexed)
            assert outcome.kind is kind
            assert outcome.reason.endswith(".")
            assert "\n" not in outcome.reason
        after = pool.parse(text_source("still here"))
        assert isinstance(after, Document)
        assert after.text == "still here"


def test_a_kind_of_file_that_nothing_reads_says_so() -> None:
    with WorkerPool(size=1) as pool:
        outcome = pool.parse(Source(content=b"x", name="x", media_type="application/x-unknown"))
    assert isinstance(outcome, Unindexed)
    assert outcome.kind is UnindexedKind.NO_PARSER
    assert "application/x-unknown" in outcome.reason


def test_workers_are_reused_and_ended() -> None:
    pool = WorkerPool(size=1)
    seen = set()
    for _ in range(3):
        pool.parse(text_source("x"))
        worker = pool._places.get()
        assert worker is not None
        seen.add(worker._process.pid)
        pool._places.put(worker)
    pool.close()
    assert len(seen) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(seen.pop(), signal.SIGTERM)


def test_threads_share_a_pool() -> None:
    results: list[str] = []
    with WorkerPool(size=2) as pool:

        def work(number: int) -> None:
            outcome = pool.parse(text_source(f"file {number}"))
            assert isinstance(outcome, Document)
            results.append(outcome.text)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(results) == sorted(f"file {number}" for number in range(12))


def test_outcomes_come_in_the_order_of_the_jobs(tmp_path: Path) -> None:
    jobs = [
        ParseJob(str(number), lambda number=number: text_source(f"n {number}"))  # type: ignore[misc]
        for number in range(6)
    ]
    with WorkerPool(size=2) as pool:
        done = list(parse_all(jobs, pool=pool, cache=DocumentCache(tmp_path, max_bytes=1 << 20)))
    assert [key for key, _ in done] == [str(number) for number in range(6)]


def test_an_empty_file_is_said_to_be_empty() -> None:
    with WorkerPool(size=1) as pool:
        ((_, outcome),) = parse_all([ParseJob("a", lambda: text_source(""))], pool=pool, cache=None)
    assert isinstance(outcome, Unindexed)
    assert "empty" in outcome.reason


@given(st.text(max_size=200))
def test_a_document_survives_its_encoding(text: str) -> None:
    document = parse_text(text)
    again = decode(encode(document))
    assert encode(again) == encode(document)
    assert (again.text, again.blocks, again.marks) == (
        document.text,
        document.blocks,
        document.marks,
    )


@given(
    st.binary(max_size=200) | st.integers(0, 400).map(lambda cut: encode(parse_text("a b"))[:cut])
)
def test_bytes_that_are_no_document_are_refused(content: bytes) -> None:
    try:
        document = decode(content)
    except NotADocument:
        return
    assert encode(document) == content


def test_the_cache_gives_back_what_was_put_and_survives_damage(tmp_path: Path) -> None:
    cache = DocumentCache(tmp_path, max_bytes=1 << 20)
    source, document = text_source("some words"), parse_text("some words")
    assert cache.get(source, "one") is None
    cache.put(source, "one", document)
    assert cache.get(source, "two") is None
    found = cache.get(source, "one")
    assert found is not None
    assert found.blocks == document.blocks
    (file,) = tmp_path.glob("*/*.document")
    for damage in (b"", file.read_bytes()[:-3], b"x" * 40):
        file.write_bytes(damage)
        assert cache.get(source, "one") is None


def test_the_cache_stays_within_its_size(tmp_path: Path) -> None:
    cache = DocumentCache(tmp_path, max_bytes=20_000)
    for number in range(130):
        words = f"{number} " * 300
        cache.put(text_source(words), "x", parse_text(words))
    assert sum(path.stat().st_size for path in tmp_path.glob("*/*")) < 200_000


class _LxmlText(str):
    """As lxml's `xpath` and `text` give it: a string in all but type."""


def test_text_that_lxml_made_is_text() -> None:
    document = replace(parse_text("words"), notes=(_LxmlText("a note"),), text=_LxmlText("words"))
    assert decode(encode(document)).notes == ("a note",)


def test_a_worker_that_died_idle_costs_no_file() -> None:
    with WorkerPool(size=1) as pool:
        pool.parse(text_source("first"))
        worker = pool._places.get()
        assert worker is not None
        worker.kill()
        worker._process.wait()
        pool._places.put(worker)
        assert isinstance(pool.parse(text_source("second")), Document)


@pytest.mark.usefixtures("hostile_parser")
def test_what_a_file_started_ends_with_its_worker(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    deed = (
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(mark)!r}, 'w').write(str(child.pid))\n"
        "while True: pass"
    )
    with WorkerPool(size=1, timeout_s=2) as pool:
        outcome = pool.parse(Source(content=deed.encode(), name="x", media_type=HOSTILE))
    assert isinstance(outcome, Unindexed)
    assert outcome.kind is UnindexedKind.TIMED_OUT
    stat = Path(f"/proc/{mark.read_text()}/stat")
    assert not stat.exists() or stat.read_text().split()[2] == "Z"


@pytest.mark.usefixtures("hostile_parser")
def test_stopping_does_not_wait_for_a_file_that_hangs() -> None:
    def hanging() -> Source:
        return Source(content=b"while True: pass", name="x", media_type=HOSTILE)

    started = time.monotonic()
    with WorkerPool(size=1, timeout_s=100) as pool:
        outcomes = parse_all(
            [ParseJob("quick", lambda: text_source("x")), ParseJob("hanging", hanging)],
            pool=pool,
            cache=None,
        )
        assert next(outcomes)[0] == "quick"
        with pytest.raises(KeyboardInterrupt):
            outcomes.throw(KeyboardInterrupt)
    assert time.monotonic() - started < 50
