"""What became of a file: a document, or the reason why it stays unindexed (TIP §10.2.4, §14.1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tipstaff.domain.document import Document


class UnindexedKind(StrEnum):
    NO_PARSER = "no_parser"  # nothing here reads such files
    CANNOT_READ = "cannot_read"  # encrypted, damaged, an engine is not installed
    FAILED = "failed"  # the parser met something that it did not expect
    CRASHED = "crashed"  # the worker process died
    TIMED_OUT = "timed_out"


@dataclass(frozen=True, slots=True)
class Unindexed:
    kind: UnindexedKind
    reason: str
    suggestion: str


ParseOutcome = Document | Unindexed
