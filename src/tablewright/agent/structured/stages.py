"""The two places of a structured round where others take part: before a model reads, and after it has reported."""

from __future__ import annotations

from typing import Protocol

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit
from tablewright.domain.structured import StructuredAnswer
from tablewright.domain.task import StructuredRound


class CleanStage(Protocol):
    """Makes shorter what a model is about to read."""

    def clean(self, task: StructuredRound, *, model: str, emit: Emit) -> StructuredRound:
        """Return the task as the model `model` is to read it, and emit what was done to it."""
        ...


class FinishStage(Protocol):
    """Takes a report over from a model before it becomes the answer of the run."""

    async def finish(
        self, answer: StructuredAnswer, given: AgentInput, context: AgentContext, emit: Emit
    ) -> StructuredAnswer:
        """Return the answer as people are to get it, and emit what was done to it."""
        ...
