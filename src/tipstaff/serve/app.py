"""The app: one route table, one file a group of routes, and what surrounds every request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from tipstaff.serve.refusals import handle_errors
from tipstaff.serve.request_scope import BodyLimit, RequestScope
from tipstaff.serve.routes import (
    access,
    checking,
    interrogate,
    items,
    one_shot,
    operating,
    operations,
    page,
    quality,
    shares,
    tezits,
    viewing,
)
from tipstaff.serve.service import Service
from tipstaff.serve.traces import traces_from

ROUTERS = (
    interrogate.router,
    one_shot.router,
    tezits.router,
    shares.router,
    checking.router,
    quality.router,
    viewing.router,
    items.router,
    operations.router,
    access.router,
    operating.router,
    page.router,
)
_SHOWN_TO_PAGES = (
    "ETag",
    "Content-Range",
    "Retry-After",
    "X-RateLimit-Degraded",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Scope",
    "X-Request-Id",
    "X-TIP-First-Event",
    "X-TIP-Page-Scale",
    "X-TIP-Query-Id",
    "X-TIP-Version",
)


def create_app(service: Service) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    app = FastAPI(
        title="Tez Interrogation Protocol",
        version=version("tipstaff"),
        summary="Ask a tez: answers with checked citations, or an honest abstention.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        separate_input_output_schemas=False,
        redirect_slashes=False,
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    handle_errors(app, service.metrics)
    _surround(app, service)
    describe_truthfully(app)
    return app


def _surround(app: FastAPI, service: Service) -> None:
    """What is added last is outermost."""
    configuration = service.configuration
    app.add_middleware(
        BodyLimit,
        most=configuration.max_request_bytes,
        most_of_uploads=service.settings.max_tez_bytes,
    )
    if configuration.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=configuration.cors_origins,
            allow_methods=("GET", "POST", "PUT", "PATCH", "DELETE"),
            allow_headers=(
                "Authorization",
                "Last-Event-ID",
                "Range",
                "X-Request-Id",
                "X-TIP-Version",
            ),
            expose_headers=_SHOWN_TO_PAGES,
        )
    app.add_middleware(
        RequestScope,
        metrics=service.metrics,
        traces=traces_from(wanted=configuration.traces),
        has_tls=configuration.has_tls or configuration.public_url.startswith("https://"),
    )


def describe_truthfully(app: FastAPI) -> None:
    """FastAPI says that malformed requests give 422 in its own shape; ours give 400."""
    written = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = written()
            for operations_of in document["paths"].values():
                for operation in operations_of.values():
                    described = operation["responses"].get("422", {})
                    if "HTTPValidationError" in str(described):
                        del operation["responses"]["422"]
            for unused in ("HTTPValidationError", "ValidationError"):
                document["components"]["schemas"].pop(unused, None)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
