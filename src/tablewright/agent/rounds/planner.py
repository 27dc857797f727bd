"""Has the model write a plan, asking once more if the reply cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tablewright.agent.emission import Emit
from tablewright.agent.replies import Replies
from tablewright.agent.rounds.plan_text import read_plan
from tablewright.domain.message import Message, TextPart
from tablewright.domain.rounds.written_plan import Unreadable, WrittenPlan
from tablewright.domain.task import PlanOperations
from tablewright.errors import PlanUnreadable
from tablewright.models.base import Model, ModelRequest
from tablewright.models.render import render
from tablewright.texts.catalogue import text


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Has plans written by `model`.

    `keep` takes what was asked and written, for the transcript; it is not shown to the person.
    """

    model: Model
    emit: Emit
    keep: Callable[[Message], None]

    async def plan(self, task: PlanOperations) -> WrittenPlan:
        """Return the model's plan. Raises `PlanUnreadable` after the second try, and whatever the model raises."""
        try:
            return read_plan(await self._written(task))
        except Unreadable as unreadable:
            problem = text(unreadable.problem, task.language, **unreadable.params)
        try:
            return read_plan(await self._written(replace(task, unreadable=problem)))
        except Unreadable as unreadable:
            params = {name: str(value) for name, value in unreadable.params.items()}
            raise PlanUnreadable(model=self.model.name, problem=unreadable.problem, **params) from unreadable

    async def _written(self, task: PlanOperations) -> str:
        messages = render(task)
        request = ModelRequest(messages=messages, task=task, purpose="plan", tool_choice="none")
        self.keep(messages[-1])
        said = await Replies(model=self.model, emit=self.emit).text(request)
        self.keep(Message(role="assistant", parts=(TextPart(text=said, origin="output"),)))
        return said
