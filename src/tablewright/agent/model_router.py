"""Chooses by a language model which agent a request is for: the one that analyses tables, one with tools, or a plan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.emission import Item, closing
from tablewright.agent.routed import RoutedAgent
from tablewright.domain.events import RouteChosen
from tablewright.domain.task import Chat
from tablewright.errors import ModelError
from tablewright.models.base import BUILTIN
from tablewright.models.lenient_json import read_object
from tablewright.models.route_prompt import route_order
from tablewright.tools.writer import Writer

CHOSEN = "chosen"
"""The reason of a route that a model has chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRouter:
    """An `Agent`. `choices` are agents by the names under which a model may choose them, with their names in the log;
    every other request is for `plain`, and every one where no language model can choose or `settled` says so.

    A run that goes on stays with the agent that its log names.
    """

    choices: Mapping[str, tuple[str, Agent]]
    plain: Agent
    settled: Callable[[str], bool]

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        named = [event.body.agent for event in given.log if isinstance(event.body, RouteChosen)]
        if named:
            agent = next((one for name, one in self.choices.values() if name == named[0]), self.plain)
        elif context.model.name == BUILTIN or self.settled(given.question):
            agent = self.plain
        else:
            writer = Writer(context.model)
            said = await self._choice(given, writer)
            for used in writer.taken():
                yield used
            found = self.choices.get(said)
            agent = self.plain if found is None else RoutedAgent(found[1], name=found[0], reason=CHOSEN)
        async with closing(agent.run(given, context)) as items:
            async for item in items:
                yield item

    async def _choice(self, given: AgentInput, writer: Writer) -> str:
        """Return what the model says the request is for; nothing where it says none of them, or fails."""
        form = {
            "type": "object",
            "properties": {"agent": {"type": "string", "enum": ["tables", *self.choices]}},
            "required": ["agent"],
        }
        order = route_order(given.question, [file.name for file in given.inputs], given.language)
        try:
            read = read_object(await writer.write(Chat(question=order, language=given.language, schema=form), "plan"))
        except ModelError:
            return ""
        return str(read.get("agent", "")) if isinstance(read, dict) else ""
