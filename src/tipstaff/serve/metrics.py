"""What is counted, for Prometheus. No label holds a tez, a user or a query (TIP §13.1.3)."""

from __future__ import annotations

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from tipstaff.domain.response import ResponseEnvelope

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """A registry of its own: two servers in one process do not count together."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "tip_requests",
            "Requests, by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "tip_request_seconds",
            "Seconds until a response had begun.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.queries = Counter(
            "tip_queries",
            "Queries that were answered, by classification.",
            ("classification",),
            registry=self.registry,
        )
        self.errors = Counter(
            "tip_errors", "Errors told, by type.", ("type",), registry=self.registry
        )
        self.tokens = Counter(
            "tip_tokens", "Tokens of answered queries.", ("direction",), registry=self.registry
        )
        self.foreign_rows = Counter(
            "tip_foreign_rows",
            "Rows of another tenant that were read and dropped: any is an alarm.",
            registry=self.registry,
        )
        self.tezits_asked = Counter(
            "tip_tezits_asked",
            "Tezits asked, by whether they were open (hit) or had to be opened (miss).",
            ("outcome",),
            registry=self.registry,
        )
        self.streams = Gauge("tip_open_streams", "Event streams now open.", registry=self.registry)
        self.events = Counter("tip_events", "Events sent.", ("event",), registry=self.registry)
        self.first_event_seconds = Histogram(
            "tip_first_event_seconds",
            "Seconds until the first event of a streamed query was sent.",
            buckets=_SECONDS,
            registry=self.registry,
        )

        self.uncounted = Counter(
            "tip_uncounted_queries",
            "Queries whose limits could not be counted together: Valkey was out of reach.",
            ("outcome",),
            registry=self.registry,
        )
        self.valkey_lost = Gauge(
            "tip_valkey_lost", "1 while Valkey is out of reach.", registry=self.registry
        )

    def count_asked(self, was_open: bool) -> None:
        self.tezits_asked.labels("hit" if was_open else "miss").inc()

    def count_answer(self, envelope: ResponseEnvelope) -> None:
        usage = envelope.usage
        self._count(str(envelope.response.classification), usage.input_tokens, usage.output_tokens)

    def count_end(self, data: bytes) -> None:
        """The same, of a `tip.response.end` as the log has it."""
        end = msgspec.json.decode(data, type=_End)
        self._count(end.classification, end.tokens_used.prompt, end.tokens_used.completion)

    def _count(self, classification: str, input_tokens: int, output_tokens: int) -> None:
        self.queries.labels(classification).inc()
        self.tokens.labels("input").inc(input_tokens)
        self.tokens.labels("output").inc(output_tokens)

    def text(self) -> bytes:
        """Prometheus' text format."""
        return generate_latest(self.registry)


class _Tokens(msgspec.Struct):
    prompt: int = 0
    completion: int = 0


class _End(msgspec.Struct):
    """Of a `tip.response.end`, what is counted."""

    classification: str
    tokens_used: _Tokens = msgspec.field(default_factory=_Tokens)
