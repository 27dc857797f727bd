"""The built-in analyst as an agent with tools, alone and by a plan."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.agent_bench import Bench
from tests.support.plan_bench import plan_bench
from tests.support.structured_bench import FixedTools
from tests.unit.analyst.facts import SALES, Values

from tablewright.agent.react.agent import React
from tablewright.analyst.model import BuiltinAnalyst
from tablewright.domain.events import CodeFinished, EventBody, OutputTable, StepAnnounced, StepFinished, StepStarted
from tablewright.domain.message import Message, TextPart
from tablewright.domain.table import Table
from tablewright.domain.task import UseTools
from tablewright.models.base import ModelRequest, StreamEnded, StreamPart, TextPiece, ToolSpec
from tablewright.tools.base import ToolContext, ToolResult

QUESTION = "What is the average units in region East?"


@dataclass(slots=True)
class Python:
    """Stands for `run_python`: code that sets `result` has one."""

    codes: list[str] = field(default_factory=list[str])

    @property
    def spec(self) -> ToolSpec:
        properties = {"code": {"type": "string"}}
        return ToolSpec(name="run_python", description="Runs.", parameters={"type": "object", "properties": properties})

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        code, step = str(arguments["code"]), context.ids.new()
        self.codes.append(code)
        yield StepAnnounced(name="step", step_id=step)
        yield CodeFinished(code=code, step_id=step)
        yield StepStarted(step_id=step)
        if "result =" in code:
            yield OutputTable(
                table=Table(columns=("result",), rows=((2.5,),), total_rows=1), role="result", step_id=step
            )
        yield StepFinished(status="ok", elapsed_s=0.1, step_id=step)
        yield ToolResult(text="result: 2.5" if "result =" in code else "(no output)")


async def test_the_analyst_has_its_code_run_step_by_step_and_concludes() -> None:
    python = Python()
    told = Bench(agent=React(tools=FixedTools(given=[python])), model=BuiltinAnalyst(Values()))
    took = await told.ask(QUESTION, datasets=(SALES,))
    assert took.answer.outcome == "completed"
    assert took.answer.text.startswith("Where region is East, the average units is 2.5")
    assert took.answer.result is not None
    assert any("mean()" in code for code in python.codes)
    assert took.answer.unverified == ()


async def test_the_analyst_declines_what_it_does_not_understand() -> None:
    told = Bench(agent=React(tools=FixedTools(given=[Python()])), model=BuiltinAnalyst(Values()))
    assert (await told.ask("Write a poem.", datasets=(SALES,))).answer.outcome == "declined"


class Halves:
    """The analyst, but for what it would do with tools."""

    name = "builtin"

    def __init__(self) -> None:
        self.analyst = BuiltinAnalyst(Values())

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        if isinstance(request.task, UseTools):
            yield TextPiece(text="It is 2.5.")
            parts = (TextPart(text="It is 2.5.", origin="output"),)
            yield StreamEnded(message=Message(role="assistant", parts=parts))
            return
        async for part in self.analyst.stream(request):
            yield part


async def test_a_plan_of_the_analyst_has_the_request_as_its_one_task(tmp_path: Path) -> None:
    told = plan_bench(tmp_path, Halves())
    run = await told.start(QUESTION)
    assert (await told.answer(run)).text == "It is 2.5."
    assert [child.question for child in await told.children(run)] == [QUESTION]
    assert await told.plans(run) == [[(QUESTION, state)] for state in ("not_started", "in_progress", "completed")]
    await told.close()
