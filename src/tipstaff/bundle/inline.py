"""Level 0: one Markdown document whose front matter carries or names its context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tipstaff.bundle import front_matter, tip_version
from tipstaff.bundle.declared_item import DeclaredItem, from_front_matter, with_unique_ids
from tipstaff.bundle.fields import Fields
from tipstaff.bundle.file_names import (
    BUNDLE_ID,
    context_file,
    derive_bundle_id,
    derive_id,
    unsafe_reason,
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
from tipstaff.bundle.structured_text import Unreadable, load_yaml
from tipstaff.decoding import decode_text
from tipstaff.domain.bundle import BundleLevel
from tipstaff.domain.finding import Finding, error, info, warning
from tipstaff.errors import BundleUnusable
from tipstaff.settings import Settings


def read_inline(
    document: bytes, findings: list[Finding], *, settings: Settings, file: str
) -> BundleOutline:
    """The outline; embedded bytes ride in `items`, the body is the synthesis."""
    matter, body = front_matter.split(document)
    content = _front_matter(matter, findings, settings, file)
    fields = Fields(content, f"{file}#", findings)
    version, version_findings = tip_version.negotiate(
        fields.object("interrogation").value.get("tip_version"), where=f"{file}#/interrogation"
    )
    findings += version_findings
    needs = read_needs(fields, version)
    findings += tip_version.missing_features(
        needs.required_features, where=f"{file}#/interrogation/required_features"
    )
    title = fields.text("title") or _first_heading(body) or file
    declared_id = fields.text("id")
    return BundleOutline(
        level=BundleLevel.INLINE,
        id=declared_id
        if declared_id and BUNDLE_ID.fullmatch(declared_id)
        else derive_bundle_id(declared_id or title),
        version=fields.whole("version") or 1,
        title=title,
        synthesis_file=file,
        synthesis_type=fields.text("type") or "analysis",
        synthesis_body=body,
        synthesis_is_released=fields.object("synthesis").flag(RELEASE_WHOLE, default=False),
        items=_items(fields, findings, settings),
        scope=fields.text("scope"),
        conversation=_conversation(fields),
        tip_config=read_object(content.get("tip_config"), f"{file}#/tip_config", findings),
        tezit_version=fields.text("tezit") or fields.text("tezit_version"),
        created_at=fields.text("created_at"),
        creator=_creator(fields),
        profile=fields.text("profile"),
        permissions=read_permissions(fields),
        hosting=read_hosting(fields),
        privacy=read_privacy(fields),
        interrogation=needs,
        manifest=content,
    )


def _front_matter(
    matter: bytes | None, findings: list[Finding], settings: Settings, file: str
) -> Mapping[str, Any]:
    if matter is None:
        findings.append(
            warning("no-front-matter", file, "The document has no front matter, so no context.")
        )
        return {}
    if len(matter) > settings.max_manifest_bytes:
        raise BundleUnusable(
            f"The bundle was refused: its front matter is larger than "
            f"{settings.max_manifest_bytes:,} bytes.",
            suggestion="Ask the sender for a .tez archive; inline documents are for small context.",
        )
    try:
        content = load_yaml(decode_text(matter), max_nesting=settings.max_nesting)
    except Unreadable as problem:
        findings.append(error("front-matter", file, f"The front matter cannot be read: {problem}."))
        return {}
    if not isinstance(content, dict):
        if content is not None:
            findings.append(
                error("front-matter", file, "The front matter is not a list of fields.")
            )
        return {}
    if "tezit" not in content and "tezit_version" not in content:
        findings.append(
            warning("no-tezit", f"{file}#/tezit", "The front matter names no Tezit version.")
        )
    return content


def _items(fields: Fields, findings: list[Finding], settings: Settings) -> list[DeclaredItem]:
    context = fields.value.get("context")
    if isinstance(context, dict):
        findings.append(
            info("no-items", fields.pointer("context"), "The document describes its context only.")
        )
        return []
    entries = fields.objects("context")
    if len(entries) > settings.max_items:
        raise BundleUnusable(
            f"The bundle was refused: it lists {len(entries):,} context items, more than the "
            f"{settings.max_items:,} allowed.",
            suggestion="If you trust it, raise the setting max_items.",
        )
    items: list[DeclaredItem] = []
    for entry in entries:
        item = from_front_matter(entry, findings, settings.max_file_bytes)
        if entry.text("id") is None:
            item = replace(item, id=derive_id(item.title, {other.id for other in items}))
        items.append(item)
    return _with_own_files(with_unique_ids(items, findings))


def _with_own_files(items: list[DeclaredItem]) -> list[DeclaredItem]:
    """Embedded bytes each get a file name of their own, whatever the entries call them."""
    taken = {item.file for item in items if item.file and item.embedded is None}
    named = []
    for item in items:
        if item.embedded is not None:
            file = item.file
            if file is None or file in taken or unsafe_reason(file):
                file = context_file(item.id, file, taken=taken)
            taken.add(file)
            item = replace(item, file=file)
        named.append(item)
    return named


def _creator(fields: Fields) -> Mapping[str, Any]:
    value = fields.value.get("creator")
    return {"name": value} if isinstance(value, str) else fields.object("creator").value


def _conversation(fields: Fields) -> Mapping[str, Any]:
    """A document has no conversation record; at most it carries the record's summary."""
    conversation = fields.object("conversation").value
    return conversation if conversation.get("sharing") == "summary" else {}


def _first_heading(body: bytes) -> str | None:
    for line in decode_text(body[:20_000]).splitlines():
        if line.startswith("#") and line.strip("# \t"):
            return line.strip("# \t")
    return None
