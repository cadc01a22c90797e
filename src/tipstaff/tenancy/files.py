"""Files of the data folder: each lies in the folder of one tenant, and is of that tenant.

`tenants/NAME/blobs` has the bytes of published tezits by their hash, `tez` the indexes, whose
headers say whose they are, `audit` the log of retrieval, `quality` evaluations.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tipstaff.domain.caller import LOCAL_TENANT
from tipstaff.domain.finding import Finding, error
from tipstaff.store.index_file import MappedFile
from tipstaff.store.index_folder import folder_name, owner_of
from tipstaff.store.store import DamagedIndex

# Beside them there are the caches of vectors, and what vector databases keep.
_BLOB = re.compile(r"([0-9a-f]{64})\.tez")
_INDEX = re.compile(r"[0-9a-f]+\.(index|faiss|qdrant|chroma|pinecone|weaviate)")
_KNOWN = re.compile(
    r"blobs|tez|audit|quality|vectors\.sqlite(-wal|-shm|-journal)?|qdrant.*|chroma.*"
)
_PIECE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantHas:
    """What the records say that a tenant has."""

    tenant: str
    tez_ids: Collection[str]
    digests: Collection[str]


def stray_files(data_folder: Path, tenants: Collection[TenantHas]) -> Iterator[Finding]:
    by_folder = {folder_name(one.tenant): one for one in tenants}
    # Whoever asks bundles of their own on this computer leaves indexes, and no rows.
    local = TenantHas(tenant=LOCAL_TENANT, tez_ids=(), digests=())
    by_folder.setdefault(folder_name(LOCAL_TENANT), local)
    for folder in _entries(data_folder / "tenants"):
        where = f"tenants/{folder.name}"
        known = by_folder.get(folder.name)
        if not folder.is_dir():
            yield error("file_astray", where, "It lies in no tenant's folder.")
        elif known is None:
            yield error("folder_of_nobody", where, "No tenant of the records has this folder.")
        else:
            yield from _of_tenant(folder, known)


def _of_tenant(folder: Path, known: TenantHas) -> Iterator[Finding]:
    for entry in _entries(folder):
        if not _KNOWN.fullmatch(entry.name):
            yield error("file_astray", _name(entry, folder), "Nothing of ours has this name.")
    yield from _blobs(folder, known)
    yield from _indexes(folder, known)
    yield from _audit(folder, known)


def _blobs(folder: Path, known: TenantHas) -> Iterator[Finding]:
    for path in _entries(folder / "blobs"):
        where = _name(path, folder)
        match = _BLOB.fullmatch(path.name)
        if match is None:
            if not path.name.startswith("."):
                yield error("file_astray", where, "It is not named by its hash.")
        elif match[1] not in known.digests:
            yield error("blob_astray", where, "The tenant has published no such bytes.")
        elif _sha256(path) != match[1]:
            yield error("blob_changed", where, "Its bytes are not those that were published.")


def _indexes(folder: Path, known: TenantHas) -> Iterator[Finding]:
    of_tez = {folder_name(tez_id): tez_id for tez_id in known.tez_ids}
    for tez_folder in _entries(folder / "tez"):
        where = _name(tez_folder, folder)
        if tez_folder.name not in of_tez and known.tenant != LOCAL_TENANT:
            yield error("index_astray", where, "The tenant has no such tez.")
        if not tez_folder.is_dir():
            yield error("file_astray", where, "It lies in no tez's folder.")
            continue
        for path in _entries(tez_folder):
            if path.name.startswith("."):
                continue
            if not _INDEX.fullmatch(path.name):
                yield error("file_astray", _name(path, folder), "It is no index.")
            else:
                yield from _index(path, folder, known, tez_folder.name)


def _index(path: Path, folder: Path, known: TenantHas, tez_folder: str) -> Iterator[Finding]:
    where = _name(path, folder)
    try:
        owner = owner_of(MappedFile(path))
    except DamagedIndex:
        yield error("index_damaged", where, "It cannot be read, so it says not whose it is.")
        return
    except FileNotFoundError:
        return
    if owner is not None and (owner[0], folder_name(owner[1])) != (known.tenant, tez_folder):
        yield error("index_of_another", where, "It was built for another tenant or tez.")


def _audit(folder: Path, known: TenantHas) -> Iterator[Finding]:
    if known.tenant == LOCAL_TENANT:
        return
    for path in _entries(folder / "audit"):
        others = sum(1 for tez_id in _audited(path) if tez_id not in known.tez_ids)
        if others:
            told = f"{others} records are of tezits that the tenant does not have."
            yield error("audit_of_another", _name(path, folder), told)


def _audited(path: Path) -> Iterator[str]:
    """The tezits that a log speaks of; a torn line speaks of none."""
    for line in path.read_bytes().split(b"\n"):
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "tez_id" in record:
            yield str(record["tez_id"])


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _name(path: Path, folder: Path) -> str:
    return f"tenants/{folder.name}/{path.relative_to(folder)}"


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()
