"""A bench for the agent of rounds: a scripted model, a fake desk, and a person who answers what is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from tests.support.agent_bench import LocalSandbox, MemoryArtifacts, Took
from tests.support.run_workbooks import NOW, FakeRunWorkbook

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.rounds.agent import Rounds
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, ApprovalRequested, ContinueAsked, QuestionAsked
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.domain.language import Language
from tablewright.domain.message import Message
from tablewright.domain.rounds.rules import RoundRules
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.task import PlanOperations
from tablewright.models.scripted import Reply, ScriptedModel

Asks = ApprovalRequested | QuestionAsked | ContinueAsked


def plan(*steps: tuple[str, dict[str, Any]], **more: Any) -> str:
    """Write a plan as a model does."""
    written = [
        {"step": number, "function": function, "parameters": parameters, "description": f"Do {function}"}
        for number, (function, parameters) in enumerate(steps, 1)
    ]
    return json.dumps({"execution_plan": written, **more})


def setting(cell: str, value: object) -> tuple[str, dict[str, Any]]:
    """A step that writes one cell."""
    return "set_values", {"range": cell, "values": [[value]]}


@dataclass(slots=True, kw_only=True)
class RoundsBench:
    """Each `go` is one iteration, made anew from the transcript alone; `took` is what it did."""

    run_workbook: FakeRunWorkbook | None
    model: ScriptedModel
    rules: RoundRules = field(default_factory=RoundRules)
    language: Language = "en"
    question: str = "Put the amounts in order"
    transcript: tuple[Message, ...] = ()
    took: Took = field(default_factory=lambda: Took(items=[]))
    all: Took = field(default_factory=lambda: Took(items=[]))
    ids: CountingIds = field(default_factory=lambda: CountingIds("id"))

    async def go(self, answer: RequestAnswer | None = None) -> Took:
        """Start, or answer what was asked last and go on."""
        answered = () if answer is None else (self.request(answer),)
        given = AgentInput(
            run_id="run-1", question=self.question, language=self.language, datasets=(), inputs=(),
            transcript=self.transcript, answered=answered,
        )  # fmt: skip
        context = AgentContext(
            model=self.model, sandbox=LocalSandbox(), artifacts=MemoryArtifacts(), clock=SystemClock(), ids=self.ids,
            workbook=self.run_workbook,
        )  # fmt: skip
        self.took = Took(items=[])
        async for item in Rounds(self.rules).run(given, context):
            self.took.items.append(item)
            self.all.items.append(item)
        self.transcript = (*self.transcript, *self.took.transcript)
        return self.took

    async def approve(self, plan: dict[str, Any] | None = None, **values: Any) -> Took:
        return await self.go(RequestAnswer(decision="approve", plan=plan, values=values or None))

    async def reject(self, words: str | None = None) -> Took:
        return await self.go(RequestAnswer(decision="reject", text=words))

    async def say(self, words: str) -> Took:
        return await self.go(RequestAnswer(decision="answer", text=words))

    @property
    def asks(self) -> Asks:
        """What was asked last."""
        asked = [event for event in self.took.events if isinstance(event, Asks)]
        assert asked, self.took.types
        return asked[-1]

    @property
    def answer(self) -> Answer:
        return self.all.only(AnswerCompleted).answer

    @property
    def tasks(self) -> list[PlanOperations]:
        """What the model was asked."""
        found = [request.task for request in self.model.requests]
        return [task for task in found if isinstance(task, PlanOperations)]

    def request(self, answer: RequestAnswer) -> OpenRequest:
        asks = self.asks
        request = OpenRequest(id=asks.request_id, run_id="run-1", kind="approval", prompt=asks.prompt, created_at=NOW)
        return replace(request, answer=answer, answered_at=NOW)


def rounds_bench(run_workbook: FakeRunWorkbook | None, *replies: Reply | str, **more: Any) -> RoundsBench:
    """Put a bench together."""
    return RoundsBench(run_workbook=run_workbook, model=ScriptedModel(replies), **more)
