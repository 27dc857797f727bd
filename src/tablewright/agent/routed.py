"""An agent that first reports the route by which it was chosen."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.emission import Item, closing
from tablewright.domain.events import RouteChosen
from tablewright.domain.structured import STEPWISE


class RoutedAgent:
    """Wraps the agent that a route names. A run resumed after an answer does not report the route again."""

    def __init__(self, agent: Agent, *, name: str, reason: str) -> None:
        self._agent = agent
        self._name = name
        self._reason = reason

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        if _begins(given):
            yield RouteChosen(agent=self._name, reason=self._reason)
        async with closing(self._agent.run(given, context)) as items:
            async for item in items:
                yield item


def _begins(given: AgentInput) -> bool:
    """Whether nothing has been done yet: a run that goes step by step has a transcript from the start."""
    chosen = any(isinstance(event.body, RouteChosen) for event in given.log)
    return not chosen and all(message == STEPWISE for message in given.transcript)
