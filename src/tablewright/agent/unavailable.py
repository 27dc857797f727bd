"""The answer for modes that are not available yet."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted
from tablewright.texts.catalogue import text


class Unavailable:
    """An `Agent` that declines and says what can be done instead of `mode`: `workflow`."""

    def __init__(self, mode: str) -> None:
        self._mode = mode

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:  # noqa: ARG002
        words = text(f"agent.mode_unavailable_{self._mode}", given.language)
        yield AnswerCompleted(answer=Answer(text=words, outcome="declined"))
