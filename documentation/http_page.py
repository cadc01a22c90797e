"""The routes of the service, from the OpenAPI document that it serves."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from documentation.markdown_page import anchor, code, plain, table
from documentation.reference_page import ReferencePage
from documentation.schema_tables import body_of, schemas_section
from tipstaff.serve.app import ROUTERS, describe_truthfully

_HEAD = """# HTTP

Made from the OpenAPI document that every server has at `/openapi.json`. A request carries its
token as `Authorization: Bearer …`; how to get one is in [the service](../serve.md). Refusals have
the shape and the words of [errors](errors.md); streams are in [events](events.md). The header
`X-TIP-Version` may say which version of the protocol the caller speaks.
"""
_EVERYWHERE = "x-tip-version"
# What the names in a path stand for, said once.
_IN_PATHS = {
    "tez_id": "The tez, by its id.",
    "session_id": "The session, by the id that `init` gave.",
    "item_id": "The context item, by its id.",
    "share_id": "The share, by its id.",
    "token_id": "The token, by its id (not its secret).",
    "number": "The page, counted from 1.",
    "page": "The page, counted from 1.",
}


def http_page(routers: Sequence[APIRouter] = ROUTERS) -> ReferencePage:
    document = _document(routers)
    pieces, group = [_HEAD], ""
    missing: list[str] = []
    for words, method, path, operation in _operations(routers, document):
        if words != group:
            group = words
            pieces.append(f"## {plain(group.splitlines()[0].rstrip('.'))}\n")
        pieces.append(_section(method, path, operation))
        missing += _undocumented(method, path, operation)
    pieces.append(schemas_section(document.get("components", {}).get("schemas", {})))
    return ReferencePage(text="\n".join(pieces), undocumented=tuple(missing))


def _document(routers: Sequence[APIRouter]) -> dict[str, Any]:
    """Of the routes without a service behind them, which the document does not need."""
    app = FastAPI(docs_url=None, redoc_url=None, separate_input_output_schemas=False)
    for router in routers:
        app.include_router(router)
    describe_truthfully(app)
    return app.openapi()


def _operations(
    routers: Sequence[APIRouter], document: Mapping[str, Any]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """In the order of the route table, each with what its module says of itself."""
    routes = [one for router in routers for one in router.routes if isinstance(one, APIRoute)]
    for route in routes:
        module = sys.modules[route.endpoint.__module__]
        for method in sorted(route.methods or ()):
            operation = document["paths"].get(route.path_format, {}).get(method.lower())
            if operation is not None:
                yield module.__doc__ or module.__name__, method, route.path_format, operation


def _section(method: str, path: str, operation: Mapping[str, Any]) -> str:
    rows = [
        (code(one["name"]), one["in"], plain(_parameter_words(one)))
        for one in operation.get("parameters", ())
        if one["name"] != _EVERYWHERE
    ]
    answers = [
        (status, plain(answer.get("description", "")), body_of(answer))
        for status, answer in sorted(operation["responses"].items())
        if int(status) < 400
    ]
    refusals = ", ".join(s for s in sorted(operation["responses"]) if int(s) >= 400)
    label = f'data-toc-label="{_short(method, path)}"'
    pieces = [
        f"### {method} {path} {{ #{anchor(method + path)} {label} }}\n",
        plain(operation.get("description", "")) + "\n",
        table(("Name", "In", ""), rows),
    ]
    asked = body_of(operation.get("requestBody", {}))
    if asked:
        pieces.append(f"Takes {asked}.\n")
    pieces.append(table(("Status", "", "Body"), answers))
    if refusals:
        pieces.append(f"Refused with {refusals}.\n")
    return "\n".join(one for one in pieces if one)


def _short(method: str, path: str) -> str:
    """For the contents beside the page: the end of the path, to where it has a name."""
    parts = path.strip("/").split("/")
    kept = parts[-2:] if parts[-1].startswith("{") else parts[-1:]
    return f"{method} {'/' if len(kept) == len(parts) else '…/'}{'/'.join(kept)}"


def _parameter_words(parameter: Mapping[str, Any]) -> str:
    if parameter["in"] == "path":
        return _IN_PATHS.get(parameter["name"], "")
    return str(parameter.get("description", ""))


def _undocumented(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    if not operation.get("description"):
        yield f"the route {method} {path}"
    for parameter in operation.get("parameters", ()):
        if not _parameter_words(parameter):
            yield f"{parameter['name']} (in the {parameter['in']}) of {method} {path}"
