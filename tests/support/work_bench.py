"""Agents that work with tools: what a model says and calls, in short, and a bench for the agent."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from tests.support.agent_bench import Bench
from tests.support.structured_bench import FixedTools

from tablewright.agent.react.agent import React
from tablewright.agent.react.rules import ToolRules
from tablewright.domain.message import Message, ToolResultPart
from tablewright.models.base import Model, ModelRequest, ToolCalled
from tablewright.models.scripted import Reply, Script, ScriptedModel
from tablewright.tools.base import Tool

_NUMBERS = count(1)


def called(tool: str, call_id: str = "", /, **arguments: Any) -> ToolCalled:
    """A call as a model makes it."""
    return ToolCalled(call_id=call_id or f"c{next(_NUMBERS)}", name=tool, arguments=arguments)


def planning(command: str, **arguments: Any) -> ToolCalled:
    """A call of the planning tool."""
    return called("planning", command=command, **arguments)


def bench(script: Script | Model, *tools: Tool, rules: ToolRules | None = None) -> Bench:
    """Return the agent with a scripted model and these tools."""
    model = ScriptedModel(script) if not hasattr(script, "stream") else script
    return Bench(agent=React(rules, FixedTools(given=tools)), model=model)  # type: ignore[arg-type]


def results(request: ModelRequest) -> list[ToolResultPart]:
    """The results that a model reads."""
    return [part for message in request.messages for part in message.parts if isinstance(part, ToolResultPart)]


def last_user_text(messages: tuple[Message, ...]) -> str:
    """What stands last in the user's place."""
    return next(message.text for message in reversed(messages) if message.role == "user")


Says = Callable[[ModelRequest], Reply | str]
