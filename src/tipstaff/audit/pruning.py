"""What is taken out of an audit log after its time, and what stays: a record that says so.

It is sealed by the server's key, so that nobody else can call a body that they removed pruned.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tipstaff.audit.chain import AuditRecord, canonical

PRUNED = "pruned"


def tombstone(
    gone: Sequence[AuditRecord], *, older_than: str, by: str, key: bytes
) -> dict[str, Any]:
    """The body of the record that signs a pruning off: which, of what age, on whose word."""
    body: dict[str, Any] = {
        "by": by,
        "count": len(gone),
        "hashes_sha256": _digest(gone),
        "kinds": sorted({record.kind for record in gone}),
        "older_than": older_than,
        "ranges": _ranges(sorted(record.number for record in gone)),
    }
    return {**body, "seal": _seal(body, key)}


class PrunedNumbers:
    """What the tombstones of a chain account for."""

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._stones: list[Mapping[str, Any]] = []

    def take(self, body: Mapping[str, Any]) -> bool:
        """Whether this tombstone is one; what it accounts for is then known."""
        signed = {name: value for name, value in body.items() if name not in ("seal", "salt")}
        if self._key is not None and not hmac.compare_digest(
            _seal(signed, self._key), str(body.get("seal", ""))
        ):
            return False
        self._stones.append(body)
        return True

    def not_among(self, bare: Sequence[AuditRecord]) -> list[AuditRecord]:
        """Records without a body that no tombstone accounts for, with the very hashes, kinds and
        age that it names."""
        left = {record.number: record for record in bare}
        for stone in self._stones:
            these = [
                record
                for first, last in stone["ranges"]
                for number in range(first, min(last, first + len(bare)) + 1)
                if (record := left.get(number)) is not None
            ]
            named = len(these) == stone["count"] and _digest(these) == stone["hashes_sha256"]
            if named and all(record.at < stone["older_than"] for record in these):
                for record in these:
                    del left[record.number]
        return list(left.values())


def _digest(records: Iterable[AuditRecord]) -> str:
    return hashlib.sha256("\n".join(record.hash for record in records).encode()).hexdigest()


def _ranges(numbers: Sequence[int]) -> list[list[int]]:
    runs = itertools.groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    found = [[number for _, number in run] for _, run in runs]
    return [[run[0], run[-1]] for run in found]


def _seal(body: Mapping[str, Any], key: bytes) -> str:
    return hmac.new(key, b"tipstaff-pruned-1\n" + canonical(body), hashlib.sha256).hexdigest()
