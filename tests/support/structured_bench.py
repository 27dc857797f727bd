"""Answers of a model in structured rounds, small tools to call, and a bench for the agent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.agent_bench import Bench
from tests.support.parts import FakeParts

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.structured.agent import Structured
from tablewright.agent.structured.rules import StructuredRules
from tablewright.domain.events import EventBody, OutputTable, StepFinished, StepStarted
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.table import Table
from tablewright.models.base import Model, ModelRequest, ToolSpec
from tablewright.models.scripted import Reply, Script, ScriptedModel
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.tools.base import Tool, ToolContext, ToolResult


def call(tool: str, call_id: str = "c1", /, **arguments: Any) -> dict[str, Any]:
    """A call as a model writes it."""
    return {"tool_name": tool, "tool_call_id": call_id, "arguments": arguments}


def calls(*made: dict[str, Any], number: int = 1, analysis: str = "Look first.") -> str:
    """An answer that asks for calls."""
    return answer({"type": "tool_call", "content": [*made]}, number=number, analysis=analysis)


def report(text: str = "# Report\n\nNothing.", *, number: int = 2, **more: Any) -> str:
    """An answer that ends with a report."""
    return answer({"type": "complete", "content": text, **more}, number=number)


def answer(action: object, *, number: int = 1, analysis: str = "Look first.") -> str:
    """An answer with this action."""
    return json.dumps(
        {
            "task_analysis": analysis,
            "execution_plan": "R1: look; R2: report",
            "current_round": number,
            "action": action,
        },
        ensure_ascii=False,
    )


@dataclass(slots=True, kw_only=True)
class EchoTool:
    """Returns its `text`, or does what its arguments say: fail, raise, hang, show a table, meet the other calls."""

    name: str = "echo"
    made: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    running: int = 0
    most: int = 0
    meeting: asyncio.Barrier | None = None
    called: asyncio.Event = field(default_factory=asyncio.Event)
    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    closed: int = 0

    @property
    def spec(self) -> ToolSpec:
        properties = {name: {"type": kind} for name, kind in _PROPERTIES.items()}
        return ToolSpec(
            name=self.name,
            description="Says it again.",
            parameters={"type": "object", "properties": properties, "required": ["text"]},
        )

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        self.made.append(arguments)
        self.called.set()
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            if self.meeting is not None:
                await self.meeting.wait()
            if arguments.get("hang"):
                self.hanging.set()
                await asyncio.Event().wait()
            if arguments.get("raises"):
                raise RuntimeError("broken inside")
            if "rows" in arguments:
                step = context.ids.new()
                yield StepStarted(step_id=step)
                table = Table(columns=("n",), rows=((arguments["rows"],),), total_rows=1)
                yield OutputTable(table=table, step_id=step)
                yield StepFinished(step_id=step, status="ok", elapsed_s=0.1)
            yield ToolResult(text=str(arguments.get("text")), failed=bool(arguments.get("fails")))
        finally:
            self.running -= 1
            self.closed += 1


KINDS = AgentKinds({"structured": AgentKind(takeover=True)}, modes={"report": "structured"})
_PROPERTIES = {"text": "string", "rows": "integer", "fails": "boolean", "raises": "boolean", "hang": "boolean"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedTools:
    """A `ToolProvider` of these tools."""

    given: Sequence[Tool]

    async def tools(self) -> tuple[Tool, ...]:
        return tuple(self.given)


def bench(script: Script | Model, *tools: Tool, rules: StructuredRules | None = None) -> Bench:
    """Return the agent with a scripted model and these tools."""
    model = ScriptedModel(script) if not hasattr(script, "stream") else script
    return Bench(agent=Structured(rules, FixedTools(given=tools)), model=model)  # type: ignore[arg-type]


@dataclass(slots=True, kw_only=True)
class Told:
    """A script that is written while it is played; `requests` is what the model was asked.

    `otherwise` is said once nothing else is left.
    """

    replies: list[Reply | str] = field(default_factory=list[Reply | str])
    otherwise: Reply | str | None = None
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])

    def say(self, *replies: Reply | str) -> None:
        self.replies.extend(replies)

    def __call__(self, request: ModelRequest) -> Reply | str:
        self.requests.append(request)
        if self.otherwise is not None and not self.replies:
            return self.otherwise
        return self.replies.pop(0)


def reporting_parts(parts: FakeParts, told: Told, *tools: Tool) -> FakeParts:
    """Have `parts` report in structured rounds with a model that says what it is told."""

    async def script(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        agent = Structured(tools=FixedTools(given=tools))
        async for item in agent.run(given, replace(context, model=ScriptedModel(told))):
            yield item

    parts.script = script
    parts.kinds = KINDS
    return parts
