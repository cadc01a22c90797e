"""Files to outcomes: the cache first, then the pool, both cores at once, in the order given."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tipstaff.domain.document import Document
from tipstaff.parse.cache import DocumentCache
from tipstaff.parse.outcome import ParseOutcome, Unindexed, UnindexedKind
from tipstaff.parse.parser import Source
from tipstaff.parse.pool import WorkerPool
from tipstaff.parse.registry import fingerprint


@dataclass(frozen=True, slots=True)
class ParseJob:
    """A file to be parsed; `read` fetches its bytes when its turn has come."""

    key: str
    read: Callable[[], Source]


def parse_all(
    jobs: Sequence[ParseJob], *, pool: WorkerPool, cache: DocumentCache | None
) -> Generator[tuple[str, ParseOutcome], None, None]:
    """Each job's outcome as soon as it and those before it are done."""
    with ThreadPoolExecutor(max_workers=pool.size, thread_name_prefix="parse") as threads:
        running = [(job.key, threads.submit(_parse, job, pool, cache)) for job in jobs]
        try:
            for key, future in running:
                yield key, future.result()
        except BaseException:
            # Somebody wants to stop (Ctrl-C): what is running is not waited for.
            for _, future in running:
                future.cancel()
            pool.abort()
            raise


def _parse(job: ParseJob, pool: WorkerPool, cache: DocumentCache | None) -> ParseOutcome:
    source = job.read()
    if not source.content:
        return Unindexed(
            UnindexedKind.CANNOT_READ,
            "The file is empty.",
            "Ask the sender whether something was left out.",
        )
    how = fingerprint(source.media_type)
    if cache is not None and how is not None:
        known = cache.get(source, how)
        if known is not None:
            return known
    outcome = pool.parse(source)
    if cache is not None and how is not None and isinstance(outcome, Document):
        cache.put(source, how, outcome)
    return outcome
