"""The tools as data: name, words, what comes in, what goes out, and the function that does it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import Tool as WireTool
from mcp_types import ToolAnnotations
from pydantic import BaseModel

from tipstaff.agents import creating, reading_tools, results, texts
from tipstaff.agents.desk import Desk, Tell


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTool:
    name: str
    title: str
    text: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    run: Callable[[Desk, Any, Tell], Awaitable[Any]]
    # Whether anything is there afterwards that was not there before.
    only_reads: bool = True

    async def call(self, desk: Desk, arguments: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """The result as JSON; ValidationError if the arguments do not fit."""
        given = self.takes.model_validate(arguments)
        done: dict[str, Any] = await self.run(desk, given, tell)
        return done

    def to_wire(self) -> WireTool:
        return WireTool(
            name=self.name,
            title=self.title,
            description=self.text,
            input_schema=self.takes.model_json_schema(),
            output_schema=self.gives.model_json_schema(),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.only_reads,
                destructive_hint=False,
                open_world_hint=False,
            ),
        )


_ALL = (
    AgentTool(
        name="list_tezits",
        title="List tezits",
        text=texts.LIST_TEZITS,
        takes=results.NoArguments,
        gives=results.TezList,
        run=reading_tools.list_tezits,
    ),
    AgentTool(
        name="inspect_tez",
        title="Inspect a tez",
        text=texts.INSPECT_TEZ,
        takes=results.OfTez,
        gives=results.Inspected,
        run=reading_tools.inspect_tez,
    ),
    AgentTool(
        name="ask",
        title="Ask a tez",
        text=texts.ASK,
        takes=results.AskArguments,
        gives=results.Answer,
        run=reading_tools.ask,
    ),
    AgentTool(
        name="verify_claim",
        title="Verify a claim",
        text=texts.VERIFY_CLAIM,
        takes=results.VerifyArguments,
        gives=results.Verdict,
        run=reading_tools.verify_claim,
    ),
    AgentTool(
        name="search_context",
        title="Search the context",
        text=texts.SEARCH_CONTEXT,
        takes=results.SearchArguments,
        gives=results.Passages,
        run=reading_tools.search_context,
    ),
    AgentTool(
        name="show_citation",
        title="Show a citation",
        text=texts.SHOW_CITATION,
        takes=results.ShowArguments,
        gives=results.Shown,
        run=reading_tools.show_citation,
    ),
    AgentTool(
        name="audit_synthesis",
        title="Audit the synthesis",
        text=texts.AUDIT_SYNTHESIS,
        takes=results.AuditArguments,
        gives=results.Audited,
        run=reading_tools.audit,
    ),
    AgentTool(
        name="open_tez",
        title="Open a tez",
        text=texts.OPEN_TEZ,
        takes=results.OpenArguments,
        gives=results.Tez,
        run=reading_tools.open_tez,
        only_reads=False,
    ),
    AgentTool(
        name="create_tez",
        title="Create a tez",
        text=texts.CREATE_TEZ,
        takes=results.CreateArguments,
        gives=results.Created,
        run=creating.create_tez,
        only_reads=False,
    ),
)
TOOLS = {tool.name: tool for tool in _ALL}
