"""The response envelope around a response: scope, usage, how it was found, what must be said."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import replace

from tipstaff.answer.wording import said_back
from tipstaff.boundary import GroundingBoundary
from tipstaff.domain.evidence import RetrievalSummary
from tipstaff.domain.response import CheckedCitation, Notice, NoticeKind
from tipstaff.domain.retrieval import Retrieval
from tipstaff.domain.timestamp import timestamp

# No question is longer; what looks for its parts takes time by the square of it.
MAX_QUERY_CHARS = 2_000


def notices_on(boundary: GroundingBoundary, query: str, full: str) -> tuple[Notice, ...]:
    """What a recipient must know about a response: nothing is left out silently."""
    notices = []
    scope = boundary.scope()
    if not scope.scope_complete:
        told = (
            f"This response is based on {scope.accessible_items} of {scope.total_items} context "
            "items in this tez. Additional context items exist that you do not have access to. "
            "The completeness of this response may be affected."
        )
        if boundary.is_undecided:
            told += " Access to some could not be decided just now; they count as not accessible."
        notices.append(Notice(NoticeKind.REDUCED_SCOPE, told))
    missing = boundary.unread()
    if missing:
        told = f"Not readable and so not searched: {', '.join(missing)}."
        notices.append(Notice(NoticeKind.DEGRADED_CONTEXT, told))
    if len(query) > MAX_QUERY_CHARS:
        told = f"Only the first {MAX_QUERY_CHARS} characters of the query were read."
        notices.append(Notice(NoticeKind.QUERY_TRUNCATED, told))
    elif full != said_back(query, most_chars=MAX_QUERY_CHARS):
        notices.append(Notice(NoticeKind.FOLLOW_UP, f"Understood as: {full}"))
    return tuple(notices)


def summary_of(
    searches: Sequence[Retrieval], citations: Sequence[CheckedCitation]
) -> RetrievalSummary:
    """Every search of one query, as one, and what the response cites of it (Enterprise §2.3.7)."""
    if not searches:
        return RetrievalSummary(
            strategy="single_pass", chunks_retrieved=0, chunks_used=0, items_referenced=0
        )
    found = {one.number for done in searches for one in done.found}
    aspects = dict.fromkeys(part for done in searches for part in done.aspects())
    used = {one.retrieval.chunk_id for one in citations if one.retrieval is not None}
    return replace(
        searches[0].summary(),
        chunks_retrieved=len(found),
        chunks_used=len(used),
        items_referenced=len({one.item_id for one in citations}),
        sub_queries=tuple(aspects) or None,
        chunks_evaluated=sum(done.evaluated for done in searches),
        retrieval_time_ms=sum(done.time_ms for done in searches),
    )


def new_id(kind: str) -> str:
    return f"{kind}-{uuid.uuid4()}"


def now() -> str:
    return timestamp(time.time())
