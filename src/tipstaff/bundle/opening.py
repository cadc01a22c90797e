"""Open whatever was sent: a folder, an archive, an inline document. One function, one result.

Here is what holds the files, and the bundle with its bytes at hand; `assembling.py` reads what they
say.
"""

from __future__ import annotations

import hashlib
import weakref
import zipfile
from pathlib import Path
from types import TracebackType
from typing import Self

from tipstaff.bundle import archive
from tipstaff.bundle.archive import Progress
from tipstaff.bundle.assembling import assembled
from tipstaff.bundle.files import (
    BundleFiles,
    DirectoryFiles,
    FileRefused,
    FilesBeside,
    read_at_most,
)
from tipstaff.bundle.nested import Members
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.finding import Finding
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
        made = assembled(
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
    return OpenBundle(
        made.bundle,
        tuple(findings),
        made.files,
        members=made.members,
        synthesis_bytes=made.synthesis_bytes,
        settings=settings,
    )


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
