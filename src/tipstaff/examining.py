"""What is there and what is wrong with it: the inventory of a bundle, and every finding."""

from __future__ import annotations

from tipstaff.bundle.hazards import examine_items
from tipstaff.citation.grammar import parse_citations
from tipstaff.domain.citation import SYNTHESIS_ID, Passage
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import Document, MarkKind
from tipstaff.domain.finding import Finding, ValidationReport, info, warning
from tipstaff.domain.inventory import Inventory, ItemEntry, loading_strategy
from tipstaff.domain.text_lines import TextLines
from tipstaff.reading import ReadBundle
from tipstaff.settings import DEFAULTS, Settings
from tipstaff.tokens import count_tokens

# Below this, what a machine read may be anything: a page lying on its side, another language.
_DOUBTFUL = 0.6


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
