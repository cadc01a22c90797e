"""The rows of sessions and exchanges, read as values: what is durable is what TIP §8.2 lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import RowMapping, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tipstaff.asking import Remembered
from tipstaff.domain.classification import Classification, Confidence
from tipstaff.domain.origin import Origin
from tipstaff.domain.session import Exchange, Session, SessionStatus
from tipstaff.domain.timestamp import timestamp
from tipstaff.records.tables import EXCHANGE, SESSION
from tipstaff.session.session_settings import SessionSettings
from tipstaff.session.signals import SessionKey
from tipstaff.watermark.text_marks import without_marks


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """`facts`: title, items, errors, preferences, consent."""

    tenant: str
    session_id: str
    user: str
    tez_id: str
    tez_version: int
    status: SessionStatus
    model: str
    initiated_at: float
    last_activity_at: float
    closed_at: float | None
    query_count: int
    input_tokens: int
    output_tokens: int
    last_event: int
    facts: Mapping[str, Any]

    @property
    def key(self) -> SessionKey:
        return SessionKey(self.tenant, self.session_id)

    @property
    def origin(self) -> Origin | None:
        """Where a tez that another tenant shared is asked (Enterprise §6.3)."""
        return Origin.from_wire(self.facts.get("origin"))

    @property
    def asked_in(self) -> str:
        """The tenant whose index and authorizers answer."""
        return self.tenant if self.origin is None else self.origin.tenant

    @property
    def watermark(self) -> str | None:
        """The tag that its responses carry (TIP §13.3.3)."""
        tag: str | None = self.facts.get("watermark")
        return tag

    def values(self) -> dict[str, Any]:
        """As the table has it."""
        return {**asdict(self), "status": str(self.status)}

    def status_at(self, now: float, settings: SessionSettings) -> SessionStatus:
        """TIP §8.1.5 and §8.4: silent for the timeout it is suspended, for the time of resumption
        it is expired. That holds from the second on, whoever writes it down later."""
        if self.status in (SessionStatus.CLOSED, SessionStatus.EXPIRED):
            return self.status
        silent = now - self.last_activity_at
        if silent > settings.resume_s:
            return SessionStatus.EXPIRED
        if silent > settings.timeout_s:
            return SessionStatus.SUSPENDED
        return self.status

    def described(self, status: SessionStatus, history: Iterable[Exchange] = ()) -> Session:
        return Session(
            session_id=self.session_id,
            tez_id=self.tez_id,
            tez_version=self.tez_version,
            initiated_at=timestamp(self.initiated_at),
            last_activity_at=timestamp(self.last_activity_at),
            status=status,
            model=self.model,
            query_count=self.query_count,
            total_input_tokens=self.input_tokens,
            total_output_tokens=self.output_tokens,
            conversation_history=tuple(history),
            context_items_loaded=tuple(self.facts.get("items", ())),
            errors=tuple(self.facts.get("errors", ())),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredExchange:
    number: int
    query: str
    understood: str
    envelope: Mapping[str, Any]
    asked_at: float
    answered_at: float

    @property
    def response(self) -> Mapping[str, Any]:
        response: Mapping[str, Any] = self.envelope["response"]
        return response

    def remembered(self) -> Remembered:
        usage = self.envelope["usage"]
        return Remembered(
            understood=self.understood,
            said=without_marks(self.response["text"]),
            input_tokens=usage["input_tokens"],
            output_tokens=usage["output_tokens"],
            query=self.query,
            shown=tuple(
                (claim["text"], tuple(dict.fromkeys(map(self._item_of, claim["citations"]))))
                for claim in self.response["claims"]
            ),
        )

    def _item_of(self, reference: str) -> str:
        """The item of a citation as TIP §7.4 writes it."""
        by_reference = {_reference(one): one["item_id"] for one in self.response["citations"]}
        return str(by_reference.get(reference, reference.split(":", maxsplit=1)[0]))

    def told(self) -> tuple[Exchange, Exchange]:
        """TIP §8.2: what the recipient said, and what was said to them."""
        response = self.response
        citations = map(_reference, response["citations"])
        return (
            Exchange(role="user", content=self.query, timestamp=timestamp(self.asked_at)),
            Exchange(
                role="assistant",
                content=response["text"],
                timestamp=timestamp(self.answered_at),
                classification=Classification(response["classification"]),
                confidence=Confidence(response["confidence"]),
                citations=tuple(dict.fromkeys(citations)),
            ),
        )


def _reference(citation: Mapping[str, Any]) -> str:
    return f"{citation['item_id']}:{citation['location']}".rstrip(":")


async def stored_session(connection: AsyncConnection, key: SessionKey) -> StoredSession | None:
    found = await connection.execute(select(SESSION).where(*is_session(key)))
    row = found.mappings().first()
    return session_of(row) if row else None


def is_session(key: SessionKey) -> tuple[Any, Any]:
    return SESSION.c.tenant == key.tenant, SESSION.c.session_id == key.session_id


def session_of(row: RowMapping) -> StoredSession:
    return StoredSession(**{**row, "status": SessionStatus(row["status"])})


async def stored_exchanges(connection: AsyncConnection, key: SessionKey) -> list[StoredExchange]:
    """In the order in which they were."""
    wanted: Select[Any] = (
        select(
            EXCHANGE.c.number,
            EXCHANGE.c.query,
            EXCHANGE.c.understood,
            EXCHANGE.c.envelope,
            EXCHANGE.c.asked_at,
            EXCHANGE.c.answered_at,
        )
        .where(EXCHANGE.c.tenant == key.tenant, EXCHANGE.c.session_id == key.session_id)
        .order_by(EXCHANGE.c.number)
    )
    found = await connection.execute(wanted)
    return [StoredExchange(**row) for row in found.mappings()]
