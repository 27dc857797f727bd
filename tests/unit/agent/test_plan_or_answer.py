"""A message that may be a question is answered where its answer is sure, and else planned as a change where a plan
that writes comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.agent_bench import Bench
from tests.support.rounds_bench import plan, setting
from tests.support.run_workbooks import FakeRunWorkbook

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.chat import Chat
from tablewright.agent.emission import Item
from tablewright.agent.plan_or_answer import PlanOrAnswer
from tablewright.agent.rounds.agent import Rounds
from tablewright.domain.events import StepAnnounced, StepStarted
from tablewright.models.scripted import ScriptedModel

AGENT = PlanOrAnswer(Rounds(), Chat("thanks"))
READS = '{"execution_plan": [{"step": 1, "function": "describe", "parameters": {"sheet": "Sheet1"}}]}'


class WithWorkbook(Bench):
    """A bench whose runs have a workbook."""

    run_workbook: FakeRunWorkbook

    def context(self) -> AgentContext:
        return replace(super().context(), workbook=self.run_workbook)


def bench(folder: Path, written: str) -> WithWorkbook:
    made = WithWorkbook(agent=AGENT, model=ScriptedModel([written]))
    made.run_workbook = FakeRunWorkbook(folder=folder)
    return made


async def test_a_plan_that_writes_is_proposed(tmp_path: Path) -> None:
    took = await bench(tmp_path, plan(setting("B2", 1))).ask()
    assert took.types.index("intent.recognized") < took.types.index("plan.proposed")
    assert "answer.completed" not in took.types


@pytest.mark.parametrize("written", ['{"execution_plan": [], "error": "not understood"}', READS])
async def test_without_one_nothing_of_the_planner_is_told_and_the_other_answers(tmp_path: Path, written: str) -> None:
    took = await bench(tmp_path, written).ask()
    assert took.answer.text.startswith("You are welcome!")
    assert not {"intent.recognized", "plan.proposed"} & set(took.types)


async def test_a_run_that_goes_on_stays_with_the_planner(tmp_path: Path) -> None:
    begun = await bench(tmp_path, plan(setting("B2", 1))).ask()
    took = await bench(tmp_path, plan(setting("B2", 1))).ask(transcript=begun.transcript)
    assert took.types == [], "it still waits for the person's word on the plan"


class Sure:
    """An agent that is sure of its answer: it announces a step."""

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        del given, context
        yield StepAnnounced(step_id="1", name="Count")
        yield StepStarted(step_id="1")


async def test_a_sure_answer_is_given_and_no_change_is_planned(tmp_path: Path) -> None:
    made = WithWorkbook(agent=PlanOrAnswer(Rounds(), Sure()), model=ScriptedModel([]))
    made.run_workbook = FakeRunWorkbook(folder=tmp_path)
    took = await made.ask()
    assert took.types == ["step.announced", "step.started"]
