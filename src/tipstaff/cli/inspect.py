"""`tip inspect BUNDLE`: the inventory, for a person or as JSON."""

from __future__ import annotations

import argparse
from typing import Any

from tipstaff.bundle.extensions import present_ids, read_extension
from tipstaff.cli.options import add_bundle, add_common, opened_bundle
from tipstaff.cli.terminal import Terminal, cut, plain, size
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.finding import Finding, Severity
from tipstaff.domain.inventory import Inventory, ItemEntry
from tipstaff.domain.item import HashState, ItemState
from tipstaff.domain.wire import to_wire
from tipstaff.engine import examine, read_bundle
from tipstaff.retrieve.transparency import DOCUMENT, EXTENSION_IDS

_STRATEGIES = {
    "full": "small enough to be read whole for every question",
    "rag": "passages are retrieved for each question",
    "tiered": "summaries always, passages for each question, whole items on demand",
}
_MOST_FINDINGS = 12
# What the report itself says: the table has the hash state, the lines below it the reasons.
_SAID_ELSEWHERE = frozenset({"unindexed", "no-hash"})
# What was hidden from the eye, and what was not read, before everything else.
_FIRST = ("hidden-text", "invisible-text", "addresses-a-model", "not-read")


def configure(parser: argparse.ArgumentParser) -> None:
    add_bundle(parser)
    add_common(parser)


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    with opened_bundle(arguments, terminal, "Opening") as (opened, settings):
        read = read_bundle(opened, settings=settings, progress=terminal.progress("Reading"))
        inventory, report = examine(read, settings=settings)
        failure = read.load_failure()
        records = {
            known: read_extension(opened, known, DOCUMENT, settings)
            for known in present_ids(opened, EXTENSION_IDS)
        }
    findings = report.findings
    if arguments.json:
        shown = inventory.to_wire()
        shown["findings"] = to_wire(findings)
        shown["load_failure"] = failure.to_wire()["error"] if failure else None
        shown["retrieval_transparency"] = [
            {"extension_id": known, "record": record} for known, record in records.items()
        ]
        terminal.json(shown)
        return 0
    terminal.answer(_heading(inventory, terminal))
    terminal.answer("")
    terminal.answer(_items(inventory, terminal))
    terminal.answer("")
    terminal.answer("\n".join([_summary(inventory), *map(_record, records.items())]))
    unread = [entry for entry in inventory.items if entry.reason]
    if unread:
        terminal.answer("")
        terminal.answer("\n".join(_unread(entry, terminal) for entry in unread))
    _say_findings(findings, terminal, arguments.bundle)
    return 0


def _heading(inventory: Inventory, terminal: Terminal) -> str:
    bundle = inventory.bundle
    creator = ", ".join(
        str(bundle.creator[name]) for name in ("name", "org") if bundle.creator.get(name)
    )
    lines = [
        terminal.styled(plain(bundle.title), "bold"),
        f"{bundle.id} · version {bundle.version} · level {int(bundle.level)}",
    ]
    if creator or bundle.created_at:
        lines.append(plain(" · ".join(part for part in (creator, bundle.created_at) if part)))
    return "\n".join(lines)


def _items(inventory: Inventory, terminal: Terminal) -> str:
    header = ("item", "type", "size", "tokens", "hash", "access", "title")
    rows = [_row(entry) for entry in inventory.items]
    room = terminal.width - sum(
        max(len(row[index]) for row in [header, *rows]) + 2 for index in range(6)
    )
    rows = [(*row[:6], cut(row[6], max(room, 16))) for row in rows]
    return terminal.table(header, rows, right="size tokens")


def _row(entry: ItemEntry) -> tuple[str, ...]:
    item = entry.item
    hash_text = str(item.hash_state) if item.has_bytes else entry.state
    if item.hash_state is HashState.MISMATCH:
        hash_text = "MISMATCH"
    access = str(item.access.type)
    if item.access.level is not AccessLevel.FULL:
        access = str(item.access.level)
    return (
        ("  " if item.parent else "") + cut(item.id, 28),
        cut(item.type, 14),
        size(item.size_bytes) if item.has_bytes else "–",
        f"{entry.tokens:,}" if entry.tokens is not None else "–",
        hash_text,
        access,
        item.title,
    )


def _summary(inventory: Inventory) -> str:
    bundle = inventory.bundle
    items = [entry.item for entry in inventory.items]
    total = sum(item.size_bytes for item in items if item.has_bytes)
    verified = sum(item.hash_state is HashState.VERIFIED for item in items)
    strategy = _STRATEGIES[inventory.loading_strategy]
    synthesis = "no synthesis" if bundle.synthesis is None else f"{bundle.synthesis.file}"
    lines = [
        f"{len(items)} items, {size(total)}; {verified} of {len(items)} hashes verified.",
        f"Synthesis: {synthesis}, {inventory.synthesis_tokens:,} tokens.",
        f"Context: {inventory.total_tokens:,} tokens; {strategy}.",
    ]
    conversation = bundle.conversation
    detail = {
        "full": f"{len(conversation.turns)} turns",
        "redacted": f"{len(conversation.turns)} turns, {conversation.withheld_turns} withheld",
        "summary": "summary only",
        "excluded": "not shared",
    }[conversation.sharing]
    lines.append(f"Conversation: {detail}.")
    return "\n".join(lines)


def _record(known: tuple[str, dict[str, Any] | None]) -> str:
    """The transparency extension, under either of its ids (Migration Notes, 3)."""
    extension_id, record = known
    if record is None:
        return f"Retrieval record: extensions/{extension_id} cannot be read."
    strategy = plain(str(record.get("retrieval_strategy", "unknown strategy")))
    scores = record.get("similarity_scores")
    count = len(scores) if isinstance(scores, list) else 0
    return f"Retrieval record: {strategy}, {count} passages ({extension_id})."


def _unread(entry: ItemEntry, terminal: Terminal) -> str:
    item = entry.item
    colour = "yellow" if item.state in (ItemState.AVAILABLE, ItemState.EXTERNAL) else "red"
    mark = terminal.styled(f"{entry.state}:", colour)
    return f"{mark} {plain(item.id)}: {plain(entry.reason or '')} {plain(entry.suggestion or '')}"


def _say_findings(findings: tuple[Finding, ...], terminal: Terminal, bundle: str) -> None:
    shown = [
        finding
        for finding in findings
        if finding.code not in _SAID_ELSEWHERE
        and (finding.severity is not Severity.INFO or finding.code in _FIRST)
    ]
    shown.sort(key=lambda finding: (finding.severity is not Severity.ERROR, _rank(finding)))
    for finding in shown[:_MOST_FINDINGS]:
        terminal.note(f"{finding.where}: {finding.message}")
    if len(shown) > _MOST_FINDINGS:
        terminal.say(f"… and {len(shown) - _MOST_FINDINGS} more: tip validate {bundle}")


def _rank(finding: Finding) -> int:
    return _FIRST.index(finding.code) if finding.code in _FIRST else len(_FIRST)
