"""The handlers of the Model Context Protocol, on top of its SDK, which only this package uses.

Agents and the host are imported when they are first needed, because a program that starts
`ruleplay mcp` waits for the first answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.server.lowlevel import Server
from pydantic import BaseModel, JsonValue, ValidationError

from ruleplay import __version__
from ruleplay.errors import NotFound, RuleplayError, first_invalid
from ruleplay.records.events import Json

if TYPE_CHECKING:
    from typing import Any

    from mcp.server.context import ServerRequestContext

    from ruleplay.kernel.host import Host
    from ruleplay.kernel.toolbox import Answer
    from ruleplay.server.mcp.offer import Offer

    Context = ServerRequestContext[Any]

ROWS = 20
"""Rows of a list in the text of a result; the structured content has all."""
INSTRUCTIONS = (
    "Ruleplay hosts turn-based agents whose rules are code. What its tools return is vouched for: "
    "quote numbers, names and ids as they are, and name the lines that an answer cites. Where a "
    "tool offers choices or candidates, ask the person."
)
GetHost = Callable[[], Awaitable["Host"]]


class Door:
    """An MCP server with the tools of some groups."""

    def __init__(self, groups: Sequence[str], host: GetHost) -> None:
        self._groups, self._host = tuple(groups), host
        self._offer: Offer | None = None
        self.server: Server[Any] = Server(
            "ruleplay",
            version=__version__,
            title="Ruleplay",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def offer(self) -> Offer:
        """Return the tools on offer; the first call imports the agents that have some."""
        if self._offer is None:
            self._offer = await asyncio.to_thread(_offer, self._groups)
        return self._offer

    async def _list_tools(self, _: Context, __: object) -> types.ListToolsResult:
        from ruleplay.catalog import agent_names
        from ruleplay.server.mcp.offer import CORE_TOOLS

        offer = await self.offer()
        listed = [
            _tool(
                core.name,
                core.description.replace("{agents}", ", ".join(agent_names())),
                core.arguments,
                reads=core.reads,
            )
            for core in (CORE_TOOLS if offer.core else ())
        ]
        for _agent, tool in offer.tools.values():
            listed.append(_tool(tool.name, tool.description, tool.arguments, reads=True))
        return types.ListToolsResult(tools=listed)

    async def _call_tool(
        self, context: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            return await self._called(context, asked.name, asked.arguments or {})
        except ValidationError as error:
            where, what = first_invalid(error)
            return _failed(f"{where}: {what}" if where else what)
        except RuleplayError as error:
            return _failed(str(error))
        except Exception as error:
            if (status := getattr(error, "detail", None)) is None:
                raise
            return _failed(str(status))  # an HTTPException: a seat that is not the caller's

    async def _called(
        self, context: Context, name: str, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        offer = await self.offer()
        if offer.core and name in ("play_turn", "show_session", "undo_turn"):
            return _result(await self._core(context, name, arguments))
        if name not in offer.tools:
            raise NotFound(f"no tool {name!r} here")
        agent, tool = offer.tools[name]
        given = tool.arguments.model_validate(arguments)
        return _answered(await self._run(agent, tool.run, given))

    async def _run(self, agent: str, run: Callable[[Any, Any], Answer], given: BaseModel) -> Answer:
        host = await self._host()
        world = await host.world(await asyncio.to_thread(host.find_agent, agent))
        return await asyncio.to_thread(run, world, given)

    async def _core(self, context: Context, name: str, arguments: dict[str, Any]) -> Json:
        from ruleplay.server.mcp import calls
        from ruleplay.server.mcp.offer import PlayArguments, ShowArguments, UndoArguments

        host, steps = await self._host(), 0

        async def progress(node: str) -> None:
            nonlocal steps
            steps += 1
            await context.session.report_progress(steps, None, node)

        if name == "play_turn":
            return await calls.play_turn(host, PlayArguments.model_validate(arguments), progress)
        if name == "show_session":
            return await calls.show_session(host, ShowArguments.model_validate(arguments))
        return await calls.undo_turn(host, UndoArguments.model_validate(arguments))

    async def _list_resources(self, _: Context, __: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[])

    async def _list_templates(self, _: Context, __: object) -> types.ListResourceTemplatesResult:
        templates = [
            types.ResourceTemplate(
                name=tool.name,
                uri_template=tool.template,
                description=tool.description,
                mime_type="application/json",
            )
            for _agent, tool in (await self.offer()).tools.values()
            if tool.template
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def _read_resource(
        self, _: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from ruleplay.kernel.toolbox import Toolbox

        uri = str(asked.uri)
        for agent, tool in (await self.offer()).tools.values():
            if found := Toolbox((tool,)).reads(uri):
                given = tool.arguments.model_validate(found[1])
                answer = await self._run(agent, tool.run, given)
                text = json.dumps(answer.content, ensure_ascii=False)
                contents = types.TextResourceContents(
                    uri=asked.uri, mime_type="application/json", text=text
                )
                return types.ReadResourceResult(contents=[contents])
        raise NotFound(f"no resource {uri!r} here")

    async def _list_prompts(self, _: Context, __: object) -> types.ListPromptsResult:
        offer = await self.offer()
        prompts = [
            types.Prompt(
                name=starter.name,
                description=starter.description,
                arguments=[
                    types.PromptArgument(name=name, description=about, required=True)
                    for name, about in starter.arguments
                ],
            )
            for starter in offer.starters.values()
        ]
        return types.ListPromptsResult(prompts=prompts)

    async def _get_prompt(
        self, _: Context, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        offer = await self.offer()
        if asked.name not in offer.starters:
            raise NotFound(f"no prompt {asked.name!r} here")
        starter, given = offer.starters[asked.name], asked.arguments or {}
        text = starter.text
        for name, _about in starter.arguments:
            text = text.replace(f"{{{name}}}", str(given.get(name, "")))
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=starter.description, messages=[message])


def _offer(groups: Sequence[str]) -> Offer:
    from ruleplay.server.mcp.offer import Offer

    return Offer.of(groups)


def _tool(name: str, description: str, arguments: type[BaseModel], *, reads: bool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=False,
        idempotent_hint=reads,
        open_world_hint=False,
    )
    return types.Tool(
        name=name,
        description=description,
        input_schema=arguments.model_json_schema(),
        output_schema={"type": "object"},
        annotations=hints,
    )


def _answered(answer: Answer) -> types.CallToolResult:
    if answer.problem:
        return _failed(answer.problem)
    sources: list[JsonValue] = [source.model_dump(mode="json") for source in answer.sources]
    content: Json = {**answer.content, "sources": sources} if sources else answer.content
    links = [
        types.ResourceLink(name=source.title, uri=source.uri, mime_type="application/json")
        for source in answer.sources
    ]
    return _result(content, links)


def _result(content: Json, links: Sequence[types.ResourceLink] = ()) -> types.CallToolResult:
    """Make a result as text, structured content and links, since programs use one or the other."""
    text = json.dumps(_shortened(content), ensure_ascii=False)
    told: list[types.ContentBlock] = [types.TextContent(text=text), *links]
    return types.CallToolResult(content=told, structured_content=content)


def _shortened(content: Json) -> Json:
    short: Json = {}
    for name, value in content.items():
        if isinstance(value, list) and len(value) > ROWS and name != "lines":
            short |= {name: value[:ROWS], f"{name}_left_out": len(value) - ROWS}
        else:
            short[name] = value
    return short


def _failed(why: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=why)], is_error=True)
