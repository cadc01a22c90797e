"""OpenTelemetry traces, where the extra `otel` is installed: a span a request, without any text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tipstaff.errors import MissingExtra


@dataclass(slots=True)
class RequestSpan:
    """The span of one request, or of none. Routes are as in the code, without ids."""

    span: Any = None
    method: str = ""

    def end(self, route: str, status: int) -> None:
        if self.span is None:
            return
        self.span.update_name(f"{self.method} {route}")
        self.span.set_attribute("http.route", route)
        self.span.set_attribute("http.response.status_code", status)


class Traces:
    """`tracer` None traces nothing."""

    def __init__(self, tracer: Any = None) -> None:
        self._tracer = tracer

    @contextmanager
    def request(self, method: str, request_id: str) -> Iterator[RequestSpan]:
        if self._tracer is None:
            yield RequestSpan()
            return
        attributes = {"http.request.method": method, "tip.request_id": request_id}
        with self._tracer.start_as_current_span(
            method,
            attributes=attributes,
            # An exception's words may quote a query.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield RequestSpan(span, method)


def traces_from(*, wanted: bool) -> Traces:
    """Exporters are chosen by OpenTelemetry's own variables (OTEL_EXPORTER_OTLP_ENDPOINT …)."""
    if not wanted:
        return Traces()
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra("traces", extra="otel") from None
    provider = TracerProvider(resource=Resource.create({"service.name": "tipstaff"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return Traces(trace.get_tracer("tipstaff.serve"))
