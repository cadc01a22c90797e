"""The server over stdio, for one agent on this computer: stdin and stdout are the protocol's."""

from __future__ import annotations

from mcp.server.stdio import stdio_server

from tipstaff.agents.local import LocalDesk
from tipstaff.agents.server import mcp_server


async def serve_stdio(desk: LocalDesk) -> None:
    """Until the client closes its end."""
    server = mcp_server(lambda _: desk)
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await desk.aclose()
