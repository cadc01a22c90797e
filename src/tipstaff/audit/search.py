"""What is wanted of an audit log: a page of it, narrowed by kind, time and words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSearch:
    """Records behind the number `after`, in their order; or, newest first, those before the number
    `before`. `since` and `until` are moments or days as they are written in the records."""

    limit: int = 500
    after: int = 0
    before: int | None = None
    kind: str = ""
    since: str = ""
    until: str = ""
    words: str = ""
