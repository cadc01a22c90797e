"""An opened bundle becomes searchable: its index is opened, or built and then opened.

Nothing is parsed if the index is there already: its name follows from the items' bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tipstaff.bundle.opening import OpenBundle
from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.item import ContextItem
from tipstaff.domain.retrieval import Method, Retrieval, RetrievalOptions, Strategy
from tipstaff.domain.scope import Filter, IndexedItem
from tipstaff.embed.embedder import Embedder
from tipstaff.embed.embedding import embed_passages, embed_query
from tipstaff.embed.registry import embedder_named
from tipstaff.index.fingerprint import index_digest
from tipstaff.media_type import UNKNOWN
from tipstaff.mending import MendingIndex
from tipstaff.parse.registry import fingerprint, parser_options
from tipstaff.retrieve.exposure import check_exposure
from tipstaff.retrieve.reranker import reranker_named
from tipstaff.retrieve.strategies import Decompose, Searcher
from tipstaff.settings import DEFAULTS, Settings
from tipstaff.store.registry import store_named
from tipstaff.store.store import DamagedIndex, IndexKey, OpenIndex, Store
from tipstaff.tenant_data import record, vector_cache, written_data

if TYPE_CHECKING:
    # Imported where an index is built: a search in one that is there does not wait for it.
    from tipstaff.index.building import SourceItem
    from tipstaff.reading import Progress, ReadBundle

# Fields of an item, beside its id and type, that a search may be narrowed by.
METADATA = ("media_type", "source", "parent")
_NOT_EXACT = "The store '{}' compares vectors approximately: a passage may be missing."


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedBundle:
    """A bundle that can be searched. `built` says whether its index had to be made now."""

    opened: OpenBundle
    index: OpenIndex
    embedder: Embedder
    settings: Settings
    tenant: str
    built: bool
    # Whether the store promises to miss no passage (docs/decisions/0008).
    exact: bool = True
    # Whether searches are written to the tenant's file (Enterprise §4.5). A service has its audit
    # log for that.
    keeps_log: bool = True

    def search(
        self,
        query: str,
        *,
        options: RetrievalOptions | None = None,
        only: Filter | None = None,
        permitted: Collection[str] | None = None,
        recipient: str | None = None,
        reasons: Mapping[str, str] | None = None,
        decompose: Decompose | None = None,
    ) -> Retrieval:
        """The passages that speak to a query, among permitted items and no others. `recipient`
        and the `reasons` why items are withheld are for the record alone; `decompose` gives the
        aspects of a question where the grammar is not to."""
        wanted = options or options_from(self.settings)
        items: Sequence[IndexedItem] = self.index.items
        if permitted is not None:
            items = self.index.items.named(permitted)
        with vector_cache(self.embedder, self.settings, self.tenant) as cache:
            searcher = Searcher(
                index=self.index,
                scope=(only or Filter()).scope(items),
                embed=partial(embed_query, embedder=self.embedder, cache=cache),
                reranker=reranker_named(self.settings.reranker),
                decompose=decompose,
            )
            done = searcher.search(query, wanted)
        if not self.exact and wanted.method is not Method.KEYWORD:
            done = replace(done, notes=(*done.notes, _NOT_EXACT.format(self.settings.store)))
        if self.keeps_log:
            record(
                done,
                self.opened.bundle,
                settings=self.settings,
                tenant=self.tenant,
                recipient=recipient,
                permitted=permitted,
                reasons=reasons,
            )
        return done


def index_bundle(
    opened: OpenBundle,
    *,
    settings: Settings = DEFAULTS,
    tenant: str = LOCAL_TENANT,
    progress: Callable[[str], Progress | None] | None = None,
    rebuild: bool = False,
    check: bool = False,
) -> IndexedBundle:
    """The bundle with its index: opened if it is there and whole, else built. `check` looks for
    damage in all of it now; without it a part is checked when it is first used, and the index
    built again then, for which the bundle must still be open."""
    check_exposure(settings.transparency)
    embedder = embedder_named(settings.embedder, threads=settings.embed_threads)
    store = store_named(settings.store, settings)
    key = IndexKey(
        tenant=tenant, tez_id=opened.bundle.id, digest=_digest(opened, embedder, settings)
    )

    def made() -> OpenIndex:
        from tipstaff.reading import read_bundle

        reading = progress("Reading") if progress else None
        read = read_bundle(opened, settings=settings, progress=reading)
        embedding = progress("Embedding") if progress else None
        kept = _kept_key(key, read)
        return _built(store, kept, read, embedder, settings=settings, progress=embedding)

    with written_data():
        index = None if rebuild else _opened(store, key, check=check)
    built = index is None
    return IndexedBundle(
        opened=opened,
        index=MendingIndex(index or made(), made),
        embedder=embedder,
        settings=settings,
        tenant=tenant,
        built=built,
        exact=store.scope_exact,
    )


def options_from(settings: Settings, strategy: Strategy = Strategy.SINGLE_PASS) -> RetrievalOptions:
    return RetrievalOptions(
        strategy=strategy,
        top_k=settings.top_k,
        fusion=settings.fusion,
        vector_weight=settings.vector_weight_percent / 100,
        diversity=settings.diversity_percent / 100,
        neighbours=settings.neighbours,
    )


def _opened(store: Store, key: IndexKey, *, check: bool) -> OpenIndex | None:
    index = store.open(key)
    if index is None or not check:
        return index
    try:
        index.check()
    except DamagedIndex:
        return None
    return index


def _built(
    store: Store,
    key: IndexKey,
    read: ReadBundle,
    embedder: Embedder,
    *,
    settings: Settings,
    progress: Progress | None,
) -> OpenIndex:
    from tipstaff.index.building import build
    from tipstaff.tokens import count_tokens

    with vector_cache(embedder, settings, key.tenant) as cache:

        def embed(texts: Sequence[str]) -> npt.NDArray[np.int16]:
            told = _with_rate(progress) if progress else None
            return embed_passages(texts, embedder=embedder, cache=cache, progress=told)

        contents = build(
            _sources(read),
            chunk_tokens=settings.chunk_tokens,
            overlap_percent=settings.chunk_overlap_percent,
            count_tokens=count_tokens,
            embed=embed,
            embedder=embedder.name,
        )
    with written_data():
        store.write(key, contents)
        index = store.open(key)
    if index is None:
        raise RuntimeError("an index was written and is not there")
    return index


def _with_rate(progress: Progress) -> Callable[[int, int], None]:
    """How many passages, and how many a second since work began."""
    start, begun = time.monotonic(), None

    def told(done: int, total: int) -> None:
        nonlocal begun
        begun = done if begun is None else begun
        rate = (done - begun) / max(time.monotonic() - start, 0.001)
        progress(f"{done:,}/{total:,} passages, {rate:.0f}/s", done, total)

    return told


def _sources(read: ReadBundle) -> list[SourceItem]:
    """Items with text, in the order of the bundle. The synthesis is not among them: it is what
    is being checked, never the evidence (TIP §3.5)."""
    from tipstaff.index.building import SourceItem

    return [
        SourceItem(
            id=item.id,
            type=item.type,
            title=item.title,
            document=read.documents[item.id].document,
            metadata=_metadata(item),
        )
        for item in read.opened.bundle.items
        if item.id in read.documents and item.id != SYNTHESIS_ID
    ]


def _metadata(item: ContextItem) -> dict[str, str]:
    """What else a search may filter by (TIP §10.1.5)."""
    fields = {name: getattr(item, name) for name in METADATA}
    return {name: value for name, value in fields.items() if value}


def _digest(opened: OpenBundle, embedder: Embedder, settings: Settings) -> str:
    options = sorted(parser_options(settings).items())
    facts = [
        (
            item.id,
            item.sha256 or "",
            fingerprint(item.media_type or UNKNOWN) or "",
            item.file or "",
            item.type,
            item.title,
            *(f"{name}={value}" for name, value in _metadata(item).items()),
            *(f"{name}={value}" for name, value in options),
        )
        for item in opened.bundle.items
        if item.has_bytes
    ]
    return index_digest(
        facts,
        chunk_tokens=settings.chunk_tokens,
        overlap_percent=settings.chunk_overlap_percent,
        embedder=embedder.fingerprint,
    )


def _kept_key(key: IndexKey, read: ReadBundle) -> IndexKey:
    """An index that lacks an item which may be readable next time gets a name that the next
    run does not look for."""
    from tipstaff.parse.outcome import UnindexedKind

    # Kinds of failure that may not happen again.
    fleeting = {UnindexedKind.FAILED, UnindexedKind.CRASHED, UnindexedKind.TIMED_OUT}
    passing = any(why.kind in fleeting for why in read.unindexed.values())
    return replace(key, digest=f"{key.digest}-partial") if passing else key
