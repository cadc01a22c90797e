"""Whether a chain of audit records is whole: nothing changed, removed, inserted, moved, cut.

What cannot be seen: records that were cut from the end, or a chain that was written anew from some
record on, unless an anchor behind it is known (the number and hash that an earlier look ended
with), kept where whoever writes the records cannot write; and what such a person adds at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tipstaff.audit.chain import FIRST, GENESIS, AuditRecord, NoRecord, read_line
from tipstaff.audit.pruning import PRUNED, PrunedNumbers
from tipstaff.errors import UsageError

_ANCHOR = re.compile(r"(\d{1,15}):([0-9a-f]{64})")
_MOST_FINDINGS = 100


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the chain that somebody has noted: it must not say anything else later."""

    number: int
    hash: str

    @classmethod
    def of(cls, text: str) -> Anchor:
        match = _ANCHOR.fullmatch(text.strip())
        if match is None:
            raise UsageError("An anchor is NUMBER:HASH, as `tip audit-log` tells it.")
        return cls(int(match[1]), match[2])

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"


@dataclass(frozen=True, slots=True)
class Finding:
    number: int
    says: str


@dataclass(slots=True)
class Verdict:
    """`head` is where the chain ends: the anchor for the next time."""

    records: int = 0
    pruned: int = 0
    head: Anchor = field(default_factory=lambda: Anchor(0, GENESIS))
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return not self.findings

    def find(self, number: int, says: str) -> None:
        if len(self.findings) < _MOST_FINDINGS:
            self.findings.append(Finding(number, says))


def verify(
    records: Iterable[AuditRecord],
    *,
    tenant: str | None = None,
    anchors: Iterable[Anchor] = (),
    key: bytes | None = None,
) -> Verdict:
    """`key` is the server's, and proves that it was the server that pruned; without it, that a
    later record of the chain says so is all there is to see."""
    verdict = Verdict()
    known = {anchor.number: anchor for anchor in anchors}
    bare: list[AuditRecord] = []
    signed_off = PrunedNumbers(key)
    for record in records:
        tenant = record.tenant if tenant is None else tenant
        _check(record, verdict, tenant)
        if record.body is None:
            verdict.pruned += 1
            bare.append(record)
        elif record.kind == PRUNED and not signed_off.take(record.body):
            verdict.find(record.number, "says what was pruned, but not by this server's key")
        anchor = known.pop(record.number, None)
        if anchor is not None and anchor.hash != record.hash:
            verdict.find(record.number, "is not the record that the anchor was taken of")
        verdict.records += 1
        verdict.head = Anchor(record.number, record.hash)
    for record in signed_off.not_among(bare):
        verdict.find(record.number, "has lost its body, and no record says that it was pruned")
    for anchor in known.values():
        if anchor.number:
            verdict.find(anchor.number, "is missing: the anchor was taken of it")
    return verdict


def read_export(lines: Iterable[bytes]) -> Iterator[AuditRecord]:
    """The records of an exported file; a line that is none raises NoRecord with its number."""
    for number, line in enumerate(lines, start=1):
        try:
            yield read_line(line)
        except NoRecord as problem:
            raise NoRecord(f"Line {number}: {problem}") from None


def _check(record: AuditRecord, verdict: Verdict, tenant: str) -> None:
    before = verdict.head
    if record.tenant != tenant:
        verdict.find(record.number, "is another tenant's")
    if not record.is_whole:
        verdict.find(record.number, "was changed")
    expected = before.number + 1 if verdict.records else FIRST
    if record.number != expected:
        verdict.find(record.number, f"stands where {expected} should: removed, inserted or moved")
    elif record.previous != before.hash:
        verdict.find(record.number, "does not follow from the record before it")
