"""Open whatever was sent: a folder, an archive, an inline document. One function, one result."""

from __future__ import annotations

import contextlib
import hashlib
import weakref
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Self

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
from tipstaff.bundle.files import (
    BundleFiles,
    DirectoryFiles,
    EmbeddedFiles,
    FileRefused,
    FilesBeside,
    read_at_most,
)
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
from tipstaff.errors import BundleUnusable, ContextPartlyLoaded, FailedItem, NotFound
from tipstaff.settings import DEFAULTS, Settings

_INLINE_ENDINGS = (".md", ".markdown")


class OpenBundle:
    """A bundle with its bytes at hand. Close it (or use `with`) to drop what was unpacked."""

    def __init__(
        self,
        bundle: Bundle,
        findings: tuple[Finding, ...],
        files: BundleFiles,
        *,
        members: Members,
        synthesis_bytes: bytes | None,
        settings: Settings,
    ) -> None:
        self.bundle = bundle
        self.findings = findings
        self.files = files
        self._members = members
        self.synthesis_bytes = synthesis_bytes
        self._settings = settings

    def read(self, item_id: str) -> bytes:
        """An item's bytes, hashed again: they are those that were opened, or this fails."""
        item = self.bundle.item(item_id)
        if item is None:
            raise NotFound(f"There is no item '{item_id}' in this bundle.")
        if not item.has_bytes or item.file is None:
            raise ContextPartlyLoaded(
                [FailedItem(item.id, item.reason or "", item.suggestion or "")], []
            )
        files, name = self._members.place(item_id) or (self.files, item.file)
        try:
            content = read_at_most(files, name, self._settings.max_file_bytes)
        except (FileNotFoundError, FileRefused, OSError):
            content = None
        if content is None or hashlib.sha256(content).hexdigest() != item.sha256:
            raise ContextPartlyLoaded(
                [
                    FailedItem(
                        item.id,
                        "The file has changed since the bundle was opened.",
                        "Open the bundle again.",
                    )
                ],
                [],
            )
        return content

    def load_failure(self) -> ContextPartlyLoaded | None:
        """TIP §14.1's report of every item that is not as the sender declared it, or None."""
        failed = [
            FailedItem(item.id, item.reason, item.suggestion or "")
            for item in self.bundle.items
            if item.reason is not None
        ]
        if not failed:
            return None
        failed_ids = {item.item_id for item in failed}
        available = [item.id for item in self.bundle.items if item.id not in failed_ids]
        return ContextPartlyLoaded(failed, available)

    def close(self) -> None:
        """Give back files and scratch folders; `with` does it."""
        self._members.close()
        self.files.close()

    def close_with_its_last_user(self) -> None:
        """For a bundle that many share: closed when nobody holds it any more, not before."""
        # What is called must not hold the bundle itself, or it would never come to it.
        for close in (self._members.close, self.files.close):
            weakref.finalize(self, close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_bundle(
    path: str | Path, *, settings: Settings = DEFAULTS, progress: Progress | None = None
) -> OpenBundle:
    """The bundle at a path, whatever its level.

    Raises BundleUnusable if nothing could be interrogated or the bundle means harm, and
    VersionMismatch if it is written for a TIP that is not spoken here. All else is a finding.
    """
    path = Path(path)
    findings: list[Finding] = []
    files, inline_document = _files(path, findings, settings, progress)
    try:
        return _assemble(
            path, files, inline_document, findings=findings, settings=settings, progress=progress
        )
    except FileRefused as problem:
        files.close()
        raise BundleUnusable(
            f"The bundle was refused: {path.name} {problem}.",
            suggestion="Name a smaller folder or, if you trust it, raise the setting named in "
            "docs/settings.md.",
        ) from None
    except BaseException:
        files.close()
        raise


def _files(
    path: Path, findings: list[Finding], settings: Settings, progress: Progress | None
) -> tuple[BundleFiles, bytes | None]:
    """What holds the files; for an inline document also its bytes."""
    try:
        if path.is_dir():
            return DirectoryFiles(path, max_entries=settings.max_archive_entries), None
        if not path.exists():
            raise BundleUnusable(
                f"There is no bundle at '{path}'.",
                suggestion="Name a folder, a .tez or .zip file, or an inline .md document.",
            )
        if path.suffix.lower() in _INLINE_ENDINGS:
            return FilesBeside(path), _read_document(path, settings.max_file_bytes)
        if zipfile.is_zipfile(path) or path.suffix.lower() in (".tez", ".zip"):
            with path.open("rb") as stream:
                files, archive_findings = archive.unpack(
                    stream, settings=settings, progress=progress
                )
            findings += archive_findings
            return files, None
    except FileRefused as problem:
        raise BundleUnusable(f"'{path.name}' was refused: {problem}.") from None
    except OSError as problem:
        raise BundleUnusable(f"'{path}' cannot be read: {problem.strerror or problem}.") from None
    raise BundleUnusable(
        f"'{path.name}' is not a bundle.",
        suggestion="A bundle is a folder, a .tez or .zip archive, or an inline .md document.",
    )


def _read_document(path: Path, max_bytes: int) -> bytes:
    if not path.is_file():
        raise FileRefused("it is not a regular file")
    with path.open("rb") as stream:
        content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileRefused(f"it is larger than {max_bytes:,} bytes")
    return content


def _assemble(
    path: Path,
    files: BundleFiles,
    inline_document: bytes | None,
    *,
    findings: list[Finding],
    settings: Settings,
    progress: Progress | None,
) -> OpenBundle:
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
    return OpenBundle(
        bundle,
        tuple(findings),
        files,
        members=members,
        synthesis_bytes=synthesis_bytes,
        settings=settings,
    )


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
