"""What a session came to, when it is closed (TIP C.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tipstaff.domain.classification import Classification
from tipstaff.domain.timestamp import timestamp
from tipstaff.session.rows import StoredExchange, StoredSession


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    query_count: int
    total_input_tokens: int
    total_output_tokens: int
    duration_minutes: int
    classifications: Mapping[str, int]
    unique_items_cited: int
    most_cited_item: str | None = None

    @property
    def total_tokens(self) -> int:
        """As TIP §12.1.2 has it."""
        return self.total_input_tokens + self.total_output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    session_id: str
    summary: Summary
    closed_at: str


def closed(stored: StoredSession, exchanges: Sequence[StoredExchange]) -> Closed:
    """`stored` is closed already."""
    ended = stored.closed_at or stored.last_activity_at
    classes = Counter(str(exchange.response["classification"]) for exchange in exchanges)
    cited = Counter(
        citation["item_id"] for exchange in exchanges for citation in exchange.response["citations"]
    )
    return Closed(
        session_id=stored.session_id,
        summary=Summary(
            query_count=stored.query_count,
            total_input_tokens=stored.input_tokens,
            total_output_tokens=stored.output_tokens,
            duration_minutes=round((ended - stored.initiated_at) / 60),
            classifications={str(one): classes[str(one)] for one in Classification},
            unique_items_cited=len(cited),
            # Of several, the one that was cited first.
            most_cited_item=cited.most_common(1)[0][0] if cited else None,
        ),
        closed_at=timestamp(ended),
    )
