"""Level 1, and the items of level 2: no list, so the folder's files are the context."""

from __future__ import annotations

from pathlib import PurePosixPath

from tipstaff.bundle.declared_item import DeclaredItem
from tipstaff.bundle.file_names import (
    CONTEXT,
    EXTENSIONS,
    OWN_FILES,
    SYNTHESIS,
    derive_bundle_id,
    derive_id,
    is_hidden,
    is_junk,
    unsafe_reason,
)
from tipstaff.bundle.files import BundleFiles
from tipstaff.bundle.outline import BundleOutline
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.finding import Finding, info, warning
from tipstaff.errors import BundleUnusable

_MARKDOWN = (".md", ".markdown")
_DOCUMENTS = (*_MARKDOWN, ".txt", ".docx", ".rtf", ".odt")


def read_informal(
    files: BundleFiles, findings: list[Finding], *, max_items: int, name: str
) -> BundleOutline:
    """A folder or archive without a manifest."""
    synthesis = find_synthesis(files)
    findings.append(info("informal", ".", "There is no manifest.json; items and ids are derived."))
    if synthesis is None:
        findings.append(warning("no-synthesis", ".", "No file looks like a synthesis."))
    return BundleOutline(
        level=BundleLevel.INFORMAL,
        id=derive_bundle_id(name),
        version=1,
        title=name,
        synthesis_file=synthesis,
        items=find_items(files, findings, synthesis=synthesis, max_items=max_items),
    )


def find_synthesis(files: BundleFiles) -> str | None:
    """`tez.md`, else a README, else the largest Markdown file, else the largest document."""
    names = [name for name in files.names() if not _is_set_aside(name)]
    top = [name for name in names if "/" not in name]
    if SYNTHESIS in top:
        return SYNTHESIS
    readmes = [name for name in top if PurePosixPath(name).stem.upper() == "README"]
    if readmes:
        return min(readmes, key=lambda name: (not name.lower().endswith(_MARKDOWN), name))
    for endings in (_MARKDOWN, _DOCUMENTS):
        for candidates in (top, names):
            found = [name for name in candidates if name.lower().endswith(endings)]
            if found:
                return max(found, key=lambda name: (_size(files, name), name))
    return None


def find_items(
    files: BundleFiles, findings: list[Finding], *, synthesis: str | None, max_items: int
) -> list[DeclaredItem]:
    """Every file under `context/` if there is such a folder, else every file of the bundle."""
    names = [name for name in files.names() if name != synthesis]
    junk = [name for name in names if is_junk(name) or is_hidden(name)]
    if junk:
        findings.append(
            info("left-out", ".", f"Hidden and system files are left out: {', '.join(junk[:5])}.")
        )
    names = [name for name in names if not _is_set_aside(name)]
    inside = [name for name in names if name.startswith(CONTEXT)]
    if len(inside or names) > max_items:
        raise BundleUnusable(
            f"The bundle was refused: it holds {len(inside or names):,} files, more than the "
            f"{max_items:,} context items allowed.",
            suggestion="Name a smaller folder or, if you trust it, raise the setting max_items.",
        )
    outside = [name for name in names if not name.startswith(CONTEXT)] if inside else []
    if outside:
        findings.append(
            info(
                "outside-context",
                ".",
                f"Files beside context/ are no items: {', '.join(outside[:5])}.",
            )
        )
    items: list[DeclaredItem] = []
    for name in inside or names:
        if reason := unsafe_reason(name):
            findings.append(warning("unsafe-name", name, f"The file name {reason}; left out."))
            continue
        path = PurePosixPath(name)
        items.append(
            DeclaredItem(
                id=derive_id(name, {item.id for item in items}),
                where=name,
                title=path.name,
                file=name,
                names=(path.name, name),
            )
        )
    return items


def _is_set_aside(name: str) -> bool:
    return name in OWN_FILES or name.startswith(EXTENSIONS) or is_junk(name) or is_hidden(name)


def _size(files: BundleFiles, name: str) -> int:
    try:
        return files.size(name)
    except Exception:
        return -1
