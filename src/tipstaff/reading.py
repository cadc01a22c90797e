"""Every file of an opened bundle through its parser: documents, or why there are none."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from tipstaff import media_type
from tipstaff.bundle.opening import OpenBundle
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.resolution import resolve
from tipstaff.domain.bundle import Bundle, Synthesis
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Resolution
from tipstaff.domain.document import Document
from tipstaff.domain.item import ContextItem
from tipstaff.errors import ContextPartlyLoaded, FailedItem
from tipstaff.parse.cache import DocumentCache
from tipstaff.parse.outcome import Unindexed
from tipstaff.parse.parser import Source
from tipstaff.parse.parsing import ParseJob, parse_all
from tipstaff.parse.pool import WorkerPool
from tipstaff.parse.registry import parser_options
from tipstaff.settings import DEFAULTS, Settings, cache_directory

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """A bundle whose files have been read: documents by item id, the synthesis among them,
    and for every other item the reason why it has none."""

    opened: OpenBundle
    documents: Mapping[str, CitableDocument]
    unindexed: Mapping[str, Unindexed]
    # The bundle as whoever reads it sees it.
    bundle: Bundle

    def resolve(self, citation: Citation) -> Resolution:
        """The passage that a citation points at, or why there is none."""
        return resolve(citation, self.documents)

    def load_failure(self) -> ContextPartlyLoaded | None:
        """TIP §14.1's report of every item that cannot be interrogated as sent, or None."""
        failed = [
            FailedItem(item.id, reason, suggestion)
            for item in self.bundle.items
            for reason, suggestion in [self.trouble(item.id)]
            if reason is not None
        ]
        failed_ids = {item.item_id for item in failed}
        available = [i.id for i in self.bundle.items if i.id not in failed_ids]
        return ContextPartlyLoaded(failed, available) if failed else None

    def trouble(self, item_id: str) -> tuple[str | None, str]:
        """What is wrong with an item, in words, and what may help; None if nothing is."""
        item = self.bundle.item(item_id)
        if item is not None and item.reason is not None:
            return item.reason, item.suggestion or ""
        why = self.unindexed.get(item_id)
        return (why.reason, why.suggestion) if why else (None, "")


def read_bundle(
    opened: OpenBundle,
    *,
    settings: Settings = DEFAULTS,
    progress: Progress | None = None,
    only: Collection[str] | None = None,
    seen: Bundle | None = None,
) -> ReadBundle:
    """Every file (or those of the items named) through its parser, in worker processes, from
    the cache where it is known. `seen` is the bundle that exists for a recipient: other items
    are not read, and its synthesis is the one that is."""
    bundle = opened.bundle if seen is None else seen
    archives = {item.parent for item in opened.bundle.items}
    jobs = [
        ParseJob(item.id, _source(opened, item, settings))
        for item in bundle.items
        if item.has_bytes and item.id not in archives and (only is None or item.id in only)
    ]
    if bundle.synthesis is not None and (only is None or SYNTHESIS_ID in only):
        synthesis = bundle.synthesis
        jobs.append(ParseJob(SYNTHESIS_ID, lambda: _synthesis_source(opened, synthesis, settings)))
    cache = DocumentCache(cache_directory() / "parsed", max_bytes=settings.parse_cache_bytes)
    documents: dict[str, CitableDocument] = {}
    unindexed: dict[str, Unindexed] = {}
    with WorkerPool(
        size=settings.parse_workers,
        memory_bytes=settings.parse_memory_bytes,
        timeout_s=settings.parse_timeout_s,
    ) as pool:
        for done, (item_id, outcome) in enumerate(parse_all(jobs, pool=pool, cache=cache), start=1):
            if progress:
                progress(item_id, done, len(jobs))
            if isinstance(outcome, Document):
                documents[item_id] = CitableDocument(item_id, outcome)
            else:
                unindexed[item_id] = outcome
    return ReadBundle(opened, documents, unindexed, bundle)


def _source(opened: OpenBundle, item: ContextItem, settings: Settings) -> Callable[[], Source]:
    return lambda: Source(
        content=opened.read(item.id),
        name=item.file or item.id,
        media_type=item.media_type or media_type.UNKNOWN,
        options=parser_options(settings),
    )


def _synthesis_source(opened: OpenBundle, synthesis: Synthesis, settings: Settings) -> Source:
    return Source(
        content=synthesis_bytes(opened, synthesis),
        name=synthesis.file,
        media_type=synthesis.media_type,
        options=parser_options(settings),
    )


def synthesis_bytes(opened: OpenBundle, synthesis: Synthesis) -> bytes:
    """The sender's own bytes, or those of a synthesis that something was withheld from."""
    own = opened.bundle.synthesis
    if own is not None and own.sha256 == synthesis.sha256:
        return opened.synthesis_bytes or b""
    return synthesis.text.encode("utf-8")
