"""The MCP server: the protocol's requests, each for the desk of whoever sent it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)

from tipstaff import __version__
from tipstaff.agents import resources
from tipstaff.agents.desk import Desk, Tell
from tipstaff.agents.problems import protocol_failure, tool_failure
from tipstaff.agents.texts import INSTRUCTIONS
from tipstaff.agents.tools import TOOLS
from tipstaff.errors import NotFound

Asked = ServerRequestContext[Any, Any]


def mcp_server(desk_of: Callable[[Asked], Desk]) -> Server[Any]:
    """`desk_of` says whose desk a request is for."""

    async def list_tools(_: Asked, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[tool.to_wire() for tool in TOOLS.values()])

    async def call_tool(asked: Asked, params: CallToolRequestParams) -> CallToolResult:
        try:
            tool = TOOLS.get(params.name)
            if tool is None:
                raise NotFound(
                    f"There is no tool '{params.name[:100]}'.", suggestion=", ".join(TOOLS)
                )
            done = await tool.call(desk_of(asked), params.arguments or {}, telling(asked))
        except Exception as problem:
            return tool_failure(problem)
        text = json.dumps(done, ensure_ascii=False)
        return CallToolResult(
            content=[TextContent(type="text", text=text)], structured_content=done
        )

    async def list_resources(
        asked: Asked, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        try:
            cursor = params.cursor if params is not None else None
            return await resources.listed(desk_of(asked), cursor, telling(asked))
        except Exception as problem:
            raise protocol_failure(problem) from None

    async def list_templates(
        _: Asked, __: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return resources.TEMPLATES

    async def read_resource(asked: Asked, params: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            return await resources.read(desk_of(asked), str(params.uri), telling(asked))
        except Exception as problem:
            raise protocol_failure(problem) from None

    return Server(
        "tipstaff",
        title="Tipstaff",
        version=__version__,
        description="Interrogate tezits: checked citations, or an honest abstention.",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def telling(asked: Asked) -> Tell:
    """Progress, for a client that wished for it; to others nothing is sent. It only ever grows,
    as the protocol has it, whatever stage counts anew."""
    last = 0.0

    async def tell(message: str, done: float, total: float | None) -> None:
        nonlocal last
        last = max(done, last + 0.001)
        await asked.session.report_progress(last, total, message)

    return tell
