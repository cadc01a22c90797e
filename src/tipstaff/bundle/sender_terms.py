"""The sender's terms in a manifest or front matter: permissions, hosting, privacy, access."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from tipstaff.bundle.fields import Fields
from tipstaff.domain.access import Access, AccessLevel, AccessType
from tipstaff.domain.bundle import Hosting, HostingLimits, InterrogationNeeds, Permissions, Privacy
from tipstaff.domain.finding import Finding

_CREATOR_ONLY = Access(AccessType.CREATOR_ONLY)
# In `synthesis` and in `conversation`: true shows them whole to whoever may not see every item.
RELEASE_WHOLE = "release_whole"


def read_access(owner: Fields) -> Access:
    """Both shapes of `access`. One that is not understood is kept from everyone but the creator."""
    value = owner.value.get("access")
    if value is None:
        return Access()
    if isinstance(value, str):
        return _from_word(value, owner)
    if not isinstance(value, dict):
        owner.odd("access", "is neither a word nor an object; kept to the creator")
        return _CREATOR_ONLY
    fields = owner.object("access")
    level = _level(fields)
    try:
        kind = AccessType(str(value.get("type", "public")))
    except ValueError:
        fields.odd("type", f"'{value.get('type')}' is no access type; kept to the creator")
        return _CREATOR_ONLY
    rest = {name: content for name, content in value.items() if name not in ("type", "level")}
    return Access(kind, level, MappingProxyType(rest))


def _from_word(word: str, owner: Fields) -> Access:
    if word in set(AccessLevel):
        return Access(level=AccessLevel(word))
    if word in (AccessType.PUBLIC, AccessType.AUTHENTICATED, AccessType.CREATOR_ONLY):
        return Access(AccessType(word))
    owner.odd("access", f"'{word}' is no access level; kept to the creator")
    return _CREATOR_ONLY


def _level(fields: Fields) -> AccessLevel:
    value = fields.value.get("level")
    if value is None:
        return AccessLevel.FULL
    try:
        return AccessLevel(str(value))
    except ValueError:
        fields.odd("level", f"'{value}' is no access level; taken as interrogation_only")
        return AccessLevel.INTERROGATION_ONLY


def read_permissions(manifest: Fields) -> Permissions:
    fields = manifest.object("permissions")
    return Permissions(
        interrogate=fields.flag("interrogate", default=True),
        fork=fields.flag("fork", default=True),
        reshare=fields.flag("reshare", default=True),
        commercial_use=fields.flag("commercial_use", default=False),
        license=fields.text("license"),
    )


def read_hosting(manifest: Fields) -> Hosting:
    """TIP §12.1.3's shape and §12.4's dual shape; the sender-hosted part's limits win."""
    sharing = manifest.object("sharing")
    sender_hosted = sharing.object("sender_hosted")
    portable = sharing.object("portable")
    limits = sharing.object("hosting_limits")
    dual = sender_hosted.object("limits")

    def limit(name: str) -> int | None:
        found = dual.whole(name)
        return limits.whole(name) if found is None else found

    allow_download = portable.value.get("allow_download")
    return Hosting(
        mode=sharing.text("hosting"),
        url=sender_hosted.text("url") or sharing.text("hosting_url"),
        limits=HostingLimits(
            interrogations_per_recipient=limit("interrogations_per_recipient"),
            max_tokens_per_query=limit("max_tokens_per_query"),
            max_total_tokens_per_recipient=limit("max_total_tokens_per_recipient"),
            rate_limit_per_minute=limit("rate_limit_per_minute"),
            expires_at=dual.text("expires_at") or limits.text("expires_at"),
        ),
        allow_download=allow_download if isinstance(allow_download, bool) else None,
        bundle_url=portable.text("bundle_url"),
    )


def read_privacy(manifest: Fields) -> Privacy:
    fields = manifest.object("privacy")
    return Privacy(
        query_logging=fields.text("query_logging") or "none",
        query_sharing_with_sender=fields.flag("query_sharing_with_sender", default=False),
        analytics_level=fields.text("analytics_level") or "aggregate_only",
        logging_scope=fields.text("logging_scope"),
        retention_days=fields.whole("retention_days"),
        data_residency=MappingProxyType(dict(fields.object("data_residency").value)),
    )


def read_needs(manifest: Fields, tip_version: str) -> InterrogationNeeds:
    fields = manifest.object("interrogation")
    return InterrogationNeeds(
        tip_version=tip_version,
        required_features=fields.texts("required_features"),
        recommended_model_family=fields.text("recommended_model_family"),
    )


def read_object(content: Any, where: str, findings: list[Finding]) -> MappingProxyType[str, Any]:
    return MappingProxyType(dict(Fields(content, where, findings).value))
