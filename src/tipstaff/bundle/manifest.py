"""manifest.json of levels 2 and 3: what it declares, read liberally, with every oddity found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.bundle import tip_version
from tipstaff.bundle.declared_item import DeclaredItem, from_manifest, with_unique_ids
from tipstaff.bundle.fields import Fields
from tipstaff.bundle.file_names import (
    BUNDLE_ID,
    CONVERSATION,
    MANIFEST,
    SYNTHESIS,
    derive_bundle_id,
)
from tipstaff.bundle.outline import BundleOutline
from tipstaff.bundle.sender_terms import (
    RELEASE_WHOLE,
    read_hosting,
    read_needs,
    read_object,
    read_permissions,
    read_privacy,
)
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.errors import BundleUnusable

_KNOWN_TEZIT_VERSIONS = ("1.0", "1.1", "1.2")
_SCOPES = ("full", "focused", "private", "custom")


def read_manifest(
    content: Mapping[str, Any], findings: list[Finding], *, max_items: int, fallback_name: str
) -> BundleOutline:
    """What the manifest declares. Raises VersionMismatch, or BundleUnusable for too many items."""
    manifest = Fields(content, f"{MANIFEST}#", findings)
    synthesis = manifest.object("synthesis")
    version, version_findings = tip_version.negotiate(
        manifest.object("interrogation").value.get("tip_version"),
        where=manifest.pointer("interrogation") + "/tip_version",
    )
    needs = read_needs(manifest, version)
    findings += version_findings
    findings += tip_version.missing_features(
        needs.required_features, where=manifest.pointer("interrogation") + "/required_features"
    )
    title = synthesis.text("title") or manifest.text("title")
    items = _items(manifest, findings, max_items)
    level = _level(manifest, title, findings)
    _check_versions(manifest, findings)
    return BundleOutline(
        level=level,
        id=_bundle_id(manifest, title or fallback_name, findings),
        version=_version(manifest),
        title=title or fallback_name,
        synthesis_file=synthesis.text("file") or SYNTHESIS,
        synthesis_type=synthesis.text("type") or "analysis",
        synthesis_is_released=synthesis.flag(RELEASE_WHOLE, default=False),
        items=items,
        tezit_version=manifest.text("tezit_version"),
        created_at=manifest.text("created_at"),
        creator=_creator(manifest),
        profile=manifest.text("profile"),
        scope=_scope(manifest),
        conversation=manifest.object("conversation").value,
        conversation_file=manifest.object("conversation").text("file") or CONVERSATION,
        permissions=read_permissions(manifest),
        hosting=read_hosting(manifest),
        privacy=read_privacy(manifest),
        interrogation=needs,
        tip_config=read_object(content.get("tip_config"), manifest.pointer("tip_config"), findings),
        manifest=content,
    )


def _items(manifest: Fields, findings: list[Finding], max_items: int) -> list[DeclaredItem] | None:
    """None where the manifest lists none, so that they must be looked for (level 2)."""
    context = manifest.object("context")
    listed = context.value.get("items")
    if listed is None:
        return None
    if isinstance(listed, list) and len(listed) > max_items:
        raise BundleUnusable(
            f"The bundle was refused: it lists {len(listed):,} context items, more than the "
            f"{max_items:,} allowed.",
            suggestion="If you trust it, raise the setting max_items.",
        )
    items = [from_manifest(fields, findings) for fields in context.objects("items")]
    count = context.value.get("item_count")
    if count is not None and count != len(items):
        findings.append(
            warning(
                "item-count",
                context.pointer("item_count"),
                f"item_count says {count}, but {len(items)} items are listed.",
            )
        )
    return with_unique_ids(items, findings)


def _level(manifest: Fields, title: str | None, findings: list[Finding]) -> BundleLevel:
    """Level 3 if all that it requires is there; else level 2, saying what is missing."""
    synthesis, context = manifest.object("synthesis"), manifest.object("context")
    present = {
        "tezit_version": manifest.value.get("tezit_version"),
        "id": manifest.value.get("id"),
        "version": manifest.value.get("version"),
        "created_at": manifest.value.get("created_at"),
        "creator/name": manifest.object("creator").value.get("name")
        if isinstance(manifest.value.get("creator"), dict)
        else manifest.value.get("creator"),
        "synthesis/title": synthesis.value.get("title"),
        "synthesis/type": synthesis.value.get("type"),
        "synthesis/file": synthesis.value.get("file"),
        "context/scope": context.value.get("scope"),
        "context/item_count": context.value.get("item_count"),
        "context/items": context.value.get("items"),
    }
    missing = [name for name, value in present.items() if value is None]
    if not missing:
        return BundleLevel.PLATFORM
    needed = {"tezit_version", "id", "created_at", "synthesis/file"}
    for name in missing:
        note = warning if name in needed or context.value.get("items") is not None else info
        findings.append(
            note(
                "missing-field",
                f"{MANIFEST}#/{name}",
                f"The manifest has no {name.replace('/', '.')}.",
            )
        )
    if title is None:
        findings.append(warning("missing-field", f"{MANIFEST}#/title", "The bundle has no title."))
    return BundleLevel.PORTABLE


def _check_versions(manifest: Fields, findings: list[Finding]) -> None:
    version = manifest.text("tezit_version") or manifest.text("tezit")
    if version is not None and version not in _KNOWN_TEZIT_VERSIONS:
        findings.append(
            warning(
                "tezit-version",
                manifest.pointer("tezit_version"),
                f"Tezit Protocol {version} is not known here; read as 1.2.",
            )
        )


def _bundle_id(manifest: Fields, fallback: str, findings: list[Finding]) -> str:
    declared = manifest.text("id")
    if declared is None:
        return derive_bundle_id(fallback)
    if not BUNDLE_ID.fullmatch(declared):
        findings.append(
            error(
                "odd-id",
                manifest.pointer("id"),
                f"'{declared[:120]}' is not a bundle id (3 to 100 of a-z, 0-9 and inner hyphens).",
            )
        )
        return derive_bundle_id(declared)
    return declared


def _version(manifest: Fields) -> int:
    version = manifest.whole("version")
    if version == 0:
        manifest.odd("version", "is 0; versions count from 1")
    return version or 1


def _creator(manifest: Fields) -> Mapping[str, Any]:
    value = manifest.value.get("creator")
    return {"name": value} if isinstance(value, str) else manifest.object("creator").value


def _scope(manifest: Fields) -> str | None:
    context = manifest.object("context")
    scope = context.text("scope")
    if scope is not None and scope not in _SCOPES:
        context.odd("scope", f"is '{scope}', which is not a listed scope", code="unknown-scope")
    return scope
