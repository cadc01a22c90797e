"""Audit records in a chain: each holds the hash of the one before (Enterprise §6.6).

A record's hash covers everything but its body, and the hash of its body: so a body can be pruned
after its time and the chain can still be followed. Each body has chance in it (`salt`), so that
nobody finds out by trying what a pruned one said.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

GENESIS = "0" * 64
FIRST = 1
_SALT_BYTES = 16
_FIELDS = ("tenant", "number", "at", "kind", "body_sha256", "previous")


class NoRecord(ValueError):
    """A line that is no record as this program writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """`body` is None once it was pruned; `at` is UTC, to the millisecond."""

    tenant: str
    number: int
    at: str
    kind: str
    body: Mapping[str, Any] | None
    body_sha256: str
    previous: str
    hash: str

    def to_wire(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in (*_FIELDS, "body", "hash")}

    def line(self) -> bytes:
        """As it is exported: one line, always the same bytes for the same record."""
        return canonical(self.to_wire()) + b"\n"

    def pruned(self) -> AuditRecord:
        return replace(self, body=None)

    @property
    def is_whole(self) -> bool:
        """Whether it says what it said when it was written."""
        if self.body is not None and sha256(canonical(self.body)) != self.body_sha256:
            return False
        return self.hash == _hash({name: getattr(self, name) for name in _FIELDS})


def linked(
    *, tenant: str, number: int, at: str, kind: str, body: Mapping[str, Any], previous: str
) -> AuditRecord:
    """The record that comes behind the one whose hash is `previous`."""
    salted = {**body, "salt": secrets.token_hex(_SALT_BYTES)}
    facts = {
        "tenant": tenant,
        "number": number,
        "at": at,
        "kind": kind,
        "body_sha256": sha256(canonical(salted)),
        "previous": previous,
    }
    # As it will be read back: what JSON cannot hold must fail now, not at the next audit.
    kept = json.loads(canonical(salted))
    return AuditRecord(**facts, body=kept, hash=_hash(facts))  # type: ignore[arg-type]


def canonical(value: object) -> bytes:
    """One JSON text for one value: sorted names, no spaces, UTF-8, no NaN."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode("utf-8", "surrogatepass")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_line(line: bytes) -> AuditRecord:
    """Strict: a line that is not written exactly as we write it was written by somebody else."""
    try:
        value = json.loads(line)
        record = AuditRecord(**value)
        typed = isinstance(record.number, int) and not isinstance(record.number, bool)
        if not typed or record.line().rstrip(b"\n") != line.rstrip(b"\n"):
            raise NoRecord
    except (ValueError, TypeError, RecursionError):
        raise NoRecord("This line is no audit record as they are exported.") from None
    return record


def _hash(facts: Mapping[str, Any]) -> str:
    return sha256(b"tipstaff-audit-1\n" + canonical(facts))
