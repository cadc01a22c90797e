"""Every declared item, read once: hashed, measured, sniffed, and given its state (TIP §12.2.4)."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace

from tipstaff import media_type
from tipstaff.bundle.archive import Progress
from tipstaff.bundle.declared_item import DeclaredItem
from tipstaff.bundle.file_names import unsafe_reason
from tipstaff.bundle.files import BundleFiles, FileRefused
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.domain.item import ContextItem, HashState, ItemState
from tipstaff.settings import Settings

_BLOCK = 1024 * 1024


def check_items(
    declared: Sequence[DeclaredItem],
    files: BundleFiles,
    *,
    settings: Settings,
    damaged: Collection[str],
    private: Collection[str],
    findings: list[Finding],
    progress: Progress | None = None,
) -> tuple[ContextItem, ...]:
    """One item for each declaration, in order, whatever became of its bytes.

    `damaged` names files that the archive's checksums condemn; `private` are hashes of bytes
    that no declaration may turn into context (a conversation that is not shared in full).
    """
    items = []
    for number, declaration in enumerate(declared):
        if progress:
            progress(declaration.file or declaration.id, number, len(declared))
        item = _check(declaration, files, settings, damaged, findings)
        if item.sha256 is not None and item.sha256 in private:
            findings.append(
                error(
                    "private-file", declaration.where, "The conversation record is no context item."
                )
            )
            item = _unread(
                declaration,
                ItemState.REFUSED,
                "It is the conversation record, which is not shared in full.",
                "Ask the sender whether the conversation may be shared.",
            )
        items.append(item)
    if progress and declared:
        progress("", len(declared), len(declared))
    return tuple(items)


def hash_stream(files: BundleFiles, name: str, max_bytes: int) -> tuple[str, int, bytes]:
    """SHA-256, size and first bytes; FileRefused behind the limit, whatever the size was said."""
    digest, size, head = hashlib.sha256(), 0, b""
    with files.open(name) as stream:
        while block := stream.read(_BLOCK):
            head = head or block[: media_type.SNIFFED_BYTES]
            size += len(block)
            if size > max_bytes:
                raise FileRefused(f"it is larger than {max_bytes:,} bytes")
            digest.update(block)
    return digest.hexdigest(), size, head


def _check(
    declared: DeclaredItem,
    files: BundleFiles,
    settings: Settings,
    damaged: Collection[str],
    findings: list[Finding],
) -> ContextItem:
    if declared.file is None:
        return _without_file(declared, findings)
    if reason := unsafe_reason(declared.file):
        findings.append(
            error("unsafe-name", f"{declared.where}/file", f"The file name {reason}; not read.")
        )
        return _unread(
            declared,
            ItemState.REFUSED,
            f"Its file name {reason}.",
            "Ask the sender to pack the bundle anew with `tip pack`.",
        )
    try:
        sha256, size, head = hash_stream(files, declared.file, settings.max_file_bytes)
        with files.open(declared.file) as whole:
            found = media_type.sniff(head, declared.file, whole=whole)
    except FileNotFoundError:
        findings.append(
            error(
                "missing-file", f"{declared.where}/file", f"'{declared.file}' is not in the bundle."
            )
        )
        return _unread(
            declared,
            ItemState.MISSING,
            "The file is not in the bundle.",
            "Ask the sender for a complete bundle.",
        )
    except (FileRefused, OSError) as problem:
        why = str(problem) if isinstance(problem, FileRefused) else "it cannot be read"
        findings.append(error("refused-file", f"{declared.where}/file", f"Not read: {why}."))
        return _unread(
            declared,
            ItemState.REFUSED,
            f"The file was not read: {why}.",
            "Ask the sender for it in another form, or raise the limit if you trust it.",
        )
    return _with_bytes(
        declared, sha256, size, found, is_damaged=declared.file in damaged, findings=findings
    )


def _with_bytes(
    declared: DeclaredItem,
    sha256: str,
    size: int,
    found: str,
    *,
    is_damaged: bool,
    findings: list[Finding],
) -> ContextItem:
    hash_state = HashState.PINNED
    reason = suggestion = None
    if declared.sha256 is not None:
        hash_state = HashState.VERIFIED if declared.sha256 == sha256 else HashState.MISMATCH
    else:
        findings.append(
            warning(
                "no-hash", declared.where, f"'{declared.id}' declares no hash; pinned on opening."
            )
        )
    if hash_state is HashState.MISMATCH:
        reason = "The bytes do not match the hash that the sender declared."
        findings.append(
            error("hash-mismatch", f"{declared.where}/hash", f"'{declared.id}': {reason}")
        )
    if is_damaged:
        hash_state, reason = HashState.MISMATCH, "The archive's checksum of this file fails."
    if hash_state is HashState.MISMATCH:
        suggestion = "Ask the sender to confirm the file or to send the bundle again."
    if declared.size_bytes is not None and declared.size_bytes != size:
        findings.append(
            warning(
                "size-differs",
                declared.pointer("size_bytes"),
                f"'{declared.id}' is {size:,} bytes, not {declared.size_bytes:,}.",
            )
        )
    if declared.media_type and not media_type.agree(declared.media_type, found):
        findings.append(
            warning(
                "media-type-differs",
                declared.pointer("mime_type"),
                f"'{declared.id}' is declared as {declared.media_type} but its bytes are {found}.",
            )
        )
    if size == 0:
        reason = reason or "The file is empty."
        suggestion = suggestion or "Ask the sender whether something was left out."
        findings.append(warning("empty-file", declared.where, f"'{declared.id}' is empty."))
    return replace(
        _listed(declared),
        type=declared.type or media_type.item_type(found),
        media_type=_trusted_media_type(declared.media_type, found),
        size_bytes=size,
        sha256=sha256,
        hash_state=hash_state,
        state=ItemState.CORRUPTED if hash_state is HashState.MISMATCH else ItemState.AVAILABLE,
        reason=reason,
        suggestion=suggestion,
    )


def _trusted_media_type(declared: str | None, found: str) -> str:
    """The bytes decide; among kinds of text the sender knows better than a file's ending."""
    if declared and media_type.is_text(declared) and found == "text/plain":
        return declared.split(";")[0].strip().lower()
    return found


def _without_file(declared: DeclaredItem, findings: list[Finding]) -> ContextItem:
    if declared.external_uri:
        findings.append(
            info(
                "external", declared.where, f"'{declared.id}' is outside the bundle; never fetched."
            )
        )
        return _unread(
            declared,
            ItemState.EXTERNAL,
            "The item is a reference to something outside the bundle, which is never fetched.",
            "Ask the sender to include the file itself.",
        )
    findings.append(error("no-file", declared.where, f"'{declared.id}' names no file."))
    return _unread(
        declared,
        ItemState.MISSING,
        "The item names neither a file nor an address.",
        "Ask the sender for a complete bundle.",
    )


def _unread(declared: DeclaredItem, state: ItemState, reason: str, suggestion: str) -> ContextItem:
    return replace(_listed(declared), state=state, reason=reason, suggestion=suggestion)


def _listed(declared: DeclaredItem) -> ContextItem:
    """The item as far as its declaration tells."""
    return ContextItem(
        id=declared.id,
        type=declared.type or "custom",
        title=declared.title,
        file=declared.file,
        external_uri=declared.external_uri,
        source=declared.source,
        media_type=declared.media_type,
        size_bytes=declared.size_bytes or 0,
        declared_hash=declared.sha256,
        access=declared.access,
        names=declared.names,
        declared=declared.entry,
        linked_source=declared.linked_source,
        metadata=declared.metadata,
    )
