"""Tezits for agents: an MCP server whose tools answer as every other way of asking does."""
