"""A folder of files → a draft of a bundle: items with ids, types and titles, a synthesis to begin
with, and what the sender should know before sending.

The folder itself is only read. Files are staged in a private folder, where they are opened and
parsed exactly as a recipient will.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tipstaff.authoring.scanning import Warned, scanned
from tipstaff.authoring.skeleton import readable_title, skeleton
from tipstaff.bundle.file_names import (
    CONVERSATION,
    MANIFEST,
    OWN_FILES,
    SYNTHESIS,
    context_file,
    derive_bundle_id,
    derive_id,
    is_hidden,
    is_junk,
    unsafe_reason,
)
from tipstaff.bundle.files import DirectoryFiles, FileRefused, read_at_most
from tipstaff.bundle.level_three import TEZIT_VERSION, Reader
from tipstaff.bundle.opening import open_bundle
from tipstaff.bundle.writing import write_files
from tipstaff.citation.places import CitableDocument
from tipstaff.domain.access import AccessLevel
from tipstaff.domain.citation import SYNTHESIS_ID
from tipstaff.domain.clean_text import clean
from tipstaff.domain.document import BlockKind
from tipstaff.errors import UsageError
from tipstaff.media_type import UNKNOWN
from tipstaff.reading import Progress, read_bundle
from tipstaff.settings import Settings

# Files that are looked at for each item that a bundle may have: many are no items.
_MOST_FILES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem:
    """`source` is the file in the author's folder, `file` its place in the bundle."""

    id: str
    type: str
    title: str
    source: str
    file: str
    media_type: str
    size_bytes: int
    sha256: str
    access: str = str(AccessLevel.FULL)


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleDraft:
    """`documents` are the items as they were parsed, `left_out` files that are no items and why."""

    id: str
    title: str
    items: tuple[DraftItem, ...]
    documents: dict[str, CitableDocument] = field(repr=False, default_factory=dict)
    own_synthesis: str | None = None
    conversation: bytes | None = None
    warnings: tuple[Warned, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def synthesis(self) -> str:
        """The author's own, or the documents' own sentences. An item that not everybody may read
        (TIP §13.4.2) is not quoted to everybody."""
        if self.own_synthesis is not None:
            return self.own_synthesis
        titles = {item.id: item.title for item in self.items}
        open_ = {item.id for item in self.items if item.access == AccessLevel.FULL}
        quoted = {id_: one for id_, one in self.documents.items() if id_ in open_}
        return skeleton(self.title, titles, quoted)

    def without(self, ids: Sequence[str]) -> BundleDraft:
        kept = tuple(item for item in self.items if item.id not in ids)
        warned = tuple(one for one in self.warnings if one.item_id not in ids)
        return replace(self, items=kept, warnings=warned)

    def with_access(self, item_id: str, level: str) -> BundleDraft:
        if item_id not in {item.id for item in self.items}:
            raise UsageError(f"There is no item '{item_id}' to set the access of.")
        if level not in set(AccessLevel) and level != "creator_only":
            known = ", ".join([*AccessLevel, "creator_only"])
            raise UsageError(f"'{level}' is no access level.", suggestion=f"One of {known}.")
        items = (replace(i, access=level) if i.id == item_id else i for i in self.items)
        return replace(self, items=tuple(items))


def drafted(
    folder: Path,
    staging: Path,
    *,
    settings: Settings,
    title: str | None = None,
    exclude: Sequence[str] = (),
    synthesis: Path | None = None,
    progress: Progress | None = None,
) -> BundleDraft:
    """Every file of a folder as an item, staged under `staging`."""
    files = DirectoryFiles(folder, max_entries=_MOST_FILES * settings.max_items)
    left_out: list[str] = []
    sources = list(_sources(files, folder, exclude, synthesis, left_out))
    if not sources:
        raise UsageError(
            f"There is no file in '{folder}' to make an item of.",
            suggestion="Name a folder of documents.",
        )
    ids: dict[str, str] = {}
    contents: dict[str, Reader] = {}
    entries = []
    for name in sources:
        ids[name] = derive_id(name, ids.values())
        place = context_file(ids[name], name, taken=contents)
        contents[place] = _reader(files, name, settings.max_file_bytes)
        entries.append({"id": ids[name], "title": name, "file": place})
    write_files(staging, contents | _papers(entries))
    named = title or _in_words(folder.resolve().name)
    items, documents = _read(staging, settings, progress)
    return BundleDraft(
        id=derive_bundle_id(named),
        title=named,
        items=tuple(items),
        documents=documents,
        own_synthesis=_own_synthesis(folder, synthesis),
        conversation=_own(folder / CONVERSATION),
        warnings=scanned(documents),
        left_out=tuple(left_out),
    )


def _papers(entries: list[dict[str, str]]) -> dict[str, Reader]:
    """A manifest that lists the staged files, so that none is taken for the synthesis."""
    manifest = {"tezit_version": TEZIT_VERSION, "id": "draft", "context": {"items": entries}}
    content = json.dumps(manifest).encode()
    return {MANIFEST: lambda: content, SYNTHESIS: lambda: b""}


def _read(
    staging: Path, settings: Settings, progress: Progress | None
) -> tuple[list[DraftItem], dict[str, CitableDocument]]:
    """The staged files as a recipient opens and reads them."""
    with open_bundle(staging, settings=settings) as opened:
        read = read_bundle(opened, settings=settings, progress=progress)
        documents = {item: one for item, one in read.documents.items() if item != SYNTHESIS_ID}
        return [
            DraftItem(
                id=item.id,
                type=item.type,
                title=readable_title(item.title, _headings(documents.get(item.id))),
                source=item.title,
                file=item.file or "",
                media_type=item.media_type or UNKNOWN,
                size_bytes=item.size_bytes,
                sha256=item.sha256 or "",
            )
            for item in opened.bundle.declared_items
        ], documents


def _sources(
    files: DirectoryFiles,
    folder: Path,
    exclude: Sequence[str],
    synthesis: Path | None,
    left_out: list[str],
) -> Iterator[str]:
    own = synthesis.resolve() if synthesis else None
    for name in files.names():
        reason = unsafe_reason(name)
        if is_junk(name) or is_hidden(name):
            reason = "is hidden or a system's"
        elif name in OWN_FILES or name.startswith("extensions/"):
            reason = "is a bundle's own file"
        elif name == SYNTHESIS or (own is not None and (folder / name).resolve() == own):
            reason = "is the synthesis"
        elif any(fnmatch.fnmatch(name, pattern) for pattern in exclude):
            reason = "was excluded"
        else:
            try:
                reason = reason or ("is empty" if not files.size(name) else None)
            except (FileRefused, FileNotFoundError, OSError) as problem:
                reason = f"cannot be read ({problem})"
        if reason:
            left_out.append(f"{name} {reason}")
        else:
            yield name


def _reader(files: DirectoryFiles, name: str, most: int) -> Reader:
    return lambda: read_at_most(files, name, most)


def _headings(citable: CitableDocument | None) -> list[str]:
    if citable is None:
        return []
    document = citable.document
    found = [one for one in document.blocks[:40] if one.kind is BlockKind.HEADING]
    return [" ".join(clean(document, one.span).text.split()) for one in found[:1]]


def _in_words(name: str) -> str:
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _own_synthesis(folder: Path, named: Path | None) -> str | None:
    path = named or folder / SYNTHESIS_ID
    if named is None and not path.is_file():
        return None
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise UsageError(
            f"The synthesis '{path}' cannot be read as UTF-8 text.",
            suggestion="Save it as Markdown in UTF-8.",
        ) from None


def _own(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None
