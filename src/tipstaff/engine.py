"""The whole system on one page: every stage meets here and nowhere else.

    path ── bundle ──▶ opened bundle ── parse ──▶ documents ──▶ inventory, findings
                                                     │
                       citation ── resolve ──────────┘──▶ passage, or why there is none

Later stages (chunk, index, retrieve, answer, verify, session, serve) join this page one
line each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from tipstaff import media_type
from tipstaff.bundle.hazards import examine_items
from tipstaff.bundle.opening import OpenBundle
from tipstaff.bundle.opening import open_bundle as _open
from tipstaff.citation.grammar import parse_citations
from tipstaff.citation.places import CitableDocument
from tipstaff.citation.resolution import resolve
from tipstaff.domain.citation import SYNTHESIS_ID, Citation, Passage, Resolution
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, MarkKind
from tipstaff.domain.finding import Finding, ValidationReport, info, warning
from tipstaff.domain.inventory import Inventory, ItemEntry, loading_strategy
from tipstaff.domain.item import ContextItem
from tipstaff.domain.text_lines import TextLines
from tipstaff.errors import ContextPartlyLoaded, FailedItem
from tipstaff.parse.cache import DocumentCache
from tipstaff.parse.outcome import Unindexed
from tipstaff.parse.parser import Source
from tipstaff.parse.parsing import ParseJob, parse_all
from tipstaff.parse.pool import WorkerPool
from tipstaff.settings import DEFAULTS, Settings, cache_directory
from tipstaff.tokens import count_tokens

Progress = Callable[[str, int, int], None]

# Below this, what a machine read may be anything: a page lying on its side, another language.
_DOUBTFUL = 0.6


def open_bundle(
    path: str | Path, *, settings: Settings = DEFAULTS, progress: Progress | None = None
) -> OpenBundle:
    """A bundle of any level, ready to be read; use it in a `with` block."""
    return _open(path, settings=settings, progress=progress)


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """A bundle whose files have been read: documents by item id, the synthesis among them,
    and for every other item the reason why it has none."""

    opened: OpenBundle
    documents: Mapping[str, CitableDocument]
    unindexed: Mapping[str, Unindexed]

    def resolve(self, citation: Citation) -> Resolution:
        """The passage that a citation points at, or why there is none."""
        return resolve(citation, self.documents)

    def load_failure(self) -> ContextPartlyLoaded | None:
        """TIP §14.1's report of every item that cannot be interrogated as sent, or None."""
        failed = [
            FailedItem(item.id, reason, suggestion)
            for item in self.opened.bundle.items
            for reason, suggestion in [self.trouble(item.id)]
            if reason is not None
        ]
        failed_ids = {item.item_id for item in failed}
        available = [i.id for i in self.opened.bundle.items if i.id not in failed_ids]
        return ContextPartlyLoaded(failed, available) if failed else None

    def trouble(self, item_id: str) -> tuple[str | None, str]:
        """What is wrong with an item, in words, and what may help; None if nothing is."""
        item = self.opened.bundle.item(item_id)
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
) -> ReadBundle:
    """Every file (or those of the items named) through its parser, in worker processes, from
    the cache where it is known."""
    bundle = opened.bundle
    archives = {item.parent for item in bundle.items}
    jobs = [
        ParseJob(item.id, _source(opened, item, settings))
        for item in bundle.items
        if item.has_bytes and item.id not in archives and (only is None or item.id in only)
    ]
    if bundle.synthesis is not None and (only is None or SYNTHESIS_ID in only):
        jobs.append(ParseJob(SYNTHESIS_ID, lambda: _synthesis_source(opened, settings)))
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
    return ReadBundle(opened, documents, unindexed)


def examine(
    read: ReadBundle, *, settings: Settings = DEFAULTS
) -> tuple[Inventory, ValidationReport]:
    """The inventory and every finding: about the bundle, its items, its citations (TIP §12.2.4)."""
    findings = [
        *read.opened.findings,
        *examine_items(read.opened, settings),
        *_unread(read),
        *_broken_citations(read),
    ]
    return _inventory(read), ValidationReport.of(findings)


def _source(opened: OpenBundle, item: ContextItem, settings: Settings) -> Callable[[], Source]:
    return lambda: Source(
        content=opened.read(item.id),
        name=item.file or item.id,
        media_type=item.media_type or media_type.UNKNOWN,
        options=_parser_options(settings),
    )


def _synthesis_source(opened: OpenBundle, settings: Settings) -> Source:
    """The synthesis is Markdown, unless a loose folder's largest document stands for it."""
    content = opened.synthesis_bytes or b""
    name = opened.bundle.synthesis.file if opened.bundle.synthesis else SYNTHESIS_ID
    found = media_type.sniff(content[: media_type.SNIFFED_BYTES], name, whole=BytesIO(content))
    kind = "text/markdown" if found in ("text/plain", media_type.UNKNOWN) else found
    return Source(content=content, name=name, media_type=kind, options=_parser_options(settings))


def _parser_options(settings: Settings) -> dict[str, str]:
    return {
        "ocr_engine": settings.ocr_engine,
        "ocr_languages": settings.ocr_languages,
        "transcriber": settings.transcriber,
        "max_pictures": str(settings.max_pictures),
        "min_picture_pixels": str(settings.min_picture_pixels),
    }


def _unread(read: ReadBundle) -> list[Finding]:
    """What could not be read, in whole or in part, and what was hidden from the eye."""
    findings = [
        warning("unindexed", item_id, why.reason) for item_id, why in read.unindexed.items()
    ]
    for item_id, citable in read.documents.items():
        findings += [info("not-read", item_id, note) for note in citable.document.notes]
        confidence = _confidence(citable.document)
        if confidence is not None and confidence < _DOUBTFUL:
            findings.append(
                warning(
                    "low-confidence",
                    item_id,
                    f"The text was recognised with a confidence of {confidence:.0%} only; "
                    "check it against the original.",
                )
            )
        hidden = _hidden(citable.document)
        findings += [warning("hidden-text", item_id, f"Hidden text: {words}.") for words in hidden]
    return findings


def _confidence(document: Document) -> float | None:
    """How sure OCR or speech recognition was of its text, by the length of its blocks."""
    judged = [(b.confidence, len(b.span)) for b in document.blocks if b.confidence is not None]
    total = sum(length for _, length in judged)
    return sum(sure * length for sure, length in judged) / total if total else None


def _hidden(document: Document) -> list[str]:
    """Hidden stretches, by reason, with how many characters each hides."""
    by_reason: dict[str, int] = {}
    for mark in document.marks:
        if mark.kind is MarkKind.HIDDEN:
            by_reason[mark.reason] = by_reason.get(mark.reason, 0) + len(mark.span)
    return [f"{reason} ({count:,} characters)" for reason, count in by_reason.items()]


def _broken_citations(read: ReadBundle) -> list[Finding]:
    """Citations of the synthesis that lead nowhere (TIP §5.5, requirements 1 and 2)."""
    bundle = read.opened.bundle
    if bundle.synthesis is None:
        return []
    text = bundle.synthesis.text
    lines = TextLines.of(text)
    known = {item.id for item in bundle.items} | {SYNTHESIS_ID}
    findings = []
    for mark in parse_citations(text, names=bundle.citable_names()):
        for part in mark.parts:
            citation = part.citation
            where = f"{bundle.synthesis.file}:L{lines.number(part.start)}"
            if citation.item_id not in known:
                reason = f"there is no item '{citation.item_id}' in this bundle"
            elif citation.item_id not in read.documents:
                # An archive has no text of its own; whatever else has none could not be read.
                why, _ = read.trouble(citation.item_id)
                if why is None:
                    continue
                reason = f"it cannot be checked ({why.rstrip('.')})"
            else:
                found = read.resolve(citation)
                if isinstance(found, Passage):
                    continue
                reason = found.reason
            findings.append(warning("broken-citation", where, f"{citation}: {reason}."))
    return findings


def _inventory(read: ReadBundle) -> Inventory:
    bundle = read.opened.bundle
    tokens = {
        item_id: count_tokens(clean(citable.document).text)
        for item_id, citable in read.documents.items()
    }
    entries = []
    for item in bundle.items:
        reason, suggestion = read.trouble(item.id)
        document = read.documents.get(item.id)
        entries.append(
            ItemEntry(
                item=item,
                indexed=item.id in read.documents,
                tokens=tokens.get(item.id),
                reason=reason,
                suggestion=suggestion or None,
                pages=len(document.document.pages) if document else 0,
                hidden=tuple(_hidden(document.document)) if document else (),
            )
        )
    total = sum(tokens.values())
    return Inventory(
        bundle=bundle,
        items=tuple(entries),
        synthesis_tokens=tokens.get(SYNTHESIS_ID, 0),
        total_tokens=total,
        loading_strategy=loading_strategy(total),
    )
