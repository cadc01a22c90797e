"""What the bytes of an item may hold against its reader: hidden text, traps, locked documents.

Nothing here refuses an item; each sign becomes a finding and, where it keeps the item from
being read, a reason and a suggestion in TIP §14.1's words.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from tipstaff import media_type
from tipstaff.bundle import archive
from tipstaff.bundle.opening import OpenBundle
from tipstaff.decoding import decode_text
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.domain.invisible import invisible_spans, names, without_invisible
from tipstaff.domain.item import ContextItem
from tipstaff.errors import BundleUnusable
from tipstaff.settings import MIB, Settings

_TO_A_MODEL = re.compile(
    r"(?ix) \b(?: ignore|disregard|forget )\s+ (?:all\s+|any\s+)? (?:of\s+)? (?:the\s+|your\s+)?"
    r" (?:previous|prior|above|earlier|preceding|system) \s+"
    r" (?:instructions?|prompts?|rules?|context)"
    r" | \byou\s+are\s+now\s+(?:a|an|in|no\s+longer)\b"
    r" | \b(?:reveal|print|repeat|output)\s+(?:the\s+|your\s+)?(?:system\s+prompt|instructions)\b"
    r" | ^[ \t]*(?:system|assistant)[ \t]*(?:prompt|message|override)[ \t]*:"
    r" | <\|?(?:im_start|im_end|system|endoftext)\|?> | \[/?INST\]",
    re.MULTILINE,
)
_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
_MAX_SCANNED_BYTES = 16 * MIB


def examine_items(opened: OpenBundle, settings: Settings) -> list[Finding]:
    """Every sign in the synthesis and in every item that has bytes, in inventory order."""
    findings: list[Finding] = []
    synthesis = opened.bundle.synthesis
    if synthesis is not None:
        findings += _in_text(synthesis.text, synthesis.file)
    for item in opened.bundle.items:
        findings += _in_text(item.title, f"{item.id} (title)")
        if item.has_bytes and item.size_bytes:
            findings += _in_item(opened, item, settings)
    return findings


def _in_item(opened: OpenBundle, item: ContextItem, settings: Settings) -> Iterator[Finding]:
    kind = item.media_type or ""
    where = item.file or item.id
    if media_type.is_zip(kind) and kind != media_type.ZIP:
        yield from _in_office_file(opened, item, settings)
        return
    if not media_type.is_text(kind) and kind != "application/pdf":
        return
    if item.size_bytes > _MAX_SCANNED_BYTES:
        yield info("not-scanned", where, "Too large to be scanned for hidden text.")
        return
    content = opened.read(item.id)
    if kind == "application/pdf":
        yield from _in_pdf(content, where)
        return
    text = decode_text(content)
    if "\x00" in text:
        yield warning("nul-bytes", where, "The text holds NUL bytes.")
    if kind in ("application/xml", "text/html") and _ENTITY.search(content):
        yield warning("xml-entities", where, "It declares XML entities, which are never expanded.")
    yield from _in_text(text, where)


def _in_text(text: str, where: str) -> Iterator[Finding]:
    invisible = list(invisible_spans(text))
    if invisible:
        count = sum(map(len, invisible))
        yield warning(
            "invisible-text", where, f"{count} invisible character(s): {names(text, invisible)}."
        )
    if match := _TO_A_MODEL.search(without_invisible(text)):
        words = " ".join(match[0].split())[:60]
        yield warning(
            "addresses-a-model",
            where,
            f'The text speaks to a language model ("{words}"); it is quoted, never obeyed.',
        )


def _in_pdf(content: bytes, where: str) -> Iterator[Finding]:
    if b"/Encrypt" in content:
        yield error("encrypted-pdf", where, "The PDF is encrypted and may not be readable.")
    if b"%%EOF" not in content[-2048:]:
        yield error("truncated-pdf", where, "The PDF has no end; it seems to be truncated.")


def _in_office_file(opened: OpenBundle, item: ContextItem, settings: Settings) -> Iterator[Finding]:
    """Word files, workbooks, slides and books are archives and may be bombs like any other."""
    try:
        archive.examine(io.BytesIO(opened.read(item.id)), settings)
    except BundleUnusable as problem:
        yield error("hostile-archive", item.file or item.id, problem.message)
