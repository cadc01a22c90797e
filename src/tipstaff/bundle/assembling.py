"""The files of a bundle, of whichever level → the bundle: what it declares, checked against what is
there, its synthesis, its conversation, its parameters."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tipstaff import media_type
from tipstaff.bundle import archive
from tipstaff.bundle.archive import Progress
from tipstaff.bundle.conversation_record import read_conversation, sharing_mode, summary_only
from tipstaff.bundle.declared_item import DeclaredItem
from tipstaff.bundle.file_names import (
    CONVERSATION,
    EXTENSIONS,
    MANIFEST,
    OWN_FILES,
    PARAMS,
    is_hidden,
    is_junk,
)
from tipstaff.bundle.files import BundleFiles, EmbeddedFiles, FileRefused, read_at_most
from tipstaff.bundle.informal import find_items, read_informal
from tipstaff.bundle.inline import read_inline
from tipstaff.bundle.integrity import check_items, hash_stream
from tipstaff.bundle.manifest import read_manifest
from tipstaff.bundle.nested import Members
from tipstaff.bundle.outline import BundleOutline
from tipstaff.bundle.sender_terms import RELEASE_WHOLE
from tipstaff.bundle.structured_text import Unreadable, load_json
from tipstaff.decoding import decode_text
from tipstaff.domain.bundle import Bundle, BundleLevel, Synthesis
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.conversation import Conversation, ConversationSharing
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """`files` are those that were given, with what an inline document holds of its own."""

    bundle: Bundle
    files: BundleFiles
    members: Members
    synthesis_bytes: bytes | None


def assembled(
    path: Path,
    files: BundleFiles,
    inline_document: bytes | None,
    *,
    findings: list[Finding],
    settings: Settings,
    progress: Progress | None,
) -> Assembled:
    """`findings` grow by what is not as it should be; BundleUnusable if there is nothing to ask."""
    outline = _outline(path, files, inline_document, findings, settings)
    declared = outline.items
    if declared is None:
        declared = find_items(
            files, findings, synthesis=outline.synthesis_file, max_items=settings.max_items
        )
    if outline.level is BundleLevel.INLINE:
        files = EmbeddedFiles(_embedded(declared), files)
        _note_beside(declared, path, findings)
    damaged = {finding.where for finding in findings if finding.code == archive.DAMAGED}
    conversation = _conversation(outline, files, findings, settings)
    private = (
        frozenset()
        if conversation.sharing is ConversationSharing.FULL
        else _hashes(files, {CONVERSATION, outline.conversation_file}, settings)
    )
    items = check_items(
        declared,
        files,
        settings=settings,
        damaged=damaged,
        private=private,
        findings=findings,
        progress=progress,
    )
    _note_undeclared(outline, files, findings)
    members = Members()
    items = members.expand(items, files, settings=settings, findings=findings)
    synthesis, synthesis_bytes = _synthesis(outline, files, findings, settings)
    if synthesis is not None and synthesis.sha256 in private:
        findings.append(
            error("private-file", synthesis.file, "The conversation record is no synthesis.")
        )
        synthesis = synthesis_bytes = None
    if synthesis is None and not any(item.has_bytes and item.size_bytes for item in items):
        raise BundleUnusable(
            "There is nothing to interrogate here: no synthesis and no readable context item.",
            suggestion="A bundle needs a manifest.json or a tez.md, and its context files.",
        )
    bundle = Bundle(
        level=outline.level,
        id=outline.id,
        version=outline.version,
        title=outline.title,
        synthesis=synthesis,
        items=items,
        tezit_version=outline.tezit_version,
        created_at=outline.created_at,
        creator=MappingProxyType(dict(outline.creator)),
        profile=outline.profile,
        scope=outline.scope,
        conversation=conversation,
        permissions=outline.permissions,
        hosting=outline.hosting,
        privacy=outline.privacy,
        interrogation=outline.interrogation,
        tip_config=outline.tip_config,
        params=_params(outline, files, findings, settings),
        manifest=MappingProxyType(dict(outline.manifest)),
    )
    return Assembled(bundle=bundle, files=files, members=members, synthesis_bytes=synthesis_bytes)


def _outline(
    path: Path,
    files: BundleFiles,
    inline_document: bytes | None,
    findings: list[Finding],
    settings: Settings,
) -> BundleOutline:
    if inline_document is not None:
        return read_inline(inline_document, findings, settings=settings, file=path.name)
    name = path.resolve().name if path.is_dir() else path.stem
    try:
        content = read_at_most(files, MANIFEST, settings.max_manifest_bytes)
    except FileNotFoundError:
        return read_informal(files, findings, max_items=settings.max_items, name=name)
    except (FileRefused, OSError) as problem:
        raise BundleUnusable(f"The bundle was refused: manifest.json: {problem}.") from None
    try:
        manifest = load_json(content, max_nesting=settings.max_nesting)
        if not isinstance(manifest, dict):
            raise Unreadable("it is not a JSON object")
    except Unreadable as problem:
        raise BundleUnusable(
            f"manifest.json cannot be read: {problem}.",
            suggestion="Ask the sender for the bundle again; `tip validate` shows what is wrong.",
        ) from None
    return read_manifest(manifest, findings, max_items=settings.max_items, fallback_name=name)


def _hashes(files: BundleFiles, names: set[str], settings: Settings) -> frozenset[str]:
    """By content, so that no link, copy or spelling of a name leads around it."""
    found = set()
    for name in names:
        with contextlib.suppress(FileNotFoundError, FileRefused, OSError):
            found.add(hash_stream(files, name, settings.max_file_bytes)[0])
    return frozenset(found)


def _note_undeclared(outline: BundleOutline, files: BundleFiles, findings: list[Finding]) -> None:
    """A file that a full manifest does not list is outside the context, and that is said."""
    if outline.level is not BundleLevel.PLATFORM:
        return
    declared = {item.file for item in outline.items or ()}
    declared |= {outline.synthesis_file, outline.conversation_file, *OWN_FILES}
    strays = [
        name
        for name in files.names()
        if name not in declared
        and not name.startswith(EXTENSIONS)
        and not is_junk(name)
        and not is_hidden(name)
    ]
    if strays:
        findings.append(
            warning(
                "undeclared-file",
                strays[0],
                f"{len(strays)} file(s) that the manifest does not list are no context: "
                f"{', '.join(strays[:5])}.",
            )
        )


def _note_beside(declared: list[DeclaredItem], path: Path, findings: list[Finding]) -> None:
    """A document may draw in files that lie beside it; nobody should be surprised by which."""
    beside = [item.file for item in declared if item.embedded is None and item.file]
    if beside:
        findings.append(
            info("files-beside", path.name, f"Files beside the document: {', '.join(beside[:5])}.")
        )


def _embedded(declared: list[DeclaredItem]) -> dict[str, bytes]:
    return {
        item.file: item.embedded
        for item in declared
        if item.embedded is not None and item.file is not None
    }


def _synthesis(
    outline: BundleOutline, files: BundleFiles, findings: list[Finding], settings: Settings
) -> tuple[Synthesis | None, bytes | None]:
    file = outline.synthesis_file
    content = outline.synthesis_body
    if file is None:
        return None, None
    if content is None:
        try:
            content = read_at_most(files, file, settings.max_file_bytes)
        except FileNotFoundError:
            findings.append(error("no-synthesis", file, "The synthesis is not in the bundle."))
            return None, None
        except (FileRefused, OSError) as problem:
            findings.append(error("no-synthesis", file, f"The synthesis was not read: {problem}."))
            return None, None
    if not content.strip():
        findings.append(warning("empty-synthesis", file, "The synthesis is empty."))
    return (
        Synthesis(
            title=outline.title,
            type=outline.synthesis_type,
            file=file if outline.level is not BundleLevel.INLINE else SYNTHESIS_ID,
            text=decode_text(content),
            size_bytes=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            media_type=_synthesis_type(content, file),
            is_released=outline.synthesis_is_released,
        ),
        content,
    )


def _synthesis_type(content: bytes, name: str) -> str:
    """The synthesis is Markdown, unless a loose folder's largest document stands for it."""
    found = media_type.sniff(content[: media_type.SNIFFED_BYTES], name, whole=BytesIO(content))
    return "text/markdown" if found in ("text/plain", media_type.UNKNOWN) else found


def _conversation(
    outline: BundleOutline, files: BundleFiles, findings: list[Finding], settings: Settings
) -> Conversation:
    sharing, mode_findings = sharing_mode(
        outline.conversation, where=f"{MANIFEST}#/conversation/sharing"
    )
    findings += mode_findings
    released = outline.conversation.get(RELEASE_WHOLE) is True
    if sharing is ConversationSharing.SUMMARY:
        return replace(summary_only(outline.conversation), is_released=released)
    if sharing is ConversationSharing.EXCLUDED:
        return Conversation(sharing)
    try:
        content = read_at_most(files, outline.conversation_file, settings.max_manifest_bytes)
    except (FileNotFoundError, FileRefused, OSError):
        findings.append(
            error(
                "conversation-missing", outline.conversation_file, "The conversation is not there."
            )
        )
        return Conversation(ConversationSharing.EXCLUDED)
    conversation, read_findings = read_conversation(
        content, sharing, file=outline.conversation_file, max_nesting=settings.max_nesting
    )
    findings += read_findings
    return replace(conversation, is_released=released)


def _params(
    outline: BundleOutline, files: BundleFiles, findings: list[Finding], settings: Settings
) -> Mapping[str, Any]:
    if outline.level is BundleLevel.INLINE:
        return MappingProxyType({})
    try:
        content = read_at_most(files, PARAMS, settings.max_manifest_bytes)
        params = load_json(content, max_nesting=settings.max_nesting)
    except FileNotFoundError:
        return MappingProxyType({})
    except (FileRefused, OSError, Unreadable) as problem:
        findings.append(
            warning("params-unreadable", PARAMS, f"params.json is left out: {problem}.")
        )
        return MappingProxyType({})
    return MappingProxyType(params if isinstance(params, dict) else {})
