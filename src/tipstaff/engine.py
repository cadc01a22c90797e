"""The whole system on one page: every stage meets here and nowhere else.

    path ── bundle ──▶ opened bundle ──▶ inventory, findings
                            │
                            └── citation: what the synthesis cites, checked by name

Later stages (parse, chunk, index, retrieve, answer, verify, session, serve) join this
page one line each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tipstaff import media_type
from tipstaff.bundle.hazards import examine_items
from tipstaff.bundle.opening import OpenBundle
from tipstaff.bundle.opening import open_bundle as _open
from tipstaff.citation.grammar import parse_citations
from tipstaff.decoding import decode_text
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.finding import Finding, ValidationReport, warning
from tipstaff.domain.inventory import Inventory, ItemEntry, loading_strategy
from tipstaff.domain.item import ContextItem
from tipstaff.domain.text_lines import TextLines
from tipstaff.settings import DEFAULTS, Settings
from tipstaff.tokens import count_tokens

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Examination:
    """What is known of a bundle before anyone asks it anything (TIP §12.2.4)."""

    inventory: Inventory
    report: ValidationReport


def open_bundle(
    path: str | Path, *, settings: Settings = DEFAULTS, progress: Progress | None = None
) -> OpenBundle:
    """A bundle of any level, ready to be read; use it in a `with` block."""
    return _open(path, settings=settings, progress=progress)


def examine(opened: OpenBundle, *, settings: Settings = DEFAULTS) -> Examination:
    """The inventory and every finding: about the bundle, its items' bytes, its citations."""
    findings = [
        *opened.findings,
        *examine_items(opened, settings),
        *_citations_to_nothing(opened),
    ]
    return Examination(_inventory(opened), ValidationReport.of(findings))


def _citations_to_nothing(opened: OpenBundle) -> list[Finding]:
    """Citations of the synthesis whose item is not in the bundle (TIP §5.5, requirement 1)."""
    bundle = opened.bundle
    if bundle.synthesis is None:
        return []
    text = bundle.synthesis.text
    lines = TextLines.of(text)
    known = {item.id for item in bundle.items} | {SYNTHESIS_ID}
    return [
        warning(
            "broken-citation",
            f"{bundle.synthesis.file}:L{lines.number(part.start)}",
            f"{part.citation} cites '{part.citation.item_id}', which is not in the bundle.",
        )
        for mark in parse_citations(text, names=bundle.citable_names())
        for part in mark.parts
        if part.citation.item_id not in known
    ]


def _inventory(opened: OpenBundle) -> Inventory:
    bundle = opened.bundle
    entries = tuple(ItemEntry.of(item, tokens=_tokens(opened, item)) for item in bundle.items)
    synthesis_tokens = count_tokens(bundle.synthesis.text) if bundle.synthesis else 0
    counted = [entry.tokens for entry in entries if entry.tokens is not None]
    total = synthesis_tokens + sum(counted)
    return Inventory(
        bundle=bundle,
        items=entries,
        synthesis_tokens=synthesis_tokens,
        total_tokens=total,
        tokens_complete=len(counted) == len(entries),
        loading_strategy=loading_strategy(total),
    )


def _tokens(opened: OpenBundle, item: ContextItem) -> int | None:
    """Tokens of an item that is text as it stands; None where the text must be extracted first."""
    if not item.has_bytes or not media_type.is_text(item.media_type or ""):
        return None
    return count_tokens(decode_text(opened.read(item.id)))
