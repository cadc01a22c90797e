"""One happening → its audit records: one within a tenant, two where a tez of another is concerned.

Enterprise §6.6: "User Y interrogated external Tez X from tenant Z", and "Tez X was interrogated by
external recipient Y". Of another tenant's people the sender is not told what they are after (TIP
§13.1): what goes into either record is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tipstaff.domain.origin import Origin, external_name

Told = tuple[str, Mapping[str, Any]]
Bodies = dict[str, Told]


def of_both(
    receivers: Told,
    senders: Told,
    *,
    tenant: str,
    user: str,
    tez_id: str,
    origin: Origin | None,
    own: Mapping[str, Any] | None = None,
) -> Bodies:
    """Kind and body by tenant. `tenant`, `user` and `tez_id` are the asker's; within one tenant
    the body is `own`."""
    kind, told = receivers
    if origin is None:
        return {tenant: (kind, told if own is None else own)}
    from_tenant = {"from_tenant": origin.tenant, "external_tez_id": origin.tez_id}
    by_tenant = {
        "user": external_name(tenant, user),
        "by_tenant": tenant,
        "tez_id": origin.tez_id,
        "share_id": tez_id,
    }
    return {
        tenant: (kind, {**told, **from_tenant}),
        origin.tenant: (senders[0], {**senders[1], **by_tenant}),
    }
