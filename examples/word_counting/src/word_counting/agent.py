"""An agent: an async iterator of events that ends with the answer. It stores nothing; what it yields is its log."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.registered import AgentParts, RegisteredAgent
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, EventBody, TextDelta, TextFinished
from tablewright.domain.message import TranscriptEntry


class WordCounter:
    """Says how many words a question has."""

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        """Count, tell and answer."""
        words = f"{len(given.question.split())} words."
        yield TextDelta(text=words)
        yield TextFinished(text=words)
        yield AnswerCompleted(answer=Answer(text=words, outcome="completed"))


def make(parts: AgentParts) -> RegisteredAgent:
    """Make the agent; its runs can be begun again by another process, as it has no state."""
    return RegisteredAgent(agent=WordCounter(), takeover=True)
