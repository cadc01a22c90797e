"""What is kept for a tenant beside its indexes: computed vectors, and records for auditors."""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from tipstaff.audit.retrieval_log import RetrievalLog
from tipstaff.domain.bundle import Bundle
from tipstaff.domain.retrieval import Retrieval
from tipstaff.embed.cache import VectorCache
from tipstaff.embed.embedder import Embedder
from tipstaff.errors import RetrievalFailed
from tipstaff.retrieve.exposure import NONE
from tipstaff.retrieve.transparency import transparency_document
from tipstaff.settings import Settings, data_directory
from tipstaff.store.index_folder import folder_name

_OF_THE_DISK = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENOTDIR}
)


@contextlib.contextmanager
def written_data() -> Iterator[None]:
    """A full or read-only disk, said as what it is; no path is told (Enterprise §10.4)."""
    try:
        yield
    except OSError as problem:
        if problem.errno not in _OF_THE_DISK:
            raise
        raise RetrievalFailed(
            f"The data directory cannot be used: {problem.strerror}.",
            suggestion="Make room or let it be written, or name another with TIPSTAFF_DATA_DIR.",
        ) from problem


def vector_cache(embedder: Embedder, settings: Settings, tenant: str) -> VectorCache:
    """Per tenant: what one of them has embedded must not make another's text faster."""
    return VectorCache(
        _folder(tenant) / "vectors.sqlite",
        fingerprint=embedder.fingerprint,
        dimensions=embedder.dimensions,
        max_bytes=settings.vector_cache_bytes,
    )


def retrieval_log(settings: Settings, tenant: str) -> RetrievalLog:
    return RetrievalLog(_folder(tenant) / "audit", keep_days=settings.audit_days)


def record(
    done: Retrieval,
    bundle: Bundle,
    *,
    settings: Settings,
    tenant: str,
    recipient: str | None,
    permitted: Collection[str] | None,
    reasons: Mapping[str, str] | None = None,
) -> None:
    """Enterprise §4.5: how it was found, kept when transparency is on; and §3.8, item 4: which
    items were left out of it and why, kept in any case."""
    fields: dict[str, Any] = {"tez_id": bundle.id}
    if recipient is not None:
        fields["recipient"] = recipient
    left_out = [] if permitted is None else [one for one in bundle.items if one.id not in permitted]
    if left_out:
        fields["filtered_items"] = [
            {"item_id": item.id, "access": str(item.access)}
            | ({"reason": reasons[item.id]} if reasons and item.id in reasons else {})
            for item in left_out
        ]
    if settings.transparency != NONE:
        fields |= {"requested_strategy": str(done.requested), **transparency_document(done)}
    elif not left_out:
        return
    with written_data():
        retrieval_log(settings, tenant).write(done.query, fields, now=dt.datetime.now(dt.UTC))


def _folder(tenant: str) -> Path:
    return data_directory() / "tenants" / folder_name(tenant)
